/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the workbench share. */
#pragma once

#include "app/workbench.h"

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
  LacRunState        reported; /* the state of it that "changed" was last emitted for */
  LacRunStore       *run_store;
  LacRunQueue       *queue; /* NULL: the window has gone, and nothing begins any more */
  gboolean           queue_goes;
  LacSweepSeries    *series;   /* (nullable) */
  LacReplayRuns     *replay;   /* (nullable) */
  LacWorkbenchChild *child;    /* (nullable): a run that goes on in a process of its own */
  char              *repeated; /* (nullable): the run that the session does again */
  GPtrArray         *aside; /* (nullable): paths of runs that are deleted unless that is undone */
  char              *source_text; /* (nullable) */
  LacRunPlan        *source;      /* (nullable): what @source_text says */
  guint              inhibited;   /* cookie of the session manager; 0: the machine may sleep */
};

/* Those without an argument. */
void lac_workbench_emit(LacWorkbench *workbench, LacWorkbenchSignal signal);
/* Those of a folder or a sentence. */
void lac_workbench_emit_text(LacWorkbench *workbench, LacWorkbenchSignal signal, const char *text);
/* Whether a run is going on may be otherwise: the machine does not fall asleep while one is. */
void lac_workbench_notify_changed(LacWorkbench *workbench);

/* workbench.c: of the session that has ended: what follows it. */
void lac_workbench_finish_run(LacWorkbench *workbench);
/* Returns: (transfer full) (nullable): a run that another process is writing, as it stands. */
LacRunFile *lac_workbench_open_growing(const char *path);

/* workbench-runs.c */
void lac_workbench_compare_repetition(LacWorkbench *workbench);

/* workbench-queue.c: after a run or a sweep has ended. @stopped: by the person, who then has the queue held too. */
void lac_workbench_go_on_with_queue(LacWorkbench *workbench, gboolean stopped);
void lac_workbench_hold_queue(LacWorkbench *workbench);

/* workbench-sweep.c */
void lac_workbench_end_sweep(LacWorkbench *workbench); /* no other run of it follows */
/* The session has ended: the next run of the sweep follows. Returns: whether it was of a sweep. */
gboolean lac_workbench_go_on_with_sweep(LacWorkbench *workbench);

/* workbench-child.c */
/* @model: (nullable): the text of @settings, which the queue gets back where the run cannot begin. Returns: FALSE where there can be no
 * such process. */
gboolean lac_workbench_launch_child(LacWorkbench         *workbench,
                                    const LacRunSettings *settings,
                                    const char           *model);
/* Stops the run, with a checkpoint. Returns: FALSE where none goes on. */
gboolean lac_workbench_stop_child(LacWorkbench *workbench);
void     lac_workbench_leave_child(LacWorkbench *workbench); /* stops it and does not wait */

G_END_DECLS
