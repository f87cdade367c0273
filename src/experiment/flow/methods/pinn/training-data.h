/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data shared by the networks of an ensemble: case, field magnitudes, candidate points, and the sensors held out of
 * training to calibrate the ensemble's standard deviation. */
#pragma once

#include "experiment/flow/method.h"
#include "experiment/flow/methods/pinn/loss.h"
#include "experiment/flow/methods/pinn/params.h"

G_BEGIN_DECLS

typedef struct {
  LacPinnParams          params; /* only the rate may change */
  LacContext             context;
  LacCase                subject;
  const LacTruth        *grid;         /* borrowed */
  const LacObservations *observations; /* borrowed; (nullable) */
  guint8                *held_out;     /* [n_stations] */
  LacPinnModel           model;
  LacPinnStages          stages;
  LacPinnProbe *pool; /* residuals of candidates; NULL unless points are selected by residual */
  gsize         n_pool;
  double       *candidates;   /* [n_pool][n_axes] */
  double       *residuals;    /* [n_residuals][n_pool] */
  double       *sizes, *keys; /* [n_pool] */
  gsize        *chosen;       /* [points] */
  gsize        *order;        /* [largest number of points sampled at once] */
  guint32       name_optimise, name_refresh;
} LacPinnTrainingData;

/* Returns: %NULL with an error; free with lac_pinn_training_data_free(). */
LacPinnTrainingData *
lac_pinn_training_data_new(const LacPinnParams *params, const LacProblem *problem, GError **error);
void lac_pinn_training_data_free(LacPinnTrainingData *training);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnTrainingData, lac_pinn_training_data_free)

/* Returns the settings of the loss of every member. */
LacPinnLossSettings lac_pinn_training_data_get_loss(const LacPinnTrainingData *training);

/* Draws @n of the candidates with weights from training->sizes (residual norms, overwritten by the weights). @x:
 * (out): [n][n_axes] */
void lac_pinn_training_data_choose(LacPinnTrainingData *training, LacRng *rng, gsize n, double *x);

/* Lists the held-out positions at all times, in the equation's axes. @x: (out) (nullable): [n][n_axes]. Returns: n */
gsize lac_pinn_held_points(const LacCase         *subject,
                           const LacObservations *observations,
                           const guint8          *held_out,
                           double                *x);

/* Returns the factor s with sum e^2 = sum (s^2 d^2 + sigma^2) over the held-out measurements, but at least 0.1, or 1
 * if nothing was held out: e is the error of the mean, d the deviation, sigma the standard deviation of the noise.
 * @mean, @deviation: [n_fields][n] at the points of lac_pinn_held_points() */
double lac_pinn_held_scale(const LacCase         *subject,
                           const LacObservations *observations,
                           const guint8          *held_out,
                           const double          *mean,
                           const double          *deviation);

G_END_DECLS
