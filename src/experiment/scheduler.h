/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs several methods side by side in one run; each advances at such a rate that all end together. Writes their
 * curves into the run's metrics, and their state, under their names, into the run's checkpoint. */
#pragma once

#include "experiment/experiment.h"
#include "field/visit.h"

G_BEGIN_DECLS

#define LAC_SCHEDULER_MAX        8
#define LAC_SCHEDULER_MAX_CURVES 24

/* Result of one step of a method. */
typedef struct {
  LacOutcome outcome;
  double     curves[LAC_SCHEDULER_MAX_CURVES]; /* see LacStepReport */
  double     samples;                          /* see LacStepReport */
  guint      epoch, batch; /* see LacStepReport; those of the first method count */
  char       why[160];     /* diverged: what and where; finished early: the reason; translated */
  LacPending pending; /* (out): set if the curves come later; finished with a report of this step */
} LacMethodReport;

/* The members that the methods of all laboratories share. The scheduler takes the callbacks, and does not need source and
 * parameters. A step does not allocate; the curves of up to LAC_STEP_MOST_OPEN may be pending. */
/* clang-format off */
#define LAC_SCHEDULED_MEMBERS                                                                \
  const char   *name;   /* "enkf": also of its part of a checkpoint */                       \
  const char   *title;  /* translatable; (nullable): its turns have no spans */              \
  const char   *source; /* paper */                                                          \
  LacParamTable params; /* keys begin with the method's name: pie_sweeps */                  \
  void (*destroy)(gpointer method);                                                          \
  gint64 (*n_steps)(gconstpointer method);                                                   \
  gboolean (*step)(gpointer method, LacMethodReport *report, GError **error);                \
  void (*retune)(gpointer method, gconstpointer params); /* (optional): applies live ones */ \
  LacVisitFunc visit; /* of this method's state alone */
/* clang-format on */

typedef struct {
  LAC_SCHEDULED_MEMBERS
} LacScheduledMethod;

/* The members within another struct: by their own names, and together. */
#define LAC_SCHEDULED_METHOD      \
  union {                         \
    LacScheduledMethod scheduled; \
    struct {                      \
      LAC_SCHEDULED_MEMBERS       \
    };                            \
  };

typedef struct {
  LacScheduledMethod method;
  gpointer           self;
  gsize      curves, n_curves; /* index of the first curve among the metrics, and their number */
  gint64     n_steps, done;
  guint      n_open;                      /* number of steps whose curves are pending */
  LacPending pending[LAC_STEP_MOST_OPEN]; /* oldest first */
  gboolean   ended;                       /* ended before its planned number of steps */
  char       failure[160];                /* why it diverged; empty: it did not */
  guint32    span;                        /* name of its spans in the recording */
} LacSchedulerSlot;

typedef struct {
  guint            n;
  LacSchedulerSlot places[LAC_SCHEDULER_MAX];
  guint            n_kept; /* number of slots in a checkpoint: the maximum of the laboratory */
  gint64           step, n_steps;
  const LacContext
    *context; /* (nullable): where each method's turns are recorded; set before methods are added */
} LacScheduler;

/* @self: (transfer full): the method, destroyed with the scheduler */
void lac_scheduler_add(LacScheduler             *scheduler,
                       const LacScheduledMethod *method,
                       gpointer                  self,
                       gsize                     curves,
                       gsize                     n_curves);
void lac_scheduler_clear(LacScheduler *scheduler);

/* Performs one step of the run. A method that diverges is set aside: @report names it and says why, in this step and in
 * the last, and the others continue. The outcome is finished when the last method has finished, and diverged when the
 * only one that is left has diverged, which is not counted as a step. Curves that come later are pending in @report. Returns: FALSE with an error if a method cannot
 * continue. */
gboolean lac_scheduler_step(LacScheduler *scheduler, LacStepReport *report, GError **error);

/* Returns TRUE when method @i has diverged: its estimate means nothing. */
gboolean lac_scheduler_has_failed(const LacScheduler *scheduler, guint i);

/* To be called after the last step's results are reported: a run whose first method, which gives the result, was set
 * aside has diverged. */
void lac_scheduler_conclude(const LacScheduler *scheduler, LacStepReport *report);

void     lac_scheduler_save(const LacScheduler *scheduler, LacStore *store);
gboolean lac_scheduler_load(LacScheduler *scheduler, const LacStore *store, GError **error);

/* Passes a changed live parameter to the method in slot @i. */
void lac_scheduler_retune(LacScheduler *scheduler, guint i, gconstpointer params);

G_END_DECLS
