/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of fields. */
#include "app/field/view.h"
#include "app/live/page-private.h"
#include "app/toolkit/accessible.h"
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

/* Describes the picture for screen readers, at most once a second; the values at the probe stay. */
static void
describe_picture(LacLivePage *self, const LacFrame *frame)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  gint64           now = lac_clock_ns();
  if (now - self->described_ns < G_GINT64_CONSTANT(1000000000) ||
      lac_field_view_get_reading(self->field) != NULL)
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

/* A volume is shown first: a run with one has no errors, so that the mode for both is not needed there. */
static gboolean
shows_volume(LacLivePage *self)
{
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  gboolean             is_first =
    self->mode == LAC_VIEW_BOTH && !lac_field_scene_has_mode(scene, LAC_VIEW_BOTH);
  return (self->mode == LAC_VIEW_VOLUME || is_first) &&
         lac_volume_viewer_get_channel(self->volume) != NULL;
}

/* Shows the frame; only the visible view is updated. */
static void
show_frame(LacLivePage *self)
{
  gboolean in_space = shows_volume(self);
  gtk_widget_set_visible(GTK_WIDGET(self->quantity),
                         !in_space && lac_field_view_get_scene(self->field)->n_quantities > 1);
  gtk_widget_set_visible(GTK_WIDGET(self->picture), !in_space);
  gtk_widget_set_visible(self->volume_controls, in_space);
  gtk_widget_set_visible(GTK_WIDGET(self->view_controls), !in_space);
  lac_live_column_set_filled(self->column, in_space);
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
  lac_energy_card_set_step(self->energy, frame->step);
  lac_method_view_set_step(self->methods, frame->step);
  lac_exposures_set_frame(self->exposures, frame);
  lac_live_facts_set_frame(self->facts, frame);
  lac_transport_set_frame(self->transport, frame);
  describe_picture(self, frame);
}

/* ---- the table of methods ---- */

static void
on_methods(LacLivePage *self)
{
  if (self->session == NULL)
    return;
  lac_live_page_show_captions(self);
  lac_live_page_show_mean(self);
  lac_live_page_show_findings(self);
}

static void
on_method_toggled(LacMethodView *methods, const char *group, gboolean shown, LacLivePage *self)
{
  if (*group != '\0')
    lac_curve_panel_show_method(self->curves, group, shown);
}

/* ---- changes of settings ---- */

static void
on_changes(LacLivePage *self)
{
  gsize               n;
  const LacCurveMark *marks = lac_live_changes_get_marks(self->changes, &n);
  g_autofree gint64  *steps = g_new(gint64, n + 1);
  for (gsize i = 0; i < n; i++)
    steps[i] = marks[i].step;
  lac_curve_view_set_marks(lac_curve_panel_get_curves(self->curves), marks, n);
  lac_transport_set_changes(self->transport, steps, n);
  lac_live_page_show_change(self);
}

static void
on_undone(LacLiveChanges *changes, const char *key, const char *text, LacLivePage *self)
{
  lac_live_page_tune(self, key, text);
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

void
lac_live_page_show_caution(LacLivePage *self)
{
  gtk_widget_set_visible(self->caution, gtk_widget_get_visible(GTK_WIDGET(self->message)) ||
                                          gtk_widget_get_visible(GTK_WIDGET(self->remedy_text)));
}

static void
on_status(LacLivePage *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  const char         *message = /* a fallback is reported by the banner */
    g_str_equal(status->message, status->fallback) ? "" : status->message;
  show_setup(self, status);
  lac_live_page_set_label(self->message, g_strdup(message));
  gtk_widget_set_visible(
    GTK_WIDGET(self->message),
    message[0] != '\0' &&
      (!gtk_widget_get_visible(GTK_WIDGET(self->remedy_text)) || status->is_unassembled));
  if (g_str_equal(status->outcome, "failed") || g_str_equal(status->outcome, "diverged"))
    gtk_widget_add_css_class(GTK_WIDGET(self->message), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->message), "error");
  if (!lac_session_is_active(self->session))
    lac_live_page_end_tuning(self);
  lac_live_page_show_caution(self);
}

/* The scales of a run that has ended are those of the same run opened again, which has seen its last frame alone. */
static void
on_ended(LacLivePage *self)
{
  on_status(self);
  lac_live_page_show_remedy(self);
  lac_field_view_restart_scales(self->field);
}

/* ---- what is shown of the fields ---- */

static void
show_modes(LacLivePage *self)
{
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  gboolean             both = lac_field_scene_has_mode(scene, LAC_VIEW_BOTH);
  gboolean             errors = lac_field_scene_has_mode(scene, LAC_VIEW_ERRORS);
  gboolean             deviation = lac_field_scene_has_mode(scene, LAC_VIEW_DEVIATION);
  gtk_widget_set_visible(self->both, both);
  gboolean in_space = lac_field_scene_has_mode(scene, LAC_VIEW_VOLUME);
  gboolean first_in_space = in_space && !both && self->mode != LAC_VIEW_VOLUME;
  /* without errors to show, or room for them, the mode for both shows the fields, or the volume */
  gboolean is_alone = !first_in_space && (!both || (self->is_low && self->mode != LAC_VIEW_FIELDS));
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->fields), "s", is_alone ? "both" : "fields");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->both), "s", is_alone ? "" : "both");
  gtk_widget_set_visible(self->errors, errors);
  gtk_widget_set_visible(self->deviation, deviation);
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->in_space), "s",
                                   first_in_space ? "both" : "volume");
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
  lac_live_page_show_captions(self);
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
  lac_transport_show_step(self->transport, step);
}

/* ---- the session ---- */

static void
connect_session(LacLivePage *self)
{
  LacSession *session = self->session;
  g_signal_connect_object(session, "frame-changed", G_CALLBACK(on_frame), self, 0);
  g_signal_connect_object(session, "status-changed", G_CALLBACK(on_status), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(on_ended), self, G_CONNECT_SWAPPED);
}

static void
disconnect_session(LacLivePage *self)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

/* Empties the views of the previous session. */
static void
leave_session(LacLivePage *self)
{
  disconnect_session(self);
  lac_live_page_clear_tuning(self);
  lac_field_view_set_channels(self->field, NULL, 0);
  lac_volume_viewer_set_channels(self->volume, NULL, 0);
  lac_exposures_set_session(self->exposures, NULL, NULL);
  g_clear_pointer(&self->derived, lac_derived_planes_free);
  g_clear_pointer(&self->shown, lac_frame_unref);
}

static void
show_channels(LacLivePage *self, const LacDraft *draft)
{
  gsize             n;
  const LacChannel *own = lac_session_get_channels(self->session, &n);
  self->derived = lac_derived_planes_new(own, n);
  const LacChannel *channels = lac_derived_planes_get_channels(self->derived, &n);
  lac_field_view_set_channels(self->field, channels, n);
  lac_volume_viewer_set_channels(self->volume, channels, n);
  lac_exposures_set_session(self->exposures, self->session, draft);
  show_quantities(self);
}

void
lac_live_page_set_session(LacLivePage *self, LacSession *session, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  leave_session(self);
  g_set_object(&self->session, session);
  lac_curve_panel_set_session(self->curves, session);
  lac_energy_card_set_session(self->energy, session);
  lac_measured_set_session(self->measured, session);
  lac_live_facts_set_session(self->facts, session, draft);
  lac_live_notes_set_session(self->notes, session);
  lac_transport_set_session(self->transport, session);
  gtk_stack_set_visible_child_name(self->stack, session != NULL ? "run" : "empty");
  if (session != NULL)
    show_channels(self, draft);
  lac_method_view_set_session(self->methods, session);
  lac_live_changes_set_session(self->changes, session);
  lac_live_page_show_part(self);
  if (session == NULL)
    return;
  gtk_stack_set_visible_child_name(self->viewer, "waiting");
  if (draft != NULL)
    lac_live_page_add_tuning(self, draft);
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
  g_clear_handle_id(&self->fitting, g_source_remove);
  g_clear_object(&self->session);
  g_clear_pointer(&self->shown, lac_frame_unref);
  g_clear_object(&self->transport);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_LIVE_PAGE);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->derived, lac_derived_planes_free);
  g_clear_pointer(&self->tuning_rows, g_ptr_array_unref);
  g_clear_pointer(&self->tuned, g_hash_table_unref);
  G_OBJECT_CLASS(lac_live_page_parent_class)->dispose(object);
}

static void
on_part(GtkToggleButton *button, LacLivePage *self)
{
  if (gtk_toggle_button_get_active(button) && self->transport != NULL)
    lac_live_page_show_part(self);
}

#define BIND(child) gtk_widget_class_bind_template_child(class, LacLivePage, child)

static void
bind_children(GtkWidgetClass *class)
{
  BIND(stack);
  BIND(viewer);
  BIND(flap);
  BIND(column);
  BIND(field);
  BIND(volume);
  BIND(energy);
  BIND(methods);
  BIND(curves);
  BIND(exposures);
  BIND(facts);
  BIND(measured);
  BIND(changes);
  BIND(notes);
  BIND(waiting);
  BIND(setup);
  BIND(message);
  BIND(remedy_text);
  BIND(retry_label);
  BIND(retry);
  BIND(caution);
  BIND(quantity);
  BIND(view_controls);
  BIND(picture);
  BIND(modes);
  BIND(both);
  BIND(fields);
  BIND(errors);
  BIND(deviation);
  BIND(in_space);
  BIND(fit);
  BIND(parts);
  BIND(part_methods);
  BIND(part_curves);
  BIND(part_change);
  BIND(part_details);
  BIND(low_change);
  BIND(low_details);
  BIND(side);
  BIND(side_frame);
  BIND(lower);
  BIND(tools);
  BIND(change);
  BIND(details);
  BIND(findings);
  BIND(tuning);
  BIND(tuning_hint);
  gtk_widget_class_bind_template_callback(class, on_quantity);
  gtk_widget_class_bind_template_callback(class, on_part);
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
  g_type_ensure(LAC_TYPE_LIVE_COLUMN);
  g_type_ensure(LAC_TYPE_CURVE_PANEL);
  g_type_ensure(LAC_TYPE_METHOD_VIEW);
  g_type_ensure(LAC_TYPE_ENERGY_CARD);
  g_type_ensure(LAC_TYPE_EXPOSURES);
  g_type_ensure(LAC_TYPE_LIVE_FACTS);
  g_type_ensure(LAC_TYPE_MEASURED);
  g_type_ensure(LAC_TYPE_LIVE_CHANGES);
  g_type_ensure(LAC_TYPE_LIVE_NOTES);
  g_type_ensure(LAC_TYPE_OPEN_BUTTON);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/live/page.ui");
  bind_children(widget_class);
  lac_live_page_bind_layout(widget_class);
}

static void
name_controls(LacLivePage *self)
{
  struct {
    GtkWidget  *widget;
    const char *name;
  } named[] = {
    {GTK_WIDGET(self->quantity), _("Quantity")},
    {self->both, _("Both")},
    {self->fields, _("Fields")},
    {self->errors, _("Errors")},
    {self->deviation, _("Uncertainty")},
    {self->in_space, _("Volume")},
    {self->part_methods, _("Methods")},
    {self->part_curves, _("Curves")},
    {self->part_change, _("Change")},
    {self->part_details, _("Details")},
    {GTK_WIDGET(self->setup), _("Preparation progress")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(named); i++)
    lac_accessible_name(named[i].widget, named[i].name);
}

static gboolean
on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LacLivePage *self)
{
  return lac_transport_press(self->transport, key, state);
}

static void
connect_parts(LacLivePage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self->viewer), keys);
  g_signal_connect(self->curves, "step-chosen", G_CALLBACK(on_step_chosen), self);
  g_signal_connect(self->methods, "toggled", G_CALLBACK(on_method_toggled), self);
  g_signal_connect_swapped(self->methods, "refreshed", G_CALLBACK(on_methods), self);
  g_signal_connect_swapped(self->changes, "changed", G_CALLBACK(on_changes), self);
  g_signal_connect(self->changes, "undone", G_CALLBACK(on_undone), self);
}

static void
lac_live_page_init(LacLivePage *self)
{
  self->tuning_rows = g_ptr_array_new();
  self->tuned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  gtk_widget_init_template(GTK_WIDGET(self));
  self->transport = lac_transport_new();
  lac_field_view_set_painted(self->field, on_painted, self);
  lac_volume_canvas_set_painted(lac_volume_viewer_get_canvas(self->volume), on_painted, self);
  lac_view_controls_attach(self->view_controls, self->field, "win.view");
  lac_picture_menu_attach(self->picture, self->field);
  lac_curve_panel_set_field(self->curves, self->field);
  lac_live_column_set_field(self->column, GTK_WIDGET(self->viewer), self->field);
  self->volume_controls = lac_volume_viewer_take_controls(self->volume);
  gtk_box_insert_child_after(self->tools, self->volume_controls, GTK_WIDGET(self->view_controls));
  g_object_unref(self->volume_controls);
  connect_parts(self);
  name_controls(self);
  lac_accessible_name_drop_down(self->quantity, _("Quantity"));
  lac_live_page_set_session(self, NULL, NULL);
}

void
lac_live_page_show_mode(LacLivePage *self)
{
  LacViewMode mode = self->is_low && self->mode == LAC_VIEW_BOTH ? LAC_VIEW_FIELDS : self->mode;
  lac_field_view_set_mode(self->field, mode);
  show_frame(self);
  show_modes(self);
}

void
lac_live_page_set_mode(LacLivePage *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  self->mode = mode;
  lac_live_page_show_mode(self);
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
  lac_transport_show_frame(self->transport, (gsize) frame);
}

gboolean
lac_live_page_show_curves(LacLivePage *self, const char *tab)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self), FALSE);
  if (!lac_curve_panel_show(self->curves, tab))
    return FALSE;
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->part_curves), TRUE);
  lac_energy_card_choose(self->energy, tab);
  return TRUE;
}

void
lac_live_page_play(LacLivePage *self)
{
  g_return_if_fail(LAC_IS_LIVE_PAGE(self));
  lac_transport_play(self->transport);
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
