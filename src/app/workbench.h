/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window works with, without the window: the session it shows, the list of runs, the queue, the sweep that goes on, what a
 * replay shows in place of a run. Owns all of them, and knows what follows when a run ends. Main thread.
 *
 * Signals:
 *   session-changed   another session, or none: (draft: pointer to LacDraft, nullable: of a run that begins)
 *   changed           what may be done now may be otherwise: the state of the run, the sweep, what was deleted
 *   progressed        a step or a frame more of the same session
 *   run-began, run-ended   (folder)
 *   sweep-changed     a sweep has begun or has ended
 *   replayed          a run that was recorded is shown in place of one that was to begin
 *   settled           a run, or a whole sweep, has ended, and nothing of it follows
 *   queue-changed     what waits, or whether it goes on
 *   message           (sentence): for the person
 *   answered          (sentence): what came out of a run that was done again */
#pragma once

#include "app/replay-runs.h"
#include "app/run-store.h"
#include "app/session.h"
#include "app/sweep-series.h"
#include "run/library/queue.h"
#include "run/plan/yaml.h"

G_BEGIN_DECLS

#define LAC_TYPE_WORKBENCH (lac_workbench_get_type())
G_DECLARE_FINAL_TYPE(LacWorkbench, lac_workbench, LAC, WORKBENCH, GObject)

/* What waited in the queue when the program ended waits still: nothing starts before the person says so. */
LacWorkbench *lac_workbench_new(void);

/* ---- the session ---- */

LacSession *lac_workbench_get_session(LacWorkbench *workbench); /* (transfer none) (nullable) */
/* @session, @draft: (nullable) */
void lac_workbench_show(LacWorkbench *workbench, LacSession *session, const LacDraft *draft);
/* Shows a run folder, or a file in it, also of a run that another program is writing. Returns: FALSE: has said why. */
gboolean lac_workbench_open(LacWorkbench *workbench, const char *path);
/* Returns: FALSE: has said why. */
gboolean lac_workbench_launch(LacWorkbench *workbench, const LacRunSettings *settings);
/* The run that has just begun does that of @model again: once it has ended, whether every bit is the same is said. */
void lac_workbench_set_repeated(LacWorkbench *workbench, const char *model);

gboolean lac_workbench_is_busy(LacWorkbench *workbench);   /* a run is going on */
gboolean lac_workbench_has_child(LacWorkbench *workbench); /* in a process of its own */
/* Returns: (transfer none) (nullable): the run that is going on in this program. */
LacRun *lac_workbench_get_active_run(LacWorkbench *workbench);
/* With a checkpoint. */
void lac_workbench_stop(LacWorkbench *workbench);

/* ---- what follows it ---- */

LacSweepSeries *lac_workbench_get_series(LacWorkbench *workbench); /* (transfer none) (nullable) */
/* @text: what is swept. What cannot begin is said. */
void lac_workbench_launch_sweep(LacWorkbench         *workbench,
                                const LacRunSettings *settings,
                                const char           *text);

const LacRunQueue *lac_workbench_get_queue(LacWorkbench *workbench);
gboolean
lac_workbench_queue_goes(LacWorkbench *workbench); /* the next one starts when a run ends */
/* A run or a sweep is going on: the queue waits for its end. */
gboolean lac_workbench_holds_queue(LacWorkbench *workbench);
/* @i: G_MAXUINT: at the end. Each says what cannot be done. */
void lac_workbench_enqueue(LacWorkbench *workbench, const char *text);
void lac_workbench_put_back(LacWorkbench *workbench, const char *text, guint i);
void lac_workbench_move_queued(LacWorkbench *workbench, guint from, guint to);
/* Returns: (transfer full) (nullable): its text. */
char *lac_workbench_remove_queued(LacWorkbench *workbench, guint i);
void  lac_workbench_start_queue(LacWorkbench *workbench);

/* ---- runs ---- */

LacRunStore *lac_workbench_get_run_store(LacWorkbench *workbench); /* (transfer none) */
/* @paths: of runs, which are set aside; those set aside before go for good. Returns: how many were. */
guint    lac_workbench_delete_runs(LacWorkbench *workbench, const GPtrArray *paths);
void     lac_workbench_undo_delete(LacWorkbench *workbench);
void     lac_workbench_forget_deleted(LacWorkbench *workbench); /* they go for good */
gboolean lac_workbench_has_deleted(LacWorkbench *workbench);    /* which can be undone */

/* While one is given again. @replay: (transfer full) (nullable) */
void           lac_workbench_set_replay(LacWorkbench *workbench, LacReplayRuns *replay);
LacReplayRuns *lac_workbench_get_replay(LacWorkbench *workbench); /* (nullable) */

/* ---- what is set up, as a text ---- */

/* What the form was filled from. Takes both: @text is what @plan was read from, whose comments go into what is written. */
void lac_workbench_set_source(LacWorkbench *workbench, LacRunPlan *plan, char *text);
/* @sweep: (nullable). Returns: (transfer full): as YAML; %NULL with an error. */
char *lac_workbench_dup_plan(LacWorkbench         *workbench,
                             const LacRunSettings *settings,
                             const char           *sweep,
                             GError              **error);

/* ---- the person ---- */

void lac_workbench_show_message(LacWorkbench *workbench, const char *sentence);

G_END_DECLS
