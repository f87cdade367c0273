/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trajectory walked backwards: states are kept at intervals, and between two of them computed again. Twenty-four
 * checkpoints a level, four levels: at most four steps of extra work for one, for any number of steps up to 331 776.
 * Source: Griewank and Walther (2008), Evaluating Derivatives, 12. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_TRAJECTORY_LONGEST ((gsize) 24 * 24 * 24 * 24)

typedef struct _LacTrajectory LacTrajectory;

typedef struct {
  LacStatus (*step)(gpointer user_data, double *state);
  /* @before: the state that the step starts from; @bar: derivative by the state after it, becomes that by @before. */
  LacStatus (*reverse_step)(gpointer user_data, const double *before, double *bar);
} LacTrajectoryFuncs;

/* @length: numbers a state. Takes all the memory that reverse() will use. */
LacTrajectory *lac_trajectory_new(gsize length);
void           lac_trajectory_free(LacTrajectory *trajectory);
gsize          lac_trajectory_get_bytes(const LacTrajectory *trajectory);

/* @state: before the first of @n_steps, at most %LAC_TRAJECTORY_LONGEST; left alone. Does not allocate. */
LacStatus lac_trajectory_reverse(LacTrajectory            *trajectory,
                                 const LacTrajectoryFuncs *funcs,
                                 gpointer                  user_data,
                                 const double             *state,
                                 gsize                     n_steps,
                                 double                   *bar);

G_END_DECLS
