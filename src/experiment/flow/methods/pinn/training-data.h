/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data shared by the networks of an ensemble: the case, the magnitudes of its fields, the candidate points, and the sensors held out of
 * training, which calibrate the ensemble's standard deviation. */
#pragma once

#include "experiment/flow/method.h"
#include "experiment/flow/methods/pinn/params.h"

G_BEGIN_DECLS

typedef struct {
  LacPinnParams          params; /* the rate may change */
  LacContext             context;
  LacCase                subject;
  const LacTruth        *grid;         /* borrowed */
  const LacObservations *observations; /* borrowed; (nullable) */
  guint8                *held_out;     /* [n_stations] */
  LacPinnModel           model;
  LacPinnStages          stages;
  LacPinnProbe          *pool; /* residuals of candidates; NULL where none are chosen */
  gsize                  n_pool;
  double                *candidates;   /* [n_pool][n_axes] */
  double                *residuals;    /* [n_residuals][n_pool] */
  double                *sizes, *keys; /* [n_pool] */
  gsize                 *chosen;       /* [points] */
  gsize                 *order;        /* [most points sampled at once] */
  guint32                name_optimise, name_refresh;
} LacPinnTrainingData;

/* Returns: %NULL with an error; free with lac_pinn_training_data_free(). */
LacPinnTrainingData *
lac_pinn_training_data_new(const LacPinnParams *params, const LacProblem *problem, GError **error);
void lac_pinn_training_data_free(LacPinnTrainingData *training);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnTrainingData, lac_pinn_training_data_free)

/* @n of the candidates, as likely as training->sizes says (the norm of the residuals there, overwritten by weights). @x: (out): [n][n_axes] */
void lac_pinn_training_data_choose(LacPinnTrainingData *training, LacRng *rng, gsize n, double *x);

/* The held-out places at all times, as the axes of the equation have them. @x: (out) (nullable): [n][n_axes]. Returns: n */
gsize lac_pinn_held_points(const LacCase         *subject,
                           const LacObservations *observations,
                           const guint8          *held_out,
                           double                *x);

/* The factor s with sum e^2 = sum (s^2 d^2 + sigma^2) over what was seen there, e the mean's error and d the deviation; at least a
 * tenth. @mean, @deviation: [n_fields][n] at those points. Returns: 1 where nothing was held out. */
double lac_pinn_held_scale(const LacCase         *subject,
                           const LacObservations *observations,
                           const guint8          *held_out,
                           const double          *mean,
                           const double          *deviation);

G_END_DECLS
