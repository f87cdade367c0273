/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the operations and kernels of a repeated step, by the device's clock. One step in 64 is timed, with full detail
 * every one that can be; the operations of a step in between are recorded with the times of the last timed step.
 * Thread: that of the device. */
#pragma once

#include "backend/backend.h"
#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacDeviceTimes LacDeviceTimes;

/* Work that a device does between two marks. */
typedef struct {
  guint32 name;         /* of lac_perf_name() */
  double  flops, bytes; /* 0: unknown */
  gint64  memory;       /* live bytes; -1: unknown */
} LacDeviceOperation;

/* @perf: (nullable); @lane: (nullable): of the thread. Waits for the device. Returns: (nullable): NULL when nothing is recorded, or when the
 * device has no clock. */
LacDeviceTimes *lac_device_times_new(LacDevice device, LacPerf *perf, LacLane *lane);
void            lac_device_times_free(LacDeviceTimes *times); /* accepts NULL */

/* Returns TRUE when the next step is to be timed. The functions below accept NULL, and do nothing then. */
gboolean lac_device_times_are_due(const LacDeviceTimes *times);

/* Begins and ends the span in which step @number is launched. */
LacSpan lac_device_times_begin_launch(LacDeviceTimes *times);
void    lac_device_times_end_launch(LacDeviceTimes *times, LacSpan span, gint64 number);

/* Brackets the enqueueing of a step, recorded or not, that is timed. */
LacStatus lac_device_times_begin(LacDeviceTimes *times);
LacStatus lac_device_times_end(LacDeviceTimes *times);
/* Names the work that follows; does nothing unless between begin and end. */
void lac_device_times_mark(LacDeviceTimes *times, const LacDeviceOperation *operation);

/* Notes that step @number has been enqueued at @start_ns. */
void lac_device_times_note(LacDeviceTimes *times, gint64 number, gint64 start_ns, gboolean timed);
/* Records the operations of the steps noted since the last call, by the times of the last step that was timed; within the
 * innermost open span, which should be the one in which the host waits for them. */
void lac_device_times_report(LacDeviceTimes *times);

G_END_DECLS
