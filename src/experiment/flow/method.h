/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A way of reconstructing: gappy POD, network, differentiable solver, ensemble Kalman filter, surrogate. All of them see the
 * same problem: the same sensors, the same noise, the same training part; none of them sees the truth. One file each. */
#pragma once

#include "experiment/curve.h"
#include "experiment/flow/observations.h"
#include "experiment/flow/scene.h"
#include "experiment/scheduler.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* What a method is given. Everything is borrowed and outlives the method. @grid carries shape, times and training
 * snapshots; its observed part is NULL here: a method cannot look at the answer. */
typedef struct {
  const LacContext      *context;
  const LacCase         *subject;
  const LacTruth        *grid;
  const LacObservations *observations;
  const LacPod          *pod; /* of the training part; NULL where there is none */
} LacProblem;

typedef struct {
  const char   *name;   /* "enkf" */
  const char   *title;  /* translatable */
  const char   *source; /* paper */
  LacParamTable params;
  gboolean      gives_deviation; /* field() can say how sure it is */
  gboolean      needs_sensors;   /* cannot work from the equation alone */
  gboolean      forecasts;       /* runs the scene's solver: its time step is judged */
  gboolean      needs_training;  /* works on the modes of earlier snapshots */
  gboolean
    processor_only; /* has nothing for a device to do: its numbers are few, or its sums its own */

  /* (optional): whether it can with these parameters, where gives_deviation. */
  gboolean (*deviates)(gconstpointer params);
  /* (optional): conditions between parameters of scene and method. */
  gboolean (*check)(gconstpointer params, const LacCase *subject, GError **error);
  /* Cost of one step in seconds, of the set-up, bytes held. @n_values: scalar measurements at a time. */
  void (*estimate)(gconstpointer  params,
                   const LacCase *subject,
                   gsize          n_values,
                   LacEstimate   *result);
  /* The curves of a run with these parameters; the same ones whenever it is asked. Returns: how many. */
  gsize (*curves)(gconstpointer params, const LacCase *subject, LacCurve *curves);

  gpointer (*create)(gconstpointer params, const LacProblem *problem, GError **error);
  void (*destroy)(gpointer method);
  gint64 (*n_steps)(gconstpointer method);
  gboolean (*step)(gpointer method, LacMethodReport *report, GError **error);
  /* (optional, both): as LacScheduledMethod's. */
  guint (*may_lag)(gconstpointer method);
  gboolean (*collect)(gpointer method, LacMethodReport *report, GError **error);

  /* What the method believes at observation @k, [n_fields][ny][nx], NaN for a field that it does not know; @deviation: (nullable)
   * (out): its standard deviation, NaN where it gives none. May be asked at any time between steps, and changes nothing. */
  gboolean (*field)(gpointer method, gsize k, double *field, double *deviation, GError **error);

  /* (optional, all): field() beside the computation. ask() begins with what is believed now at the observations @ks, the same
   * number of them each time, and waits for nothing; FALSE: field() has to be asked. Whether it is there; and, waiting where it is
   * not, what field() would have told then. Not asked again before it was there. */
  gboolean (*enqueue)(gpointer method, const gsize *ks, gsize n);
  gboolean (*is_here)(gpointer method);
  gboolean (*answer)(gpointer method, gsize k, double *field, double *deviation, GError **error);

  void (*save)(gpointer method, LacStore *store); /* the store is the method's own */
  gboolean (*load)(gpointer method, const LacStore *store, GError **error);
  /* (optional): how well it knew what it was to see at observation @k: the mean of innovation^2 / (its variance of what it
   * expected + noise^2); 1 where it is as sure as it should be, NaN where it saw nothing or has not come to it. */
  double (*innovation)(gpointer method, gsize k);
  /* (optional): @errors: [n_sensors]: each value at observation @k less what the other sensors alone say of it; NaN where it is
   * missing. */
  void (*leave_one_out)(gpointer method, gsize k, double *errors);

  /* (optional): a live parameter changed. */
  void (*retune)(gpointer method, gconstpointer params);
} LacFlowMethod;

const LacFlowMethod *const *lac_flow_methods(gsize *n_methods);

G_END_DECLS
