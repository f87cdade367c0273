/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the frames at a range's ends and shows the reduction of their errors. */
#include "app/timeline/fall-button.h"

#include "app/field/view.h"
#include "app/session/session.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/latest-job.h"
#include "field/accuracy.h"
#include "report/text/metric-group.h"
#include "report/timeline/strip.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

struct _LacFallButton {
  GtkWidget         parent_instance;
  GtkMenuButton    *button;
  GtkPopover       *popover;
  GtkLabel         *steps, *words;
  LacFieldView     *field;
  LacTimelineScope *scope;
  LacLatestJob     *loading;
  GArray           *channels; /* of LacChannel, used by the view */
};

G_DEFINE_FINAL_TYPE(LacFallButton, lac_fall_button, GTK_TYPE_WIDGET)

static LacSession *
get_session(LacFallButton *self)
{
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  return recording != NULL ? lac_recording_get_session(recording) : NULL;
}

static gboolean
is_plane(const LacChannel *channel)
{
  return channel->layers.n == 0 && channel->chart.n == 0 && channel->quantity != NULL;
}

/* Returns: the channel of the first true field, or -1. */
static gssize
find_truth(const LacChannel *channels, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (channels[i].role == LAC_ROLE_TRUTH && is_plane(&channels[i]))
      return (gssize) i;
  return -1;
}

/* Lists the sources of the true field's quantity as separate fields. @origins: (out): their channels */
static void
list_sources(LacFallButton *self, const LacChannel *channels, gsize n, GArray *origins)
{
  gssize truth = find_truth(channels, n);
  g_array_set_size(self->channels, 0);
  for (gsize i = 0; i < n && truth >= 0; i++) {
    if ((channels[i].role != LAC_ROLE_RECONSTRUCTION && channels[i].role != LAC_ROLE_BASELINE) ||
        !is_plane(&channels[i]) || !g_str_equal(channels[i].quantity, channels[truth].quantity))
      continue;
    LacChannel shown = channels[i];
    shown.colour_map = "balance";
    shown.quantity = "error_reduction";
    shown.without_markers = TRUE;
    g_array_append_val(self->channels, shown);
    g_array_append_val(origins, i);
  }
}

/* Returns: the last step completed at @time_ns; the first step if none was. */
static gint64
step_at(LacFallButton *self, gint64 time_ns)
{
  const LacIterations *iterations =
    lac_recording_get_iterations(lac_timeline_scope_get_recording(self->scope));
  gssize at = lac_timeline_find_iteration(iterations, time_ns);
  if (at >= 0 &&
      iterations->iterations[at].start_ns + iterations->iterations[at].duration_ns > time_ns)
    at--;
  return at >= 0 ? iterations->iterations[at].step : 0;
}

/* ---- worker thread ---- */

typedef struct {
  LacRunFile    *file;   /* (nullable): of the session */
  char          *folder; /* (nullable): opened without @file */
  LacCapture    *capture;
  gint64         range[2], steps[2];
  LacFrame      *ends[2]; /* (out) (nullable): different frames, or none */
  LacAggregates *sums;    /* (out): of the range */
} Request;

static void
request_free(gpointer data)
{
  Request *request = data;
  for (gsize i = 0; i < 2; i++)
    g_clear_pointer(&request->ends[i], lac_frame_unref);
  g_clear_pointer(&request->sums, lac_aggregates_free);
  g_clear_pointer(&request->capture, lac_capture_unref);
  g_clear_pointer(&request->file, lac_run_file_unref);
  g_free(request->folder);
  g_free(request);
}

/* Loads the stored frames at both ends, unless they are the same frame. */
static void
load_ends(Request *request, const LacRunFile *file)
{
  for (gsize i = 0; i < 2; i++) {
    gssize index = lac_run_file_find_frame(file, request->steps[i]);
    request->ends[i] = index >= 0 ? lac_run_file_load_frame(file, (gsize) index, NULL) : NULL;
  }
  if (request->ends[0] != NULL && request->ends[1] != NULL &&
      request->ends[0]->step < request->ends[1]->step)
    return;
  for (gsize i = 0; i < 2; i++)
    g_clear_pointer(&request->ends[i], lac_frame_unref);
}

static gpointer
load(gpointer data, GCancellable *cancellable, GError **error)
{
  Request               *request = data;
  g_autoptr(LacTimeline) timeline = lac_timeline_new(request->capture);
  g_autoptr(LacRunFile)  file = request->file != NULL ? lac_run_file_ref(request->file)
                                                      : lac_run_file_open(request->folder, NULL);
  if (file != NULL)
    load_ends(request, file);
  lac_timeline_close(timeline);
  request->sums = lac_timeline_sum_range(timeline, request->range[0], request->range[1]);
  return NULL;
}

/* ---- words ---- */

#define MOST_PARTS    3
#define LEAST_OF_TIME 0.05

/* Operations that took most of the range's time, by self time. */
typedef struct {
  const LacCapture   *capture;
  const LacAggregate *largest[MOST_PARTS];
  gsize               n;
} Parts;

static Parts
find_parts(const Request *request)
{
  gsize               n = 0;
  Parts               parts = {.capture = request->capture};
  const LacAggregate *rows = lac_aggregates_get(request->sums, &n);
  parts.n = lac_aggregates_largest(rows, n, LEAST_OF_TIME, parts.largest, MOST_PARTS);
  return parts;
}

/* Appends the self time of each operation, scaled to @seconds. */
static void
append_parts(const Parts *parts, double seconds, GString *words)
{
  for (gsize i = 0; i < parts->n; i++) {
    double           share = lac_aggregate_own_share(parts->largest[i]);
    g_autofree char *time = lac_format_duration(share * seconds);
    const char      *name = lac_capture_get_name(parts->capture, parts->largest[i]->name);
    g_string_append_printf(words, "%s%s %s", i == 0 ? " (" : ", ", name, time);
  }
  if (parts->n > 0)
    g_string_append_c(words, ')');
}

/* Appends for each drawn error curve the time per decade and its breakdown by operation. */
static void
append_prices(LacSession *session, const Parts *parts, double from, double to, GString *words)
{
  gsize             n, n_channels;
  const LacMetric  *metrics = lac_session_get_metrics(session, &n);
  const LacChannel *channels = lac_session_get_channels(session, &n_channels);
  for (gsize i = 0; i < n; i++) {
    LacSessionSeries series = lac_session_get_series(session, i);
    if (lac_metric_kind(&metrics[i]) != LAC_CURVES_ERRORS || !lac_metric_is_drawn(metrics, n, i))
      continue;
    const char *group = lac_metric_group(&metrics[i]);
    const char *of =
      *group == '\0' ? "" : _(lac_metric_group_label(group, metrics, n, channels, n_channels));
    double price = lac_seconds_per_decade(series.seconds, series.values, series.n, from, to);
    g_autofree char *label = lac_format_metric_name(&metrics[i]);
    g_autofree char *name = *of == '\0' ? g_strdup(label) : g_strdup_printf("%s, %s", of, label);
    g_autofree char *time = isfinite(price) ? lac_format_duration(price) : NULL;
    g_string_append_c(words, '\n');
    if (time != NULL) {
      /* Translators: an error curve, and the time per decade (a reduction by a factor of 10). */
      g_string_append_printf(words, _("%s: a tenfold reduction takes about %s"), name, time);
      append_parts(parts, price, words);
    } else {
      g_string_append_printf(words, _("%s: no reduction"), name);
    }
  }
}

/* Returns: (transfer full): a frame with one plane per source. */
static LacFrame *
make_frame(LacFallButton *self, LacSession *session, LacFrame *ends[2], GString *words)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(session, &n);
  g_autoptr(GArray) origins = g_array_new(FALSE, FALSE, sizeof(gsize));
  list_sources(self, channels, n, origins);
  gsize      truth = (gsize) find_truth(channels, n);
  g_autofree gsize(*sizes)[2] = g_malloc(sizeof *sizes * (origins->len + 1));
  for (guint i = 0; i < origins->len; i++) {
    sizes[i][0] = ends[1]->planes[g_array_index(origins, gsize, i)].nx;
    sizes[i][1] = ends[1]->planes[g_array_index(origins, gsize, i)].ny;
  }
  LacFrame *frame = lac_frame_new(origins->len, (const gsize(*)[2]) sizes, 0, 0);
  for (guint i = 0; i < origins->len; i++) {
    gsize     of = g_array_index(origins, gsize, i);
    LacScored before = {&ends[0]->planes[truth], &ends[0]->planes[of]};
    LacScored after = {&ends[1]->planes[truth], &ends[1]->planes[of]};
    double    share = lac_error_reduction(&before, &after, &frame->planes[i]);
    if (i > 0)
      g_string_append_c(words, '\n');
    g_string_append_printf(words, _("%s: the error fell in %.0f %% of the cells"),
                           g_dgettext(GETTEXT_PACKAGE, channels[of].label), 100 * share);
  }
  return frame;
}

static void
show_fall(LacFallButton *self, LacSession *session, Request *request)
{
  LacFrame          **ends = request->ends;
  g_autoptr(GString)  words = g_string_new(NULL);
  g_autoptr(LacFrame) frame = make_frame(self, session, ends, words);
  Parts               parts = find_parts(request);
  append_prices(session, &parts, ends[0]->seconds, ends[1]->seconds, words);
  g_autofree char *text =
    g_strdup_printf(_("From step %" PRId64 " to step %" PRId64 "; red: the error fell"),
                    ends[0]->step, ends[1]->step);
  gtk_label_set_text(self->steps, text);
  gtk_label_set_text(self->words, words->str);
  gtk_widget_set_visible(GTK_WIDGET(self->field), TRUE);
  lac_field_view_set_channels(
    self->field, (const LacChannel *) (gconstpointer) self->channels->data, self->channels->len);
  lac_field_view_set_frame(self->field, frame);
}

static void
show_words(LacFallButton *self, const char *words)
{
  lac_field_view_set_channels(self->field, NULL, 0);
  lac_field_view_set_frame(self->field, NULL);
  gtk_label_set_text(self->steps, words);
  gtk_label_set_text(self->words, "");
  gtk_widget_set_visible(GTK_WIDGET(self->field), FALSE);
}

static void
on_loaded(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacFallButton *self = owner;
  LacSession    *session = get_session(self);
  if (session != NULL && ((Request *) request)->ends[0] != NULL)
    show_fall(self, session, request);
  else
    show_words(self, _("This range needs a stored frame at each end."));
}

static void
fill(LacFallButton *self)
{
  LacSession *session = get_session(self);
  Request    *request = g_new0(Request, 1);
  show_words(self, _("Loading frames"));
  if (session == NULL ||
      !lac_timeline_scope_get_range(self->scope, &request->range[0], &request->range[1])) {
    g_free(request);
    return;
  }
  LacRunFile *file = lac_session_get_file(session);
  request->file = file != NULL ? lac_run_file_ref(file) : NULL;
  request->folder = g_strdup(lac_session_get_folder(session));
  request->capture =
    lac_capture_share(lac_recording_get_capture(lac_timeline_scope_get_recording(self->scope)));
  for (gsize i = 0; i < 2; i++)
    request->steps[i] = step_at(self, request->range[i]);
  lac_latest_job_start(self->loading, request);
}

/* ---- the object ---- */

static void
update(LacFallButton *self)
{
  gint64      begin, end;
  gsize       n = 0;
  LacSession *session = get_session(self);
  gboolean    any = session != NULL && !lac_session_is_active(session) &&
                 lac_timeline_scope_get_range(self->scope, &begin, &end);
  const LacChannel *channels = any ? lac_session_get_channels(session, &n) : NULL;
  gtk_widget_set_visible(GTK_WIDGET(self), any && find_truth(channels, n) >= 0);
}

static void
on_scope(LacFallButton *self, guint what)
{
  if ((what & LAC_SCOPE_DATA) && (what & LAC_SCOPE_VIEW)) /* another recording */
    lac_latest_job_cancel(self->loading);
  if (what & (LAC_SCOPE_RANGE | LAC_SCOPE_DATA))
    update(self);
}

static void
lac_fall_button_dispose(GObject *object)
{
  LacFallButton *self = LAC_FALL_BUTTON(object);
  if (self->button != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->button));
  self->button = NULL;
  g_clear_pointer(&self->loading, lac_latest_job_free);
  g_clear_object(&self->scope);
  g_clear_pointer(&self->channels, g_array_unref);
  G_OBJECT_CLASS(lac_fall_button_parent_class)->dispose(object);
}

static void
lac_fall_button_class_init(LacFallButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_fall_button_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
add_label(GtkWidget *box, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, class);
  gtk_widget_add_css_class(label, "numeric");
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static void
lac_fall_button_init(LacFallButton *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->channels = g_array_new(FALSE, FALSE, sizeof(LacChannel));
  self->loading = lac_latest_job_new(
    self, &(LacJobKind){.work = load, .show = on_loaded, .free_request = request_free});
  self->steps = add_label(box, "heading");
  self->field =
    g_object_new(LAC_TYPE_FIELD_VIEW, "width-request", 460, "height-request", 250, NULL);
  GtkWidget *clamp = adw_clamp_new(); /* fits into the smallest window */
  adw_clamp_set_maximum_size(ADW_CLAMP(clamp), 480);
  adw_clamp_set_child(ADW_CLAMP(clamp), GTK_WIDGET(self->field));
  gtk_box_append(GTK_BOX(box), clamp);
  lac_accessible_name(self->field, _("Error reduction"));
  self->words = add_label(box, "caption");
  self->popover = GTK_POPOVER(gtk_popover_new());
  gtk_popover_set_child(self->popover, box);
  g_signal_connect_swapped(self->popover, "map", G_CALLBACK(fill), self);
  lac_accessible_name(self->popover, _("Error reduction"));
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_menu_button_set_label(self->button, _("Error reduction"));
  gtk_menu_button_set_popover(self->button, GTK_WIDGET(self->popover));
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  lac_accessible_name(self->button, _("Error reduction"));
  gtk_widget_set_parent(GTK_WIDGET(self->button), GTK_WIDGET(self));
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

void
lac_fall_button_set_scope(LacFallButton *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_FALL_BUTTON(self) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  update(self);
}
