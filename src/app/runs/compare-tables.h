/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables beside the fields of a comparison: differing settings, results, cost, operations with their speed-ups. */
#pragma once

#include "report/compare/comparison.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_TABLES (lac_compare_tables_get_type())
G_DECLARE_FINAL_TYPE(LacCompareTables, lac_compare_tables, LAC, COMPARE_TABLES, GtkWidget)

/* @rows: from lac_comparison_rows(), indexed by part; @operations: of LacComparedOperation. */
void lac_compare_tables_show(LacCompareTables  *tables,
                             LacRunFile *const *runs,
                             gsize              n_runs,
                             GPtrArray *const   rows[3],
                             const GArray      *operations);

#define LAC_COMPARE_COLUMNS 4 /* maximum number of run columns */
/* Adds a cell to any of these tables; column 0 holds row names. @class: (nullable) */
void lac_compare_tables_add_cell(GtkGrid    *grid,
                                 int         column,
                                 int         row,
                                 const char *text,
                                 const char *class);

G_END_DECLS
