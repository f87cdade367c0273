/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run, by the thread that may touch it. */
#pragma once

#include "io/runfile/replay.h"
#include "io/runfile/run-file.h"
#include "perf/recorder/thinner.h"
#include "perf/recorder/wake.h"
#include "run/core/blow-up.h"
#include "run/core/budget.h"
#include "run/core/commands.h"
#include "run/core/frames.h"
#include "run/core/inputs.h"
#include "run/core/memory.h"
#include "run/core/recorder.h"
#include "run/core/relay.h"
#include "run/core/rows.h"
#include "run/core/run.h"
#include "run/machine/machine.h"

#include <pthread.h>

G_BEGIN_DECLS

/* A frame that the experiment fills beside the computation. */
typedef struct {
  LacFrame *frame; /* NULL: none */
  gboolean  kept, has_metrics;
  gboolean  is_filled; /* at once, after all */
  gint64    spent_ns;  /* of the compute thread */
} LacFrameUnderway;

/* What computes a run, and why. */
typedef struct {
  const char     *name;         /* interned: by which the device opens that is open now */
  LacMachinePart *part;         /* (nullable): it, where it is not the processor */
  char           *choice;       /* (nullable): why it was chosen */
  gboolean        is_undecided; /* it is open, and a measured step decides whether it stays */
  char           *apart;   /* (nullable): names of what stays on the processor in spite of it */
  char           *refusal; /* (nullable): why a device could not be opened, until it is told */
} LacRunComputer;

struct _LacRun {
  /* frozen before the thread starts */
  const LacExperiment *experiment;
  LacOutline           outline; /* what this run shows and measures */
  LacDraft            *draft;   /* as created; live changes are in @live */
  guint64              seed;
  char   *precision, *backend; /* the backend as asked for, or of the folder that is resumed */
  double  time_limit, checkpoint_seconds;
  guint64 disk_budget, frame_budget;
  LacDiskShares  shares;
  LacDevice      device;
  LacRunComputer computer;
  gboolean       device_open, start_paused, is_resumed;
  LacPool       *pool;
  gboolean       gives_way;
  LacPerf       *perf;
  LacInputs      inputs;
  LacRunMemory  *memory;  /* (nullable) */
  LacRunFile    *already; /* (nullable): a run that had ended well: there is nothing left to do */
  char          *folder_path;
  LacRunFile    *model;     /* (nullable): the journal of the run that is done again */
  gint64         last_step; /* where that one was stopped; 0: it went to its end */
  LacRunSession  session;
  void (*wake)(gpointer user_data);
  gpointer wake_data;
  GThread *thread;

  /* compute thread */
  LacRunFolder    *folder;
  LacStore        *store;
  LacLane         *lane;
  guint32          command_names[LAC_N_COMMANDS];
  gpointer         state;
  LacDraft        *live;
  LacRunRows       open_rows;
  double          *metrics, *last_metrics; /* [n_metrics]: as last told; last finite ones */
  gint64           metrics_step;           /* of metrics; 0: nothing was told yet */
  double          *row;                    /* step, seconds, metrics: as relayed */
  LacRunFrames     frames;
  gboolean         frames_ready;
  LacFrameUnderway underway;
  gint64           step, n_steps;
  LacOutcome       outcome;
  char            *fallback; /* (nullable): why and from where on the run is the processor's */
  char             why[160], who[32]; /* of what diverged */
  LacBlowUp       *blow_ups;          /* [n_metrics] */
  GError          *error; /* of a failed run; read by others once the thread has ended */
  gint64           thread_start_ns, go_ns; /* go: the compute clock runs since; 0: it stands */
  double           clock_seconds, seconds, setup_seconds;
  double           loop_seconds; /* since the loop of this process began, for the time to go */
  gint64           loop_first;
  gint64           next_checkpoint_ns, next_flush_ns, next_publish_ns, next_room_ns;
  guint64          flushed_bytes; /* of the folder, when it was last flushed */
  guint64          n_recorded, n_rows;
  gint64           live_bytes; /* the most that any operation had live, as the planner knows */
  gboolean         room_is_short, paused;
  LacThinner      *thinner;
  gint64           record_stride, row_stride;  /* of how many steps one is recorded; 0: none */
  gboolean         stopped[LAC_N_RUN_STREAMS]; /* the disk has no room for it */
  gboolean         is_told_coarser;
  gboolean         row_waits;   /* @row is of the newest step and not kept */
  gsize            next_change; /* of the events of @model */

  /* between the threads */
  LacRunRecorder  recorder; /* all but its window's lane is the compute thread's */
  LacCommands     commands;
  LacRelay       *records, *rows;
  LacWake         woken;
  gint            ended;       /* atomic */
  gint            is_writing;  /* atomic: the folder is written, nothing is computed */
  pthread_mutex_t status_lock; /* not a GMutex: ThreadSanitizer sees through this one */
  LacRunStatus    status;

  /* controlling thread */
  LacDraft *controls; /* what set_live has asked for */
};

/* open.c */
gboolean lac_run_open(LacRun *run, const LacRunSettings *settings, GError **error);
/* The settings a run was made with. Returns: NULL with %LAC_ERROR_BAD_FILE where this version does not take them. */
LacDraft *
lac_run_dup_draft(const LacExperiment *experiment, const LacRunOrigin *origin, GError **error);
/* What is known before the first step, again. */
gboolean lac_run_write_header(LacRun *run, GError **error);
/* device.c */
/* @asked: auto, cpu, strict, cuda; @is_named: by a person, for this run */
gboolean lac_run_open_device(LacRun *run, const char *asked, gboolean is_named, GError **error);
/* Measures where the run left it open; the folder's header then says which it is. Before anything is recorded or set up. */
gboolean lac_run_decide_device(LacRun *run, GError **error);
/* What the person is to know of it before the first step. */
gboolean lac_run_tell_device(LacRun *run, GError **error);
/* What came from the device is numbers: it has not failed meanwhile. Waits for it. */
gboolean lac_run_check_device(LacRun *run, GError **error);
/* Whether @error is one of a device that the run could do without. */
gboolean lac_run_can_leave_device(const LacRun *run, const GError *error);
/* A set-up that the device could not hold, again on the processor. */
gboolean lac_run_set_up_on_processor(LacRun *run, const char *why, GError **error);
/* From the last checkpoint on the processor to the step where the run is; what is in the folder stays as it is. Where somebody
 * stops the run on the way, it is left without a state. */
gboolean lac_run_leave_device(LacRun *run, const char *why, GError **error);
/* thread.c */
gpointer lac_run_thread(gpointer run);
/* setup.c */
void lac_run_import_wisdom(const char *folder); /* the FFT plans of a run; others round otherwise */
gboolean lac_run_set_up(LacRun *run, GError **error);
gboolean lac_run_remake_state(LacRun  *run,
                              GError **error); /* of @store, on the device that is open */
gboolean lac_run_is_out_of_time(const LacRun *run);
gboolean lac_run_is_cancelled(gpointer run); /* out of time, or asked to stop */
/* keep.c: what goes to the folder and to the viewer */
/* @n_open: as LacStepReport's */
gboolean lac_run_keep_step(LacRun *run, guint n_open, GError **error);
/* All metrics that are on their way. */
gboolean lac_run_settle(LacRun *run, GError **error);
gboolean lac_run_keep_checkpoint(LacRun *run, GError **error);
gboolean lac_run_keep_event(LacRun *run, const char *what, const char *detail, GError **error);
gboolean lac_run_keep_last_frame(LacRun *run, GError **error);
gboolean lac_run_flush(LacRun *run, GError **error);
/* A step was done again: the frame of it that was on its way from a device that failed is filled. */
void     lac_run_fill_again(LacRun *run, gint64 step);
gboolean lac_run_show_frame(LacRun *run, GError **error);
/* Of the last step, where it was left out. */
gboolean lac_run_keep_last_row(LacRun *run, GError **error);
/* budget.c: what may be written of it */
void     lac_run_budget_begin(LacRun *run, guint64 budget, guint64 most_frames);
void     lac_run_budget_update(LacRun *run);
gboolean lac_run_row_stays(const LacRun *run, gint64 step);
/* A stream could not be written. Returns: TRUE, and @problem cleared, where the run goes on without it: the disk is full. */
gboolean lac_run_do_without(LacRun *run, LacRunStream stream, GError **problem);
guint64  lac_run_get_state_bytes(const LacRun *run); /* of the last checkpoint */
/* Leaves streams out where what is left of the disk does not hold @n_bytes beside what the run cannot do without. */
void     lac_run_spare_room(LacRun *run, guint64 n_bytes);
void     lac_run_go_on_recording(LacRun *run);
gboolean lac_run_keep_account(LacRun *run, GError **error); /* of the records, at the end */
/* recorder.c: what the run records of itself */
void     lac_run_recorder_begin(LacRun *run);
void     lac_run_recorder_end(LacRun *run);          /* before the last records are kept */
void     lac_run_recorder_leave_device(LacRun *run); /* between two phases */
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
gboolean lac_run_keep_sums(LacRun *run, GError **error);         /* of records that were let go */
/* status.c */
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
#define LAC_EVENT_DIVERGED    "diverged" /* its detail: which solver did */

G_END_DECLS
