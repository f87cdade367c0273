/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several solvers of one run, in step with each other: each takes its turns so often that all of them end together, writes its curves among
 * the run's metrics, and keeps its part of the run's checkpoint under its name. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

#define LAC_SCHEDULER_MAX        8
#define LAC_SCHEDULER_MAX_CURVES 24

/* What a solver says of one of its steps. */
typedef struct {
  LacOutcome outcome;
  double     curves[LAC_SCHEDULER_MAX_CURVES]; /* NaN before the call */
  double     samples;                          /* as LacStepReport's */
  char       why
    [160]; /* when diverged: what and where; when finished before the last step: why; translated */
} LacMethodReport;

/* What is asked of one. */
typedef struct {
  const char *name; /* of its part of a checkpoint */
  gint64 (*n_steps)(gconstpointer solver);
  gboolean (*step)(gpointer solver, LacMethodReport *report, GError **error);
  void (*destroy)(gpointer solver);
  void (*save)(gpointer solver, LacStore *store); /* the store is its own */
  gboolean (*load)(gpointer solver, const LacStore *store, GError **error);
  void (*retune)(gpointer solver, gconstpointer params); /* (optional) */
  /* (optional, both): a solver that need not wait for its numbers. step() tells no curves then; how many steps may be asked for
   * now before those of the first one are told; the curves of the oldest step that has not been told, or that it diverged. */
  guint (*may_lag)(gconstpointer solver);
  gboolean (*collect)(gpointer solver, LacMethodReport *report, GError **error);
} LacScheduledMethod;

typedef struct {
  LacScheduledMethod method;
  gpointer           self;
  gsize              curves, n_curves; /* where they stand among the metrics */
  gint64             n_steps, done;
  guint              n_open; /* steps of which no curves were told */
  gboolean           ended;  /* before its planned steps */
} LacSchedulerSlot;

typedef struct {
  guint            n;
  LacSchedulerSlot places[LAC_SCHEDULER_MAX];
  guint            n_kept; /* places in a checkpoint: those a laboratory may fill */
  gint64           step, n_steps;
} LacScheduler;

/* @self: (transfer full): the solver, which is destroyed with the turns */
void lac_scheduler_add(LacScheduler             *scheduler,
                       const LacScheduledMethod *method,
                       gpointer                  self,
                       gsize                     curves,
                       gsize                     n_curves);
void lac_scheduler_clear(LacScheduler *scheduler);

/* One step of the run. The outcome is finished when the last solver is, and diverged as soon as one is: the step does not count then.
 * Returns: FALSE with an error where a solver cannot go on. */
gboolean lac_scheduler_step(LacScheduler *scheduler, LacStepReport *report, GError **error);

/* Curves that are on their way, as LacExperiment's settle(). */
gboolean lac_scheduler_flush(LacScheduler *scheduler, LacStepReport *report, GError **error);

void     lac_scheduler_save(const LacScheduler *scheduler, LacStore *store);
gboolean lac_scheduler_load(LacScheduler *scheduler, const LacStore *store, GError **error);

/* A live parameter of the solver at place @i changed. */
void lac_scheduler_retune(LacScheduler *scheduler, guint i, gconstpointer params);

G_END_DECLS
