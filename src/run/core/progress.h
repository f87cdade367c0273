/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps and clocks of a run: the compute clock runs from the first step on and stands while the run is paused. Compute thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64 step, n_steps; /* done; planned, 0: not known */
  double seconds;       /* of the compute clock, when @step was done */
  double setup_seconds;
  double time_limit; /* seconds since the thread began; 0: none */
  gint64 thread_begin_ns;
  gint64 go_ns;         /* the compute clock runs since; 0: it stands */
  double clock_seconds; /* of the compute clock, when it last stopped */
  double loop_seconds;  /* spent in steps by this process */
  gint64 loop_first;    /* the step at which the loop of this process began */
} LacRunProgress;

/* A resumed run goes on after @step, which was done at @seconds. */
void lac_run_progress_resume(LacRunProgress *progress, gint64 step, double seconds);

/* The thread begins. */
void     lac_run_progress_begin(LacRunProgress *progress);
gboolean lac_run_progress_is_out_of_time(const LacRunProgress *progress);
void     lac_run_progress_end_setup(LacRunProgress *progress);

void lac_run_progress_start_clock(LacRunProgress *progress);
void lac_run_progress_stop_clock(LacRunProgress *progress);
/* Counts a step at the present reading of the clock, which must run. */
void lac_run_progress_count_step(LacRunProgress *progress);

/* Returns the steps to go times the mean of those of this process; -1 before one second or three steps, or without a plan. */
double lac_run_progress_get_seconds_left(const LacRunProgress *progress);

G_END_DECLS
