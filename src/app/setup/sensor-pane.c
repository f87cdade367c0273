/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan, an editor on it, and the plan's figures of the edited layout. */
#include "app/setup/sensor-pane.h"

#include "app/setup/method-list.h"
#include "app/setup/param-row.h"
#include "app/setup/sensor-editor.h"
#include "app/setup/sensor-plan.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define QUICK_SECONDS 5   /* estimated set-up that is begun without being asked for */
#define DELAY_MS      400 /* after the last change: the user may still be typing */

struct _LacSensorPane {
  GtkWidget            parent_instance;
  GtkWidget           *content, *tools, *undo, *redo, *add, *remove, *brushes, *strength;
  GtkStack            *stack, *figures;
  GtkSpinner          *spinner;
  GtkLabel            *heading, *backdrop, *phase, *words, *why, *refusal, *offer;
  GtkLabel            *first_label, *first, *first_chosen;
  GtkLabel            *second_label, *second, *second_chosen;
  GtkProgressBar      *progress;
  GtkToggleButton     *move, *forbid, *price, *erase;
  GtkAdjustment       *size, *cost;
  LacSensorEditor     *editor;
  LacSensorPlan       *plan;
  const LacExperiment *experiment;
  LacDraft            *draft;      /* (nullable): of the settings followed */
  LacRunSettings       settings;   /* @draft in it; its strings are static */
  char                *heavy;      /* settings that the field depends on */
  char                *light;      /* settings that only the automatic positions depend on */
  char                *placed;     /* @light of the positions shown or being chosen */
  char                *text;       /* positions by hand, as in the settings */
  char                *regions;    /* as in the settings */
  LacLayoutFigures     chosen;     /* of the automatic layout */
  gboolean             has_chosen; /* its figures have arrived */
  guint                delay;
};

G_DEFINE_FINAL_TYPE(LacSensorPane, lac_sensor_pane, GTK_TYPE_WIDGET)

enum { CHANGED, PAINTED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- figures ---- */

static char *
dup_figure(LacSensorPane *self, guint i, double value)
{
  return isinf(value) ? g_strdup("∞")
                      : lac_format_metric(value, self->experiment->planning->figures[i].unit);
}

static void
set_label(GtkLabel *label, char *text)
{
  gtk_label_set_text(label, text);
  g_free(text);
}

/* Returns the name of the automatic placement: "Pivoted QR". */
static const char *
get_chooser(LacSensorPane *self)
{
  const LacParam *param =
    lac_param_find(&self->experiment->params, self->experiment->planning->chooser);
  return lac_param_get_title(param, (guint) lac_draft_get_number(self->draft, param));
}

/* Shows a figure, and how much better or worse it is than that of the automatic layout. */
static void
show_comparison(LacSensorPane *self, GtkLabel *label, double value)
{
  const double     chosen = self->chosen.values[0];
  const gboolean   more = self->experiment->planning->figures[0].more_is_better;
  const double     gap = more ? chosen - value : value - chosen; /* above 0: worse */
  g_autofree char *size = dup_figure(self, 0, fabs(gap));
  g_autofree char *none = dup_figure(self, 0, 0);
  const gboolean   is_same = !self->has_chosen || g_str_equal(size, none) || isnan(gap);
  gtk_widget_remove_css_class(GTK_WIDGET(label), "error");
  gtk_widget_remove_css_class(GTK_WIDGET(label), "success");
  if (is_same)
    /* Translators: a layout is as good as that of the placement named: "as Pivoted QR". */
    set_label(label, g_strdup_printf(_("as %s"), get_chooser(self)));
  else if (gap > 0)
    set_label(label, g_strdup_printf(_("%s worse than %s"), size, get_chooser(self)));
  else
    set_label(label, g_strdup_printf(_("%s better than %s"), size, get_chooser(self)));
  if (!is_same)
    gtk_widget_add_css_class(GTK_WIDGET(label), gap > 0 ? "error" : "success");
}

static void
show_figures(LacSensorPane *self, const LacLayoutFigures *figures)
{
  set_label(self->first, dup_figure(self, 0, figures->values[0]));
  set_label(self->second, dup_figure(self, 1, figures->values[1]));
  show_comparison(self, self->first_chosen, figures->values[0]);
  g_autofree char *second = dup_figure(self, 1, self->chosen.values[1]);
  set_label(self->second_chosen, g_strdup_printf("%s %s", get_chooser(self), second));
}

static void
on_scored(LacSensorPane *self)
{
  LacLayoutFigures figures;
  const char      *why = lac_sensor_plan_get_figures(self->plan, &figures);
  if (!self->has_chosen && why == NULL) {
    self->chosen = figures;
    self->has_chosen = TRUE;
    if (*self->text != '\0')
      lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
  }
  gtk_stack_set_visible_child_name(self->figures, why != NULL ? "refusal" : "worth");
  if (why != NULL)
    gtk_label_set_text(self->why, why);
  else
    show_figures(self, &figures);
}

/* ---- edits ---- */

static void
keep(char **kept, char *text)
{
  g_free(*kept);
  *kept = text;
}

static void
on_edited(LacSensorPane *self)
{
  if (lac_sensor_plan_get_state(self->plan) != LAC_SENSOR_PLAN_READY)
    return;
  lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
  keep(&self->text, lac_sensor_editor_dup_text(self->editor));
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_painted(LacSensorPane *self)
{
  keep(&self->regions, lac_sensor_editor_dup_regions(self->editor));
  g_signal_emit(self, signals[PAINTED], 0);
}

static void
on_words(LacSensorPane *self)
{
  g_autofree char *words = NULL;
  g_object_get(self->editor, "words", &words, NULL);
  gtk_label_set_text(self->words, words);
}

static void
on_brush(LacSensorPane *self)
{
  const double           costs[] = {(double) INFINITY, gtk_adjustment_get_value(self->cost), 0};
  GtkToggleButton *const buttons[] = {self->forbid, self->price, self->erase};
  double                 cost = (double) NAN;
  for (gsize i = 0; i < G_N_ELEMENTS(costs); i++)
    if (gtk_toggle_button_get_active(buttons[i]))
      cost = costs[i];
  gtk_widget_set_visible(self->brushes, !isnan(cost));
  gtk_widget_set_visible(self->strength, gtk_toggle_button_get_active(self->price));
  lac_sensor_editor_set_brush(self->editor, cost, gtk_adjustment_get_value(self->size) / 100);
}

/* ---- the plan ---- */

/* The strings of the channel are static. */
static LacChannel
make_channel(const LacExperiment *experiment, gboolean is_line)
{
  LacChannel channel = experiment->planning->backdrop;
  channel.periodic = experiment->channels[0].periodic;
  if (is_line)
    channel.axis_unit_y = ""; /* a line is drawn at the full available height */
  return channel;
}

/* Labels the figures for the sensors of this experiment. */
static void
name_figures(LacSensorPane *self)
{
  GtkLabel *labels[LAC_LAYOUT_N_FIGURES] = {self->first_label, self->second_label};
  for (guint i = 0; i < LAC_LAYOUT_N_FIGURES; i++) {
    const LacLayoutFigure *figure = &self->experiment->planning->figures[i];
    gtk_label_set_text(labels[i], g_dgettext(GETTEXT_PACKAGE, figure->label));
    gtk_widget_set_tooltip_text(GTK_WIDGET(labels[i]), figure->help != NULL
                                                         ? g_dgettext(GETTEXT_PACKAGE, figure->help)
                                                         : NULL);
  }
  gtk_label_set_text(self->heading, g_dgettext(GETTEXT_PACKAGE, self->experiment->planning->title));
  gtk_label_set_text(self->backdrop,
                     g_dgettext(GETTEXT_PACKAGE, self->experiment->planning->backdrop.label));
  gtk_widget_set_visible(gtk_widget_get_parent(GTK_WIDGET(self->move)),
                         self->experiment->planning->regions != NULL);
}

/* Asks for the figures of the automatic layout; those of the layout by hand follow. */
static void
evaluate_chosen(LacSensorPane *self)
{
  const LacFrame        *backdrop = lac_sensor_plan_get_backdrop(self->plan);
  const LacSensorLayout *layout = lac_sensor_editor_get_layout(self->editor);
  LacSensorLayout        chosen;
  lac_sensor_layout_init(&chosen,
                         (double[]){layout->x_min, layout->x_max, layout->y_min, layout->y_max});
  for (gsize i = 0; i < backdrop->n_markers; i++)
    lac_sensor_layout_add(&chosen, backdrop->markers[i].x, backdrop->markers[i].y);
  self->has_chosen = FALSE;
  lac_sensor_plan_evaluate(self->plan, &chosen);
  lac_sensor_layout_clear(&chosen);
}

/* Applies positions and regions of the settings to the editor, and asks for the figures. */
static void
show_layout(LacSensorPane *self)
{
  g_autoptr(GError) error = NULL;
  evaluate_chosen(self);
  if (*self->text != '\0' && !lac_sensor_editor_set_text(self->editor, self->text, &error)) {
    gtk_label_set_text(self->why, error->message);
    gtk_stack_set_visible_child_name(self->figures, "refusal");
  }
}

static void
show_field(LacSensorPane *self)
{
  LacFrame  *backdrop = lac_sensor_plan_get_backdrop(self->plan);
  LacChannel channel = make_channel(self->experiment, backdrop->planes[0].ny == 1);
  lac_sensor_editor_set_field(self->editor, &channel, backdrop);
  lac_sensor_editor_set_regions(self->editor, self->regions, NULL);
  show_layout(self);
}

/* The settings choose other positions; those by hand stay. */
static void
on_replaced(LacSensorPane *self)
{
  lac_sensor_editor_set_chosen(self->editor, lac_sensor_plan_get_backdrop(self->plan));
  evaluate_chosen(self);
}

static void
show_progress(LacSensorPane *self)
{
  g_autofree char *what = lac_sensor_plan_dup_message(self->plan);
  gtk_label_set_text(self->phase, what != NULL ? what : _("Preparing the field"));
  gtk_progress_bar_set_fraction(self->progress,
                                CLAMP(lac_sensor_plan_get_fraction(self->plan), 0, 1));
}

static void
on_plan(LacSensorPane *self)
{
  LacSensorPlanState state = lac_sensor_plan_get_state(self->plan);
  const char        *shown = gtk_stack_get_visible_child_name(self->stack);
  gtk_widget_set_sensitive(self->tools, state == LAC_SENSOR_PLAN_READY);
  gtk_spinner_set_spinning(self->spinner, state == LAC_SENSOR_PLAN_OPENING);
  if (state == LAC_SENSOR_PLAN_OPENING) {
    gtk_stack_set_visible_child_name(self->stack, "opening");
    show_progress(self);
  } else if (state == LAC_SENSOR_PLAN_REFUSED) {
    set_label(self->refusal, lac_sensor_plan_dup_message(self->plan));
    gtk_stack_set_visible_child_name(self->stack, "refused");
  } else if (state == LAC_SENSOR_PLAN_READY && g_strcmp0(shown, "ready") != 0) {
    gtk_stack_set_visible_child_name(self->stack, "ready");
    show_field(self);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->figures), state == LAC_SENSOR_PLAN_READY);
}

/* ---- following the settings ---- */

static gboolean
is_light(const LacPlanning *planning, const char *key)
{
  return planning->light != NULL && g_strv_contains(planning->light, key);
}

/* Returns the settings that the field (@light: FALSE) or only the positions (TRUE) depend on. */
static char *
describe(const LacRunSettings *settings, gboolean light)
{
  const LacParamTable *table = lac_draft_get_table(settings->draft);
  const LacParam      *methods = lac_method_list_find_param(table);
  GString             *all = g_string_new(settings->experiment->name);
  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam  *row = &table->rows[i];
    g_autofree char *text = lac_draft_dup_text(settings->draft, row);
    if (!g_str_equal(row->key, LAC_PLANNING_ROW) && row->list == NULL && row != methods &&
        is_light(settings->experiment->planning, row->key) == light)
      g_string_append_printf(all, "\n%s = %s", row->key, text != NULL ? text : "");
  }
  g_string_append_printf(all, "\n%" G_GUINT64_FORMAT " %s %s", settings->seed, settings->precision,
                         settings->backend);
  return g_string_free(all, FALSE);
}

static char *
dup_value(const LacRunSettings *settings, const char *key)
{
  const LacParam *row = key != NULL ? lac_param_find(&settings->experiment->params, key) : NULL;
  char           *text = row != NULL ? lac_draft_dup_text(settings->draft, row) : NULL;
  return text != NULL ? text : g_strdup("");
}

static void
begin(LacSensorPane *self)
{
  g_clear_handle_id(&self->delay, g_source_remove);
  keep(&self->placed, g_strdup(self->light));
  gtk_progress_bar_set_fraction(self->progress, 0);
  lac_sensor_plan_open(self->plan, &self->settings);
}

static gboolean
on_delay(gpointer pane)
{
  LacSensorPane *self = pane;
  self->delay = 0;
  begin(self);
  return G_SOURCE_REMOVE;
}

static void
stop(LacSensorPane *self)
{
  g_clear_handle_id(&self->delay, g_source_remove);
  if (lac_sensor_plan_get_state(self->plan) != LAC_SENSOR_PLAN_CLOSED)
    lac_sensor_plan_close(self->plan);
  gtk_stack_set_visible_child_name(self->stack, "offer");
}

/* Another field: prepares it, at once if that is quick, and only while it can be seen. */
static void
begin_later(LacSensorPane *self)
{
  LacEstimate estimate = {0};
  stop(self);
  self->experiment->estimate(self->experiment, lac_draft_get_values(self->draft), &estimate);
  g_autofree char *time = lac_format_duration(estimate.seconds_setup);
  set_label(self->offer, g_strdup_printf(_("Preparing the field takes about %s."), time));
  if (estimate.seconds_setup <= QUICK_SECONDS && gtk_widget_get_mapped(GTK_WIDGET(self)))
    self->delay = g_timeout_add(DELAY_MS, on_delay, self);
}

/* Positions and regions entered in the form. */
static void
take_texts(LacSensorPane *self, const LacRunSettings *settings)
{
  g_autofree char *text = dup_value(settings, LAC_PLANNING_ROW);
  g_autofree char *regions = dup_value(settings, settings->experiment->planning->regions);
  gboolean         is_ready = lac_sensor_plan_get_state(self->plan) == LAC_SENSOR_PLAN_READY;
  gboolean         is_moved = g_strcmp0(text, self->text) != 0;
  gboolean         is_painted = g_strcmp0(regions, self->regions) != 0;
  keep(&self->text, g_steal_pointer(&text));
  keep(&self->regions, g_steal_pointer(&regions));
  if (is_ready && is_painted)
    lac_sensor_editor_set_regions(self->editor, self->regions, NULL);
  if (!is_ready || !is_moved)
    return;
  if (*self->text == '\0')
    lac_sensor_editor_use_chosen(self->editor);
  else
    lac_sensor_editor_set_text(self->editor, self->text, NULL);
  lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
}

void
lac_sensor_pane_follow(LacSensorPane *self, const LacRunSettings *settings)
{
  g_return_if_fail(LAC_IS_SENSOR_PANE(self));
  gtk_widget_set_visible(GTK_WIDGET(self), settings->experiment->planning != NULL);
  if (settings->experiment->planning == NULL) {
    stop(self);
    return;
  }
  g_autofree char *heavy = describe(settings, FALSE);
  gboolean         is_other = g_strcmp0(heavy, self->heavy) != 0;
  g_clear_pointer(&self->draft, lac_draft_free);
  self->draft = lac_draft_copy(settings->draft);
  self->settings = *settings;
  self->settings.draft = self->draft;
  self->experiment = settings->experiment;
  keep(&self->light, describe(settings, TRUE));
  keep(&self->heavy, g_steal_pointer(&heavy));
  gtk_widget_set_sensitive(self->content, TRUE);
  name_figures(self);
  take_texts(self, settings);
  if (is_other) {
    begin_later(self);
  } else if (lac_sensor_plan_get_state(self->plan) == LAC_SENSOR_PLAN_READY &&
             g_strcmp0(self->light, self->placed) != 0) {
    keep(&self->placed, g_strdup(self->light));
    if (self->experiment->planning->replace != NULL)
      lac_sensor_plan_replace(self->plan, self->draft);
    else
      begin(self);
  }
}

void
lac_sensor_pane_hold(LacSensorPane *self)
{
  g_return_if_fail(LAC_IS_SENSOR_PANE(self));
  g_clear_handle_id(&self->delay, g_source_remove);
  gtk_widget_set_sensitive(self->content, FALSE);
}

void
lac_sensor_pane_open(LacSensorPane *self)
{
  g_return_if_fail(LAC_IS_SENSOR_PANE(self));
  LacSensorPlanState state = lac_sensor_plan_get_state(self->plan);
  if (self->draft != NULL && (state == LAC_SENSOR_PLAN_CLOSED || state == LAC_SENSOR_PLAN_REFUSED))
    begin(self);
  gtk_widget_child_focus(GTK_WIDGET(self->stack), GTK_DIR_TAB_FORWARD);
}

void
lac_sensor_pane_close(LacSensorPane *self)
{
  g_return_if_fail(LAC_IS_SENSOR_PANE(self));
  stop(self);
  g_clear_pointer(&self->heavy, g_free);
}

char *
lac_sensor_pane_dup_text(LacSensorPane *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PANE(self), NULL);
  return g_strdup(self->text != NULL ? self->text : "");
}

char *
lac_sensor_pane_dup_regions(LacSensorPane *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PANE(self), NULL);
  return g_strdup(self->regions != NULL ? self->regions : "");
}

/* ---- the object ---- */

/* A pane that was out of sight when its settings changed. */
static void
on_map(LacSensorPane *self)
{
  if (self->draft != NULL && self->delay == 0 &&
      lac_sensor_plan_get_state(self->plan) == LAC_SENSOR_PLAN_CLOSED)
    begin_later(self);
}

static void
on_cancel(LacSensorPane *self)
{
  stop(self);
}

static void
add_shortcuts(LacSensorPane *self)
{
  static const char *const keys[][2] = {
    {"<Control>z", "sensors.undo"},
    {"<Control><Shift>z", "sensors.redo"},
    {"<Control>y", "sensors.redo"},
  };
  GtkEventController *controller = gtk_shortcut_controller_new();
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(controller),
      gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys[i][0]),
                       gtk_named_action_new(keys[i][1])));
  gtk_widget_add_controller(GTK_WIDGET(self), controller);
}

static void
name_buttons(LacSensorPane *self)
{
  const struct {
    GtkWidget  *button;
    const char *name;
  } names[] = {
    {self->undo, _("Undo")},
    {self->redo, _("Redo")},
    {self->add, _("Add Sensor")},
    {self->remove, _("Remove Sensor")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_accessible_name(names[i].button, names[i].name);
}

static void
lac_sensor_pane_dispose(GObject *object)
{
  LacSensorPane *self = LAC_SENSOR_PANE(object);
  g_clear_handle_id(&self->delay, g_source_remove);
  if (self->plan != NULL) {
    g_signal_handlers_disconnect_by_data(self->plan, self);
    lac_sensor_plan_close(self->plan);
  }
  g_clear_object(&self->plan);
  g_clear_pointer(&self->draft, lac_draft_free);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SENSOR_PANE);
  G_OBJECT_CLASS(lac_sensor_pane_parent_class)->dispose(object);
}

static void
lac_sensor_pane_finalize(GObject *object)
{
  LacSensorPane *self = LAC_SENSOR_PANE(object);
  char          *texts[] = {self->heavy, self->light, self->placed, self->text, self->regions};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_free(texts[i]);
  G_OBJECT_CLASS(lac_sensor_pane_parent_class)->finalize(object);
}

static void
bind_children(GtkWidgetClass *class)
{
#define BIND(child) gtk_widget_class_bind_template_child(class, LacSensorPane, child)
  BIND(content);
  BIND(tools);
  BIND(undo);
  BIND(redo);
  BIND(add);
  BIND(remove);
  BIND(brushes);
  BIND(strength);
  BIND(stack);
  BIND(figures);
  BIND(spinner);
  BIND(heading);
  BIND(backdrop);
  BIND(phase);
  BIND(words);
  BIND(why);
  BIND(refusal);
  BIND(offer);
  BIND(first_label);
  BIND(first);
  BIND(first_chosen);
  BIND(second_label);
  BIND(second);
  BIND(second_chosen);
  BIND(progress);
  BIND(move);
  BIND(forbid);
  BIND(price);
  BIND(erase);
  BIND(size);
  BIND(cost);
  BIND(editor);
#undef BIND
}

static void
lac_sensor_pane_class_init(LacSensorPaneClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sensor_pane_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_sensor_pane_finalize;
  g_type_ensure(LAC_TYPE_SENSOR_EDITOR);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/sensor-pane.ui");
  bind_children(widget_class);
  gtk_widget_class_bind_template_callback(widget_class, on_cancel);
  gtk_widget_class_bind_template_callback(widget_class, on_brush);
  gtk_widget_class_bind_template_callback_full(widget_class, "on_offer",
                                               G_CALLBACK(lac_sensor_pane_open));
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SENSOR_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[PAINTED] = g_signal_new("painted", LAC_TYPE_SENSOR_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_sensor_pane_init(LacSensorPane *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->plan = g_object_new(LAC_TYPE_SENSOR_PLAN, NULL);
  gtk_widget_insert_action_group(GTK_WIDGET(self), "sensors",
                                 lac_sensor_editor_get_actions(self->editor));
  g_signal_connect_swapped(self->plan, "changed", G_CALLBACK(on_plan), self);
  g_signal_connect_swapped(self->plan, "replaced", G_CALLBACK(on_replaced), self);
  g_signal_connect_swapped(self->plan, "scored", G_CALLBACK(on_scored), self);
  g_signal_connect_swapped(self->editor, "changed", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->editor, "painted", G_CALLBACK(on_painted), self);
  g_signal_connect_swapped(self->editor, "notify::words", G_CALLBACK(on_words), self);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  lac_accessible_name(self->progress, _("Preparing the field"));
  add_shortcuts(self);
  name_buttons(self);
  on_brush(self);
}
