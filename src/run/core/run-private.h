/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run, by the thread that may touch it. */
#pragma once

#include "run/core/cadence.h"
#include "run/core/commands.h"
#include "run/core/computer.h"
#include "run/core/frames.h"
#include "run/core/inputs.h"
#include "run/core/log.h"
#include "run/core/memory.h"
#include "run/core/monitor.h"
#include "run/core/outcome.h"
#include "run/core/progress.h"
#include "run/core/recorder.h"
#include "run/core/repeat.h"
#include "run/core/rows.h"
#include "run/core/run.h"

G_BEGIN_DECLS

struct _LacRun {
  /* frozen before the thread starts */
  const LacExperiment *experiment;
  LacOutline           outline; /* what this run shows and measures */
  LacDraft            *draft;   /* as created; live changes are in @live */
  guint64              seed;
  gboolean             gives_way, start_paused, is_resumed;
  LacInputs            inputs;
  LacRunMemory        *memory; /* (nullable) */
  LacRunFile *already; /* (nullable): a run that had ended well: there is nothing left to do */
  GThread    *thread;

  /* compute thread, once that has started */
  LacRunComputer computer;
  LacRunProgress progress;
  LacRunCadence  cadence;
  LacRunOutcome  outcome; /* others read it once the thread has ended */
  LacRunRows     rows;
  LacRunLog      log;
  LacRunRepeat   repeat;
  gpointer       state; /* (nullable): the experiment's */
  LacDraft      *live;
  gboolean       is_paused;

  /* between the threads */
  LacRunFrames   frames;   /* all but the mailbox is the compute thread's */
  LacRunRecorder recorder; /* all but its window's lane is the compute thread's */
  LacCommands    commands;
  LacRunMonitor  monitor;
  gint           has_ended; /* atomic */

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
/* fallback.c */
/* Measures where the run left it open; the folder's header then says which it is. Before anything is recorded or set up. */
gboolean lac_run_decide_device(LacRun *run, GError **error);
/* Reports the choice of the device and what stays on the processor; once, before the first step. */
gboolean lac_run_report_device(LacRun *run, GError **error);
/* Repeats the set-up on the processor after the device could not hold it. */
gboolean lac_run_set_up_on_processor(LacRun *run, const char *why, GError **error);
/* From the last checkpoint on the processor to the step where the run is; what is in the folder stays as it is. Where the user
 * stops the run on the way, it is left without a state. */
gboolean lac_run_leave_device(LacRun *run, const char *why, GError **error);
/* thread.c */
gpointer lac_run_thread(gpointer run);
/* setup.c */
void lac_run_import_wisdom(const char *folder); /* the FFT plans of a run; others round otherwise */
gboolean lac_run_set_up(LacRun *run, GError **error);
gboolean lac_run_remake_state(LacRun  *run,
                              GError **error); /* of the log's store, on the device that is open */
gboolean lac_run_is_cancelled(gpointer run);   /* out of time, or asked to stop */
/* Returns the run as one whose step can be measured. */
LacStepSubject lac_run_get_subject(LacRun *run);
/* keep.c: what a step leaves in the log and for the viewer */
/* @n_open: as LacStepReport's */
gboolean lac_run_keep_step(LacRun *run, guint n_open, GError **error);
/* All metrics that are on their way. */
gboolean lac_run_flush_metrics(LacRun *run, GError **error);
gboolean lac_run_keep_checkpoint(LacRun *run, GError **error);
gboolean lac_run_keep_last_frame(LacRun *run, GError **error);
/* A step was done again: the frame of it that was on its way from a device that failed is filled. */
void     lac_run_fill_again(LacRun *run, gint64 step);
gboolean lac_run_show_frame(LacRun *run, GError **error);
/* Of the last step, where it was left out. */
gboolean lac_run_keep_last_row(LacRun *run, GError **error);

/* The metrics a run restores: names of what it adds to the experiment's store. */
#define LAC_RUN_STORE_OUTCOME "run.outcome"
#define LAC_RUN_STORE_METRICS "run.last_metrics"

G_END_DECLS
