/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstruction methods: gappy POD, network, differentiable solver, ensemble Kalman filter, surrogate; one file
 * each. All receive the same problem with the same sensors, noise and training part, and never the truth. */
#pragma once

#include "experiment/curve.h"
#include "experiment/flow/observations.h"
#include "experiment/flow/scene.h"
#include "experiment/scheduler.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

#define LAC_RANK_BINS 12

/* Input of a method. Everything is borrowed and outlives the method. @grid has shape, times and training snapshots;
 * its observed part is NULL, so that no method can access the truth. */
typedef struct {
  const LacContext      *context;
  const LacCase         *subject;
  const LacTruth        *grid;
  const LacObservations *observations;
  const LacPod          *pod; /* POD modes of the training part; NULL: none */
} LacProblem;

/* Destination of requested estimates: [n][length of the truth]. */
typedef struct {
  double *fields, *deviations; /* @deviations: (nullable) */
} LacFieldValues;

typedef struct {
  LAC_SCHEDULED_METHOD
  gboolean gives_deviation; /* field() can return a standard deviation */
  gboolean needs_sensors;   /* cannot run without measurements */
  gboolean forecasts;       /* runs the scene's solver, so its time step is checked */
  gboolean needs_training;  /* needs the POD modes of training snapshots */
  gboolean in_double;       /* computes in double precision, also where single is chosen */

  /* (optional): returns TRUE when the method gives a deviation with these parameters; only called with
   * gives_deviation. */
  gboolean (*deviates)(gconstpointer params);
  /* (optional): checks conditions between parameters of scene and method. */
  gboolean (*check)(gconstpointer params, const LacCase *subject, GError **error);
  /* Estimates cost per step in seconds, cost of the set-up, and bytes held. @n_values: scalar measurements per time. */
  void (*estimate)(gconstpointer  params,
                   const LacCase *subject,
                   gsize          n_values,
                   LacEstimate   *result);
  /* Lists the curves of a run with these parameters; deterministic. Returns: their number. */
  gsize (*curves)(gconstpointer params, const LacCase *subject, LacCurve *curves);

  gpointer (*create)(gconstpointer params, const LacProblem *problem, GError **error);

  /* Computes the estimate at observation @k, [n_fields][ny][nx], with NaN for fields that the method does not
   * provide. @deviation: (nullable) (out): its standard deviation, NaN if not provided. May be called between any two
   * steps; does not change the method. */
  gboolean (*field)(gpointer method, gsize k, double *field, double *deviation, GError **error);

  /* (optional): starts the computation of the estimates at the @n observations @ks without waiting; @n is the same in each
   * call. @pending: (out): finished with LacFieldValues, which receive what field() would have returned at the time of the
   * request. Returns FALSE when the caller must use field() instead. One request at a time. */
  gboolean (*request)(gpointer method, const gsize *ks, gsize n, LacPending *pending);

  /* (optional): returns the number of observations, from the first, that have an estimate; the others are not scored
   * yet. NULL: all have one. */
  gsize (*reached)(gconstpointer method);

  /* (optional): returns the innovation statistic at observation @k, the mean of innovation^2 / (predicted variance +
   * noise^2): 1 if calibrated, NaN if nothing was observed or the observation has not been reached yet. */
  double (*innovation)(gpointer method, gsize k);
  /* (optional): computes @errors, [n_sensors]: each value at observation @k minus its prediction from the other
   * sensors; NaN if missing. */
  void (*leave_one_out)(gpointer method, gsize k, double *errors);

  /* (optional, both): the rank histogram of the readings among the members of an ensemble. ranked() returns TRUE when
   * the method counts it with these parameters. ranks() computes @shares, [LAC_RANK_BINS]: the share of the readings with
   * a rank in each bin, over that of a uniform distribution; NaN before the first. */
  gboolean (*ranked)(gconstpointer params);
  void (*ranks)(gconstpointer method, double *shares);
} LacFlowMethod;

const LacFlowMethod *const *lac_flow_methods(gsize *n_methods);

G_END_DECLS
