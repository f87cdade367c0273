/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a run, grouped by the thread that may access it. */
#pragma once

#include "backend/device-log.h"
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
  /* immutable once the thread has started */
  const LacExperiment *experiment;
  LacOutline           outline; /* channels and metrics of this run */
  LacDraft            *draft;   /* as created; live changes are in @live */
  guint64              seed;
  gboolean             gives_way, start_paused, is_resumed;
  LacInputs            inputs;
  LacRunMemory        *memory;  /* (nullable) */
  LacRunFile          *already; /* (nullable): file of a complete run: nothing is left to compute */
  GThread             *thread;

  /* compute thread, once started */
  LacRunComputer computer;
  LacRunProgress progress;
  LacRunCadence  cadence;
  LacRunOutcome  outcome; /* others read it after the thread has ended */
  LacRunRows     rows;
  LacRunLog      log;
  LacRunRepeat   repeat;
  gpointer       state; /* (nullable): state of the experiment */
  LacDraft      *live;
  gboolean       is_paused;

  /* shared between threads */
  LacRunFrames   frames;   /* compute thread, except for the mailbox */
  LacRunRecorder recorder; /* compute thread, except for the window's lane */
  LacCommands    commands;
  LacRunMonitor  monitor;
  gint           has_ended; /* atomic */

  /* controlling thread */
  LacDraft *controls; /* values requested by set_live */
};

/* open.c */
gboolean lac_run_open(LacRun *run, const LacRunSettings *settings, GError **error);
/* Reads the settings that a run was made with. Returns: NULL with %LAC_ERROR_BAD_FILE if this version cannot read
 * them. */
LacDraft *
lac_run_dup_draft(const LacExperiment *experiment, const LacRunOrigin *origin, GError **error);
/* Rewrites the header with everything known before the first step. */
gboolean lac_run_write_header(LacRun *run, GError **error);
/* fallback.c */
/* Chooses the device by measurement if it is undecided, and writes it to the folder's header. Called before anything
 * is recorded or set up. */
gboolean lac_run_decide_device(LacRun *run, GError **error);
/* Reports the choice of the device and the parts that stay on the CPU; once, before the first step. */
gboolean lac_run_report_device(LacRun *run, GError **error);
/* Repeats the set-up on the CPU after the device ran out of memory. */
gboolean lac_run_set_up_on_processor(LacRun *run, const char *why, GError **error);
/* Restores the last checkpoint on the CPU and recomputes up to the current step; the folder is unchanged. If the user
 * stops the run meanwhile, the run is left without a state. */
gboolean lac_run_leave_device(LacRun *run, const char *why, GError **error);
/* thread.c */
gpointer lac_run_thread(gpointer run);
/* setup.c */
void lac_run_import_wisdom(
  const char *folder); /* imports the FFT plans of a run: other plans round differently */
gboolean lac_run_set_up(LacRun *run, GError **error);
gboolean lac_run_remake_state(
  LacRun  *run,
  GError **error); /* restores the state from the log's store, on the open device */
gboolean lac_run_is_cancelled(gpointer run); /* time limit reached or stop requested */
/* Returns the run as the subject of a step measurement. */
LacStepSubject lac_run_get_subject(LacRun *run);
/* keep.c: output of a step to the log and to the viewer */
gboolean lac_run_keep_step(LacRun *run, GError **error);
/* Notes the outcome of a step, and the method that it set aside. */
gboolean lac_run_note_report(LacRun *run, const LacStepReport *report, GError **error);
/* Waits for all pending metrics and writes them. */
gboolean lac_run_flush_metrics(LacRun *run, GError **error);
gboolean lac_run_keep_checkpoint(LacRun *run, GError **error);
gboolean lac_run_keep_last_frame(LacRun *run, GError **error);
/* Fills the frame of @step that was in flight on a failed device; called after the step has been recomputed. */
void     lac_run_fill_again(LacRun *run, gint64 step);
gboolean lac_run_show_frame(LacRun *run, GError **error);
/* Writes the row of the last step if the disk budget omitted it. */
gboolean lac_run_keep_last_row(LacRun *run, GError **error);

/* Names under which a run adds its outcome and last metrics to the experiment's store. */
#define LAC_RUN_STORE_OUTCOME "run.outcome"
#define LAC_RUN_STORE_METRICS "run.last_metrics"

G_END_DECLS
