/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences that answer a page's question from the numbers on it; none where no rule gives one. One thread. */
#pragma once

#include "report/timeline/span-looks.h"

G_BEGIN_DECLS

#define LAC_ANSWER_LEADING 0.25 /* least share of the leading phase in the time */
#define LAC_ANSWER_MOST    0.5  /* least share in its phase of an operation that has most of it */
#define LAC_ANSWER_NEAR    2.0  /* ratio to the best result within which a value is enough */
#define LAC_ANSWER_SAME \
  1.1 /* largest error relative to the smallest, of a number that hardly matters */
#define LAC_ANSWER_VALUES 3 /* least number of values of a swept number with a result */

/* Range of steps that the answer is about. */
typedef struct {
  gint64 first, last;
} LacAnswerSteps;

/**
 * lac_answer_time:
 * @tree: of the recording or of a range of it
 * @steps: (nullable): steps of the range; %NULL: the whole recording
 *
 * "Differentiable solver took 47 % of the time, most of it in flow steps backwards." Rule: the phase with the most time,
 * if it has LAC_ANSWER_LEADING of it; its share is rounded as in the bar of phases. The second half names the
 * operation, or the span without its inner ones, that has LAC_ANSWER_MOST of the phase's time on the clock.
 *
 * Returns: (transfer full) (nullable): %NULL when no phase leads, or time in no phase does.
 */
char *
lac_answer_time(const LacCallTree *tree, const LacSpanLooks *looks, const LacAnswerSteps *steps);

/* Results of a sweep; borrowed. */
typedef struct {
  gsize n; /* runs */
  const double
             *values; /* (nullable): [n]: the swept number; NULL: several settings, or no numbers */
  const char *label;  /* of the swept number, translated */
  const char *const
               *names;    /* [n]: what tells each run from the others: "Sensors K 24", translated */
  const double *results;  /* [n]; NaN: none */
  const char   *unit;     /* (nullable): of the results; "1" with is_error: shown in per cent */
  gboolean      is_error; /* smaller is better; else larger */
  gboolean      is_repeat; /* @values are seeds: the runs repeat one experiment */
} LacSweepResults;

/**
 * lac_answer_sweep:
 *
 * "Sensors K: 8 is enough. The error is 0.36 % there, and 0.18 % at best (24)." Rule: for one swept number with at
 * least LAC_ANSWER_VALUES results that are errors, the least value from which on every error is within LAC_ANSWER_NEAR
 * of the smallest. When that is the least value of all, "Sensors K: the error lies between 0.18 % (24) and 0.30 % (2).",
 * or "Sensors K hardly matters: ..." if the largest error is within LAC_ANSWER_SAME of the smallest; when it is that of
 * the smallest error, or there is no single number, "Best: Sensors K 24, 0.18 %." Over seeds, none of which is better:
 * "Over 5 seeds: median 1.0 %, worst 1.4 % (Seed 3)."
 *
 * Returns: (transfer full) (nullable): %NULL without two results.
 */
char *lac_answer_sweep(const LacSweepResults *sweep);

/* Returns: (transfer full): a result as in the sentences: an error without unit in per cent, two to three digits. */
char *lac_answer_dup_result(double value, const char *unit, gboolean is_error);

G_END_DECLS
