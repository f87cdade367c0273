/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table behind every list of rows and columns. A LacTableColumn describes the look, text and sort key of its
 * cells; this file has the widgets, order, selection and choice of columns. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- a row ---- */

/* A row: either holds a struct with its free function, or is the parent class of a row type. Signal: updated. */
#define LAC_TYPE_COLUMN_ROW (lac_column_row_get_type())
G_DECLARE_DERIVABLE_TYPE(LacColumnRow, lac_column_row, LAC, COLUMN_ROW, GObject)

struct _LacColumnRowClass {
  GObjectClass parent_class;
};

/* @data: (transfer full) */
LacColumnRow *lac_column_row_new(gpointer data, GDestroyNotify free_data);
/* Returns: (transfer none): the struct; for a subclass the row itself. */
gpointer lac_column_row_get(LacColumnRow *row);
/* Emits "updated", which refreshes the cells. The row keeps its position until the table is sorted. */
void lac_column_row_updated(LacColumnRow *row);

/* ---- a column ---- */

typedef struct _LacColumnTable LacColumnTable;

/* Cells with custom widgets. */
typedef struct {
  GtkWidget *(*make)(void);
  void (*bind)(GtkListItem *cell, LacColumnTable *table);
  void (*show)(GtkListItem *cell, gpointer row);
  void (*unbind)(GtkListItem *cell);
} LacColumnCell;

/* @row of each function: from lac_column_row_get(); @data: the column's. A column sorts by @value (NaN below every
 * number), by @compare, or not at all. */
typedef struct {
  const char *title; /* need not outlive the call */
  /* static, (nullable): key in the column menu; NULL: always shown */
  const char        *id;
  gboolean           is_important; /* hidden last when space is short */
  gboolean           is_optional;  /* hidden until the user shows it */
  int                width; /* pixels, at least the heading's width if sortable; 0: natural width */
  gboolean           expands;  /* fills the remaining width */
  gboolean           is_fixed; /* not resizable by the user */
  float              xalign;
  PangoEllipsizeMode ellipsize;
  const char        *style; /* (nullable): CSS class of its cells */
  char *(*text)(gpointer row, gconstpointer data);
  char *(*tip)(gpointer row, gconstpointer data); /* (nullable) */
  /* (nullable). Returns: (nullable): an additional CSS class for this cell. */
  const char *(*accent)(gpointer row, gconstpointer data);
  const LacColumnCell *cell; /* (nullable): custom cells instead of labels */
  double (*value)(gpointer row, gconstpointer data);
  int (*compare)(gpointer a, gpointer b, gconstpointer data);
} LacTableColumn;

/* ---- the table ---- */

#define LAC_TYPE_COLUMN_TABLE (lac_column_table_get_type())
G_DECLARE_FINAL_TYPE(LacColumnTable, lac_column_table, LAC, COLUMN_TABLE, GtkWidget)

/* Signals: chosen (the user changed the selection), activated (guint position). */

/* @name: for screen readers */
LacColumnTable *lac_column_table_new(const char *name);
GtkColumnView  *lac_column_table_get_view(LacColumnTable *table);

/* @column: its title is shown untranslated. @data: outlives the table. Returns: (transfer none). */
GtkColumnViewColumn *
lac_column_table_add(LacColumnTable *table, const LacTableColumn *column, gconstpointer data);

/* Adds @n columns and translates their titles. */
void lac_column_table_add_all(LacColumnTable       *table,
                              const LacTableColumn *columns,
                              gsize                 n,
                              gconstpointer         data);

/* Called after the last column has been added, if the first is always shown and the others have an id. Returns:
 * (transfer floating): the button that opens the column menu; the headings open the same menu. */
GtkWidget *lac_column_table_make_menu_button(LacColumnTable *table);

/* Widens a column whose texts or title have become longer; other columns may go. */
void lac_column_table_widen(LacColumnTable *table, GtkColumnViewColumn *column, int width);

/* Hides the column with an id and takes it out of the menu, or offers it again. */
void lac_column_table_offer(LacColumnTable *table, const char *id, gboolean is_offered);

/* Called after the last column has been added. @rows: (nullable): LacColumnRow items, shown in this order; NULL: the
 * table's own store, sorted by the columns. */
void lac_column_table_set_rows(LacColumnTable *table, GListModel *rows, GtkSelectionMode mode);

GListModel *lac_column_table_get_rows(LacColumnTable *table); /* in display order */
/* Returns: (transfer none): the table's own rows, in insertion order. */
GListStore *lac_column_table_get_store(LacColumnTable *table);
/* @rows: of LacColumnRow. Emits no signal for selected rows that are removed. */
void lac_column_table_replace(LacColumnTable *table, GPtrArray *rows);
/* Sorts again after rows have changed. */
void lac_column_table_sort(LacColumnTable *table);

/* Positions are in display order. */
guint    lac_column_table_get_n_rows(LacColumnTable *table);
gpointer lac_column_table_get_row(LacColumnTable *table, guint position);

GtkSelectionModel *lac_column_table_get_selection(LacColumnTable *table);
/* Returns: (nullable): the first selected row. */
gpointer lac_column_table_get_chosen(LacColumnTable *table);
/* Selects rows without emitting "chosen". */
void lac_column_table_choose(LacColumnTable *table, const GtkBitset *positions);

G_END_DECLS
