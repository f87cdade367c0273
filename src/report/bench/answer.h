/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdict on a benchmark: the score of each row, and one sentence.
 *
 * A row fails when it misses its own limit, or when the comparison with the same row of the baseline is broken
 * (report/bench/table.h). It is undecided when the confidence interval of that comparison includes the limit; without a
 * baseline every row with a met limit holds. The benchmark fails with any row, and holds when no row fails and at least
 * one holds. The sentence names the failed row that is furthest beyond its limit. */
#pragma once

#include "report/bench/table.h"

G_BEGIN_DECLS

typedef enum {
  LAC_BENCH_HOLDS,
  LAC_BENCH_GAINS, /* holds, and is better than the baseline by at least half of what the limit allows it to lose, with
                    * the whole interval better */
  LAC_BENCH_UNDECIDED,
  LAC_BENCH_FAILS,
} LacBenchState;

typedef struct {
  const LacBenchRow *row;    /* borrowed, of the new file */
  const LacBenchRow *before; /* (nullable): borrowed, of the baseline */
  double   change; /* of the median, relative to the baseline: 0.14 is 14 % more; NaN without */
  LacRatio ratio;  /* as of LacBenchPair; NaN without a baseline */
  double   limit;  /* of @ratio; NaN without a baseline */
  LacBenchState state;
} LacBenchScore;

/* @before: (nullable): the baseline. Returns: (transfer full): an array of LacBenchScore: the rows of @now that have
 * samples, in their order. */
GArray *lac_bench_score(const LacBenchFile *before, const LacBenchFile *now);

typedef struct {
  LacVerdict verdict; /* LAC_VERDICT_UNCLEAR: no row holds and none fails */
  guint      n_rows, n_failed, n_undecided;
  char      *sentence; /* (nullable): translated; NULL without rows */
  char      *caption;  /* (nullable): "57 of 58 rows hold · limits: time +10 %, …" */
} LacBenchAnswer;

/* @before: (nullable); @scores: of lac_bench_score() */
void
lac_bench_answer_init(LacBenchAnswer *answer, const LacBenchFile *before, const GArray *scores);
void lac_bench_answer_clear(LacBenchAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacBenchAnswer, lac_bench_answer_clear)

G_END_DECLS
