/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a comparison, for its plain text and for reports of several runs. */
#pragma once

#include "report/compare/compare.h"
#include "report/compare/comparison.h"
#include "report/summary/summary-private.h"

G_BEGIN_DECLS

/* "(a)", "(b)" ...: labels of the runs in tables and curves. */
extern const char *const lac_compare_letters[LAC_COMPARISON_MOST];

/* Fill @table, which the caller clears: one column per run, labelled (a), (b) ... */
void lac_compare_runs(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_settings(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_metrics(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_cost(LacRunFile *const *runs, gsize n_runs, LacTable *table);
void lac_compare_operations(LacRunFile *const *runs, gsize n_runs, LacTable *table);

G_END_DECLS
