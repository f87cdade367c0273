/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of the window: the run on display, the run that computes, the list of runs, the queue, the active sweep,
 * and the runs of a replay. Owns all of them, and starts the next run when one ends. Main thread.
 *
 * The run on display need not be the one that computes: others are opened, compared and exported while it goes on.
 * Pausing, stepping, checkpoints and stopping act on the run that computes; the queue and the sweep go on whatever is
 * displayed. A run that the user starts is displayed; one that follows another is if the last one was.
 *
 * Signals:
 *   session-changed   another run is on display, or none: (draft: pointer to LacDraft, nullable: the settings of a run
 *                     that computes in this process, with its live changes)
 *   opening-changed   a run file begins or ends being read
 *   opened            the run that was to be opened is on display
 *   changed           conditions of commands changed: the state of either run, the sweep, the deleted runs
 *   progressed        another step or frame of the run on display
 *   active-progressed the run that computes: another step, or another one, or none
 *   run-began, run-ended   (folder)
 *   sweep-changed     a sweep has begun or ended
 *   replayed          a recorded run is shown instead of a new one
 *   settled           a run, or a whole sweep, has ended completely
 *   beside-ended      a queued run that computed beside it has ended
 *   beside-progressed a run beside it has reached another step
 *   queue-changed     the queue's contents, or whether it is running
 *   message           (sentence): for the user
 *   answered          (sentence): the result of a repeated run */
#pragma once

#include "app/script/replay-runs.h"
#include "app/session/run-store.h"
#include "app/session/session.h"
#include "app/session/sweep-series.h"
#include "run/library/queue.h"
#include "run/plan/run-child.h"
#include "run/plan/yaml.h"

G_BEGIN_DECLS

#define LAC_TYPE_WORKBENCH (lac_workbench_get_type())
G_DECLARE_FINAL_TYPE(LacWorkbench, lac_workbench, LAC, WORKBENCH, GObject)

/* Runs left in the queue by an earlier process stay queued: nothing starts before the user starts the queue. */
LacWorkbench *lac_workbench_new(void);

/* ---- the run on display ---- */

LacSession *lac_workbench_get_session(LacWorkbench *workbench); /* (transfer none) (nullable) */
/* @session: (nullable). A run that is being opened is then not displayed. */
void lac_workbench_show(LacWorkbench *workbench, LacSession *session);
/* Displays the run that computes in this window; without effect if there is none. */
void lac_workbench_show_active(LacWorkbench *workbench);
/* Opens a run folder, or a file in it, including one that another program is writing: a worker reads it, then it is
 * displayed, unless another is opened or displayed meanwhile. A failure is reported to the user. */
void lac_workbench_open(LacWorkbench *workbench, const char *path);
/* Returns: (nullable): the path of the run that is being opened. */
const char *lac_workbench_get_opening(LacWorkbench *workbench);
/* @is_shown: the window is visible: otherwise no frames are fetched. Records always are. */
void lac_workbench_set_shown(LacWorkbench *workbench, gboolean is_shown);

/* ---- the run that computes ---- */

/* Starts a run, and displays it. Returns: FALSE, after reporting the reason. */
gboolean lac_workbench_launch(LacWorkbench *workbench, const LacRunSettings *settings);
/* Continues a run from its last checkpoint, with the default number of threads. Returns: FALSE, after reporting the
 * reason. */
gboolean lac_workbench_resume(LacWorkbench *workbench, const char *path);
/* Marks the run that has just begun as a repetition of @model: once it has ended, reports whether it is bitwise
 * identical. */
void lac_workbench_set_repeated(LacWorkbench *workbench, const char *model);

/* (transfer none) (nullable): the run that computes; NULL also while a child process has no folder yet. */
LacSession *lac_workbench_get_active_session(LacWorkbench *workbench);
/* (transfer none) (nullable): the run that computes, or the last one that did, until another run is displayed. */
LacSession *lac_workbench_get_latest_session(LacWorkbench *workbench);
gboolean    lac_workbench_is_busy(LacWorkbench *workbench); /* a run is active */
/* That, or a queued run computes beside it. */
gboolean lac_workbench_is_computing(LacWorkbench *workbench);
gboolean lac_workbench_has_child(LacWorkbench *workbench); /* a run is active in a child process */
/* Returns: (transfer none) (nullable): the active run in this process. */
LacRun *lac_workbench_get_active_run(LacWorkbench *workbench);
/* While a benchmark is measured, no run starts and the queue waits: their times would be wrong. */
void     lac_workbench_set_measuring(LacWorkbench *workbench, gboolean measuring);
gboolean lac_workbench_is_measuring(LacWorkbench *workbench);
/* Stops the run, with a checkpoint. */
void lac_workbench_stop(LacWorkbench *workbench);

/* ---- what follows a run ---- */

LacSweepSeries *lac_workbench_get_series(LacWorkbench *workbench); /* (transfer none) (nullable) */
/* @text: the sweep. If the sweep cannot begin, reports the reason. */
void lac_workbench_launch_sweep(LacWorkbench         *workbench,
                                const LacRunSettings *settings,
                                const char           *text);

const LacRunQueue *lac_workbench_get_queue(LacWorkbench *workbench);
guint              lac_workbench_get_n_queued(LacWorkbench *workbench);
/* Returns: (transfer full): the title of each queued run with the settings that differ from the default; why it is
 * invalid, if it is. */
GStrv    lac_workbench_dup_queued_titles(LacWorkbench *workbench);
gboolean lac_workbench_queue_goes(
  LacWorkbench *workbench); /* Returns TRUE when the next run starts after one ends */
/* Returns TRUE while a run, a sweep or a benchmark is active: the queue waits for its end. */
gboolean lac_workbench_holds_queue(LacWorkbench *workbench);
/* Queue functions; each reports its failure to the user. @i: position in the queue; G_MAXUINT: the end. */
void lac_workbench_enqueue(LacWorkbench *workbench, const char *text);
void lac_workbench_put_back(LacWorkbench *workbench, const char *text, guint i);
void lac_workbench_move_queued(LacWorkbench *workbench, guint from, guint to);
/* Returns: (transfer full) (nullable): the plan text of the removed run. */
char *lac_workbench_remove_queued(LacWorkbench *workbench, guint i);
void  lac_workbench_start_queue(LacWorkbench *workbench);
/* After this no queued run starts until the queue is started again. */
void lac_workbench_hold_queue(LacWorkbench *workbench);

/* A queued run that computes beside the one of this window, in a process and on a device of its own. */
typedef struct {
  LacRunChild         *process;
  const LacExperiment *experiment;
  char                *device, *title; /* device: a name of lac_device_open() */
  char                *model;          /* its text in the queue */
  char                *folder;         /* (nullable): NULL before it is created */
  gint64               step;           /* in its journal, read every few seconds; 0: none yet */
} LacBesideRun;

guint               lac_workbench_get_n_beside(LacWorkbench *workbench);
const LacBesideRun *lac_workbench_get_beside(LacWorkbench *workbench, guint i);
/* Stops the run of @folder, with a checkpoint, if it is one of them. */
void lac_workbench_stop_beside(LacWorkbench *workbench, const char *folder);

/* ---- runs ---- */

LacRunStore *lac_workbench_get_run_store(LacWorkbench *workbench); /* (transfer none) */
/* Sets runs aside, so that their deletion can be undone; runs set aside earlier go to the trash of the desktop.
 * @paths: paths of the runs. Returns: the number of runs set aside. */
guint    lac_workbench_delete_runs(LacWorkbench *workbench, const GPtrArray *paths);
void     lac_workbench_undo_delete(LacWorkbench *workbench);
void     lac_workbench_forget_deleted(LacWorkbench *workbench); /* moves them to the trash */
gboolean lac_workbench_has_deleted(LacWorkbench *workbench);    /* a deletion can be undone */

/* Set during a replay. @replay: (transfer full) (nullable) */
void           lac_workbench_set_replay(LacWorkbench *workbench, LacReplayRuns *replay);
LacReplayRuns *lac_workbench_get_replay(LacWorkbench *workbench); /* (nullable) */

/* ---- the set-up as text ---- */

/* Sets the source of the form. @plan, @text: (transfer full): @text is the source of @plan; its comments are
 * preserved when a plan is written. */
void lac_workbench_set_source(LacWorkbench *workbench, LacRunPlan *plan, char *text);
/* @sweep: (nullable). Returns: (transfer full): as YAML; %NULL with an error. */
char *lac_workbench_dup_plan(LacWorkbench         *workbench,
                             const LacRunSettings *settings,
                             const char           *sweep,
                             GError              **error);

/* ---- messages ---- */

void lac_workbench_show_message(LacWorkbench *workbench, const char *sentence);

G_END_DECLS
