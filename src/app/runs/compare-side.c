/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three cards beside a comparison. */
#include "app/runs/compare-side.h"

#include "app/runs/compare-bars.h"
#include "app/runs/compare-tables.h"
#include "app/toolkit/format.h"
#include "base/number-display.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_OPERATIONS 3    /* those with the most time */
#define LEAST_OF_TIME   0.01 /* of the time of a run */

struct _LacCompareSide {
  GtkWidget       parent_instance;
  GtkWidget      *scroller;
  GtkWidget      *swap, *time, *caption;
  GtkBox         *settings, *cost; /* cards */
  LacCompareBars *bars;
};

G_DEFINE_FINAL_TYPE(LacCompareSide, lac_compare_side, GTK_TYPE_WIDGET)

static GtkGrid *
renew_grid(GtkBox *card)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(card))) != NULL)
    gtk_box_remove(card, child);
  return lac_compare_tables_add_grid(card);
}

static void
show_settings(LacCompareSide *self, const LacCompared *compared)
{
  const GPtrArray *rows = compared->rows[LAC_COMPARISON_SETTINGS];
  GtkGrid         *grid = renew_grid(self->settings);
  if (!compared->are_of_one_experiment)
    lac_compare_tables_add_cell(grid, 0, 0, _("Not compared: the experiments differ"));
  else if (rows->len == 0)
    lac_compare_tables_add_cell(grid, 0, 0, _("None: the settings are equal"));
  else
    lac_compare_tables_add_rows(grid, compared->runs->len, rows);
}

/* ---- cost ---- */

/* @values: [runs]; NaN: unknown. @format: of one value */
static void
add_cost(GtkGrid      *grid,
         int           row,
         guint         n_runs,
         const char   *label,
         const double *values,
         char *(*format)(double) )
{
  guint  n = MIN(n_runs, LAC_COMPARE_COLUMNS);
  double ratio = values[1] / values[0];
  lac_compare_tables_add_cell(grid, 0, row, label);
  for (guint r = 0; r < n; r++) {
    g_autofree char *text = format(values[r]);
    lac_compare_tables_add_cell(grid, 1 + (int) r, row, text);
  }
  if (n_runs != 2)
    return;
  g_autofree char *number =
    isfinite(ratio) && ratio > 0 ? lac_number_dup_fixed(ratio, 2) : g_strdup("–");
  g_autofree char *text =
    isfinite(ratio) && ratio > 0 ? g_strconcat(number, "×", NULL) : g_strdup(number);
  lac_compare_tables_add_cell(grid, 3, row, text);
}

static char *
format_step(double seconds)
{
  return lac_format_span(seconds * 1e9);
}

/* One column of the costs of all runs. */
typedef struct {
  double values[LAC_COMPARISON_MOST];
} Costs;

static Costs
gather(const LacCompared *compared, gsize offset)
{
  Costs costs;
  for (guint r = 0; r < compared->runs->len; r++)
    costs.values[r] = G_STRUCT_MEMBER(double, &compared->costs[r], offset);
  return costs;
}

/* Returns FALSE for an operation that takes next to nothing in every run. */
static gboolean
matters(const LacComparedOperation *operation, const LacCompared *compared)
{
  for (guint r = 0; r < compared->runs->len; r++)
    if (operation->seconds[r] >= LEAST_OF_TIME * compared->costs[r].total_seconds)
      return TRUE;
  return FALSE;
}

static void
show_cost(LacCompareSide *self, const LacCompared *compared)
{
  static const struct {
    const char *label;
    gsize       offset;
    char *(*format)(double);
  } kinds[] = {
    {N_("Time"), G_STRUCT_OFFSET(LacComparedCost, total_seconds), lac_format_duration},
    {N_("Step"), G_STRUCT_OFFSET(LacComparedCost, step_seconds), format_step},
    {N_("Set-up"), G_STRUCT_OFFSET(LacComparedCost, setup_seconds), lac_format_duration},
    {N_("Memory"), G_STRUCT_OFFSET(LacComparedCost, peak_bytes), lac_bytes_text},
  };
  GtkGrid *grid = renew_grid(self->cost);
  guint    n = compared->runs->len;
  int      row = 1;
  lac_compare_tables_add_letters(grid, n);
  if (n == 2)
    lac_compare_tables_add_cell(grid, 3, 0, _("b : a"));
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    Costs costs = gather(compared, kinds[i].offset);
    add_cost(grid, row++, n, _(kinds[i].label), costs.values, kinds[i].format);
  }
  for (guint i = 0; i < MIN(compared->operations->len, MOST_OPERATIONS); i++) {
    const LacComparedOperation *operation =
      &g_array_index(compared->operations, LacComparedOperation, i);
    if (matters(operation, compared))
      add_cost(grid, row++, n, operation->name, operation->seconds, lac_format_duration);
  }
}

void
lac_compare_side_show(LacCompareSide *self, const LacCompared *compared)
{
  g_return_if_fail(LAC_IS_COMPARE_SIDE(self));
  gboolean has_times = compared != NULL && compared->times != NULL && compared->runs->len == 2;
  lac_compare_bars_show(self->bars, has_times ? compared : NULL);
  gtk_widget_set_visible(self->time, has_times);
  gtk_widget_set_visible(self->scroller, compared != NULL);
  gtk_widget_set_visible(self->swap, compared != NULL && compared->runs->len == 2);
  if (compared == NULL)
    return;
  show_settings(self, compared);
  show_cost(self, compared);
}

/* ---- the object ---- */

static void
lac_compare_side_dispose(GObject *object)
{
  LacCompareSide *self = LAC_COMPARE_SIDE(object);
  if (self->scroller != NULL)
    gtk_widget_unparent(self->scroller);
  self->scroller = NULL;
  G_OBJECT_CLASS(lac_compare_side_parent_class)->dispose(object);
}

static void
lac_compare_side_class_init(LacCompareSideClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_compare_side_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
add_heading(GtkWidget *box, const char *title)
{
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new(title);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_css_class(label, "heading");
  gtk_box_append(GTK_BOX(line), label);
  gtk_box_append(GTK_BOX(box), line);
  return line;
}

static GtkBox *
add_card(GtkWidget *box)
{
  GtkWidget *card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9);
  gtk_widget_add_css_class(card, "card");
  gtk_widget_set_margin_bottom(card, 12);
  gtk_box_append(GTK_BOX(box), card);
  return GTK_BOX(card);
}

static void
set_margins(GtkWidget *widget, int margin)
{
  gtk_widget_set_margin_top(widget, margin);
  gtk_widget_set_margin_bottom(widget, margin);
  gtk_widget_set_margin_start(widget, margin);
  gtk_widget_set_margin_end(widget, margin);
}

static void
add_time(LacCompareSide *self, GtkWidget *box)
{
  self->time = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append(GTK_BOX(box), self->time);
  add_heading(self->time, _("Where the time went"));
  GtkBox *card = add_card(self->time);
  self->bars = LAC_COMPARE_BARS(lac_compare_bars_new(LAC_COMPARE_BARS_SMALL));
  self->caption = gtk_label_new(_("Phases of both runs on one scale of seconds"));
  gtk_label_set_xalign(GTK_LABEL(self->caption), 0);
  gtk_label_set_wrap(GTK_LABEL(self->caption), TRUE);
  gtk_widget_add_css_class(self->caption, "caption");
  gtk_widget_add_css_class(self->caption, "dim-label");
  set_margins(GTK_WIDGET(self->bars), 12);
  set_margins(self->caption, 12);
  gtk_widget_set_margin_top(self->caption, 0);
  gtk_box_append(card, GTK_WIDGET(self->bars));
  gtk_box_append(card, self->caption);
}

static void
lac_compare_side_init(LacCompareSide *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  set_margins(box, 12);
  GtkWidget *line = add_heading(box, _("Settings that differ"));
  self->swap = gtk_button_new_with_label(_("Swap"));
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->swap), "win.compare-swap");
  gtk_widget_set_tooltip_text(self->swap, _("Swap runs"));
  gtk_widget_add_css_class(self->swap, "flat");
  gtk_box_append(GTK_BOX(line), self->swap);
  self->settings = add_card(box);
  add_time(self, box);
  add_heading(box, _("Cost"));
  self->cost = add_card(box);
  self->scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self->scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scroller), box);
  gtk_widget_set_parent(self->scroller, GTK_WIDGET(self));
}
