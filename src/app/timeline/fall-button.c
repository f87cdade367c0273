/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the frames at a range's ends and shows the reduction of their errors. */
#include "app/timeline/fall-button.h"

#include "app/field/view.h"
#include "app/session/session.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
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

static LacRunFile *
open_file(LacSession *session)
{
  LacRunFile *file = lac_session_get_file(session);
  return file != NULL ? lac_run_file_ref(file)
                      : lac_run_file_open(lac_session_get_folder(session), NULL);
}

/* Loads the stored frames at both ends. Returns: FALSE if they are the same frame. */
static gboolean
load_ends(LacFallButton *self, LacFrame *ends[2])
{
  gint64                times[2];
  LacSession           *session = get_session(self);
  g_autoptr(LacRunFile) file = session != NULL ? open_file(session) : NULL;
  lac_timeline_scope_get_range(self->scope, &times[0], &times[1]);
  ends[0] = ends[1] = NULL;
  if (file == NULL)
    return FALSE;
  for (gsize i = 0; i < 2; i++) {
    gssize index = lac_run_file_find_frame(file, step_at(self, times[i]));
    ends[i] = index >= 0 ? lac_run_file_load_frame(file, (gsize) index, NULL) : NULL;
  }
  if (ends[0] != NULL && ends[1] != NULL && ends[0]->step < ends[1]->step)
    return TRUE;
  for (gsize i = 0; i < 2; i++)
    g_clear_pointer(&ends[i], lac_frame_unref);
  return FALSE;
}

/* ---- words ---- */

#define MOST_PARTS    3
#define LEAST_OF_TIME 0.05

/* Operations that took most of the range's time, by self time. */
typedef struct {
  const LacCapture   *capture;
  LacAggregates      *sums;
  const LacAggregate *largest[MOST_PARTS];
  gsize               n;
} Parts;

static Parts
find_parts(LacFallButton *self)
{
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  gint64        begin, end;
  gsize         n = 0;
  lac_timeline_scope_get_range(self->scope, &begin, &end);
  Parts parts = {
    .capture = lac_recording_get_capture(recording),
    .sums = lac_timeline_sum_range(lac_recording_get_timeline(recording), begin, end),
  };
  const LacAggregate *rows = lac_aggregates_get(parts.sums, &n);
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
show_fall(LacFallButton *self, LacSession *session, LacFrame *ends[2])
{
  g_autoptr(GString)  words = g_string_new(NULL);
  g_autoptr(LacFrame) frame = make_frame(self, session, ends, words);
  Parts               parts = find_parts(self);
  append_prices(session, &parts, ends[0]->seconds, ends[1]->seconds, words);
  lac_aggregates_free(parts.sums);
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
fill(LacFallButton *self)
{
  LacFrame   *ends[2];
  LacSession *session = get_session(self);
  lac_field_view_set_channels(self->field, NULL, 0);
  lac_field_view_set_frame(self->field, NULL);
  if (session == NULL || !load_ends(self, ends)) {
    gtk_label_set_text(self->steps, _("This range needs a stored frame at each end."));
    gtk_label_set_text(self->words, "");
    gtk_widget_set_visible(GTK_WIDGET(self->field), FALSE);
    return;
  }
  show_fall(self, session, ends);
  lac_frame_unref(ends[0]);
  lac_frame_unref(ends[1]);
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
