/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run records of itself: phases with their memory, what it writes, counters, and what the recording costs. All of the
 * compute thread, but for the window's lane. */
#pragma once

#include "backend/device-watch.h"
#include "perf/recorder/gauges.h"
#include "perf/recorder/perf.h"

#include <glib.h>

#include <pthread.h>

G_BEGIN_DECLS

/* Names of what the run itself records. */
typedef struct {
  guint32 setup, create, restore, frames, plans, readings; /* the set-up and its parts */
  guint32 step, snapshot, checkpoint, journal;
  guint32 write_frame, write_checkpoint, write_journal; /* lane I/O */
  guint32 drain, read_memory, sample;                   /* lane profiler */
  guint32 draw, upload;                                 /* lane window */
  guint32 stall;                                        /* lane main loop */
  guint32 stop, resumed;
} LacRunNames;

/* Something that costs time is done again only after so much time that it stays within its share. */
typedef struct {
  gint64 next_ns;
  gint64 cost_ns; /* what it is taken to cost; 0: it was never done */
} LacRation;

/* What the recording itself took since it was last recorded. */
typedef struct {
  gint64  first_ns, total_ns;
  guint64 n;
} LacOwnCost;

typedef struct {
  LacPerf       *perf;
  LacLane       *compute, *profiler, *io;
  LacRunNames    names;
  LacMemoryProbe probe;
  gboolean       has_probe;
  gint64         device_peak; /* most bytes of the device seen allocated */
  LacDeviceLoad *load;        /* (nullable) */
  guint          n_processors;

  double     share; /* of the time, that each kind of reading may take; 0: nothing is recorded */
  LacRation  step, snapshot, journal; /* memory of these phases */
  LacRation  resident, gauges, metrics;
  LacOwnCost memory_cost, sample_cost;
  guint32    gauge_names[LAC_N_GAUGES];
  guint32   *metric_names;  /* [n_metrics] */
  double     last_rates[2]; /* of caches, as last recorded; -1: never */
  guint64    plans_known, plans_measured, cache_asked, cache_found; /* when the run began */
  gint64 gauges_ns, gauges_cpu_ns; /* when they were last sampled, and the processor time then */
  double samples;                  /* since then */

  pthread_mutex_t
           window_lock; /* of what follows; not a GMutex: ThreadSanitizer sees through this one */
  LacLane *window, *main_loop;
  gboolean window_open;
} LacRunRecorder;

/* A span of the compute lane; stays where it is between begin and end. */
typedef struct {
  LacMemorySpan span;
  LacRation    *ration; /* (nullable): NULL where its memory is always read */
  gboolean      has_memory;
} LacRunPhase;

G_END_DECLS
