/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step that is repeated: devices that record steps replay it with one call. Thread: that of the device. */
#pragma once

#include "backend/device-times.h"

G_BEGIN_DECLS

typedef struct _LacRecordedStep LacRecordedStep;

typedef struct {
  LacDevice device;
  /* Enqueues the step, always with the same memory. */
  LacStatus (*enqueue)(gpointer user_data);
  gpointer user_data;
  gboolean is_called; /* cannot be recorded: waits for the host, or needs a library that cannot */
  LacPerf *perf;      /* (nullable): with @lane, records the device's times */
  LacLane *lane;      /* (nullable): of the thread */
} LacRecordedStepSettings;

LacRecordedStep *lac_recorded_step_new(const LacRecordedStepSettings *settings);
void             lac_recorded_step_free(LacRecordedStep *step); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRecordedStep, lac_recorded_step_free)

/* Runs the step: the first time as single calls, while libraries set up their caches, then from a recording; as single
 * calls where nothing can be recorded, or where recording failed. Allocates in the first two runs, and in the first after
 * forget(); waits in the second. @number: of the step, for the records */
LacStatus lac_recorded_step_run(LacRecordedStep *step, gint64 number);

/* Sets the perf and lane of the settings; where the step has been recorded, it is recorded with its times too. */
void lac_recorded_step_record_times(LacRecordedStep *step, LacPerf *perf, LacLane *lane);

/* Records anew, for the step's memory or arguments have changed. */
void lac_recorded_step_forget(LacRecordedStep *step); /* accepts NULL */

/* Returns (nullable): the device's times, in which enqueue() marks operations, and which the log of the device reports.
 * @step: (nullable) */
LacDeviceTimes *lac_recorded_step_get_times(LacRecordedStep *step);

G_END_DECLS
