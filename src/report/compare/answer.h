/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a comparison of two runs in one sentence. One thread. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

#define LAC_ANSWER_EQUAL_ERRORS \
  1.05 /* ratio of two errors below which runs are as accurate as each other */

/**
 * lac_answer_compare:
 * @a, @b: the first and the second run
 *
 * "b is 2.1 times as fast per step, but 1.7 times less accurate." Rule: times per step within LAC_OPTIMUM_TIE
 * (report/compare/optimum.h) of each other are equal; within LAC_OPTIMUM_TIE_ONCE they differ only if the 95 % interval
 * of the ratio of the recorded steps' medians is on the same side of 1; beyond it they differ. The accuracy is that of
 * the best method of each run, by the column that ranks the methods (report/summary/method-table.h), if that is an
 * error; without one the key result, if it is an error or has a reference value, from which it then differs by the
 * error. Errors are equal within LAC_ANSWER_EQUAL_ERRORS, or within two standard errors of their difference where the
 * runs report them. Without a common measure of accuracy the sentence is about speed alone. Runs of different
 * experiments are said to be shown side by side.
 *
 * Returns: (transfer full) (nullable): %NULL when neither speed nor accuracy can be compared.
 */
char *lac_answer_compare(const LacRunFile *a, const LacRunFile *b);

/* Returns: (transfer full) (nullable): the accuracies behind the sentence: "Best method of each: Differentiable solver
 * 0.21 %, Ensemble Kalman filter 0.36 %". %NULL where accuracy is not compared. */
char *lac_answer_compare_dup_basis(const LacRunFile *a, const LacRunFile *b);

/* Returns: (transfer full): the same for more than two runs: "b is the most accurate (Differentiable solver 0.19 %). c is
 * the fastest (61.2 ms per step)." A run is said to be the best only if it differs from every other by the rule above.
 */
char *lac_answer_compare_several(LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
