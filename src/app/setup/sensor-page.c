/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page for manual sensor placement: a plan, an editor on it, and the plan's scores of the edited layout. */
#include "app/setup/sensor-page.h"

#include "app/setup/sensor-editor.h"
#include "app/setup/sensor-plan.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <math.h>

struct _LacSensorPage {
  GtkWidget            parent_instance;
  GtkWidget           *content, *tools, *back, *undo, *redo, *add, *remove, *cancel;
  GtkStack            *stack, *figures;
  GtkSpinner          *spinner;
  GtkLabel            *heading, *phase, *words, *why;
  GtkLabel            *first_label, *first, *first_chosen;
  GtkLabel            *second_label, *second, *second_chosen;
  GtkProgressBar      *progress;
  AdwStatusPage       *refusal;
  LacSensorEditor     *editor;
  LacSensorPlan       *plan;
  const LacExperiment *experiment;
  char                *made_for;   /* settings that the plan was computed for */
  char                *text;       /* initial layout */
  gboolean             has_chosen; /* the scores of the automatic layout have arrived */
};

G_DEFINE_FINAL_TYPE(LacSensorPage, lac_sensor_page, GTK_TYPE_WIDGET)

enum { CHANGED, CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- figures ---- */

static char *
dup_figure(LacSensorPage *self, const LacLayoutFigures *figures, guint i)
{
  double value = figures->values[i];
  return isinf(value) ? g_strdup("∞")
                      : lac_format_metric(value, self->experiment->planning->figures[i].unit);
}

static void
set_label(GtkLabel *label, char *text)
{
  gtk_label_set_text(label, text);
  g_free(text);
}

static void
show_chosen(LacSensorPage *self, const LacLayoutFigures *figures)
{
  GtkLabel *labels[LAC_LAYOUT_N_FIGURES] = {self->first_chosen, self->second_chosen};
  for (guint i = 0; i < LAC_LAYOUT_N_FIGURES; i++) {
    g_autofree char *figure = dup_figure(self, figures, i);
    /* Translators: a figure of the layout that the set-up chooses, beside that of the layout by hand. */
    set_label(labels[i], g_strdup_printf(_("automatic: %s"), figure));
  }
  self->has_chosen = TRUE;
}

static void
on_scored(LacSensorPage *self)
{
  LacLayoutFigures figures;
  const char      *why = lac_sensor_plan_get_figures(self->plan, &figures);
  gboolean         was_chosen = self->has_chosen;
  if (!was_chosen) {
    if (why == NULL)
      show_chosen(self, &figures);
    self->has_chosen = TRUE;
    lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
  }
  gtk_stack_set_visible_child_name(self->figures, why != NULL ? "refusal" : "worth");
  if (why != NULL) {
    gtk_label_set_text(self->why, why);
    gtk_widget_set_tooltip_text(GTK_WIDGET(self->why), why);
    return;
  }
  set_label(self->first, dup_figure(self, &figures, 0));
  set_label(self->second, dup_figure(self, &figures, 1));
}

static void
on_edited(LacSensorPage *self)
{
  if (lac_sensor_plan_get_state(self->plan) != LAC_SENSOR_PLAN_READY)
    return;
  lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
  g_free(self->text);
  self->text = lac_sensor_editor_dup_text(self->editor);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_words(LacSensorPage *self)
{
  g_autofree char *words = NULL;
  g_object_get(self->editor, "words", &words, NULL);
  gtk_label_set_text(self->words, words);
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

/* Labels the scores for the sensors of this experiment. */
static void
name_figures(LacSensorPage *self)
{
  GtkLabel *labels[LAC_LAYOUT_N_FIGURES] = {self->first_label, self->second_label};
  gtk_label_set_text(self->heading, g_dgettext(GETTEXT_PACKAGE, self->experiment->planning->title));
  for (guint i = 0; i < LAC_LAYOUT_N_FIGURES; i++) {
    const LacLayoutFigure *figure = &self->experiment->planning->figures[i];
    gtk_label_set_text(labels[i], g_dgettext(GETTEXT_PACKAGE, figure->label));
    gtk_widget_set_tooltip_text(GTK_WIDGET(labels[i]), figure->help != NULL
                                                         ? g_dgettext(GETTEXT_PACKAGE, figure->help)
                                                         : NULL);
  }
}

static void
show_field(LacSensorPage *self)
{
  LacFrame         *backdrop = lac_sensor_plan_get_backdrop(self->plan);
  LacChannel        channel = make_channel(self->experiment, backdrop->planes[0].ny == 1);
  g_autoptr(GError) error = NULL;
  lac_sensor_editor_set_field(self->editor, &channel, backdrop);
  self->has_chosen = FALSE;
  lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
  if (*self->text != '\0' && !lac_sensor_editor_set_text(self->editor, self->text, &error)) {
    gtk_label_set_text(self->why, error->message);
    gtk_stack_set_visible_child_name(self->figures, "refusal");
  }
  gtk_widget_grab_focus(gtk_widget_get_first_child(GTK_WIDGET(self->editor)));
}

static void
show_progress(LacSensorPage *self)
{
  g_autofree char *what = lac_sensor_plan_dup_message(self->plan);
  gtk_label_set_text(self->phase, what != NULL ? what : _("Preparing the field"));
  gtk_progress_bar_set_fraction(self->progress,
                                CLAMP(lac_sensor_plan_get_fraction(self->plan), 0, 1));
}

static void
on_plan(LacSensorPage *self)
{
  LacSensorPlanState state = lac_sensor_plan_get_state(self->plan);
  const char        *shown = gtk_stack_get_visible_child_name(self->stack);
  gtk_widget_set_sensitive(self->tools, state == LAC_SENSOR_PLAN_READY);
  gtk_spinner_set_spinning(self->spinner, state == LAC_SENSOR_PLAN_OPENING);
  if (state == LAC_SENSOR_PLAN_OPENING) {
    gtk_stack_set_visible_child_name(self->stack, "opening");
    show_progress(self);
  } else if (state == LAC_SENSOR_PLAN_REFUSED) {
    g_autofree char *why = lac_sensor_plan_dup_message(self->plan);
    g_autofree char *escaped = g_markup_escape_text(why, -1);
    adw_status_page_set_description(self->refusal, escaped);
    gtk_stack_set_visible_child_name(self->stack, "refused");
  } else if (state == LAC_SENSOR_PLAN_READY && g_strcmp0(shown, "ready") != 0) {
    gtk_stack_set_visible_child_name(self->stack, "ready");
    show_field(self);
  }
}

/* Returns all settings that the plan depends on: everything but the positions, seed, precision and backend. */
static char *
describe_settings(const LacRunSettings *settings)
{
  const LacParamTable *table = lac_draft_get_table(settings->draft);
  GString             *all = g_string_new(settings->experiment->name);
  for (gsize i = 0; i < table->n_rows; i++) {
    g_autofree char *text = lac_draft_dup_text(settings->draft, &table->rows[i]);
    if (!g_str_equal(table->rows[i].key, LAC_PLANNING_ROW))
      g_string_append_printf(all, "\n%s = %s", table->rows[i].key, text != NULL ? text : "");
  }
  g_string_append_printf(all, "\n%" G_GUINT64_FORMAT " %s %s", settings->seed, settings->precision,
                         settings->backend);
  return g_string_free(all, FALSE);
}

void
lac_sensor_page_open(LacSensorPage *self, const LacRunSettings *settings)
{
  g_return_if_fail(LAC_IS_SENSOR_PAGE(self) && settings->experiment->planning != NULL);
  const LacParam  *row = lac_param_find(lac_draft_get_table(settings->draft), LAC_PLANNING_ROW);
  g_autofree char *made_for = describe_settings(settings);
  g_free(self->text);
  self->text = lac_draft_dup_text(settings->draft, row);
  if (self->text == NULL)
    self->text = g_strdup("");
  if (lac_sensor_plan_get_state(self->plan) == LAC_SENSOR_PLAN_READY &&
      g_strcmp0(made_for, self->made_for) == 0) {
    show_field(self);
    return;
  }
  self->experiment = settings->experiment;
  name_figures(self);
  g_free(self->made_for);
  self->made_for = g_steal_pointer(&made_for);
  gtk_progress_bar_set_fraction(self->progress, 0);
  lac_sensor_plan_open(self->plan, settings);
  gtk_widget_grab_focus(self->cancel);
}

void
lac_sensor_page_close(LacSensorPage *self)
{
  g_return_if_fail(LAC_IS_SENSOR_PAGE(self));
  lac_sensor_plan_close(self->plan);
}

void
lac_sensor_page_show(LacSensorPage *self, const char *text)
{
  g_return_if_fail(LAC_IS_SENSOR_PAGE(self) && text != NULL);
  if (g_strcmp0(text, self->text) == 0)
    return;
  g_free(self->text);
  self->text = g_strdup(text);
  if (lac_sensor_plan_get_state(self->plan) != LAC_SENSOR_PLAN_READY)
    return; /* applied when the plan is ready */
  if (lac_sensor_editor_set_text(self->editor, text, NULL))
    lac_sensor_plan_evaluate(self->plan, lac_sensor_editor_get_layout(self->editor));
}

char *
lac_sensor_page_dup_text(LacSensorPage *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PAGE(self), NULL);
  return g_strdup(self->text != NULL ? self->text : "");
}

/* ---- the object ---- */

static void
on_back(LacSensorPage *self)
{
  if (lac_sensor_plan_get_state(self->plan) != LAC_SENSOR_PLAN_READY)
    lac_sensor_plan_close(self->plan);
  g_signal_emit(self, signals[CLOSED], 0);
}

static void
on_cancel(LacSensorPage *self)
{
  on_back(self);
}

static void
add_shortcuts(LacSensorPage *self)
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
name_buttons(LacSensorPage *self)
{
  const struct {
    GtkWidget  *button;
    const char *name;
  } names[] = {
    {self->back, _("Back to the parameters")},
    {self->undo, _("Undo")},
    {self->redo, _("Redo")},
    {self->add, _("Add Sensor")},
    {self->remove, _("Remove Sensor")},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_accessible_name(names[i].button, names[i].name);
}

static void
lac_sensor_page_dispose(GObject *object)
{
  LacSensorPage *self = LAC_SENSOR_PAGE(object);
  if (self->plan != NULL) {
    g_signal_handlers_disconnect_by_data(self->plan, self);
    lac_sensor_plan_close(self->plan);
  }
  g_clear_object(&self->plan);
  g_clear_pointer(&self->made_for, g_free);
  g_clear_pointer(&self->text, g_free);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SENSOR_PAGE);
  G_OBJECT_CLASS(lac_sensor_page_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child(class, LacSensorPage, content);
  gtk_widget_class_bind_template_child(class, LacSensorPage, tools);
  gtk_widget_class_bind_template_child(class, LacSensorPage, back);
  gtk_widget_class_bind_template_child(class, LacSensorPage, undo);
  gtk_widget_class_bind_template_child(class, LacSensorPage, redo);
  gtk_widget_class_bind_template_child(class, LacSensorPage, add);
  gtk_widget_class_bind_template_child(class, LacSensorPage, remove);
  gtk_widget_class_bind_template_child(class, LacSensorPage, cancel);
  gtk_widget_class_bind_template_child(class, LacSensorPage, stack);
  gtk_widget_class_bind_template_child(class, LacSensorPage, figures);
  gtk_widget_class_bind_template_child(class, LacSensorPage, spinner);
  gtk_widget_class_bind_template_child(class, LacSensorPage, heading);
  gtk_widget_class_bind_template_child(class, LacSensorPage, phase);
  gtk_widget_class_bind_template_child(class, LacSensorPage, words);
  gtk_widget_class_bind_template_child(class, LacSensorPage, first_label);
  gtk_widget_class_bind_template_child(class, LacSensorPage, second_label);
  gtk_widget_class_bind_template_child(class, LacSensorPage, first);
  gtk_widget_class_bind_template_child(class, LacSensorPage, second);
  gtk_widget_class_bind_template_child(class, LacSensorPage, why);
  gtk_widget_class_bind_template_child(class, LacSensorPage, first_chosen);
  gtk_widget_class_bind_template_child(class, LacSensorPage, second_chosen);
  gtk_widget_class_bind_template_child(class, LacSensorPage, progress);
  gtk_widget_class_bind_template_child(class, LacSensorPage, refusal);
  gtk_widget_class_bind_template_child(class, LacSensorPage, editor);
}

static void
lac_sensor_page_class_init(LacSensorPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sensor_page_dispose;
  g_type_ensure(LAC_TYPE_SENSOR_EDITOR);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/sensor-page.ui");
  bind_children(widget_class);
  gtk_widget_class_bind_template_callback(widget_class, on_back);
  gtk_widget_class_bind_template_callback(widget_class, on_cancel);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SENSOR_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[CLOSED] = g_signal_new("closed", LAC_TYPE_SENSOR_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
lac_sensor_page_init(LacSensorPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->plan = g_object_new(LAC_TYPE_SENSOR_PLAN, NULL);
  gtk_widget_insert_action_group(GTK_WIDGET(self), "sensors",
                                 lac_sensor_editor_get_actions(self->editor));
  g_signal_connect_swapped(self->plan, "changed", G_CALLBACK(on_plan), self);
  g_signal_connect_swapped(self->plan, "scored", G_CALLBACK(on_scored), self);
  g_signal_connect_swapped(self->editor, "changed", G_CALLBACK(on_edited), self);
  g_signal_connect_swapped(self->editor, "notify::words", G_CALLBACK(on_words), self);
  lac_accessible_name(self->progress, _("Preparing the field"));
  add_shortcuts(self);
  name_buttons(self);
}
