/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run, by the thread that may touch it. */
#pragma once

#include "io/run-file.h"
#include "io/run-replay.h"
#include "perf/wake.h"
#include "run/inputs.h"
#include "run/memory.h"
#include "run/run-commands.h"
#include "run/run-frames.h"
#include "run/run-recorder.h"
#include "run/run-relay.h"
#include "run/run.h"

#include <pthread.h>

G_BEGIN_DECLS

struct _LacRun {
  /* frozen before the thread starts */
  const LacExperiment *experiment;
  LacOutline           outline; /* what this run shows and measures */
  LacDraft            *draft;   /* as created; live changes are in @live */
  guint64              seed;
  char     *precision, *backend; /* the backend as asked for, or of the folder that is resumed */
  double    time_limit, checkpoint_seconds;
  guint64   frame_budget;
  LacDevice device;
  gboolean  device_open, start_paused, is_resumed;
  LacPool  *pool;
  LacPerf  *perf;
  LacInputs inputs;
  LacRunMemory *memory;  /* (nullable) */
  LacRunFile   *already; /* (nullable): a run that had ended well: there is nothing left to do */
  char         *folder_path;
  LacRunSession session;
  void (*wake)(gpointer user_data);
  gpointer wake_data;
  GThread *thread;

  /* compute thread */
  LacRunFolder *folder;
  LacStore     *store;
  LacLane      *lane;
  guint32       command_names[LAC_N_COMMANDS];
  gpointer      state;
  LacDraft     *live;
  double       *metrics, *last_metrics; /* [n_metrics]: of this step; last finite ones */
  double       *row;                    /* step, seconds, metrics: as relayed */
  LacRunFrames  frames;
  gboolean      frames_ready;
  gint64        step, n_steps;
  LacOutcome    outcome;
  char          why[160];
  GError       *error; /* of a failed run; read by others once the thread has ended */
  gint64        thread_start_ns, go_ns; /* go: the compute clock runs since; 0: it stands */
  double        clock_seconds, seconds, setup_seconds;
  double        loop_seconds; /* since the loop of this process began, for the time to go */
  gint64        loop_first;
  gint64        next_checkpoint_ns, next_flush_ns, next_publish_ns, next_room_ns;
  guint64       flushed_bytes; /* of the folder, when it was last flushed */
  guint64       n_recorded, n_rows;
  gint64        live_bytes; /* the most that any operation had live, as the planner knows */
  gboolean      room_is_short, paused;

  /* between the threads */
  LacRunRecorder  recorder; /* all but its window's lane is the compute thread's */
  LacCommands     commands;
  LacRelay       *records, *rows;
  LacWake         woken;
  gint            ended;       /* atomic */
  pthread_mutex_t status_lock; /* not a GMutex: ThreadSanitizer sees through this one */
  LacRunStatus    status;

  /* controlling thread */
  LacDraft *controls; /* what set_live has asked for */
};

/* run-open.c */
gboolean lac_run_open(LacRun *run, const LacRunSettings *settings, GError **error);
/* The settings a run was made with. Returns: NULL with %LAC_ERROR_BAD_FILE where this version does not take them. */
LacDraft *
lac_run_dup_draft(const LacExperiment *experiment, const LacRunOrigin *origin, GError **error);
/* run-thread.c */
gpointer lac_run_thread(gpointer run);
/* run-setup.c */
void lac_run_import_wisdom(const char *folder); /* the FFT plans of a run; others round otherwise */
gboolean lac_run_set_up(LacRun *run, GError **error);
gboolean lac_run_is_out_of_time(const LacRun *run);
gboolean lac_run_is_cancelled(gpointer run); /* out of time, or asked to stop */
/* run-keep.c: what goes to the folder and to the viewer */
gboolean lac_run_keep_step(LacRun *run, GError **error);
gboolean lac_run_keep_checkpoint(LacRun *run, GError **error);
gboolean lac_run_keep_event(LacRun *run, const char *what, const char *detail, GError **error);
gboolean lac_run_keep_last_frame(LacRun *run, GError **error);
gboolean lac_run_flush(LacRun *run, GError **error);
void     lac_run_show_frame(LacRun *run);
/* run-recorder.c: what the run records of itself */
void     lac_run_recorder_begin(LacRun *run);
void     lac_run_recorder_end(LacRun *run); /* before the last records are kept */
void     lac_run_recorder_clear(LacRunRecorder *recorder);
void     lac_run_phase_begin(LacRun      *run,
                             LacRunPhase *phase,
                             guint32      name,
                             LacRation   *ration); /* (nullable) */
void     lac_run_phase_end(LacRun *run, LacRunPhase *phase, gint64 step);
LacSpan  lac_run_write_begin(LacRun *run, guint32 name);
void     lac_run_write_end(LacRun *run, LacSpan span, guint64 n_bytes);
void     lac_run_sample(LacRun *run); /* after a step */
gboolean lac_run_keep_records(LacRun *run, GError **error);
gboolean lac_run_keep_last_records(LacRun *run, GError **error); /* leaves no record of itself */
/* run-status.c */
void lac_run_set_state(LacRun *run, LacRunState state);
void lac_run_set_phase(LacRun *run, double fraction, const char *phase);
void lac_run_set_message(LacRun *run, const char *message);
void lac_run_update_status(LacRun *run);
void lac_run_wake(LacRun *run);
void lac_run_mark(LacRun *run, guint32 name);

/* The metrics a run restores: names of what it adds to the experiment's store. */
#define LAC_RUN_STORE_OUTCOME "run.outcome"
#define LAC_RUN_STORE_METRICS "run.last_metrics"
#define LAC_EVENT_SET         "set"

G_END_DECLS
