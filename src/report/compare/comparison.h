/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a comparison of runs, for the window: table rows, operations side by side, a verdict. */
#pragma once

#include "io/runfile/run-file.h"
#include "perf/analysis/ratio.h"

G_BEGIN_DECLS

#define LAC_COMPARISON_MOST 12 /* maximum runs in one comparison */

typedef enum {
  LAC_COMPARISON_SETTINGS, /* only settings that differ */
  LAC_COMPARISON_RESULTS,
  LAC_COMPARISON_COST,
} LacComparisonPart;

/* Returns: (transfer full): array of GStrv: a label, then one text per run. */
GPtrArray *lac_comparison_rows(LacRunFile *const *runs, gsize n_runs, LacComparisonPart part);

/* Returns: (transfer none): "(a)", "(b)" ... */
const char *lac_comparison_letter(gsize run);

/* Cost of a run; NaN: unknown. */
typedef struct {
  double total_seconds; /* compute time with set-up */
  double step_seconds, setup_seconds;
  double peak_bytes; /* resident memory of the process */
} LacComparedCost;
/* @costs: (out): [n_runs] */
void lac_comparison_find_costs(LacRunFile *const *runs, gsize n_runs, LacComparedCost *costs);

typedef struct {
  char name[96];
  double
    seconds[LAC_COMPARISON_MOST]; /* total over all threads; NaN: operation absent in the run */
  double speed_up
    [LAC_COMPARISON_MOST]; /* time per step of the first run divided by that of this run; NaN: unknown */
} LacComparedOperation;

/* Returns: (transfer full): array of LacComparedOperation, sorted by the largest time in any run; the phases of a run
 * without planned operations. */
GArray *lac_comparison_operations(LacRunFile *const *runs, gsize n_runs);

/* Computes, per operation, each run's median time per step divided by that of the first run (above 1: slower). Any
 * thread. @ratios: (out): [n][n_runs]; NaN where a run has no such operation within steps */
void lac_comparison_step_ratios(LacRunFile *const *runs,
                                gsize              n_runs,
                                const char *const *operations,
                                gsize              n,
                                LacRatio          *ratios);

/* Returns: (transfer full): one sentence on how the runs differ in time and result; translated. */
char *lac_comparison_dup_verdict(LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
