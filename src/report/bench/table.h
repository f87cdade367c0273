/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark files as tables: one file with its limits, or two files with ratios, their intervals and the verdicts of
 * the gate. */
#pragma once

#include "io/format/bench-file.h"
#include "perf/analysis/ratio.h"

G_BEGIN_DECLS

/* Limits of the gate, as ratios to the baseline. Source: pinns-mvp, performance plan, regression limits. */
#define LAC_GATE_TIME   1.10
#define LAC_GATE_MEMORY 1.20

typedef struct {
  const LacBenchRow *before, *after; /* borrowed */
  LacRatio           ratio; /* after / before; before / after for rows where more is better */
  double             limit; /* upper limit of the ratio */
  LacVerdict         verdict;
} LacBenchPair;

/* Returns: (transfer full): an array of LacBenchPair: the rows of both files, in the order of @before. */
GArray *lac_bench_compare(const LacBenchFile *before, const LacBenchFile *after);

/* Returns: (transfer full): plain text: a line about the machine, then rows with median, spread and limit; of growth,
 * a line per operation with exponents of time and memory, their theory and verdict, and the rates at both ends. */
char *lac_bench_text(const LacBenchFile *file);

/* Returns TRUE when the rows of @file are speed-ups of optimisations. */
gboolean lac_bench_is_ablation(const LacBenchFile *file);

/* Returns TRUE when all rows of @file are of the growth of costs (bench/tiers/growth.h). */
gboolean lac_bench_is_growth(const LacBenchFile *file);

#define LAC_GROWTH_METRIC "time_exponent" /* of the row that stands for an operation */

typedef enum {
  LAC_GROWTH_AGREES,
  LAC_GROWTH_BELOW,
  LAC_GROWTH_EXPLAINED, /* above theory, for the reason in the note */
  LAC_GROWTH_ABOVE,
} LacGrowthVerdict;

/* The growth of one operation, as text. */
typedef struct {
  char *sizes; /* "32 to 512" */
  char *time,
    *memory; /* exponent, its error, theory: "2.06 ± 0.04 (1.99)"; @memory: "" unless measured */
  LacGrowthVerdict time_verdict, memory_verdict;
  gboolean         has_memory;
  char            *rates; /* at the smallest and the largest size: "15.3 to 13.7 GFLOP/s" */
  char            *note;  /* operations by theory, and why more are allowed */
} LacGrowthLine;

/* @name: of the operation's rows: "growth/enkf_analysis/grid". Returns: FALSE when it was not measured. */
gboolean lac_growth_line_init(LacGrowthLine *line, const LacBenchFile *file, const char *name);
void     lac_growth_line_clear(LacGrowthLine *line);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacGrowthLine, lac_growth_line_clear)

/* Returns: (transfer full): the rows of an ablation as plain text, one line per optimisation: speed-up with its
 * interval, seconds with and without it, change of the result; then the optimisations that could not be switched off,
 * with the reason. */
char *lac_bench_ablation_text(const LacBenchFile *file);

/* Returns: (transfer full): qualities as plain text, one line per name and one column per metric, with the limits that
 * some have. All names have the first metric. */
char *lac_bench_quality_text(const LacBenchFile *file);

/* @names: names of the two files. Returns: (transfer full): ratios with intervals and verdicts as plain text; rows
 * missing in one file are listed below. */
char *lac_bench_compare_text(const LacBenchFile *before,
                             const LacBenchFile *after,
                             const char *const   names[2]);

/* Returns: (transfer full): {"before", "after": machines, "passed", "results": [...]} on one line. */
char *lac_bench_compare_json(const LacBenchFile *before, const LacBenchFile *after);

G_END_DECLS
