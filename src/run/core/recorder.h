/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiling of a run: phases with their memory, writes, counters, and the overhead of the recording itself. Compute
 * thread, except for the window's lane. */
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

/* Names of the run's own records. */
typedef struct {
  guint32 setup, create, restore, frames, planning, plans, readings; /* set-up and its parts */
  guint32 step, snapshot, checkpoint, journal;
  guint32 write_frame, write_checkpoint, write_journal; /* lane I/O */
  guint32 drain, read_memory, sample;                   /* lane profiler */
  guint32 draw, upload;                                 /* lane window */
  guint32 stall;                                        /* lane main loop */
  guint32 stop, resumed;
  guint32 commands[LAC_N_COMMANDS];
} LacRunNames;

/* Limits the share of time that a costly action takes, by spacing its repetitions. */
typedef struct {
  gint64 next_ns;
  gint64 cost_ns; /* assumed cost; 0: never measured */
} LacTimeBudget;

typedef struct {
  const LacRunProgress *progress; /* provides the step of the records */
  const LacRunRows     *rows;
  LacContentCache      *cache; /* (nullable) */

  LacPerf       *perf;
  LacLane       *compute, *profiler, *io;
  LacRunNames    names;
  LacMemoryProbe probe;
  gboolean       has_probe;
  gint64         device_peak; /* maximum device memory in use */
  LacDeviceLoad *load;        /* (nullable) */
  guint          n_processors;

  double share; /* fraction of the time allowed for each kind of reading; 0: nothing is recorded */
  LacTimeBudget step, snapshot,
    journal; /* limit the time spent reading the memory in these phases */
  LacTimeBudget resident, heap, gauges, metrics;
  guint32       gauge_names[LAC_N_GAUGES];
  guint32      *metric_names;  /* [n_metrics] */
  double        last_rates[2]; /* hit rates of the caches, as last recorded; -1: never */
  gsize         last_parts[LAC_N_MEMORY_PARTS]; /* bytes last recorded */
  guint64       plans_known, plans_measured, cache_asked,
    cache_found;                   /* values at the start of the run */
  gint64 gauges_ns, gauges_cpu_ns; /* time and processor time of the last sample */
  double samples; /* points or ensemble member steps since the gauges were last recorded */

  pthread_mutex_t
           window_lock; /* protects the members below; not a GMutex, because ThreadSanitizer understands pthreads */
  LacLane *window, *main_loop;
  gboolean window_open;
} LacRunRecorder;

/* A span of the compute lane; must not move between begin and end. */
typedef struct {
  LacMemorySpan  span;
  LacTimeBudget *time_budget; /* (nullable): NULL: always reads its memory */
  gboolean       has_memory;
} LacRunPhase;

/* Zeroes @recorder. Creates @perf; borrows @progress and @rows. */
void lac_run_recorder_init(LacRunRecorder       *recorder,
                           LacPerfDetail         detail,
                           const LacRunProgress *progress,
                           const LacRunRows     *rows);
/* Call when nothing records any more. */
void lac_run_recorder_clear(LacRunRecorder *recorder);

/* Begins recording on the open device of @computer. @memory: (nullable): must outlive the recorder */
void lac_run_recorder_begin(LacRunRecorder       *recorder,
                            const LacRunComputer *computer,
                            LacRunMemory         *memory,
                            const LacOutline     *outline);
void lac_run_recorder_end(LacRunRecorder *recorder); /* call before the last records are drained */
void lac_run_recorder_leave_device(LacRunRecorder *recorder); /* call between two phases */

void    lac_run_phase_begin(LacRunRecorder *recorder,
                            LacRunPhase    *phase,
                            guint32         name,
                            LacTimeBudget  *time_budget); /* (nullable) */
void    lac_run_phase_end(LacRunRecorder *recorder, LacRunPhase *phase, gint64 step);
LacSpan lac_run_write_begin(LacRunRecorder *recorder, guint32 name);
void    lac_run_write_end(LacRunRecorder *recorder, LacSpan span, guint64 n_bytes);
/* Records an instant in the current step. */
void lac_run_recorder_mark(LacRunRecorder *recorder, guint32 name);
void lac_run_recorder_end_setup(LacRunRecorder *recorder); /* records the hit rates of the caches */
void lac_run_recorder_sample(LacRunRecorder *recorder);    /* call after each step */
/* Reads the device memory; its peak is that of the whole run. Returns: FALSE if it is unknown. */
gboolean lac_run_recorder_read_memory(LacRunRecorder *recorder, LacDeviceMemory *memory);

/* ---- controlling thread: as lac_run_record_drawing() and lac_run_record_stall() ---- */
void
lac_run_recorder_draw(LacRunRecorder *recorder, gint64 begin_ns, gint64 upload_ns, gint64 end_ns);
void lac_run_recorder_stall(LacRunRecorder *recorder, gint64 begin_ns, gint64 end_ns);

G_END_DECLS
