/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicted cost of one run, or of all runs of a sweep, from the estimates of their experiment. */
#pragma once

#include "run/core/run.h"
#include "run/plan/sweep.h"

G_BEGIN_DECLS

typedef struct {
  gsize  n_runs;
  gint64 n_steps;                    /* sum over all runs */
  double seconds;                    /* total of all runs in sequence */
  double disk_bytes;                 /* saved frames of all runs, each run within its budget */
  double memory_bytes, device_bytes; /* maximum over the runs */
} LacCost;

/**
 * lac_cost_add_up:
 * @settings: only experiment, draft, threads and disk budget (0: the default) are used
 * @sweep: (nullable): NULL: one run
 *
 * Runs of @sweep that cannot be set up cost nothing.
 */
void lac_cost_add_up(const LacRunSettings *settings, const LacSweep *sweep, LacCost *cost);

G_END_DECLS
