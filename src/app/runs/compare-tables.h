/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a comparison, a column a run: differing settings, results, cost. */
#pragma once

#include "app/runs/compared.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_TABLES (lac_compare_tables_get_type())
G_DECLARE_FINAL_TYPE(LacCompareTables, lac_compare_tables, LAC, COMPARE_TABLES, GtkWidget)

/* @compared: (nullable), borrowed for the call. */
void lac_compare_tables_show(LacCompareTables *tables, const LacCompared *compared);

#define LAC_COMPARE_COLUMNS 4 /* maximum number of run columns */
/* Adds the grid of a table to a card. */
GtkGrid *lac_compare_tables_add_grid(GtkBox *card);
/* Adds a cell to any of these tables; column 0 holds row names. */
void lac_compare_tables_add_cell(GtkGrid *grid, int column, int row, const char *text);
/* Adds the letters of the runs, in row 0. */
void lac_compare_tables_add_letters(GtkGrid *grid, gsize n_runs);
/* Adds letters and rows of texts. @rows: lac_comparison_rows() */
void lac_compare_tables_add_rows(GtkGrid *grid, gsize n_runs, const GPtrArray *rows);

G_END_DECLS
