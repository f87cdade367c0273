/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live page. */
#include "app/field/view.h"
#include "app/live/page-private.h"
#include "app/session/words.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/open-button.h"
#include "base/clock.h"
#include "report/text/metric-text.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

G_DEFINE_FINAL_TYPE(LacLivePage, lac_live_page, GTK_TYPE_WIDGET)

void
lac_live_page_set_label(GtkLabel *label, char *text)
{
  if (g_strcmp0(gtk_label_get_text(label), text) != 0)
    gtk_label_set_text(label, text);
  g_free(text);
}

/* Appends the progress of the exposures. */
static void
append_apertures(const LacFrame *frame, GString *words)
{
  guint n = 0, n_seen = 0;
  for (gsize i = 0; i < frame->n_markers; i++)
    if (g_strcmp0(frame->markers[i].kind, "aperture") == 0) {
      n++;
      n_seen += isfinite(frame->markers[i].x) ? 1 : 0;
    }
  if (n > 0)
    /* Translators: apertures that the first method has used so far, and their total; part of a list. */
    g_string_append_printf(words, ngettext(", %u of %u aperture", ", %u of %u apertures", n),
                           n_seen, n);
}

/* Describes the picture for screen readers, at most once a second. */
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
  g_string_printf(words, _("Step %" PRId64), frame->step);
  append_apertures(frame, words);
  for (gsize i = 0; i < n; i++)
    if (metrics[i].is_result && !lac_metric_is_error(metrics, n, i)) {
      g_autofree char *value = lac_metric_text(metrics, values, n, i);
      g_string_append_printf(words, ", %s %s", lac_word(metrics[i].label), value);
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

/* Shows the session's frame, extended by derived planes if @quantity is one. */
static void
show_fields(LacLivePage *self, const char *quantity)
{
  if (self->shown == NULL || !lac_derived_planes_has(self->derived, quantity)) {
    lac_field_view_set_frame(self->field, self->shown);
    return;
  }
  g_autoptr(LacFrame) whole = lac_derived_planes_extend(self->derived, self->shown, quantity);
  lac_field_view_set_frame(self->field, whole);
}

static gboolean
shows_volume(LacLivePage *self)
{
  return self->mode == LAC_VIEW_VOLUME && lac_volume_viewer_get_channel(self->volume) != NULL;
}

/* Shows the frame; only the visible view is updated. */
static void
show_frame(LacLivePage *self)
{
  gboolean in_space = shows_volume(self);
  gtk_widget_set_visible(GTK_WIDGET(self->quantity),
                         !in_space && lac_field_view_get_scene(self->field)->n_quantities > 1);
  gtk_widget_set_visible(GTK_WIDGET(self->picture), !in_space);
  lac_live_column_set_filled(self->column, in_space);
  gtk_widget_set_opacity(GTK_WIDGET(self->reading), in_space ? 0 : 1);
  if (self->shown == NULL)
    return;
  if (in_space)
    lac_volume_viewer_set_frame(self->volume, self->shown);
  else
    show_fields(self, get_quantity(self));
  gtk_stack_set_visible_child_name(self->viewer, in_space ? "volume" : "field");
}

/* Distributes a new frame to all views of the page. @frame: (nullable): none yet */
static void
on_frame(LacSession *session, LacFrame *frame, LacLivePage *self)
{
  if (frame != NULL)
    lac_frame_ref(frame);
  g_clear_pointer(&self->shown, lac_frame_unref);
  self->shown = frame;
  show_frame(self);
  if (frame == NULL)
    return;
  lac_curve_panel_set_frame(self->curves, frame);
  lac_live_facts_set_frame(self->facts, frame);
  lac_step_frame_set_shown(self->of_step, frame->step);
  lac_live_page_follow_frame(self, frame);
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
                                                     : _("The first frame will appear shortly."));
    gtk_progress_bar_set_fraction(self->setup, CLAMP(status->fraction, 0, 1));
    gtk_widget_set_opacity(GTK_WIDGET(self->setup), 1);
  } else if (status->state == LAC_RUN_ENDED) {
    adw_status_page_set_title(self->waiting, _("No Frame"));
    adw_status_page_set_description(self->waiting, status->message[0] != '\0'
                                                     ? status->message
                                                     : _("The run ended before its first frame."));
    gtk_widget_set_opacity(GTK_WIDGET(self->setup), 0);
  }
}

/* Shows the device, unless it is the CPU, with its memory in use. */
static void
show_device(LacLivePage *self, const LacRunStatus *status)
{
  gboolean         has_memory = status->memory.used > 0 && lac_session_is_active(self->session);
  g_autofree char *used = lac_format_bytes((double) status->memory.used);
  lac_live_page_set_label(self->device, has_memory
                                          ? g_strdup_printf("%s · %s", status->device, used)
                                          : g_strdup(status->device));
  gtk_widget_set_visible(GTK_WIDGET(self->device), status->device[0] != '\0');
}

static void
on_status(LacLivePage *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  gboolean            paused = status->state == LAC_RUN_PAUSED;
  g_autofree char    *words = lac_session_dup_words(self->session);
  show_setup(self, status);
  lac_live_page_set_label(self->state, g_strdup(words));
  show_device(self, status);
  const char *message = /* a fallback is reported by the banner */
    g_str_equal(status->message, status->fallback) ? "" : status->message;
  lac_live_page_set_label(self->message, g_strdup(message));
  gtk_widget_set_visible(GTK_WIDGET(self->message),
                         message[0] != '\0' &&
                           (!gtk_widget_get_visible(self->remedy) || status->is_unassembled));
  if (g_str_equal(status->outcome, "failed") || g_str_equal(status->outcome, "diverged"))
    gtk_widget_add_css_class(GTK_WIDGET(self->message), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->message), "error");
  gtk_widget_set_visible(self->controls, lac_session_is_active(self->session));
  gtk_button_set_label(GTK_BUTTON(self->pause), paused ? _("Resume") : _("Pause"));
  lac_accessible_name(self->pause, paused ? _("Resume") : _("Pause"));
}

static void
on_reading(LacLivePage *self)
{
  g_autofree char *reading = NULL;
  g_object_get(self->field, "reading", &reading, NULL);
  lac_live_page_set_label(
    self->reading, g_strdup(reading != NULL ? reading : _("Point at a field to read its values.")));
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
  gboolean in_space = lac_field_scene_has_mode(scene, LAC_VIEW_VOLUME);
  gtk_widget_set_visible(self->in_space, in_space);
  gtk_widget_set_visible(self->modes, errors || deviation || in_space);
  lac_view_controls_update(self->view_controls);
}

static void
on_quantity(GtkDropDown *drop, GParamSpec *pspec, LacLivePage *self)
{
  guint                selected = gtk_drop_down_get_selected(drop);
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  if (self->session == NULL || selected >= scene->n_quantities || selected == scene->quantity)
    return;
  /* Derived planes are added before their quantity is chosen, and dropped after another is. */
  const char *quantity = scene->quantities[selected];
  if (lac_derived_planes_has(self->derived, quantity))
    show_fields(self, quantity);
  lac_field_view_set_quantity(self->field, selected);
  show_fields(self, quantity);
  show_modes(self);
  lac_curve_panel_list_again(self->curves);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.quantity", "s",
                             quantity); /* for a UI recording */
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

/* Shows the fields of a step chosen in a curve; recomputed if no frame was stored. */
static void
on_step_chosen(LacCurvePanel *curves, gint64 step, LacLivePage *self)
{
  lac_step_frame_follow(self->of_step, self->session, step);
}

/* ---- the session ---- */

static void
connect_session(LacLivePage *self)
{
  LacSession *session = self->session;
  g_signal_connect_object(session, "frame-changed", G_CALLBACK(on_frame), self, 0);
  g_signal_connect_object(session, "status-changed", G_CALLBACK(on_status), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "file-changed", G_CALLBACK(lac_live_page_show_kept_frames), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(on_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(lac_live_page_show_remedy), self,
                          G_CONNECT_SWAPPED);
}

static void
disconnect_session(LacLivePage *self)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

void
lac_live_page_set_session(LacLivePage *self, LacSession *session, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  disconnect_session(self);
  lac_live_page_clear_tuning(self);
  lac_field_view_set_channels(self->field, NULL, 0);
  lac_volume_viewer_set_channels(self->volume, NULL, 0);
  g_clear_pointer(&self->derived, lac_derived_planes_free);
  lac_step_frame_follow(self->of_step, NULL, -1);
  g_clear_pointer(&self->shown, lac_frame_unref);
  g_set_object(&self->session, session);
  lac_curve_panel_set_session(self->curves, session);
  lac_metric_list_set_session(self->metrics, session);
  lac_live_facts_set_session(self->facts, session);
  gtk_stack_set_visible_child_name(self->stack, session != NULL ? "run" : "empty");
  if (session == NULL)
    return;
  gsize             n;
  const LacChannel *own = lac_session_get_channels(session, &n);
  self->derived = lac_derived_planes_new(own, n);
  const LacChannel *channels = lac_derived_planes_get_channels(self->derived, &n);
  lac_field_view_set_channels(self->field, channels, n);
  lac_volume_viewer_set_channels(self->volume, channels, n);
  show_quantities(self);
  gtk_stack_set_visible_child_name(self->viewer, "waiting");
  gtk_widget_set_visible(self->tuning, FALSE);
  if (draft != NULL)
    lac_live_page_add_tuning(self, draft);
  lac_live_page_show_kept_frames(self);
  connect_session(self);
  on_frame(session, lac_session_get_frame(session), self);
  on_status(self);
  lac_live_page_show_remedy(self);
}

static void
lac_live_page_dispose(GObject *object)
{
  LacLivePage *self = LAC_LIVE_PAGE(object);
  disconnect_session(self);
  g_clear_object(&self->session);
  g_clear_pointer(&self->shown, lac_frame_unref);
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
  gtk_widget_class_bind_template_child(class, LacLivePage, facts);
  gtk_widget_class_bind_template_child(class, LacLivePage, of_step);
  gtk_widget_class_bind_template_child(class, LacLivePage, waiting);
  gtk_widget_class_bind_template_child(class, LacLivePage, setup);
  gtk_widget_class_bind_template_child(class, LacLivePage, reading);
  gtk_widget_class_bind_template_child(class, LacLivePage, state);
  gtk_widget_class_bind_template_child(class, LacLivePage, device);
  gtk_widget_class_bind_template_child(class, LacLivePage, message);
  gtk_widget_class_bind_template_child(class, LacLivePage, remedy);
  gtk_widget_class_bind_template_child(class, LacLivePage, remedy_text);
  gtk_widget_class_bind_template_child(class, LacLivePage, retry);
  gtk_widget_class_bind_template_child(class, LacLivePage, retry_label);
  gtk_widget_class_bind_template_child(class, LacLivePage, quantity);
  gtk_widget_class_bind_template_child(class, LacLivePage, modes);
  gtk_widget_class_bind_template_child(class, LacLivePage, view_controls);
  gtk_widget_class_bind_template_child(class, LacLivePage, fields);
  gtk_widget_class_bind_template_child(class, LacLivePage, errors);
  gtk_widget_class_bind_template_child(class, LacLivePage, deviation);
  gtk_widget_class_bind_template_child(class, LacLivePage, in_space);
  gtk_widget_class_bind_template_child(class, LacLivePage, picture);
  gtk_widget_class_bind_template_child(class, LacLivePage, volume);
  gtk_widget_class_bind_template_child(class, LacLivePage, controls);
  gtk_widget_class_bind_template_child(class, LacLivePage, frames);
  gtk_widget_class_bind_template_child(class, LacLivePage, tuning);
  gtk_widget_class_bind_template_child(class, LacLivePage, pause);
  gtk_widget_class_bind_template_child(class, LacLivePage, step_once);
  gtk_widget_class_bind_template_child(class, LacLivePage, stop);
  gtk_widget_class_bind_template_child(class, LacLivePage, checkpoint);
  gtk_widget_class_bind_template_child(class, LacLivePage, frame);
  gtk_widget_class_bind_template_child(class, LacLivePage, play);
  gtk_widget_class_bind_template_child(class, LacLivePage, tuning_rows);
  gtk_widget_class_bind_template_callback_full(class, "on_frame_chosen",
                                               G_CALLBACK(lac_live_page_on_frame_chosen));
  gtk_widget_class_bind_template_callback(class, on_quantity);
}

static void
lac_live_page_class_init(LacLivePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_live_page_dispose;
  g_type_ensure(LAC_TYPE_FIELD_VIEW);
  g_type_ensure(LAC_TYPE_VOLUME_VIEWER);
  g_type_ensure(LAC_TYPE_VIEW_CONTROLS);
  g_type_ensure(LAC_TYPE_PICTURE_MENU);
  g_type_ensure(LAC_TYPE_PLAY_BUTTON);
  g_type_ensure(LAC_TYPE_LIVE_COLUMN);
  g_type_ensure(LAC_TYPE_CURVE_PANEL);
  g_type_ensure(LAC_TYPE_METRIC_LIST);
  g_type_ensure(LAC_TYPE_LIVE_FACTS);
  g_type_ensure(LAC_TYPE_STEP_FRAME);
  g_type_ensure(LAC_TYPE_OPEN_BUTTON);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/live/page.ui");
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
    {self->step_once, C_("verb", "Step")},
    {self->stop, _("Stop")},
    {self->checkpoint, _("Checkpoint")},
    {GTK_WIDGET(self->quantity), _("Quantity")},
    {self->fields, _("Fields")},
    {self->errors, _("Errors")},
    {self->deviation, _("Uncertainty")},
    {self->in_space, _("Volume")},
    {GTK_WIDGET(self->frame), _("Stored frame")},
    {GTK_WIDGET(self->setup), _("Preparation progress")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(named); i++)
    lac_accessible_name(named[i].widget, named[i].name);
}

static void
lac_live_page_init(LacLivePage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_field_view_set_painted(self->field, on_painted, self);
  lac_volume_canvas_set_painted(lac_volume_viewer_get_canvas(self->volume), on_painted, self);
  lac_view_controls_attach(self->view_controls, self->field, "win.view");
  lac_picture_menu_attach(self->picture, self->field);
  lac_curve_panel_set_field(self->curves, self->field);
  lac_step_frame_stay(self->of_step);
  lac_play_button_set_range(self->play, GTK_RANGE(self->frame));
  g_signal_connect(self->curves, "step-chosen", G_CALLBACK(on_step_chosen), self);
  lac_live_column_set_field(self->column, GTK_WIDGET(self->viewer), self->field);
  g_signal_connect_object(self->field, "notify::reading", G_CALLBACK(on_reading), self,
                          G_CONNECT_SWAPPED);
  name_controls(self);
  lac_accessible_name_drop_down(self->quantity, _("Quantity"));
  on_reading(self);
  lac_live_page_set_session(self, NULL, NULL);
}

void
lac_live_page_set_mode(LacLivePage *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  self->mode = mode;
  lac_field_view_set_mode(self->field, mode);
  show_frame(self);
  lac_view_controls_update(self->view_controls);
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

void
lac_live_page_show_frame(LacLivePage *self, guint64 frame)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  gtk_range_set_value(GTK_RANGE(self->frame), (double) frame);
}

gboolean
lac_live_page_show_curves(LacLivePage *self, const char *tab)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self), FALSE);
  return lac_curve_panel_show(self->curves, tab);
}

LacFieldView *
lac_live_page_get_field(LacLivePage *self)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self), NULL);
  return self->field;
}

void
lac_live_page_set_vision(LacLivePage *self, LacVision vision)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  lac_field_view_set_vision(self->field, vision);
  lac_volume_viewer_set_vision(self->volume, vision);
}

const char *
lac_live_page_get_volume(LacLivePage *self, const LacVolumeView **volume_view)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self), NULL);
  if (!shows_volume(self))
    return NULL;
  *volume_view = lac_volume_viewer_get_view(self->volume);
  return lac_volume_viewer_get_channel(self->volume);
}

void
lac_live_page_zoom(LacLivePage *self, double factor)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  if (shows_volume(self) && factor > 0)
    lac_volume_viewer_zoom(self->volume, factor);
  else if (shows_volume(self))
    lac_volume_viewer_fit(self->volume);
  else if (factor > 0)
    lac_field_view_zoom(self->field, factor);
  else
    lac_field_view_fit(self->field);
}
