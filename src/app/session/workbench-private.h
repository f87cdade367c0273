/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the workbench. */
#pragma once

#include "app/session/workbench.h"
#include "app/toolkit/latest-job.h"

G_BEGIN_DECLS

typedef enum {
  LAC_WORKBENCH_SESSION_CHANGED,
  LAC_WORKBENCH_OPENING_CHANGED,
  LAC_WORKBENCH_OPENED,
  LAC_WORKBENCH_CHANGED,
  LAC_WORKBENCH_PROGRESSED,
  LAC_WORKBENCH_ACTIVE_PROGRESSED,
  LAC_WORKBENCH_RUN_BEGAN,
  LAC_WORKBENCH_RUN_ENDED,
  LAC_WORKBENCH_SWEEP_CHANGED,
  LAC_WORKBENCH_REPLAYED,
  LAC_WORKBENCH_SETTLED,
  LAC_WORKBENCH_BESIDE_ENDED,
  LAC_WORKBENCH_BESIDE_PROGRESSED,
  LAC_WORKBENCH_QUEUE_CHANGED,
  LAC_WORKBENCH_MESSAGE,
  LAC_WORKBENCH_ANSWERED,
  LAC_WORKBENCH_N_SIGNALS
} LacWorkbenchSignal;

typedef struct _LacWorkbenchChild LacWorkbenchChild; /* workbench-child.c */

struct _LacWorkbench {
  GObject            parent_instance;
  LacSession        *session;  /* (nullable): on display */
  LacSession        *latest;   /* (nullable): of the run that computes, or of the last one */
  gulong             heard[4]; /* handlers of @session */
  gulong             heard_latest[2];
  gboolean           is_finishing; /* the latest run has ended, and what follows is being decided */
  LacRunState        reported[2];  /* their states when "changed" was last emitted */
  gboolean           is_shown;
  LacLatestJob      *opening;
  char              *opening_path; /* (nullable) */
  LacRunStore       *run_store;
  LacRunQueue       *queue; /* NULL: the window is gone, nothing starts any more */
  gboolean           queue_goes;
  gboolean           shows_next;  /* display the next run: the user starts it */
  LacSweepSeries    *series;      /* (nullable) */
  LacReplayRuns     *replay;      /* (nullable) */
  LacWorkbenchChild *child;       /* (nullable): a run in a child process */
  GPtrArray         *beside;      /* LacBesideRun: those that compute beside it */
  guint              beside_look; /* source that reads their progress; 0: none compute */
  char              *repeated;    /* (nullable): the run that the session repeats */
  GPtrArray         *aside;       /* (nullable): paths of deleted runs, until deletion is final */
  char              *source_text; /* (nullable) */
  LacRunPlan        *source;      /* (nullable): parsed @source_text */
  gboolean           measuring;   /* a benchmark is in progress */
  guint              inhibited;   /* cookie of the session manager; 0: the machine may suspend */
};

/* For signals without an argument. */
void lac_workbench_emit(LacWorkbench *workbench, LacWorkbenchSignal signal);
/* For signals with a folder or a sentence as argument. */
void lac_workbench_emit_text(LacWorkbench *workbench, LacWorkbenchSignal signal, const char *text);
/* Call when a run or a benchmark may have begun or ended: system suspend is inhibited meanwhile. */
void lac_workbench_notify_changed(LacWorkbench *workbench);
/* Does so if the run on display or the latest run is in another state than at the last call. */
void lac_workbench_notify_states(LacWorkbench *workbench);

/* workbench-active.c */
/* Starts a run. @shows: display it */
gboolean
lac_workbench_begin(LacWorkbench *workbench, const LacRunSettings *settings, gboolean shows);
/* Returns TRUE when the next run of a queue or sweep is to be displayed: the user has just started that, or the
 * last run is on display. */
gboolean lac_workbench_shows_next(LacWorkbench *workbench);
/* Makes @session the run that computes. @shows: display it too */
void lac_workbench_set_latest(LacWorkbench *workbench, LacSession *session, gboolean shows);
/* Connects to the latest run, after those who are to hear of its end before. */
void lac_workbench_hear_latest(LacWorkbench *workbench);
void lac_workbench_ignore_latest(LacWorkbench *workbench);
void lac_workbench_leave_latest(LacWorkbench *workbench);
/* Called after the latest run has ended. */
void lac_workbench_finish_run(LacWorkbench *workbench);
/* Reports to the user how a run has ended. */
void lac_workbench_describe_end(LacWorkbench *workbench, LacSession *session);
/* Continues after the end of a run that is displayed from a recording instead of computed. */
void lac_workbench_go_on_with_recorded(LacWorkbench *workbench, LacSession *session);

/* workbench-open.c */
/* Any thread. Returns: (transfer full) (nullable): the present contents of a run that another process is writing. */
LacRunFile *lac_workbench_open_growing(const char *path);
/* Opens a followed run again, which has ended: with all its data. */
void lac_workbench_open_whole(LacWorkbench *workbench);
/* Opens a run in place of one to be computed. */
void lac_workbench_open_recorded(LacWorkbench *workbench, const char *folder);
void lac_workbench_stop_opening(LacWorkbench *workbench);

/* workbench-runs.c */
void lac_workbench_compare_repetition(LacWorkbench *workbench);

/* workbench-queue.c: called after a run or a sweep has ended. @stopped: by the user, which also pauses the queue. */
void lac_workbench_go_on_with_queue(LacWorkbench *workbench, gboolean stopped);

/* workbench-sweep.c */
void lac_workbench_begin_sweep(LacWorkbench         *workbench,
                               const LacRunSettings *settings,
                               const char           *text);
void lac_workbench_end_sweep(LacWorkbench *workbench); /* no further run follows */
/* Starts the next run of the sweep after the latest run has ended. Returns: TRUE when that run was part of a
 * sweep. */
gboolean lac_workbench_go_on_with_sweep(LacWorkbench *workbench);

/* workbench-child.c */
/* @model: (nullable): the plan text of @settings, which returns to the queue if the run cannot start. @shows: display
 * it. Returns: FALSE if no child process can be used. */
gboolean lac_workbench_launch_child(LacWorkbench         *workbench,
                                    const LacRunSettings *settings,
                                    const char           *model,
                                    gboolean              shows);
/* Stops the run, with a checkpoint. Returns: FALSE if none is active. */
gboolean lac_workbench_stop_child(LacWorkbench *workbench);
void     lac_workbench_leave_child(LacWorkbench *workbench); /* stops it without waiting */

/* workbench-beside.c */
void lac_workbench_init_beside(LacWorkbench *workbench);
void lac_workbench_leave_beside(LacWorkbench *workbench); /* stops them without waiting, for good */
/* Starts queued runs on the devices that are free, until one has to wait for the run of this window. */
void lac_workbench_start_beside(LacWorkbench *workbench);
/* Returns: (transfer full) (nullable): the devices of queued runs, the first for the run of this window; NULL: it has all */
GStrv lac_workbench_dup_queue_devices(LacWorkbench *workbench);
/* Returns TRUE for a run that may compute on any device. */
gboolean lac_workbench_is_placeable(const LacRunPlan *plan);
/* Gives a run @device, and its share of the threads. */
void lac_workbench_place(LacRunSettings *settings, const char *device, guint n_devices);

/* workbench-queue.c
 * @launch: the preferences, used if this machine lacks the threads or the device of the plan */
LacRunSettings lac_workbench_settings_of(const LacRunPlan *plan, LacDraft *launch);

G_END_DECLS
