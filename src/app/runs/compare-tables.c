/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a comparison. */
#include "app/runs/compare-tables.h"

#include "app/toolkit/tip.h"

#include <glib/gi18n-lib.h>

struct _LacCompareTables {
  GtkWidget parent_instance;
  GtkBox   *box;
};

G_DEFINE_FINAL_TYPE(LacCompareTables, lac_compare_tables, GTK_TYPE_WIDGET)

void
lac_compare_tables_add_cell(GtkGrid *grid, int column, int row, const char *text, const char *class)
{
  GtkWidget *cell = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(cell), column == 0 ? 0 : 1);
  gtk_label_set_ellipsize(GTK_LABEL(cell), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(cell, column == 0);
  lac_tip_set(cell, text);
  gtk_widget_add_css_class(cell, column == 0 ? "dim-label" : "numeric");
  if (class != NULL)
    gtk_widget_add_css_class(cell, class);
  if (column > 0) {
    gtk_label_set_width_chars(GTK_LABEL(cell), 7);
    gtk_label_set_max_width_chars(GTK_LABEL(cell), 10);
  } else {
    gtk_label_set_width_chars(GTK_LABEL(cell), 5);
    gtk_label_set_max_width_chars(GTK_LABEL(cell), 40);
  }
  gtk_grid_attach(grid, cell, column, row, 1, 1);
}

static void
add_heading(LacCompareTables *self, const char *title)
{
  GtkWidget *heading = gtk_label_new(title);
  gtk_label_set_xalign(GTK_LABEL(heading), 0);
  gtk_widget_add_css_class(heading, "heading");
  gtk_box_append(self->box, heading);
}

GtkGrid *
lac_compare_tables_add_grid(GtkBox *box)
{
  GtkGrid *grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_column_spacing(grid, 6);
  gtk_grid_set_row_spacing(grid, 6);
  gtk_widget_add_css_class(GTK_WIDGET(grid), "caption");
  gtk_widget_set_margin_top(GTK_WIDGET(grid), 9);
  gtk_widget_set_margin_bottom(GTK_WIDGET(grid), 9);
  gtk_widget_set_margin_start(GTK_WIDGET(grid), 12);
  gtk_widget_set_margin_end(GTK_WIDGET(grid), 12);
  gtk_widget_set_hexpand(GTK_WIDGET(grid), TRUE);
  gtk_box_append(box, GTK_WIDGET(grid));
  return grid;
}

static GtkGrid *
add_grid(LacCompareTables *self, const char *title, gsize n_runs)
{
  GtkWidget *card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  add_heading(self, title);
  gtk_widget_add_css_class(card, "card");
  gtk_box_append(self->box, card);
  GtkGrid *grid = lac_compare_tables_add_grid(GTK_BOX(card));
  for (gsize r = 0; r < MIN(n_runs, LAC_COMPARE_COLUMNS); r++)
    lac_compare_tables_add_cell(grid, 1 + (int) r, 0, lac_comparison_letter(r), "caption-heading");
  return grid;
}

static void
add_part(LacCompareTables *self, const char *title, gsize n_runs, const GPtrArray *rows)
{
  GtkGrid *grid = add_grid(self, title, n_runs);
  for (guint i = 0; i < rows->len; i++) {
    const GStrv cells = g_ptr_array_index(rows, i);
    for (gsize c = 0; c <= MIN(n_runs, LAC_COMPARE_COLUMNS); c++)
      lac_compare_tables_add_cell(grid, (int) c, 1 + (int) i, g_dgettext(GETTEXT_PACKAGE, cells[c]),
                                  NULL);
  }
}

void
lac_compare_tables_show(LacCompareTables *self, const LacCompared *compared)
{
  GtkWidget *child;
  g_return_if_fail(LAC_IS_COMPARE_TABLES(self));
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->box))) != NULL)
    gtk_box_remove(self->box, child);
  if (compared == NULL)
    return;
  gsize n = compared->runs->len;
  add_part(self, _("Settings that differ"), n, compared->rows[LAC_COMPARISON_SETTINGS]);
  add_part(self, _("Results"), n, compared->rows[LAC_COMPARISON_RESULTS]);
  add_part(self, _("Cost"), n, compared->rows[LAC_COMPARISON_COST]);
}

static void
lac_compare_tables_dispose(GObject *object)
{
  LacCompareTables *self = LAC_COMPARE_TABLES(object);
  GtkWidget        *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  self->box = NULL;
  G_OBJECT_CLASS(lac_compare_tables_parent_class)->dispose(object);
}

static void
lac_compare_tables_class_init(LacCompareTablesClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_compare_tables_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_compare_tables_init(LacCompareTables *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  self->box = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 9));
  gtk_widget_set_margin_top(GTK_WIDGET(self->box), 12);
  gtk_widget_set_margin_bottom(GTK_WIDGET(self->box), 12);
  gtk_widget_set_margin_start(GTK_WIDGET(self->box), 12);
  gtk_widget_set_margin_end(GTK_WIDGET(self->box), 12);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->box));
  gtk_widget_set_parent(scroller, GTK_WIDGET(self));
}
