/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse traversal of a trajectory with checkpointing: states are stored at intervals and recomputed in between.
 * With 24 checkpoints per level and four levels, each step is recomputed at most four times, for up to 331 776 steps.
 * Source: Griewank and Walther (2008), Evaluating Derivatives, 12. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_TRAJECTORY_LONGEST ((gsize) 24 * 24 * 24 * 24)

typedef struct _LacTrajectory LacTrajectory;

typedef struct {
  LacStatus (*step)(gpointer user_data, double *state);
  /* Applies the transpose of one step. @before: the state before the step; @bar: in: gradient with respect to the
   * state after it; out: with respect to @before. */
  LacStatus (*reverse_step)(gpointer user_data, const double *before, double *bar);
} LacTrajectoryFuncs;

/* @length: values per state. Allocates all memory that lac_trajectory_reverse() uses. */
LacTrajectory *lac_trajectory_new(gsize length);
void           lac_trajectory_free(LacTrajectory *trajectory);
gsize          lac_trajectory_get_bytes(const LacTrajectory *trajectory);

/* Reverses @n_steps, last to first, at most %LAC_TRAJECTORY_LONGEST. @state: before the first step; not modified.
 * Does not allocate. */
LacStatus lac_trajectory_reverse(LacTrajectory            *trajectory,
                                 const LacTrajectoryFuncs *funcs,
                                 gpointer                  user_data,
                                 const double             *state,
                                 gsize                     n_steps,
                                 double                   *bar);

G_END_DECLS
