/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of several configurations, where the measurements can decide. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Ratio below which two configurations tie: repeated runs of one configuration differ by this much when the load of
 * the machine changes, however small the spread within each run. */
#define LAC_OPTIMUM_TIE      1.03
#define LAC_OPTIMUM_TIE_ONCE 1.1 /* the same, for values measured once per run */

typedef enum {
  LAC_OPTIMUM_STEP,   /* seconds per step */
  LAC_OPTIMUM_SAMPLE, /* seconds per sample: used where runs do different work per step */
  LAC_OPTIMUM_ERROR,  /* compute seconds to the error that all runs reach */
  LAC_N_OPTIMA
} LacOptimumKind;

typedef struct {
  LacOptimumKind kind;
  gsize          best;    /* index into the runs */
  gsize          runner;  /* second best: among the tied runs if there are any, else among all */
  gboolean       is_tie;  /* the best and the runner-up cannot be resolved */
  double         seconds; /* median of the best run */
  double         ratio;   /* time of the runner-up divided by that of the best */
  double         error;   /* LAC_OPTIMUM_ERROR: the error that all runs reach */
} LacOptimum;

/* Finds the best run by each criterion that every run recorded. @optima: [LAC_N_OPTIMA]. Returns: the number found; 0
 * for runs of different experiments or with equal settings. */
gsize lac_optimum_find(LacRunFile *const *runs, gsize n_runs, LacOptimum *optima);

const char *lac_optimum_key(LacOptimumKind kind); /* "step", "sample", "error" */

/* Returns: (transfer full): "Fastest per step: points = 4096 (1.20 ms); the next, points = 512, takes 1.31 times as long." */
char *lac_optimum_dup_text(const LacOptimum *optimum, LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
