/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live page. */
#include "app/live-page.h"

#include "app/curve-panel.h"
#include "app/derived-planes.h"
#include "app/field-view.h"
#include "app/live-column.h"
#include "app/metric-list.h"
#include "app/param-row.h"
#include "app/phrase.h"
#include "app/run-bar.h"
#include "base/clock.h"
#include "report/metric-text.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define AGE_PERIOD_MS 250 /* the age of the frame goes on while no new one comes */

struct _LacLivePage {
  GtkWidget         parent_instance;
  GtkStack         *stack, *viewer;
  LacLiveColumn    *column;
  LacFieldView     *field;
  LacCurvePanel    *curves;
  LacMetricList    *metrics;
  AdwStatusPage    *waiting;
  GtkProgressBar   *setup;
  GtkLabel         *reading, *step, *age, *skipped, *elapsed, *state, *message;
  GtkDropDown      *quantity;
  GtkWidget        *modes, *fields, *errors, *deviation;
  GtkWidget        *controls, *frames, *tuning, *pause, *step_once, *stop, *checkpoint;
  GtkScale         *frame;
  GtkBox           *tuning_rows;
  LacSession       *session;
  LacDerivedPlanes *derived;
  LacDraft         *draft; /* of the live rows */
  guint             ticker;
  gint64            described_ns;
};

G_DEFINE_FINAL_TYPE(LacLivePage, lac_live_page, GTK_TYPE_WIDGET)

static void
set_label(GtkLabel *label, char *text)
{
  if (g_strcmp0(gtk_label_get_text(label), text) != 0)
    gtk_label_set_text(label, text);
  g_free(text);
}

static void
show_age(LacLivePage *self)
{
  LacFrame *frame = lac_session_get_frame(self->session);
  if (frame == NULL)
    return;
  const LacRunStatus *status = lac_session_get_status(self->session);
  set_label(self->step, lac_phrase_count((guint64) MAX(frame->step, 0)));
  if (status->state == LAC_RUN_RUNNING)
    set_label(self->age, lac_phrase_duration((double) (lac_clock_ns() - frame->made_ns) / 1e9));
  else
    set_label(self->age, g_strdup("–"));
  set_label(self->skipped, lac_phrase_count(lac_session_get_n_skipped(self->session)));
}

/* What a screen reader says of the picture, at most once a second. */
static void
describe_picture(LacLivePage *self, const LacFrame *frame)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  gint64           now = lac_clock_ns();
  if (now - self->described_ns < G_GINT64_CONSTANT(1000000000))
    return;
  self->described_ns = now;
  GString           *words = g_string_new(NULL);
  g_autofree double *values = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  g_string_printf(words, _("Step %" G_GINT64_FORMAT), frame->step);
  for (gsize i = 0; i < n; i++)
    if (metrics[i].is_result && !lac_metric_is_error(metrics, n, i)) {
      g_autofree char *value = lac_metric_text(metrics, values, n, i);
      g_string_append_printf(words, ", %s %s", g_dgettext(GETTEXT_PACKAGE, metrics[i].label),
                             value);
    }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->field), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 words->str, -1);
  g_string_free(words, TRUE);
}

static const char *
get_quantity(LacLivePage *self)
{
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  return scene->n_quantities > 0 ? scene->quantities[scene->quantity] : "";
}

/* The session's frame, with the derived planes where @quantity is one of them. */
static void
show_fields(LacLivePage *self, const char *quantity)
{
  LacFrame *frame = lac_session_get_frame(self->session);
  if (frame == NULL || !lac_derived_planes_has(self->derived, quantity)) {
    lac_field_view_set_frame(self->field, frame);
    return;
  }
  g_autoptr(LacFrame) whole = lac_derived_planes_extend(self->derived, frame, quantity);
  lac_field_view_set_frame(self->field, whole);
}

static void
on_frame(LacLivePage *self)
{
  LacFrame *frame = lac_session_get_frame(self->session);
  show_fields(self, get_quantity(self));
  if (frame == NULL)
    return;
  gtk_stack_set_visible_child_name(self->viewer, "field");
  show_age(self);
  describe_picture(self, frame);
}

static void
on_painted(gint64 begin_ns, gint64 upload_ns, gint64 end_ns, gpointer user_data)
{
  LacLivePage *self = user_data;
  if (self->session != NULL)
    lac_session_record_drawing(self->session, begin_ns, upload_ns, end_ns);
}

static void
show_setup(LacLivePage *self, const LacRunStatus *status)
{
  if (status->state == LAC_RUN_SETTING_UP) {
    adw_status_page_set_title(self->waiting, _("Preparing"));
    adw_status_page_set_description(self->waiting, status->phase[0] != '\0'
                                                     ? status->phase
                                                     : _("The first frame comes in a moment."));
    gtk_progress_bar_set_fraction(self->setup, CLAMP(status->fraction, 0, 1));
    gtk_widget_set_opacity(GTK_WIDGET(self->setup), 1);
  } else if (status->state == LAC_RUN_ENDED) {
    adw_status_page_set_title(self->waiting, _("No Picture"));
    adw_status_page_set_description(self->waiting, status->message[0] != '\0'
                                                     ? status->message
                                                     : _("The run ended before its first frame."));
    gtk_widget_set_opacity(GTK_WIDGET(self->setup), 0);
  }
}

static void
on_status(LacLivePage *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  gboolean            paused = status->state == LAC_RUN_PAUSED;
  g_autofree char    *words = lac_run_bar_dup_words(status);
  g_autofree char    *duration = lac_phrase_duration(status->seconds);
  show_setup(self, status);
  set_label(self->state, g_strdup(words));
  set_label(self->elapsed, g_strdup(duration));
  set_label(self->message, g_strdup(status->message));
  gtk_widget_set_visible(GTK_WIDGET(self->message), status->message[0] != '\0');
  if (g_str_equal(status->outcome, "failed") || g_str_equal(status->outcome, "diverged"))
    gtk_widget_add_css_class(GTK_WIDGET(self->message), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->message), "error");
  gtk_widget_set_visible(self->controls, lac_session_is_active(self->session));
  gtk_button_set_label(GTK_BUTTON(self->pause), paused ? _("Resume") : _("Pause"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->pause), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 paused ? _("Resume") : _("Pause"), -1);
  show_age(self);
}

static gboolean
on_tick(gpointer user_data)
{
  LacLivePage *self = user_data;
  if (!lac_session_is_active(self->session)) {
    self->ticker = 0;
    show_age(self);
    return G_SOURCE_REMOVE;
  }
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    show_age(self);
  return G_SOURCE_CONTINUE;
}

static void
on_reading(LacLivePage *self)
{
  g_autofree char *reading = NULL;
  g_object_get(self->field, "reading", &reading, NULL);
  set_label(self->reading, g_strdup(reading != NULL ? reading : _("Point at a field to read it.")));
}

/* ---- what is shown of the fields ---- */

static void
show_modes(LacLivePage *self)
{
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  gboolean             errors = lac_field_scene_has_mode(scene, LAC_VIEW_ERRORS);
  gboolean             deviation = lac_field_scene_has_mode(scene, LAC_VIEW_DEVIATION);
  gtk_widget_set_visible(self->errors, errors);
  gtk_widget_set_visible(self->deviation, deviation);
  gtk_widget_set_visible(self->modes, errors || deviation);
}

static void
on_quantity(GtkDropDown *drop, GParamSpec *pspec, LacLivePage *self)
{
  guint                selected = gtk_drop_down_get_selected(drop);
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  if (self->session == NULL || selected >= scene->n_quantities || selected == scene->quantity)
    return;
  /* A derived one's planes come before it is chosen, a frame without them after another one is. */
  const char *quantity = scene->quantities[selected];
  if (lac_derived_planes_has(self->derived, quantity))
    show_fields(self, quantity);
  lac_field_view_set_quantity(self->field, selected);
  show_fields(self, quantity);
  show_modes(self);
}

static void
show_quantities(LacLivePage *self)
{
  const LacFieldScene     *scene = lac_field_view_get_scene(self->field);
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  for (guint i = 0; i < scene->n_quantities; i++)
    gtk_string_list_take(names, lac_field_scene_dup_quantity(scene, i));
  gtk_drop_down_set_model(self->quantity, G_LIST_MODEL(names));
  gtk_widget_set_visible(GTK_WIDGET(self->quantity), scene->n_quantities > 1);
  show_modes(self);
}

static void
on_frame_chosen(GtkRange *range, LacLivePage *self)
{
  if (self->session == NULL || !lac_session_is_file(self->session))
    return;
  lac_session_show_frame(self->session, (gsize) (gtk_range_get_value(range) + 0.5), NULL);
}

/* ---- parameters that may change while the run goes ---- */

static void
on_tuned(LacParamRow *row, LacLivePage *self)
{
  const LacParam   *param = lac_param_row_get_param(row);
  g_autoptr(GError) error = NULL;
  LacRun           *run = lac_session_get_run(self->session);
  if (run == NULL || !lac_session_is_active(self->session) || lac_param_row_get_error(row) != NULL)
    return;
  g_autofree char *text = lac_draft_dup_text(self->draft, param);
  if (!lac_run_set_live(run, param->key, text, &error))
    set_label(self->message, g_strdup(error->message));
  gtk_widget_set_visible(GTK_WIDGET(self->message), error != NULL);
}

static void
clear_tuning(LacLivePage *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->tuning_rows))) != NULL)
    gtk_box_remove(self->tuning_rows, child);
  g_clear_pointer(&self->draft, lac_draft_free);
}

static void
add_tuning(LacLivePage *self, const LacDraft *draft)
{
  const LacParamTable *table = lac_draft_get_table(draft);
  GtkWidget           *list = gtk_list_box_new();
  gsize                n = 0;
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list, "boxed-list");
  self->draft = lac_draft_copy(draft);
  for (gsize i = 0; i < table->n_rows; i++) {
    if (!(table->rows[i].flags & LAC_PARAM_LIVE) ||
        !lac_draft_is_in_use(self->draft, &table->rows[i]))
      continue;
    GtkWidget *row = lac_param_row_new(&table->rows[i], self->draft);
    adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 1);
    g_signal_connect(row, "changed", G_CALLBACK(on_tuned), self);
    gtk_list_box_append(GTK_LIST_BOX(list), row);
    n++;
  }
  gtk_box_append(self->tuning_rows, list);
  gtk_widget_set_visible(self->tuning, n > 0);
}

/* ---- the session ---- */

static void
connect_session(LacLivePage *self)
{
  LacSession *session = self->session;
  g_signal_connect_object(session, "frame-changed", G_CALLBACK(on_frame), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "status-changed", G_CALLBACK(on_status), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(on_status), self, G_CONNECT_SWAPPED);
  if (lac_session_is_active(session))
    self->ticker = g_timeout_add(AGE_PERIOD_MS, on_tick, self);
}

static void
disconnect_session(LacLivePage *self)
{
  g_clear_handle_id(&self->ticker, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

static void
show_kept_frames(LacLivePage *self)
{
  gsize n = lac_session_get_n_frames(self->session);
  gtk_widget_set_visible(self->frames, n > 1);
  if (n > 1) {
    gtk_range_set_range(GTK_RANGE(self->frame), 0, (double) (n - 1));
    gtk_range_set_value(GTK_RANGE(self->frame), (double) (n - 1));
  }
}

void
lac_live_page_set_session(LacLivePage *self, LacSession *session, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  disconnect_session(self);
  clear_tuning(self);
  lac_field_view_set_channels(self->field, NULL, 0);
  g_clear_pointer(&self->derived, lac_derived_planes_free);
  g_set_object(&self->session, session);
  lac_curve_panel_set_session(self->curves, session);
  lac_metric_list_set_session(self->metrics, session);
  gtk_stack_set_visible_child_name(self->stack, session != NULL ? "run" : "empty");
  if (session == NULL)
    return;
  gsize             n;
  const LacChannel *own = lac_session_get_channels(session, &n);
  self->derived = lac_derived_planes_new(own, n);
  const LacChannel *channels = lac_derived_planes_get_channels(self->derived, &n);
  lac_field_view_set_channels(self->field, channels, n);
  show_quantities(self);
  gtk_stack_set_visible_child_name(self->viewer, "waiting");
  gtk_widget_set_visible(self->tuning, FALSE);
  if (draft != NULL)
    add_tuning(self, draft);
  show_kept_frames(self);
  connect_session(self);
  on_frame(self);
  on_status(self);
}

static void
lac_live_page_dispose(GObject *object)
{
  LacLivePage *self = LAC_LIVE_PAGE(object);
  disconnect_session(self);
  g_clear_object(&self->session);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_LIVE_PAGE);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->derived, lac_derived_planes_free);
  G_OBJECT_CLASS(lac_live_page_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child(class, LacLivePage, stack);
  gtk_widget_class_bind_template_child(class, LacLivePage, viewer);
  gtk_widget_class_bind_template_child(class, LacLivePage, column);
  gtk_widget_class_bind_template_child(class, LacLivePage, field);
  gtk_widget_class_bind_template_child(class, LacLivePage, curves);
  gtk_widget_class_bind_template_child(class, LacLivePage, metrics);
  gtk_widget_class_bind_template_child(class, LacLivePage, waiting);
  gtk_widget_class_bind_template_child(class, LacLivePage, setup);
  gtk_widget_class_bind_template_child(class, LacLivePage, reading);
  gtk_widget_class_bind_template_child(class, LacLivePage, step);
  gtk_widget_class_bind_template_child(class, LacLivePage, age);
  gtk_widget_class_bind_template_child(class, LacLivePage, skipped);
  gtk_widget_class_bind_template_child(class, LacLivePage, elapsed);
  gtk_widget_class_bind_template_child(class, LacLivePage, state);
  gtk_widget_class_bind_template_child(class, LacLivePage, message);
  gtk_widget_class_bind_template_child(class, LacLivePage, quantity);
  gtk_widget_class_bind_template_child(class, LacLivePage, modes);
  gtk_widget_class_bind_template_child(class, LacLivePage, fields);
  gtk_widget_class_bind_template_child(class, LacLivePage, errors);
  gtk_widget_class_bind_template_child(class, LacLivePage, deviation);
  gtk_widget_class_bind_template_child(class, LacLivePage, controls);
  gtk_widget_class_bind_template_child(class, LacLivePage, frames);
  gtk_widget_class_bind_template_child(class, LacLivePage, tuning);
  gtk_widget_class_bind_template_child(class, LacLivePage, pause);
  gtk_widget_class_bind_template_child(class, LacLivePage, step_once);
  gtk_widget_class_bind_template_child(class, LacLivePage, stop);
  gtk_widget_class_bind_template_child(class, LacLivePage, checkpoint);
  gtk_widget_class_bind_template_child(class, LacLivePage, frame);
  gtk_widget_class_bind_template_child(class, LacLivePage, tuning_rows);
  gtk_widget_class_bind_template_callback(class, on_frame_chosen);
  gtk_widget_class_bind_template_callback(class, on_quantity);
}

static void
lac_live_page_class_init(LacLivePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_live_page_dispose;
  g_type_ensure(LAC_TYPE_FIELD_VIEW);
  g_type_ensure(LAC_TYPE_LIVE_COLUMN);
  g_type_ensure(LAC_TYPE_CURVE_PANEL);
  g_type_ensure(LAC_TYPE_METRIC_LIST);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/live-page.ui");
  bind_children(widget_class);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
name_controls(LacLivePage *self)
{
  struct {
    GtkWidget  *widget;
    const char *name;
  } named[] = {
    {self->pause, _("Pause")},
    {self->step_once, _("Step")},
    {self->stop, _("Stop")},
    {self->checkpoint, _("Checkpoint")},
    {GTK_WIDGET(self->quantity), _("Quantity")},
    {self->fields, _("Fields")},
    {self->errors, _("Errors")},
    {self->deviation, _("Uncertainty")},
    {GTK_WIDGET(self->frame), _("Kept frame")},
    {GTK_WIDGET(self->setup), _("Progress of the preparation")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(named); i++)
    gtk_accessible_update_property(GTK_ACCESSIBLE(named[i].widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   named[i].name, -1);
}

static void
lac_live_page_init(LacLivePage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_field_view_set_painted(self->field, on_painted, self);
  lac_live_column_set_field(self->column, GTK_WIDGET(self->viewer), self->field);
  g_signal_connect_object(self->field, "notify::reading", G_CALLBACK(on_reading), self,
                          G_CONNECT_SWAPPED);
  name_controls(self);
  on_reading(self);
  lac_live_page_set_session(self, NULL, NULL);
}

void
lac_live_page_set_mode(LacLivePage *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  lac_field_view_set_mode(self->field, mode);
}

gboolean
lac_live_page_set_quantity(LacLivePage *self, const char *quantity)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self) && quantity != NULL, FALSE);
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  for (guint i = 0; i < scene->n_quantities; i++)
    if (g_str_equal(scene->quantities[i], quantity)) {
      gtk_drop_down_set_selected(self->quantity, i);
      return TRUE;
    }
  return FALSE;
}

gboolean
lac_live_page_show_curves(LacLivePage *self, const char *tab)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self), FALSE);
  return lac_curve_panel_show(self->curves, tab);
}

void
lac_live_page_set_smooth(LacLivePage *self, gboolean smooth)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  lac_field_view_set_smooth(self->field, smooth);
}

void
lac_live_page_zoom(LacLivePage *self, double factor)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  if (factor > 0)
    lac_field_view_zoom(self->field, factor);
  else
    lac_field_view_fit(self->field);
}
