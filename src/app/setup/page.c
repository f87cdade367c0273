/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up page: the draft, its validity, and the two halves that show it. */
#include "app/setup/page.h"

#include "app/session/sweep-series.h"
#include "app/setup/page-private.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/toast.h"
#include "run/core/inputs.h"
#include "run/plan/command.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE(LacSetupPage, lac_setup_page, GTK_TYPE_WIDGET)

#define SWEEP_ROW   "sweep" /* keys in lac_launch_params() */
#define BACKEND_ROW "backend"

enum { VALIDITY_CHANGED, EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROP_N_CHANGED = 1, N_PROPS };
static GParamSpec *props[N_PROPS];

/* ---- validity ---- */

static gboolean
check_sweep(LacSetupPage *self, GError **error)
{
  const char    *sweep = lac_launch_params_get_sweep(self->launch_draft);
  LacRunSettings settings;
  if (sweep == NULL)
    return TRUE;
  lac_setup_page_fill(self, &settings);
  g_autoptr(LacSweepSeries) series = lac_sweep_series_new(&settings, sweep, error);
  return series != NULL;
}

static char *
find_reason(LacSetupPage *self)
{
  g_autoptr(GError) error = NULL;
  const char       *row_error = lac_setup_form_get_error(self->form);
  LacRunSettings    settings = {0};
  if (row_error != NULL)
    return g_strdup(row_error);
  if (!lac_inputs_give(self->draft, &error))
    return g_strdup(error->message);
  if (self->experiment->check != NULL &&
      !self->experiment->check(self->experiment, lac_draft_get_values(self->draft), &error))
    return g_strdup(error->message);
  lac_launch_params_fill(self->launch_draft, &settings);
  LacDeviceSetting wanted = {self->experiment, self->draft, settings.backend, settings.precision,
                             settings.threads};
  if (!lac_device_note_check(self->device, &wanted, &error))
    return g_strdup(error->message);
  if (!check_sweep(self, &error))
    return g_strdup(error->message);
  return NULL;
}

static guint
count_changed(LacSetupPage *self)
{
  const LacParamTable *table = lac_draft_get_table(self->launch_draft);
  guint                n = lac_setup_form_count_changed(self->draft);
  for (gsize i = 0; i < table->n_rows; i++) {
    g_autofree char *now = lac_draft_dup_text(self->launch_draft, &table->rows[i]);
    g_autofree char *usual = lac_draft_dup_text(self->usual_launch, &table->rows[i]);
    n += g_strcmp0(now, usual) != 0;
  }
  return n;
}

static void
show_changed(LacSetupPage *self)
{
  guint            n = count_changed(self);
  g_autofree char *words = n == 0
                             ? g_strdup(_("All settings are at their defaults"))
                             : g_strdup_printf(ngettext("%u setting differs from the default",
                                                        "%u settings differ from the default", n),
                                               n);
  gtk_label_set_text(self->changed, words);
  gtk_widget_set_sensitive(self->reset, n > 0 || self->why != NULL);
  if (self->n_changed == n)
    return;
  self->n_changed = n;
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_N_CHANGED]);
}

/* ---- the right half ---- */

/* A measurement file defines the sensor positions. */
static gboolean
has_measurements(LacSetupPage *self)
{
  const LacParamTable *table = lac_draft_get_table(self->draft);
  for (gsize i = 0; i < table->n_rows; i++)
    if (g_strcmp0(table->rows[i].file_type, "measurements") == 0 &&
        lac_draft_get_file(self->draft, &table->rows[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Invalid rows leave pictures and sensors unchanged. */
static void
show_pictures(LacSetupPage *self)
{
  LacRunSettings settings;
  lac_setup_page_fill(self, &settings);
  if (lac_setup_form_get_error(self->form) != NULL)
    lac_setup_preview_hold(self->preview);
  else
    lac_setup_preview_show(self->preview, &settings);
  if (self->why != NULL)
    lac_sensor_pane_hold(self->sensors);
  else if (has_measurements(self))
    gtk_widget_set_visible(GTK_WIDGET(self->sensors), FALSE);
  else
    lac_sensor_pane_follow(self->sensors, &settings);
}

static void
revalidate(LacSetupPage *self)
{
  LacRunSettings settings = {0};
  lac_launch_params_fill(self->launch_draft, &settings);
  lac_setup_form_update(self->form, settings.threads);
  g_free(self->why);
  self->why = find_reason(self);
  lac_setup_page_show_cost(self);
  show_changed(self);
  show_pictures(self);
  g_signal_emit(self, signals[VALIDITY_CHANGED], 0);
}

static void
on_edited(LacSetupPage *self, const char *key, const char *text)
{
  g_signal_emit(self, signals[EDITED], 0, key, text);
}

static void
on_place(LacSetupPage *self, const char *backend)
{
  lac_setup_page_enter(self, BACKEND_ROW, backend);
}

static void
on_sensors_changed(LacSetupPage *self)
{
  g_autofree char *text = lac_sensor_pane_dup_text(self->sensors);
  lac_setup_page_enter(self, LAC_PLANNING_ROW, text);
}

static void
on_sensors_painted(LacSetupPage *self)
{
  g_autofree char *text = lac_sensor_pane_dup_regions(self->sensors);
  lac_setup_page_enter(self, self->experiment->planning->regions, text);
}

gboolean
lac_setup_page_can_place(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), FALSE);
  return self->experiment != NULL && self->experiment->planning != NULL && self->why == NULL &&
         !has_measurements(self);
}

/* ---- one half at a time ---- */

static void
show_halves(LacSetupPage *self)
{
  gboolean is_form = gtk_toggle_button_get_active(self->show_form);
  gtk_widget_set_visible(self->halves, self->is_narrow);
  gtk_widget_set_visible(self->form_half, !self->is_narrow || is_form);
  gtk_widget_set_visible(self->side_half, !self->is_narrow || !is_form);
  gtk_widget_set_visible(GTK_WIDGET(self->changed), !self->is_narrow);
  if (self->is_narrow)
    gtk_button_set_icon_name(GTK_BUTTON(self->copy), "edit-copy-symbolic");
  else
    gtk_button_set_label(GTK_BUTTON(self->copy), _("Copy as Command"));
  adw_button_content_set_label(self->reset_content, self->is_narrow ? "" : _("Reset All"));
  if (self->is_narrow)
    lac_accessible_name(self->reset, _("Reset All"));
  else
    gtk_accessible_reset_property(GTK_ACCESSIBLE(self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
show_side(LacSetupPage *self)
{
  gtk_toggle_button_set_active(self->show_side, TRUE);
}

#define WIDE 940 /* px at the usual text size: two halves from this width on */

static gboolean
on_fit(gpointer page)
{
  LacSetupPage *self = page;
  self->fitting = 0;
  show_halves(self);
  return G_SOURCE_REMOVE;
}

static void
lac_setup_page_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  LacSetupPage *self = LAC_SETUP_PAGE(widget);
  int           least = 0;
  gtk_widget_measure(self->content, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate(self->content, &(GtkAllocation){0, 0, MAX(width, least), height}, -1);
  if (!self->is_narrow)
    self->least_wide = least; /* invisible halves cannot be measured */
  gboolean is_narrow = width < MAX(WIDE * lac_drawing_text_scale(), self->least_wide);
  if (is_narrow == self->is_narrow)
    return;
  self->is_narrow = is_narrow;
  if (self->fitting == 0) /* not while sizes are being allocated */
    self->fitting = g_idle_add_full(G_PRIORITY_HIGH_IDLE, on_fit, self, NULL);
}

/* The page can be as narrow as the wider of its halves. */
static void
lac_setup_page_measure(GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  LacSetupPage *self = LAC_SETUP_PAGE(widget);
  GtkWidget    *parts[] = {self->form_half, self->side_half, self->tools};
  int           least;
  if (orientation == GTK_ORIENTATION_VERTICAL) {
    gtk_widget_measure(self->content, orientation, -1, minimum, natural, NULL, NULL);
    return;
  }
  gtk_widget_measure(self->content, orientation, -1, &least, natural, NULL, NULL);
  *minimum = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    if (!gtk_widget_get_visible(parts[i]))
      continue;
    gtk_widget_measure(parts[i], orientation, -1, &least, NULL, NULL, NULL);
    *minimum = MAX(*minimum, least);
  }
  *natural = MAX(*natural, *minimum);
}

/* ---- commands ---- */

void
lac_setup_page_place(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  if (!lac_setup_page_can_place(self))
    return;
  gtk_stack_set_visible_child_name(self->sides, "sensors");
  show_side(self);
  lac_sensor_pane_open(self->sensors);
}

void
lac_setup_page_build_sweep(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  if (self->experiment == NULL)
    return;
  gtk_stack_set_visible_child_name(self->sides, "sweep");
  show_side(self);
  lac_sweep_builder_open(self->sweep);
}

static void
on_sweep_changed(LacSetupPage *self)
{
  g_autofree char *text = lac_sweep_builder_dup_text(self->sweep);
  lac_setup_page_enter(self, SWEEP_ROW, text);
}

static void
on_sweep_closed(LacSetupPage *self)
{
  gtk_stack_set_visible_child_name(self->sides, "sensors");
  gtk_toggle_button_set_active(self->show_form, TRUE);
  gtk_widget_grab_focus(self->build);
}

void
lac_setup_page_show_rows(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  lac_sensor_pane_close(self->sensors);
  if (self->run == NULL)
    gtk_stack_set_visible_child_name(self->sides, "sensors");
  gtk_toggle_button_set_active(self->show_form, TRUE);
}

void
lac_setup_page_show_presets(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  lac_preset_menu_popup(self->presets);
}

char *
lac_setup_page_dup_command(LacSetupPage *self, GError **error)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self) && self->experiment != NULL, NULL);
  LacRunSettings settings;
  lac_setup_page_fill(self, &settings);
  settings.disk_budget_bytes = lac_preferences_get_disk_budget();
  return lac_command_dup_line(&settings, lac_setup_page_get_sweep(self), error);
}

void
lac_setup_page_copy_command(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  g_autoptr(GError) error = NULL;
  GtkWidget        *overlay = gtk_widget_get_ancestor(GTK_WIDGET(self), ADW_TYPE_TOAST_OVERLAY);
  if (self->experiment == NULL)
    return;
  g_autofree char *line = lac_setup_page_dup_command(self, &error);
  if (line != NULL)
    gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), line);
  if (overlay != NULL)
    lac_toast_show(ADW_TOAST_OVERLAY(overlay),
                   lac_toast_new(line != NULL ? _("Copied the command") : error->message));
}

/* ---- the object ---- */

static void
lac_setup_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_uint(value, LAC_SETUP_PAGE(object)->n_changed);
}

static void
lac_setup_page_dispose(GObject *object)
{
  LacSetupPage *self = LAC_SETUP_PAGE(object);
  g_clear_handle_id(&self->fitting, g_source_remove);
  if (self->draft != NULL)
    lac_setup_form_set(self->form, NULL, NULL, NULL);
  lac_setup_page_forget_run(self);
  self->experiment = NULL;
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SETUP_PAGE);
  g_clear_object(&self->bar);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->launch_draft, lac_draft_free);
  g_clear_pointer(&self->usual_launch, lac_draft_free);
  g_clear_pointer(&self->why, g_free);
  g_clear_object(&self->device);
  G_OBJECT_CLASS(lac_setup_page_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
#define BIND(child) gtk_widget_class_bind_template_child(class, LacSetupPage, child)
  BIND(content);
  BIND(form_half);
  BIND(side_half);
  BIND(halves);
  BIND(tools);
  BIND(about_group);
  BIND(warning);
  BIND(forms);
  BIND(sides);
  BIND(show_form);
  BIND(show_side);
  BIND(presets);
  BIND(form);
  BIND(frozen);
  BIND(sensors);
  BIND(preview);
  BIND(places);
  BIND(sweep);
  BIND(about);
  BIND(ran);
  BIND(source);
  BIND(caution);
  BIND(changed);
  BIND(reset);
  BIND(reset_content);
  BIND(copy);
#undef BIND
}

static void
bind_callbacks(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_callback(class, revalidate);
  gtk_widget_class_bind_template_callback(class, on_edited);
  gtk_widget_class_bind_template_callback(class, on_place);
  gtk_widget_class_bind_template_callback(class, on_sensors_changed);
  gtk_widget_class_bind_template_callback(class, on_sensors_painted);
  gtk_widget_class_bind_template_callback(class, on_sweep_changed);
  gtk_widget_class_bind_template_callback(class, on_sweep_closed);
  gtk_widget_class_bind_template_callback(class, show_halves);
}

static void
ensure_types(void)
{
  g_type_ensure(LAC_TYPE_SETUP_FORM);
  g_type_ensure(LAC_TYPE_SENSOR_PANE);
  g_type_ensure(LAC_TYPE_SETUP_PREVIEW);
  g_type_ensure(LAC_TYPE_PRESET_MENU);
  g_type_ensure(LAC_TYPE_PLACE_LIST);
  g_type_ensure(LAC_TYPE_SWEEP_BUILDER);
}

static void
lac_setup_page_class_init(LacSetupPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_setup_page_dispose;
  G_OBJECT_CLASS(class)->get_property = lac_setup_page_get_property;
  widget_class->measure = lac_setup_page_measure;
  widget_class->size_allocate = lac_setup_page_size_allocate;
  gtk_widget_class_set_css_name(widget_class, "setup-page");
  ensure_types();
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/page.ui");
  bind_children(widget_class);
  bind_callbacks(widget_class);
  props[PROP_N_CHANGED] = g_param_spec_uint("n-changed", NULL, NULL, 0, G_MAXUINT, 0,
                                            G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
  signals[VALIDITY_CHANGED] = g_signal_new("validity-changed", LAC_TYPE_SETUP_PAGE,
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[EDITED] = g_signal_new("edited", LAC_TYPE_SETUP_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
on_device(LacSetupPage *self)
{
  if (self->experiment != NULL && self->draft != NULL) /* a closing window has none */
    revalidate(self);
}

static void
lac_setup_page_init(LacSetupPage *self)
{
  self->device = lac_device_note_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_setup_page_make_bar(self);
  lac_setup_form_set_read_only(self->frozen, TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  lac_accessible_name(self->copy, _("Copy as Command"));
  show_halves(self);
  g_signal_connect_object(self->device, "changed", G_CALLBACK(on_device), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "map", G_CALLBACK(lac_device_note_query), self->device,
                          G_CONNECT_SWAPPED);
}

static void
describe_experiment(LacSetupPage *self, const LacExperiment *experiment)
{
  g_autofree char *summary =
    g_markup_escape_text(g_dgettext(GETTEXT_PACKAGE, experiment->summary), -1);
  adw_expander_row_set_subtitle(self->about, summary);
}

void
lac_setup_page_set_experiment(LacSetupPage *self, const LacExperiment *experiment)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self) && experiment != NULL);
  lac_setup_page_set_run(self, NULL);
  if (self->experiment == experiment)
    return;
  lac_setup_page_show_rows(self);
  lac_setup_form_set(self->form, NULL, NULL, NULL);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->launch_draft, lac_draft_free);
  g_clear_pointer(&self->usual_launch, lac_draft_free);
  self->experiment = experiment;
  lac_preset_menu_set_experiment(self->presets, experiment);
  self->draft = lac_draft_new(&experiment->params);
  self->launch_draft = lac_preferences_new_launch(experiment, self->draft);
  self->usual_launch = lac_draft_copy(self->launch_draft);
  lac_setup_form_set(self->form, experiment, self->draft, self->launch_draft);
  lac_sweep_builder_set_draft(self->sweep, self->draft);
  describe_experiment(self, experiment);
  revalidate(self);
}

void
lac_setup_page_set_run(LacSetupPage *self, LacRunFile *run)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  if (self->run == run ||
      (self->run != NULL && run != NULL && g_strcmp0(self->run->path, run->path) == 0))
    return; /* settings are fixed when a run begins */
  lac_setup_page_forget_run(self);
  self->run = run != NULL ? lac_run_file_ref(run) : NULL;
  if (run != NULL)
    lac_setup_page_show_run(self);
  const LacExperiment *shown =
    run != NULL ? lac_experiment_find(run->experiment, NULL) : self->experiment;
  if (shown != NULL)
    describe_experiment(self, shown);
  gtk_widget_set_visible(self->about_group, shown != NULL);
  gtk_stack_set_visible_child_name(self->forms, run != NULL ? "run" : "draft");
  gtk_stack_set_visible_child_name(self->sides, run != NULL ? "run" : "sensors");
  gtk_widget_set_visible(self->tools, run == NULL);
  lac_setup_page_show_cost(self);
}

GtkWidget *
lac_setup_page_get_bar(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), NULL);
  return self->bar;
}

const char *
lac_setup_page_get_reason(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), NULL);
  return self->experiment == NULL ? _("Choose an experiment first.") : self->why;
}

guint
lac_setup_page_get_n_changed(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), 0);
  return self->n_changed;
}

void
lac_setup_page_fill(LacSetupPage *self, LacRunSettings *settings)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self) && self->experiment != NULL);
  *settings = (LacRunSettings){.experiment = self->experiment, .draft = self->draft};
  lac_launch_params_fill(self->launch_draft, settings);
}

const char *
lac_setup_page_get_sweep(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self) && self->experiment != NULL, NULL);
  return lac_launch_params_get_sweep(self->launch_draft);
}

const LacExperiment *
lac_setup_page_get_experiment(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), NULL);
  return self->experiment;
}

gboolean
lac_setup_page_enter(LacSetupPage *self, const char *key, const char *text)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), FALSE);
  return self->experiment != NULL && lac_setup_form_enter(self->form, key, text);
}

void
lac_setup_page_reset(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  const LacExperiment *experiment = self->experiment;
  if (experiment == NULL)
    return;
  self->experiment = NULL;
  lac_setup_page_set_experiment(self, experiment);
}
