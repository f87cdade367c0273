/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table under every list of rows and columns: a column is a row of a table that says how its cells look, what they say and what
 * they sort by; widgets, order, selection and the choice of columns are here. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- a row ---- */

/* Holds the contents of a row: a struct with the function that frees it, or is the parent of a class of its own. Signal: updated. */
#define LAC_TYPE_COLUMN_ROW (lac_column_row_get_type())
G_DECLARE_DERIVABLE_TYPE(LacColumnRow, lac_column_row, LAC, COLUMN_ROW, GObject)

struct _LacColumnRowClass {
  GObjectClass parent_class;
};

/* @data: (transfer full) */
LacColumnRow *lac_column_row_new(gpointer data, GDestroyNotify free_data);
/* Returns: (transfer none): the struct; a row of a class of its own: itself. */
gpointer lac_column_row_get(LacColumnRow *row);
/* Emits the signal: its cells are written anew. It keeps its place until the table sorts. */
void lac_column_row_updated(LacColumnRow *row);

/* ---- a column ---- */

typedef struct _LacColumnTable LacColumnTable;

/* Cells of widgets of their own. */
typedef struct {
  GtkWidget *(*make)(void);
  void (*bind)(GtkListItem *cell, LacColumnTable *table);
  void (*show)(GtkListItem *cell, gpointer row);
  void (*unbind)(GtkListItem *cell);
} LacColumnCell;

/* @row of each function: lac_column_row_get(); @data: of the column. A column sorts by its value (NaN is less than every number), by
 * its comparison, or not at all. */
typedef struct {
  const char *title; /* need not outlive the call */
  /* static, (nullable): by which the menu of columns has it; NULL: it is always shown */
  const char        *id;
  gboolean           is_important; /* is the last to leave where there is no room */
  int                width;   /* pixels, at least those of the heading where it sorts; 0: its own */
  gboolean           expands; /* takes what the others leave */
  gboolean           is_fixed; /* a person cannot draw it wider */
  float              xalign;
  PangoEllipsizeMode ellipsize;
  const char        *style; /* (nullable): class of its cells */
  char *(*text)(gpointer row, gconstpointer data);
  char *(*tip)(gpointer row, gconstpointer data); /* (nullable) */
  /* (nullable). Returns: (nullable): one more class, of this cell. */
  const char *(*accent)(gpointer row, gconstpointer data);
  const LacColumnCell *cell; /* (nullable): its cells are not labels */
  double (*value)(gpointer row, gconstpointer data);
  int (*compare)(gpointer a, gpointer b, gconstpointer data);
} LacTableColumn;

/* ---- the table ---- */

#define LAC_TYPE_COLUMN_TABLE (lac_column_table_get_type())
G_DECLARE_FINAL_TYPE(LacColumnTable, lac_column_table, LAC, COLUMN_TABLE, GtkWidget)

/* Signals: chosen (a person has changed which rows are), activated (guint position). */

/* @name: for screen readers */
LacColumnTable *lac_column_table_new(const char *name);
GtkColumnView  *lac_column_table_get_view(LacColumnTable *table);

/* @column: its title is shown as it is. @data: outlives the table. Returns: (transfer none). */
GtkColumnViewColumn *
lac_column_table_add(LacColumnTable *table, const LacTableColumn *column, gconstpointer data);

/* Adds @n columns and translates their titles. */
void lac_column_table_add_all(LacColumnTable       *table,
                              const LacTableColumn *columns,
                              gsize                 n,
                              gconstpointer         data);

/* After the last column, where the first is always shown and others have an id. Returns: (transfer floating): the button that opens
 * the menu of columns; headings have it too. */
GtkWidget *lac_column_table_make_menu_button(LacColumnTable *table);

/* After the last column. @rows: (nullable): of LacColumnRow, in their order; NULL: rows of its own, in the order of the columns. */
void lac_column_table_set_rows(LacColumnTable *table, GListModel *rows, GtkSelectionMode mode);

GListModel *lac_column_table_get_rows(LacColumnTable *table); /* in the order that is shown */
/* Its own rows, as they came. */
GListStore *lac_column_table_get_store(LacColumnTable *table);
/* @rows: of LacColumnRow. Nothing is told of rows that were chosen. */
void lac_column_table_replace(LacColumnTable *table, GPtrArray *rows);
/* Sorts anew after the rows have changed. */
void lac_column_table_sort(LacColumnTable *table);

/* In the order that is shown. */
guint    lac_column_table_get_n_rows(LacColumnTable *table);
gpointer lac_column_table_get_row(LacColumnTable *table, guint position);

GtkSelectionModel *lac_column_table_get_selection(LacColumnTable *table);
/* Returns: (nullable): the first row that is chosen. */
gpointer lac_column_table_get_chosen(LacColumnTable *table);
/* Tells nobody. */
void lac_column_table_choose(LacColumnTable *table, const GtkBitset *positions);

G_END_DECLS
