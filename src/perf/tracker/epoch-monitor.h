/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watching a loop of epochs and batches at little cost: a span each, memory only where a line about it is written. Spans carry
 * their epoch and batch. One thread. */
#pragma once

#include "perf/recorder/capture.h"
#include "perf/recorder/memory-scope.h"

#include <glib.h>

#include <stdio.h>

G_BEGIN_DECLS

typedef struct _LacEpochMonitor LacEpochMonitor;

typedef struct {
  gboolean enabled;         /* %FALSE: every call does nothing */
  guint    verbose_batches; /* how many of the first batches of the loop have a line each */
  FILE    *sink; /* (nullable): where lines go: batches, and two at the end of an epoch */
  const LacMemoryProbe *probe; /* (nullable): of a device; copied */
} LacEpochMonitorSettings;

LacEpochMonitor *lac_epoch_monitor_new(const LacEpochMonitorSettings *settings);
void             lac_epoch_monitor_free(LacEpochMonitor *monitor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEpochMonitor, lac_epoch_monitor_free)

/* @batch counts from 0 within its epoch; @loss: NaN where there is none. */
void lac_epoch_monitor_begin_epoch(LacEpochMonitor *monitor);
void lac_epoch_monitor_begin_batch(LacEpochMonitor *monitor, guint batch);
void lac_epoch_monitor_end_batch(LacEpochMonitor *monitor, guint batch, double loss);
void lac_epoch_monitor_end_epoch(LacEpochMonitor *monitor);

/* Of what has ended; times are 0 where nothing has. */
typedef struct {
  double  total_epoch_time, avg_epoch_time;
  double  total_batch_time, avg_batch_time, min_batch_time, max_batch_time;
  guint64 num_batches, num_epochs;
} LacEpochStatistics;

void lac_epoch_monitor_get_statistics(LacEpochMonitor *monitor, LacEpochStatistics *statistics);

/* (transfer none): the whole recording, for analysis, timeline and traces; valid until the next call on the monitor. */
const LacCapture *lac_epoch_monitor_get_capture(LacEpochMonitor *monitor);

G_END_DECLS
