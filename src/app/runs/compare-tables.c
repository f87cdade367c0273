/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a comparison. */
#include "app/runs/compare-tables.h"

#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"

#include <glib/gi18n-lib.h>

#define MOST_CHARS 10 /* of a value beside others */

struct _LacCompareTables {
  GtkWidget parent_instance;
  GtkBox   *box;
};

G_DEFINE_FINAL_TYPE(LacCompareTables, lac_compare_tables, GTK_TYPE_WIDGET)

void
lac_compare_tables_add_cell(GtkGrid *grid, int column, int row, const char *text)
{
  GtkWidget *cell = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(cell), column == 0 ? 0 : 1);
  gtk_label_set_ellipsize(GTK_LABEL(cell), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(cell, column == 0);
  lac_tip_set(cell, text);
  gtk_widget_add_css_class(cell, column == 0 ? "dim-label" : "numeric");
  if (column > 0) {
    lac_label_keep_number(GTK_LABEL(cell));
    gtk_label_set_width_chars(GTK_LABEL(cell), 6);
    gtk_label_set_max_width_chars(GTK_LABEL(cell), MOST_CHARS);
  } else {
    gtk_label_set_wrap(GTK_LABEL(cell), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(cell), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_lines(GTK_LABEL(cell), 2);
    gtk_label_set_width_chars(GTK_LABEL(cell), 5);
    gtk_label_set_max_width_chars(GTK_LABEL(cell), 40);
  }
  gtk_grid_attach(grid, cell, column, row, 1, 1);
}

static void
add_letter(GtkGrid *grid, int column, int row, guint run)
{
  const char        text[] = {(char) ('a' + run), '\0'};
  g_autofree char  *colour = g_strdup_printf("run-%u", run % LAC_STYLE_RUN_COLOURS);
  const char *const classes[] = {"run-letter", colour, NULL};
  GtkWidget        *letter = gtk_label_new(text);
  gtk_widget_set_css_classes(letter, (const char **) classes);
  gtk_widget_set_halign(letter, column == 0 ? GTK_ALIGN_START : GTK_ALIGN_END);
  gtk_widget_set_valign(letter, GTK_ALIGN_START);
  gtk_grid_attach(grid, letter, column, row, 1, 1);
}

void
lac_compare_tables_add_letters(GtkGrid *grid, gsize n_runs)
{
  for (guint r = 0; r < MIN(n_runs, LAC_COMPARE_COLUMNS); r++)
    add_letter(grid, 1 + (int) r, 0, r);
}

/* ---- rows of texts ---- */

static gboolean
is_long(const GStrv cells, guint n_runs)
{
  for (guint r = 0; r < n_runs; r++)
    if (g_utf8_strlen(cells[1 + r], -1) > MOST_CHARS)
      return TRUE;
  return FALSE;
}

static int
add_short(GtkGrid *grid, int row, const GStrv cells, guint n_runs)
{
  for (guint c = 0; c <= n_runs; c++)
    lac_compare_tables_add_cell(grid, (int) c, row, g_dgettext(GETTEXT_PACKAGE, cells[c]));
  return row + 1;
}

/* Adds long values below each other. Returns: the next row. */
static int
add_long(GtkGrid *grid, int row, const GStrv cells, guint n_runs)
{
  GtkWidget *name = gtk_label_new(cells[0]);
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_wrap(GTK_LABEL(name), TRUE);
  gtk_widget_add_css_class(name, "dim-label");
  gtk_grid_attach(grid, name, 0, row, 1 + (int) n_runs, 1);
  for (guint r = 0; r < n_runs; r++) {
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *text = gtk_label_new(g_dgettext(GETTEXT_PACKAGE, cells[1 + r]));
    GtkGrid   *letter = GTK_GRID(gtk_grid_new());
    add_letter(letter, 0, 0, r);
    gtk_label_set_xalign(GTK_LABEL(text), 0);
    gtk_label_set_wrap(GTK_LABEL(text), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(text), PANGO_WRAP_WORD_CHAR);
    gtk_box_append(GTK_BOX(line), GTK_WIDGET(letter));
    gtk_box_append(GTK_BOX(line), text);
    gtk_grid_attach(grid, line, 0, row + 1 + (int) r, 1 + (int) n_runs, 1);
  }
  return row + 1 + (int) n_runs;
}

void
lac_compare_tables_add_rows(GtkGrid *grid, gsize n_runs, const GPtrArray *rows)
{
  const guint n = (guint) MIN(n_runs, LAC_COMPARE_COLUMNS);
  int         row = 1;
  for (guint i = 0; i < rows->len; i++)
    if (!is_long(g_ptr_array_index(rows, i), n)) {
      lac_compare_tables_add_letters(grid, n);
      break;
    }
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < rows->len; i++) {
      const GStrv cells = g_ptr_array_index(rows, i);
      if (is_long(cells, n) != (pass == 1))
        continue;
      if (pass == 1)
        row = add_long(grid, row, cells, n);
      else
        row = add_short(grid, row, cells, n);
    }
}

/* ---- the tab Set-up ---- */

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
  gtk_grid_set_column_spacing(grid, 4);
  gtk_grid_set_row_spacing(grid, 6);
  gtk_widget_add_css_class(GTK_WIDGET(grid), "caption");
  gtk_widget_set_margin_top(GTK_WIDGET(grid), 9);
  gtk_widget_set_margin_bottom(GTK_WIDGET(grid), 9);
  gtk_widget_set_margin_start(GTK_WIDGET(grid), 9);
  gtk_widget_set_margin_end(GTK_WIDGET(grid), 9);
  gtk_widget_set_hexpand(GTK_WIDGET(grid), TRUE);
  gtk_box_append(box, GTK_WIDGET(grid));
  return grid;
}

static void
add_part(LacCompareTables *self, const char *title, gsize n_runs, const GPtrArray *rows)
{
  GtkWidget *card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  add_heading(self, title);
  gtk_widget_add_css_class(card, "card");
  gtk_box_append(self->box, card);
  lac_compare_tables_add_rows(lac_compare_tables_add_grid(GTK_BOX(card)), n_runs, rows);
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
