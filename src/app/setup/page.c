/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up page. It contains nothing about particular parameters: all of it comes from their rows. */
#include "app/session/sweep-series.h"
#include "app/setup/page-private.h"
#include "app/setup/param-row.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/preferences.h"
#include "base/clock.h"
#include "run/core/inputs.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE(LacSetupPage, lac_setup_page, GTK_TYPE_WIDGET)

#define SWEEP_ROW "sweep" /* key in lac_launch_params() */
/* Time per frame for building rows; laying them out takes several times as long. Building all at once would stall. */
#define SLICE_NS 5000000

enum { VALIDITY_CHANGED, EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *
find_row_error(LacSetupPage *self)
{
  for (guint i = 0; i < self->rows->len; i++) {
    const char *error = lac_param_row_get_error(g_ptr_array_index(self->rows, i));
    if (error != NULL && gtk_widget_get_visible(GTK_WIDGET(g_ptr_array_index(self->rows, i))))
      return error;
  }
  return NULL;
}

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

static LacDeviceSetting
get_wanted(LacSetupPage *self)
{
  LacRunSettings settings = {0};
  lac_launch_params_fill(self->launch_draft, &settings);
  return (LacDeviceSetting){self->experiment, self->draft, settings.backend, settings.precision,
                            settings.threads};
}

static char *
find_reason(LacSetupPage *self)
{
  g_autoptr(GError) error = NULL;
  const char       *row_error = find_row_error(self);
  if (row_error != NULL)
    return g_strdup(row_error);
  if (!lac_inputs_give(self->draft, &error))
    return g_strdup(error->message);
  if (self->experiment->check != NULL &&
      !self->experiment->check(self->experiment, lac_draft_get_values(self->draft), &error))
    return g_strdup(error->message);
  LacDeviceSetting setting = get_wanted(self);
  if (!lac_device_note_check(self->device, &setting, &error))
    return g_strdup(error->message);
  if (!check_sweep(self, &error))
    return g_strdup(error->message);
  return NULL;
}

static void
show_cost(LacSetupPage *self)
{
  const char            *text = lac_launch_params_get_sweep(self->launch_draft);
  const LacDeviceSetting setting = get_wanted(self);
  LacRunSettings         settings;
  LacCost                cost;
  lac_setup_page_fill(self, &settings);
  settings.disk_budget_bytes = lac_preferences_get_disk_budget();
  self->memory_bytes = 0;
  lac_sweep_builder_set_text(self->sweep, text);
  if (self->why == NULL) {
    g_autoptr(LacSweep) sweep =
      text != NULL ? lac_sweep_parse(&self->experiment->params, text, NULL) : NULL;
    lac_cost_add_up(&settings, sweep, &cost);
    if (lac_device_note_get_facts(self->device, &setting) != NULL)
      cost.memory_bytes += cost.device_bytes;
    self->memory_bytes = cost.memory_bytes;
  }
  lac_cost_card_show(self->cost, self->why == NULL ? &cost : NULL, settings.threads);
  lac_sweep_builder_show_cost(self->sweep, self->why == NULL ? &cost : NULL, self->why);
}

/* ---- the device, and memory shortage ---- */

static LacParamRow *
find_made_row(LacSetupPage *self, const char *key)
{
  for (guint i = 0; i < self->rows->len; i++) {
    LacParamRow *row = g_ptr_array_index(self->rows, i);
    if (g_str_equal(lac_param_row_get_param(row)->key, key))
      return row;
  }
  return NULL;
}

static void
show_device(LacSetupPage *self)
{
  LacDeviceSetting setting = get_wanted(self);
  g_autofree char *choice = lac_device_note_dup_choice(self->device, &setting);
  LacParamRow     *backend = find_made_row(self, "backend");
  if (backend != NULL)
    lac_param_row_set_note(backend, choice);
  const LacDeviceFacts *facts = lac_device_note_get_facts(self->device, &setting);
  lac_cost_card_show_device(self->cost, facts != NULL ? (double) facts->memory_free : -1);
}

/* Returns a warning if the device has too little free memory. */
static char *
dup_shortage(LacSetupPage *self)
{
  LacDeviceSetting      setting = get_wanted(self);
  const LacDeviceFacts *facts = lac_device_note_get_facts(self->device, &setting);
  if (facts == NULL || self->memory_bytes <= (double) facts->memory_free)
    return NULL;
  g_autofree char *wanted = lac_format_bytes(self->memory_bytes);
  g_autofree char *available = lac_format_bytes((double) facts->memory_free);
  return g_strdup_printf(_("The run may need %s, but the device has only %s free. If memory runs "
                           "out, it continues on the processor."),
                         wanted, available);
}

static void
show_caution(LacSetupPage *self)
{
  g_autofree char *caution =
    lac_experiment_dup_caution(self->experiment, lac_draft_get_values(self->draft));
  g_autofree char *shortage = dup_shortage(self);
  g_autofree char *both = caution != NULL && shortage != NULL
                            ? g_strdup_printf("%s\n%s", caution, shortage)
                            : g_strdup(caution != NULL ? caution : shortage);
  gtk_widget_set_visible(self->warning, both != NULL);
  gtk_label_set_text(self->caution, both != NULL ? both : "");
}

/* ---- hiding rows without effect ---- */

static void
show_rows_in_use(LacSetupPage *self)
{
  for (guint i = 0; i < self->rows->len; i++) {
    LacParamRow *row = g_ptr_array_index(self->rows, i);
    gboolean     in_use = lac_param_row_is_in_use(row);
    if (!in_use && lac_param_row_get_error(row) != NULL)
      lac_param_row_refresh(row); /* invalid input is discarded with the row */
    gtk_widget_set_visible(GTK_WIDGET(row), in_use);
  }
  for (GtkWidget *group = gtk_widget_get_first_child(GTK_WIDGET(self->groups)); group != NULL;
       group = gtk_widget_get_next_sibling(group)) {
    GtkWidget *fold = g_object_get_data(G_OBJECT(group), "fold");
    gboolean   any = FALSE, any_folded = FALSE;
    for (guint i = 0; i < self->rows->len; i++) {
      GtkWidget *row = g_ptr_array_index(self->rows, i);
      if (g_object_get_data(G_OBJECT(row), "home") != group || !gtk_widget_get_visible(row))
        continue;
      any = TRUE;
      any_folded |= (lac_param_row_get_param(LAC_PARAM_ROW(row))->flags & LAC_PARAM_ADVANCED) != 0;
    }
    if (fold != NULL)
      gtk_widget_set_visible(fold, any_folded);
    gtk_widget_set_visible(group, any);
  }
}

/* ---- the sweep ---- */

void
lac_setup_page_build_sweep(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  if (self->experiment == NULL)
    return;
  lac_setup_page_show_rows(self);
  gtk_stack_set_visible_child_name(self->stack, "sweep");
  lac_sweep_builder_open(self->sweep);
}

static void
on_sweep_changed(LacSetupPage *self)
{
  g_autofree char *text = lac_sweep_builder_dup_text(self->sweep);
  lac_param_row_enter(lac_setup_page_find_row(self, SWEEP_ROW), text);
}

static void
on_sweep_closed(LacSetupPage *self)
{
  gtk_stack_set_visible_child_name(self->stack, "rows");
  gtk_widget_grab_focus(GTK_WIDGET(self->build));
}

/* Invalid rows leave the picture unchanged. */
static void
show_preview(LacSetupPage *self)
{
  LacRunSettings settings;
  if (find_row_error(self) != NULL) {
    lac_setup_preview_hold(self->preview);
    return;
  }
  lac_setup_page_fill(self, &settings);
  lac_setup_preview_show(self->preview, &settings);
}

static void
revalidate(LacSetupPage *self)
{
  show_rows_in_use(self);
  g_free(self->why);
  self->why = find_reason(self);
  gtk_label_set_text(self->reason, self->why == NULL ? "" : self->why);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->launch),
                              self->why == NULL ? _("Start this run") : self->why);
  show_cost(self);
  show_device(self);
  lac_setup_page_show_place(self);
  show_preview(self);
  g_signal_emit(self, signals[VALIDITY_CHANGED], 0);
  show_caution(self);
}

static GtkWidget *
find_group(LacSetupPage *self, const char *title)
{
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self->groups)); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (g_strcmp0(g_object_get_data(G_OBJECT(child), "group"), title) == 0)
      return child;
  GtkWidget       *group = adw_preferences_group_new();
  g_autofree char *shown = g_markup_escape_text(g_dgettext(GETTEXT_PACKAGE, title), -1);
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), shown);
  g_object_set_data(G_OBJECT(group), "group", (gpointer) title);
  gtk_box_append(self->groups, group);
  return group;
}

/* Returns the expander that holds the advanced rows of a group. */
static GtkWidget *
find_fold(GtkWidget *group)
{
  GtkWidget *fold = g_object_get_data(G_OBJECT(group), "fold");
  if (fold != NULL)
    return fold;
  fold = adw_expander_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(fold), _("Advanced"));
  lac_accessible_name(fold, _("Advanced"));
  g_object_set_data(G_OBJECT(group), "fold", fold);
  return fold;
}

static void
on_row_changed(LacParamRow *row, LacSetupPage *self)
{
  revalidate(self);
  g_signal_emit(self, signals[EDITED], 0, lac_param_row_get_param(row)->key,
                lac_param_row_get_text(row));
}

/* Returns parameter @i, first those of the experiment, then those of the launch. */
static const LacParam *
nth_param(LacSetupPage *self, gsize i, LacDraft **draft)
{
  const LacParamTable *table = lac_draft_get_table(self->draft);
  *draft = self->draft;
  if (i >= table->n_rows) {
    i -= table->n_rows;
    *draft = self->launch_draft;
    table = lac_draft_get_table(self->launch_draft);
  }
  return i < table->n_rows ? &table->rows[i] : NULL;
}

static const char *
group_of(const LacParam *param)
{
  return param->group != NULL ? param->group : "";
}

/* Adds the expander last in its group, independent of the table's order. */
static void
end_group(LacSetupPage *self, GtkWidget *group, const char *title)
{
  GtkWidget      *fold = g_object_get_data(G_OBJECT(group), "fold");
  const LacParam *later;
  LacDraft       *draft;
  for (gsize i = self->rows->len; (later = nth_param(self, i, &draft)) != NULL; i++)
    if (g_str_equal(group_of(later), title))
      return;
  if (fold != NULL)
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), fold);
}

/* Returns: FALSE after the last one. */
static gboolean
make_row(LacSetupPage *self)
{
  LacDraft       *draft;
  const LacParam *param = nth_param(self, self->rows->len, &draft);
  if (param == NULL)
    return FALSE;
  GtkWidget *row = lac_param_row_new(param, draft);
  GtkWidget *group = find_group(self, group_of(param));
  if (self->experiment->planning != NULL && g_str_equal(param->key, LAC_PLANNING_ROW))
    lac_setup_page_add_place(self, group);
  if (param->flags & LAC_PARAM_ADVANCED)
    adw_expander_row_add_row(ADW_EXPANDER_ROW(find_fold(group)), row);
  else
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
  g_object_set_data(G_OBJECT(row), "home", group);
  g_signal_connect(row, "changed", G_CALLBACK(on_row_changed), self);
  g_ptr_array_add(self->rows, row);
  end_group(self, group, group_of(param));
  return TRUE;
}

static void
show_made_rows(LacSetupPage *self)
{
  show_rows_in_use(self);
  show_device(self);
  lac_setup_page_show_place(self);
}

static gboolean
on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  LacSetupPage *self = LAC_SETUP_PAGE(widget);
  gint64        until_ns = lac_clock_ns() + SLICE_NS;
  gboolean      more = gtk_widget_get_mapped(widget);
  while (more && lac_clock_ns() < until_ns)
    more = make_row(self);
  show_made_rows(self);
  if (!more)
    self->making = 0;
  return more;
}

/* Builds rows only while the page is visible. */
static void
begin_rows(LacSetupPage *self)
{
  if (self->experiment != NULL && self->making == 0 && gtk_widget_get_mapped(GTK_WIDGET(self)))
    self->making = gtk_widget_add_tick_callback(GTK_WIDGET(self), on_tick, NULL, NULL);
}

LacParamRow *
lac_setup_page_find_row(LacSetupPage *self, const char *key)
{
  gboolean made = FALSE;
  while (self->experiment != NULL && make_row(self))
    made = TRUE;
  if (made)
    show_made_rows(self);
  return find_made_row(self, key);
}

static void
clear_rows(LacSetupPage *self)
{
  GtkWidget *child;
  g_ptr_array_set_size(self->rows, 0);
  self->place = NULL;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->groups))) != NULL)
    gtk_box_remove(self->groups, child);
}

static void
lac_setup_page_dispose(GObject *object)
{
  LacSetupPage *self = LAC_SETUP_PAGE(object);
  if (self->rows != NULL)
    g_ptr_array_set_size(self->rows, 0);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SETUP_PAGE);
  g_clear_pointer(&self->rows, g_ptr_array_unref);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->launch_draft, lac_draft_free);
  g_clear_pointer(&self->why, g_free);
  g_clear_object(&self->device);
  G_OBJECT_CLASS(lac_setup_page_parent_class)->dispose(object);
}

static void
lac_setup_page_class_init(LacSetupPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_setup_page_dispose;
  g_type_ensure(LAC_TYPE_SENSOR_PAGE);
  g_type_ensure(LAC_TYPE_SETUP_PREVIEW);
  g_type_ensure(LAC_TYPE_PRESET_MENU);
  g_type_ensure(LAC_TYPE_COST_CARD);
  g_type_ensure(LAC_TYPE_SWEEP_BUILDER);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/page.ui");
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, content);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, stack);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, sensors);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, preview);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, presets);
  gtk_widget_class_bind_template_callback_full(widget_class, "on_sensors_changed",
                                               G_CALLBACK(lac_setup_page_on_sensors_changed));
  gtk_widget_class_bind_template_callback_full(widget_class, "on_sensors_closed",
                                               G_CALLBACK(lac_setup_page_on_sensors_closed));
  gtk_widget_class_bind_template_callback(widget_class, on_sweep_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_sweep_closed);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, groups);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, title);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, summary);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, warning);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, caution);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, source);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, reason);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, cost);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, sweep);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, launch);
  gtk_widget_class_bind_template_child(widget_class, LacSetupPage, build);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[VALIDITY_CHANGED] = g_signal_new("validity-changed", LAC_TYPE_SETUP_PAGE,
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[EDITED] = g_signal_new("edited", LAC_TYPE_SETUP_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
on_device(LacSetupPage *self)
{
  if (self->experiment != NULL && self->rows != NULL) /* a closing window has none */
    revalidate(self);
}

static void
lac_setup_page_init(LacSetupPage *self)
{
  self->rows = g_ptr_array_new();
  self->device = lac_device_note_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  g_signal_connect_object(self->device, "changed", G_CALLBACK(on_device), self, G_CONNECT_SWAPPED);
  g_signal_connect(self, "map", G_CALLBACK(begin_rows), NULL);
  g_signal_connect_object(self, "map", G_CALLBACK(lac_device_note_query), self->device,
                          G_CONNECT_SWAPPED);
  lac_accessible_name(self->launch, _("Start Run"));
}

void
lac_setup_page_set_experiment(LacSetupPage *self, const LacExperiment *experiment)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self) && experiment != NULL);
  if (self->experiment == experiment)
    return;
  lac_setup_page_show_rows(self);
  clear_rows(self);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->launch_draft, lac_draft_free);
  self->experiment = experiment;
  lac_preset_menu_set_experiment(self->presets, experiment);
  self->draft = lac_draft_new(&experiment->params);
  self->launch_draft = lac_preferences_new_launch(experiment, self->draft);
  lac_sweep_builder_set_draft(self->sweep, self->draft);
  gtk_label_set_text(self->title, g_dgettext(GETTEXT_PACKAGE, experiment->title));
  gtk_label_set_text(self->summary, g_dgettext(GETTEXT_PACKAGE, experiment->summary));
  gtk_label_set_text(self->source, experiment->source != NULL ? experiment->source : "");
  revalidate(self);
  begin_rows(self);
}

const char *
lac_setup_page_get_reason(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), NULL);
  return self->experiment == NULL ? _("Choose an experiment first.") : self->why;
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

void
lac_setup_page_show_presets(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  lac_setup_page_show_rows(self);
  lac_preset_menu_popup(self->presets);
}

gboolean
lac_setup_page_enter(LacSetupPage *self, const char *key, const char *text)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), FALSE);
  LacParamRow *row = lac_setup_page_find_row(self, key);
  if (row != NULL)
    lac_param_row_enter(row, text);
  if (g_str_equal(key, LAC_PLANNING_ROW) && lac_setup_page_is_placing(self))
    lac_sensor_page_show(self->sensors, text);
  return row != NULL;
}

void
lac_setup_page_show_rows(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  lac_sensor_page_close(self->sensors);
  gtk_stack_set_visible_child_name(self->stack, "rows");
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
