/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse traversal of a trajectory with checkpointing: states are stored at intervals and recomputed in between.
 * With 24 checkpoints per level and four levels, each step is recomputed at most four times, for up to 331 776 steps.
 * Source: Griewank and Walther (2008), Evaluating Derivatives, 12. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_TRAJECTORY_LONGEST ((gsize) 24 * 24 * 24 * 24)
#define LAC_TRAJECTORY_SLOTS   ((gsize) 4 * 24) /* states stored */

/* Memory of states may be that of a device: only these functions access it. */
typedef struct {
  /* Computes the state @n_steps after @from, which may be 0. */
  LacStatus (*advance)(gpointer user_data, double *to, const double *from, gsize n_steps);
  /* Applies the transpose of one step. @before: the state before the step; @bar: in: gradient with respect to the
   * state after it; out: with respect to @before. */
  LacStatus (*reverse_step)(gpointer user_data, const double *before, double *bar);
} LacTrajectoryFuncs;

typedef struct {
  const LacTrajectoryFuncs *funcs;
  gpointer                  user_data;
  double                   *slots; /* [LAC_TRAJECTORY_SLOTS][length] */
  gsize                     length;
} LacTrajectory;

/* Reverses @n_steps, last to first, at most %LAC_TRAJECTORY_LONGEST. @state: before the first step; not modified.
 * Does not allocate. */
LacStatus lac_trajectory_reverse(const LacTrajectory *trajectory,
                                 const double        *state,
                                 gsize                n_steps,
                                 double              *bar);

G_END_DECLS
