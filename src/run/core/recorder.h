/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run records of itself: phases with their memory, what it writes, counters, and what the recording costs. All of the
 * compute thread, but for the window's lane. */
#pragma once

#include "backend/device-watch.h"
#include "perf/recorder/gauges.h"
#include "perf/recorder/perf.h"
#include "run/core/commands.h"
#include "run/core/computer.h"
#include "run/core/memory.h"
#include "run/core/progress.h"
#include "run/core/rows.h"

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
  guint32 commands[LAC_N_COMMANDS];
} LacRunNames;

/* Something that costs time is done again only after so much time that it stays within its share. */
typedef struct {
  gint64 next_ns;
  gint64 cost_ns; /* what it is taken to cost; 0: it was never done */
} LacTimeBudget;

/* What the recording itself took since it was last recorded. */
typedef struct {
  gint64  first_ns, total_ns;
  guint64 n;
} LacOwnCost;

typedef struct {
  const LacRunProgress *progress; /* its step is that of the records */
  const LacRunRows     *rows;
  LacContentCache      *cache; /* (nullable) */

  LacPerf       *perf;
  LacLane       *compute, *profiler, *io;
  LacRunNames    names;
  LacMemoryProbe probe;
  gboolean       has_probe;
  gint64         device_peak; /* most bytes of the device seen allocated */
  LacDeviceLoad *load;        /* (nullable) */
  guint          n_processors;

  double        share; /* of the time, that each kind of reading may take; 0: nothing is recorded */
  LacTimeBudget step, snapshot, journal; /* memory of these phases */
  LacTimeBudget resident, gauges, metrics;
  LacOwnCost    memory_cost, sample_cost;
  guint32       gauge_names[LAC_N_GAUGES];
  guint32      *metric_names;  /* [n_metrics] */
  double        last_rates[2]; /* of caches, as last recorded; -1: never */
  guint64       plans_known, plans_measured, cache_asked, cache_found; /* when the run began */
  gint64 gauges_ns, gauges_cpu_ns; /* when they were last sampled, and the processor time then */
  double samples;                  /* since then */

  pthread_mutex_t
           window_lock; /* of what follows; not a GMutex: ThreadSanitizer sees through this one */
  LacLane *window, *main_loop;
  gboolean window_open;
} LacRunRecorder;

/* A span of the compute lane; stays where it is between begin and end. */
typedef struct {
  LacMemorySpan  span;
  LacTimeBudget *time_budget; /* (nullable): NULL where its memory is always read */
  gboolean       has_memory;
} LacRunPhase;

/* Zeroed. Creates @perf; borrows @progress and @rows. */
void lac_run_recorder_init(LacRunRecorder       *recorder,
                           LacPerfDetail         detail,
                           const LacRunProgress *progress,
                           const LacRunRows     *rows);
/* After nobody records any more. */
void lac_run_recorder_clear(LacRunRecorder *recorder);

/* The run begins on a device that is open. @memory: (nullable): lives as long as the recorder */
void lac_run_recorder_begin(LacRunRecorder       *recorder,
                            const LacRunComputer *computer,
                            LacRunMemory         *memory,
                            const LacOutline     *outline);
void lac_run_recorder_end(LacRunRecorder *recorder); /* before the last records are drained */
void lac_run_recorder_leave_device(LacRunRecorder *recorder); /* between two phases */

void    lac_run_phase_begin(LacRunRecorder *recorder,
                            LacRunPhase    *phase,
                            guint32         name,
                            LacTimeBudget  *time_budget); /* (nullable) */
void    lac_run_phase_end(LacRunRecorder *recorder, LacRunPhase *phase, gint64 step);
LacSpan lac_run_write_begin(LacRunRecorder *recorder, guint32 name);
void    lac_run_write_end(LacRunRecorder *recorder, LacSpan span, guint64 n_bytes);
/* An instant of the present step. */
void lac_run_recorder_mark(LacRunRecorder *recorder, guint32 name);
void lac_run_recorder_sample(LacRunRecorder *recorder); /* after a step */
/* Returns: FALSE where the memory of the device is not known. The peak is that of the whole run. */
gboolean lac_run_recorder_read_memory(LacRunRecorder *recorder, LacDeviceMemory *memory);

/* ---- controlling thread: as lac_run_record_drawing() and lac_run_record_stall() ---- */
void
lac_run_recorder_draw(LacRunRecorder *recorder, gint64 begin_ns, gint64 upload_ns, gint64 end_ns);
void lac_run_recorder_stall(LacRunRecorder *recorder, gint64 begin_ns, gint64 end_ns);

G_END_DECLS
