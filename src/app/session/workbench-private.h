/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the workbench. */
#pragma once

#include "app/session/workbench.h"

G_BEGIN_DECLS

typedef enum {
  LAC_WORKBENCH_SESSION_CHANGED,
  LAC_WORKBENCH_CHANGED,
  LAC_WORKBENCH_PROGRESSED,
  LAC_WORKBENCH_RUN_BEGAN,
  LAC_WORKBENCH_RUN_ENDED,
  LAC_WORKBENCH_SWEEP_CHANGED,
  LAC_WORKBENCH_REPLAYED,
  LAC_WORKBENCH_SETTLED,
  LAC_WORKBENCH_QUEUE_CHANGED,
  LAC_WORKBENCH_MESSAGE,
  LAC_WORKBENCH_ANSWERED,
  LAC_WORKBENCH_N_SIGNALS
} LacWorkbenchSignal;

typedef struct _LacWorkbenchChild LacWorkbenchChild; /* workbench-child.c */

struct _LacWorkbench {
  GObject            parent_instance;
  LacSession        *session;  /* (nullable) */
  LacRunState        reported; /* the state for which "changed" was last emitted */
  LacRunStore       *run_store;
  LacRunQueue       *queue; /* NULL: the window is gone, nothing starts any more */
  gboolean           queue_goes;
  LacSweepSeries    *series;      /* (nullable) */
  LacReplayRuns     *replay;      /* (nullable) */
  LacWorkbenchChild *child;       /* (nullable): a run in a child process */
  char              *repeated;    /* (nullable): the run that the session repeats */
  GPtrArray         *aside;       /* (nullable): paths of deleted runs, until deletion is final */
  char              *source_text; /* (nullable) */
  LacRunPlan        *source;      /* (nullable): parsed @source_text */
  guint              inhibited;   /* cookie of the session manager; 0: the machine may suspend */
};

/* For signals without an argument. */
void lac_workbench_emit(LacWorkbench *workbench, LacWorkbenchSignal signal);
/* For signals with a folder or a sentence as argument. */
void lac_workbench_emit_text(LacWorkbench *workbench, LacWorkbenchSignal signal, const char *text);
/* Call when a run may have begun or ended: system suspend is inhibited while a run is active. */
void lac_workbench_notify_changed(LacWorkbench *workbench);

/* workbench.c: called after the run of the session has ended. */
void lac_workbench_finish_run(LacWorkbench *workbench);
/* Returns: (transfer full) (nullable): the present contents of a run that another process is writing. */
LacRunFile *lac_workbench_open_growing(const char *path);

/* workbench-runs.c */
void lac_workbench_compare_repetition(LacWorkbench *workbench);

/* workbench-queue.c: called after a run or a sweep has ended. @stopped: by the user, which also pauses the queue. */
void lac_workbench_go_on_with_queue(LacWorkbench *workbench, gboolean stopped);

/* workbench-sweep.c */
void lac_workbench_end_sweep(LacWorkbench *workbench); /* no further run follows */
/* Starts the next run of the sweep after the session's run has ended. Returns: TRUE when that run was part of a
 * sweep. */
gboolean lac_workbench_go_on_with_sweep(LacWorkbench *workbench);

/* workbench-child.c */
/* @model: (nullable): the plan text of @settings, which returns to the queue if the run cannot start. Returns: FALSE
 * if no child process can be used. */
gboolean lac_workbench_launch_child(LacWorkbench         *workbench,
                                    const LacRunSettings *settings,
                                    const char           *model);
/* Stops the run, with a checkpoint. Returns: FALSE if none is active. */
gboolean lac_workbench_stop_child(LacWorkbench *workbench);
void     lac_workbench_leave_child(LacWorkbench *workbench); /* stops it without waiting */

G_END_DECLS
