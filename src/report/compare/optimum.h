/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of several configurations is the best one, where what was measured can tell. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* What two runs of one configuration differ by on a machine that does other things too: a smaller ratio is a tie, whatever the
 * spread within the runs. */
#define LAC_OPTIMUM_TIE      1.03
#define LAC_OPTIMUM_TIE_ONCE 1.1 /* of what a run measures once */

typedef enum {
  LAC_OPTIMUM_STEP,   /* seconds a step */
  LAC_OPTIMUM_SAMPLE, /* seconds a sample: where a step is not the same work in all runs */
  LAC_OPTIMUM_ERROR,  /* seconds of computing until the error that all runs reach */
  LAC_N_OPTIMA
} LacOptimumKind;

typedef struct {
  LacOptimumKind kind;
  gsize          best;    /* of the runs */
  gsize          runner;  /* the next: of those that tie, else of all */
  gboolean       is_tie;  /* nothing tells the two apart */
  double         seconds; /* of the best: the median */
  double         ratio;   /* how many times as long the next takes */
  double         error;   /* of LAC_OPTIMUM_ERROR: which */
} LacOptimum;

/* @optima: [LAC_N_OPTIMA]. Returns: how many there are; none where the runs are of several experiments or were set alike. A
 * kind is left out where a run did not record it. */
gsize lac_optimum_find(LacRunFile *const *runs, gsize n_runs, LacOptimum *optima);

const char *lac_optimum_key(LacOptimumKind kind); /* "step", "sample", "error" */

/* Returns: (transfer full): "Fastest per step: points = 4096, 1.20 ms; points = 512 takes 1.31 times as long." */
char *lac_optimum_dup_text(const LacOptimum *optimum, LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
