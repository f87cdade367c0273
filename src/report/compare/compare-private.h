/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a comparison, for its own text and for reports of several runs. */
#pragma once

#include "report/compare/compare.h"
#include "report/summary/summary-private.h"

G_BEGIN_DECLS

#define LAC_COMPARE_MOST 12 /* runs beside each other */

/* "(a)", "(b)" ...: how the runs are called in tables and curves. */
extern const char *const lac_compare_letters[LAC_COMPARE_MOST];

/* One column a run, named (a), (b) ...; @table: filled, to be cleared by the caller. */
void lac_compare_runs(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_settings(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_metrics(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_cost(LacRunFile *const *runs, gsize n_runs, LacTable *table);

G_END_DECLS
