/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a benchmark as tables: one beside what it may cost, and two against each other with the intervals of their ratios
 * and the judgement of a gate. */
#pragma once

#include "io/format/bench-file.h"
#include "perf/analysis/ratio.h"

G_BEGIN_DECLS

/* What a gate allows over a baseline. Source: the regression limits of the performance plan of pinns-mvp. */
#define LAC_GATE_TIME   1.10
#define LAC_GATE_MEMORY 1.20

typedef struct {
  const LacBenchRow *before, *after; /* borrowed */
  LacRatio           ratio;          /* after / before; where more is better, before / after */
  double             limit;          /* that it may have */
  LacVerdict         verdict;
} LacBenchPair;

/* Returns: (transfer full): an array of LacBenchPair: the rows that both files have, in the order of @before. */
GArray *lac_bench_compare(const LacBenchFile *before, const LacBenchFile *after);

/* Returns: (transfer full): rows with median, spread, limit, as plain text, below a line on the machine. */
char *lac_bench_text(const LacBenchFile *file);

/* Returns: (transfer full): the rows of an ablation as plain text, one line an optimisation: speed-up with its interval, seconds
 * with it and without it, what the result differs by; then what could not be switched, and why. */
char *lac_bench_ablation_text(const LacBenchFile *file);

/* @names: of the two files. Returns: (transfer full): ratios with intervals and judgements as plain text; rows that one file
 * lacks are named below. */
char *lac_bench_compare_text(const LacBenchFile *before,
                             const LacBenchFile *after,
                             const char *const   names[2]);

/* Returns: (transfer full): {"before", "after": machines, "passed", "results": [...]} on one line. */
char *lac_bench_compare_json(const LacBenchFile *before, const LacBenchFile *after);

G_END_DECLS
