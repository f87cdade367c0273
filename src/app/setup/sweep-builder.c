/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sweep builder: one plan with two views, the rows and the line of text. */
#include "app/setup/sweep-builder.h"

#include "app/setup/sweep-row.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "run/plan/sweep.h"

#include <glib/gi18n-lib.h>

#include <string.h>

struct _LacSweepBuilder {
  GtkWidget       parent_instance;
  GtkWidget      *content, *back, *draws, *nothing, *add;
  GtkDropDown    *kind;
  GtkSpinButton  *n_draws;
  GtkEntry       *seed, *line;
  GtkLabel       *line_error, *runs, *cost;
  GtkListBox     *rows;
  const LacDraft *draft;
  LacSweepPlan   *plan;
  char           *text;  /* the sweep; the line as typed while it is invalid */
  gboolean        wrong; /* a row or the line shows an error */
  gboolean        showing;
};

G_DEFINE_FINAL_TYPE(LacSweepBuilder, lac_sweep_builder, GTK_TYPE_WIDGET)

enum { CHANGED, CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

static LacSweepRow *
get_row(LacSweepBuilder *self, guint i)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->rows, (int) i);
  return row != NULL ? LAC_SWEEP_ROW(row) : NULL;
}

/* ---- initial values of a row ---- */

#define FIRST_SEEDS "0, 1, 2, 3, 4"

static gboolean
is_of_draft(LacSweepBuilder *self, const LacParam *param)
{
  return lac_param_find(lac_draft_get_table(self->draft), param->key) == param;
}

/* Returns the present value of the parameter; for a choice all values; a few seeds. */
static char *
dup_first_values(LacSweepBuilder *self, const LacParam *param)
{
  if (param == NULL)
    return g_strdup("");
  if (param->kind == LAC_PARAM_SWITCH)
    return g_strdup("no, yes");
  if (param->choices != NULL)
    return g_strjoinv(", ", (GStrv) param->choices);
  if (!is_of_draft(self, param))
    return g_strdup(FIRST_SEEDS);
  char *text = lac_draft_dup_text(self->draft, param);
  return text != NULL ? text : g_strdup("");
}

/* Suggests the range from the present value to twice that, within the parameter's limits. */
static void
suggest_range(LacSweepBuilder *self, LacSweepAxis *axis)
{
  const LacParam *param = lac_sweep_find_row(lac_draft_get_table(self->draft), axis->key);
  if (axis->spacing == LAC_SWEEP_VALUES || *axis->from != '\0' || *axis->to != '\0' ||
      param == NULL || (param->kind != LAC_PARAM_REAL && param->kind != LAC_PARAM_INTEGER) ||
      !is_of_draft(self, param))
    return;
  const double now = lac_draft_get_number(self->draft, param);
  const double start = now > 0 ? now : MAX(param->min, 0);
  const double low = start > 0 ? MIN(start, param->max / 2) : 1;
  char         text[2][G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(text[0], sizeof text[0], "%.6g", low);
  g_ascii_formatd(text[1], sizeof text[1], "%.6g", MIN(2 * low, param->max));
  g_free(axis->from);
  g_free(axis->to);
  axis->from = g_strdup(text[0]);
  axis->to = g_strdup(text[1]);
}

/* ---- showing ---- */

static void
describe_rows(LacSweepBuilder *self)
{
  self->wrong = FALSE;
  for (guint i = 0; i < self->plan->axes->len; i++) {
    g_autoptr(GError) error = NULL;
    g_auto(GStrv)     values =
      lac_sweep_dup_values(lac_draft_get_table(self->draft), self->plan, i, &error);
    lac_sweep_row_show_values(get_row(self, i), (const char *const *) values,
                              error != NULL ? error->message : NULL);
    self->wrong = self->wrong || values == NULL;
  }
}

static void
show_kind(LacSweepBuilder *self)
{
  g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, self->plan->seed);
  gtk_drop_down_set_selected(self->kind, self->plan->kind);
  gtk_spin_button_set_value(self->n_draws, self->plan->n_draws);
  gtk_editable_set_text(GTK_EDITABLE(self->seed), seed);
  gtk_widget_set_visible(self->draws, self->plan->kind == LAC_SWEEP_RANDOM);
}

static void
show_line(LacSweepBuilder *self)
{
  if (strcmp(gtk_editable_get_text(GTK_EDITABLE(self->line)), self->text) != 0)
    gtk_editable_set_text(GTK_EDITABLE(self->line), self->text);
  gtk_label_set_text(self->line_error, "");
}

static void on_row_changed(LacSweepBuilder *self, LacSweepRow *row);
static void on_row_parameter(LacSweepBuilder *self, LacSweepRow *row);
static void on_row_removed(LacSweepBuilder *self, LacSweepRow *row);

static void
show_rows(LacSweepBuilder *self)
{
  GtkListBoxRow *row;
  guint          n = self->plan->axes->len;
  while ((row = gtk_list_box_get_row_at_index(self->rows, (int) n)) != NULL)
    gtk_list_box_remove(self->rows, GTK_WIDGET(row));
  for (guint i = 0; i < n; i++) {
    if (get_row(self, i) == NULL) {
      GtkWidget *made = lac_sweep_row_new(self->draft, i + 1);
      g_signal_connect_swapped(made, "changed", G_CALLBACK(on_row_changed), self);
      g_signal_connect_swapped(made, "parameter-changed", G_CALLBACK(on_row_parameter), self);
      g_signal_connect_swapped(made, "removed", G_CALLBACK(on_row_removed), self);
      gtk_list_box_append(self->rows, made);
    }
    lac_sweep_row_show(get_row(self, i), lac_sweep_plan_get_axis(self->plan, i), self->plan->kind);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->rows), n > 0);
  gtk_widget_set_visible(self->nothing, n == 0);
}

static void
show_all(LacSweepBuilder *self)
{
  self->showing = TRUE;
  show_kind(self);
  show_rows(self);
  describe_rows(self);
  show_line(self);
  self->showing = FALSE;
}

/* Applies a change of the plan made in the rows. */
static void
settle(LacSweepBuilder *self)
{
  g_free(self->text);
  self->text = lac_sweep_plan_dup_text(self->plan);
  self->showing = TRUE;
  describe_rows(self);
  show_line(self);
  self->showing = FALSE;
  g_signal_emit(self, signals[CHANGED], 0);
}

/* ---- user input ---- */

static guint
index_of(LacSweepRow *row)
{
  return (guint) gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(row));
}

static void
on_row_changed(LacSweepBuilder *self, LacSweepRow *row)
{
  LacSweepAxis         *axis = lac_sweep_plan_get_axis(self->plan, index_of(row));
  const LacSweepSpacing before = axis->spacing;
  lac_sweep_row_fill(row, axis);
  if (axis->spacing != before) {
    suggest_range(self, axis);
    lac_sweep_row_show(row, axis, self->plan->kind);
  }
  settle(self);
}

static void
put(char **text, char *taken)
{
  g_free(*text);
  *text = taken;
}

/* Resets the values after the parameter of a row has changed. */
static void
on_row_parameter(LacSweepBuilder *self, LacSweepRow *row)
{
  LacSweepAxis *axis = lac_sweep_plan_get_axis(self->plan, index_of(row));
  lac_sweep_row_fill(row, axis);
  const LacParam *param = lac_sweep_find_row(lac_draft_get_table(self->draft), axis->key);
  put(&axis->list, dup_first_values(self, param));
  put(&axis->from, g_strdup(""));
  put(&axis->to, g_strdup(""));
  if (param == NULL || param->choices != NULL || param->kind == LAC_PARAM_SWITCH ||
      param->kind == LAC_PARAM_FILE)
    axis->spacing = LAC_SWEEP_VALUES;
  suggest_range(self, axis);
  lac_sweep_row_show(row, axis, self->plan->kind);
  settle(self);
}

static void
focus_row(LacSweepBuilder *self, guint i)
{
  if (i < self->plan->axes->len)
    lac_sweep_row_focus(get_row(self, i));
  else
    gtk_widget_grab_focus(self->add);
}

static void
on_row_removed(LacSweepBuilder *self, LacSweepRow *row)
{
  guint i = index_of(row);
  lac_sweep_plan_remove(self->plan, i);
  show_all(self);
  settle(self);
  focus_row(self, i);
}

static gboolean
is_swept(LacSweepBuilder *self, const char *key)
{
  for (guint i = 0; i < self->plan->axes->len; i++)
    if (strcmp(lac_sweep_plan_get_axis(self->plan, i)->key, key) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the first basic numeric parameter that is in use and not swept, or else any parameter that can be swept. */
static const LacParam *
find_next(LacSweepBuilder *self)
{
  const LacParamTable *table = lac_draft_get_table(self->draft);
  const LacParam      *next = NULL;
  for (gsize i = table->n_rows; i-- > 0;) {
    const LacParam *param = &table->rows[i];
    const gboolean  is_number = param->kind == LAC_PARAM_REAL || param->kind == LAC_PARAM_INTEGER;
    if (!lac_sweep_can_vary(param) || !lac_draft_is_in_use(self->draft, param) ||
        is_swept(self, param->key))
      continue;
    if (next == NULL || (is_number && (param->flags & LAC_PARAM_ADVANCED) == 0))
      next = param;
  }
  return next;
}

static void
on_add(LacSweepBuilder *self)
{
  const LacParam *param = find_next(self);
  if (param == NULL)
    return;
  g_autofree char *values = dup_first_values(self, param);
  lac_sweep_plan_add(self->plan, param->key, values);
  show_all(self);
  settle(self);
  focus_row(self, self->plan->axes->len - 1);
}

static void
on_kind(LacSweepBuilder *self)
{
  if (self->showing)
    return;
  lac_sweep_plan_set_kind(self->plan,
                          MIN(gtk_drop_down_get_selected(self->kind), LAC_SWEEP_RANDOM));
  show_all(self);
  settle(self);
}

static void
on_draws(LacSweepBuilder *self)
{
  guint64 seed;
  if (self->showing)
    return;
  const char    *text = gtk_editable_get_text(GTK_EDITABLE(self->seed));
  const gboolean is_sound = g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT64, &seed, NULL);
  if (is_sound)
    gtk_widget_remove_css_class(GTK_WIDGET(self->seed), "error");
  else
    gtk_widget_add_css_class(GTK_WIDGET(self->seed), "error");
  gtk_accessible_update_state(GTK_ACCESSIBLE(self->seed), GTK_ACCESSIBLE_STATE_INVALID,
                              is_sound ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE,
                              -1);
  self->plan->n_draws = (guint) gtk_spin_button_get_value_as_int(self->n_draws);
  if (is_sound)
    self->plan->seed = seed;
  settle(self);
}

static void
on_line(LacSweepBuilder *self)
{
  if (self->showing)
    return;
  g_autofree char *text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->line)));
  lac_sweep_builder_set_text(self, text);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_back(LacSweepBuilder *self)
{
  g_signal_emit(self, signals[CLOSED], 0);
}

/* ---- public functions ---- */

void
lac_sweep_builder_set_draft(LacSweepBuilder *self, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_SWEEP_BUILDER(self) && draft != NULL);
  g_clear_pointer(&self->plan, lac_sweep_plan_free);
  self->plan = lac_sweep_plan_new();
  show_rows(self); /* releases rows that borrow from the previous draft */
  self->draft = draft;
  put(&self->text, g_strdup(""));
  show_all(self);
}

void
lac_sweep_builder_set_text(LacSweepBuilder *self, const char *given)
{
  g_return_if_fail(LAC_IS_SWEEP_BUILDER(self) && self->draft != NULL);
  const char       *text = given != NULL ? given : "";
  g_autofree char  *before = g_strstrip(g_strdup(self->text));
  g_autoptr(GError) error = NULL;
  if (strcmp(self->text, text) == 0 || strcmp(before, text) == 0)
    return; /* trailing blanks: the user is still typing */
  g_autoptr(LacSweepPlan) plan = lac_sweep_plan_parse(text, &error);
  put(&self->text, g_strdup(text));
  if (plan != NULL) {
    lac_sweep_plan_free(self->plan);
    self->plan = g_steal_pointer(&plan);
  }
  show_all(self);
  if (error != NULL) {
    gtk_label_set_text(self->line_error, error->message);
    self->wrong = TRUE;
  }
}

char *
lac_sweep_builder_dup_text(LacSweepBuilder *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_BUILDER(self), NULL);
  return g_strdup(self->text);
}

void
lac_sweep_builder_show_cost(LacSweepBuilder *self, const LacCost *cost, const char *reason)
{
  g_return_if_fail(LAC_IS_SWEEP_BUILDER(self));
  gtk_widget_set_visible(GTK_WIDGET(self->runs), cost != NULL);
  if (cost == NULL) {
    gtk_label_set_text(self->cost, self->wrong || reason == NULL ? "" : reason);
    gtk_widget_add_css_class(GTK_WIDGET(self->cost), "error");
    return;
  }
  gtk_widget_remove_css_class(GTK_WIDGET(self->cost), "error");
  g_autofree char *runs =
    g_strdup_printf(ngettext("%zu run", "%zu runs", cost->n_runs), cost->n_runs);
  g_autofree char *duration = lac_format_duration(cost->seconds);
  g_autofree char *disk = lac_format_bytes(cost->disk_bytes);
  /* Translators: what all runs of a sweep take: time, and room on the disk. */
  g_autofree char *words = g_strdup_printf(_("about %s, up to %s of disk space"), duration, disk);
  gtk_label_set_text(self->runs, runs);
  gtk_label_set_text(self->cost, words);
}

void
lac_sweep_builder_open(LacSweepBuilder *self)
{
  g_return_if_fail(LAC_IS_SWEEP_BUILDER(self) && self->draft != NULL);
  GtkListBoxRow *row;
  while ((row = gtk_list_box_get_row_at_index(self->rows, 0)) != NULL)
    gtk_list_box_remove(self->rows, GTK_WIDGET(row));
  show_all(self);
  focus_row(self, 0);
}

/* ---- object ---- */

static void
lac_sweep_builder_dispose(GObject *object)
{
  LacSweepBuilder *self = LAC_SWEEP_BUILDER(object);
  self->showing = TRUE; /* ignores signals of its parts during disposal */
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SWEEP_BUILDER);
  g_clear_pointer(&self->plan, lac_sweep_plan_free);
  g_clear_pointer(&self->text, g_free);
  G_OBJECT_CLASS(lac_sweep_builder_parent_class)->dispose(object);
}

static void
lac_sweep_builder_class_init(LacSweepBuilderClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sweep_builder_dispose;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/sweep-builder.ui");
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, content);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, back);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, draws);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, nothing);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, add);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, kind);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, n_draws);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, seed);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, line);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, line_error);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, runs);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, cost);
  gtk_widget_class_bind_template_child(widget_class, LacSweepBuilder, rows);
  gtk_widget_class_bind_template_callback(widget_class, on_add);
  gtk_widget_class_bind_template_callback(widget_class, on_back);
  gtk_widget_class_bind_template_callback(widget_class, on_kind);
  gtk_widget_class_bind_template_callback(widget_class, on_draws);
  gtk_widget_class_bind_template_callback(widget_class, on_line);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SWEEP_BUILDER, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[CLOSED] = g_signal_new("closed", LAC_TYPE_SWEEP_BUILDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
lac_sweep_builder_init(LacSweepBuilder *self)
{
  self->showing = TRUE;
  self->plan = lac_sweep_plan_new();
  self->text = g_strdup("");
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_spin_button_set_range(self->n_draws, 1, LAC_SWEEP_MOST_DRAWS);
  gtk_spin_button_set_increments(self->n_draws, 1, 10);
  lac_accessible_name_drop_down(self->kind, _("Combination of values"));
  lac_accessible_name(self->n_draws, _("Number of runs"));
  lac_accessible_name(self->seed, _("Random seed"));
  lac_accessible_name(self->line, _("The sweep as text"));
  lac_accessible_name(self->back, _("Back to the parameters"));
  self->showing = FALSE;
}
