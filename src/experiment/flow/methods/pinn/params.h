/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User parameters of the physics-informed network. */
#pragma once

#include "experiment/flow/methods/pinn/model.h"
#include "experiment/flow/methods/pinn/points.h"
#include "experiment/flow/methods/pinn/stages.h"
#include "experiment/flow/methods/pinn/weights.h"

G_BEGIN_DECLS

typedef struct {
  gint64 architecture, depth, width;
  gint64 fourier, frequencies, harmonics, anneal, mirror, rwf, last_layer;
  double fourier_scale;
  double scale_t, scale_x, scale_y;
  gint64 learn_scaling;
  gint64 points, condition_points, refresh, pool, rule, sampling;
  double rad_power, rad_offset;
  gint64 windows;
  gint64 term_weights, point_weights, weigh_every, balance_every;
  double causal, residual_weight, condition_weight, data_weight;
  gint64 adam_steps, first;
  double rate, decay, coefficient_rate;
  gint64 quasi_steps, quasi, transform;
  double target_loss;
  gint64 patience, watch;
  gint64 ensemble, held_out, coefficient_errors;
} LacPinnParams;

#define LAC_PINN_N_ROWS 46
extern const LacParam lac_pinn_rows[];

typedef enum {
  LAC_PINN_FOURIER_NONE,
  LAC_PINN_FOURIER_RANDOM, /* random frequencies over all axes together */
  LAC_PINN_FOURIER_AXES,   /* 1, 2, 4, ... added to each space coordinate */
} LacPinnFourier;

typedef enum {
  LAC_PINN_POINTS_RAD,     /* resampled by residual */
  LAC_PINN_POINTS_RAR,     /* half of them at first, the rest added where the residual is large */
  LAC_PINN_POINTS_UNIFORM, /* resampled uniformly */
  LAC_PINN_POINTS_FIXED,
} LacPinnPointsRule;

/* Fills in the network, with outputs unscaled; the caller scales them by the data, if there are any. */
void          lac_pinn_params_fill_model(const LacPinnParams *params, LacPinnModel *model);
LacPinnStages lac_pinn_params_get_stages(const LacPinnParams *params);

/* Checks conditions between parameters and with the case. Sets %LAC_ERROR_OUT_OF_RANGE. */
gboolean lac_pinn_params_check(gconstpointer params, const LacCase *subject, GError **error);

void lac_pinn_params_estimate(gconstpointer  params,
                              const LacCase *subject,
                              gsize          n_values,
                              LacEstimate   *result);

G_END_DECLS
