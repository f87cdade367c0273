/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a comparison of runs, for the window: rows of tables, operations beside each other, a verdict. */
#pragma once

#include "io/runfile/run-file.h"
#include "perf/analysis/ratio.h"

G_BEGIN_DECLS

#define LAC_COMPARISON_MOST 12 /* runs beside each other */

typedef enum {
  LAC_COMPARISON_SETTINGS, /* that differ */
  LAC_COMPARISON_RESULTS,
  LAC_COMPARISON_COST,
} LacComparisonPart;

/* Returns: (transfer full): of GStrv, a label and a text for each run. */
GPtrArray *lac_comparison_rows(LacRunFile *const *runs, gsize n_runs, LacComparisonPart part);

/* Returns: (transfer none): "(a)", "(b)" ... */
const char *lac_comparison_letter(gsize run);

typedef struct {
  char name[96];
  double
    seconds[LAC_COMPARISON_MOST]; /* in all, on all threads; NaN: the run has no such operation */
  double speed_up
    [LAC_COMPARISON_MOST]; /* time a step of the first run over that of this one; NaN: not known */
} LacComparedOperation;

/* Returns: (transfer full): of LacComparedOperation, what takes the most time in any of the runs first. */
GArray *lac_comparison_operations(LacRunFile *const *runs, gsize n_runs);

/* How much longer than the first run's a run's middle step lasts in each operation, above 1: slower. Any thread. @ratios: (out): [n][n_runs]; NaN where a run has no such operation within steps */
void lac_comparison_step_ratios(LacRunFile *const *runs,
                                gsize              n_runs,
                                const char *const *operations,
                                gsize              n,
                                LacRatio          *ratios);

/* Returns: (transfer full): what sets the runs apart in time and result, in one sentence; translated. */
char *lac_comparison_dup_verdict(LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
