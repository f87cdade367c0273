/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of a sweep: a row for each run with its swept values, the chosen result of every method, the best one bold, the
 * results of the run itself, time, size and outcome. Signals: chosen; activated: a run was double-clicked;
 * columns-changed: the button of lac_sweep_table_make_columns_button() belongs to columns that are gone. */
#pragma once

#include "app/runs/sweep-runs.h"
#include "run/library/filter.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_TABLE (lac_sweep_table_get_type())
G_DECLARE_FINAL_TYPE(LacSweepTable, lac_sweep_table, LAC, SWEEP_TABLE, GtkWidget)

/* @results: (nullable). @metric: (nullable): own key of the result of the methods. Keeps the selection where its runs
 * remain. */
void lac_sweep_table_show(LacSweepTable *table, LacSweepRuns *results, const char *metric);
/* @text: in the syntax of run/library/filter.h; "": all runs. Runs that have not ended match only "". */
void lac_sweep_table_filter(LacSweepTable *table, const char *text);

/* Returns: (transfer full): the selected LacRunItem, in the order of the table; runs that have not ended are left
 * out. */
GPtrArray *lac_sweep_table_get_selection(LacSweepTable *table);
/* Returns the first selected point; -1: none. */
gssize lac_sweep_table_get_chosen(LacSweepTable *table);
/* Selects runs by the names of their folders. */
void lac_sweep_table_select(LacSweepTable *table, const char *const *names);
/* Selects a point; no signal. */
void  lac_sweep_table_choose(LacSweepTable *table, guint point);
guint lac_sweep_table_get_n_shown(LacSweepTable *table);

/* Returns: (transfer floating): the menu of the columns. */
GtkWidget *lac_sweep_table_make_columns_button(LacSweepTable *table);

G_END_DECLS
