/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps and clocks of a run: the compute clock starts with the first step and stops while the run is paused. Compute
 * thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64 step, n_steps; /* n_steps: planned; 0: unknown */
  double seconds;       /* compute clock at the end of @step */
  double setup_seconds;
  double time_limit; /* in seconds since the thread began; 0: none */
  gint64 thread_begin_ns;
  gint64 go_ns;          /* start of the compute clock; 0: stopped */
  double clock_seconds;  /* compute clock when it last stopped */
  double recent_seconds; /* duration of the last @recent_steps, older ones weighted less */
  double recent_steps;
} LacRunProgress;

/* Continues a resumed run after @step, which ended at @seconds. */
void lac_run_progress_resume(LacRunProgress *progress, gint64 step, double seconds);

/* Starts the measurement of the time limit; called at the start of the thread. */
void     lac_run_progress_begin(LacRunProgress *progress);
gboolean lac_run_progress_is_out_of_time(const LacRunProgress *progress);
void     lac_run_progress_end_setup(LacRunProgress *progress);

void lac_run_progress_start_clock(LacRunProgress *progress);
void lac_run_progress_stop_clock(LacRunProgress *progress);
/* Counts a step at the current reading of the clock, which must be running. */
void lac_run_progress_count_step(LacRunProgress *progress);

/* Adds the duration of a step, with everything done for it. */
void lac_run_progress_add_duration(LacRunProgress *progress, double seconds);
/* Returns the remaining steps times the mean duration of the last ones, at least 8 of them and at least 5 s; -1 until
 * one second or three steps have passed in this process, or without a plan. */
double lac_run_progress_get_seconds_left(const LacRunProgress *progress);

G_END_DECLS
