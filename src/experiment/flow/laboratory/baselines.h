/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates without data assimilation, and their errors over all observation times:
 *   a forecast from the last known state by the scene's solver,
 *   that state itself (persistence),
 *   the mean of the training part (climatology),
 *   the static reconstruction from POD modes at each time for itself.
 * The skill of a method is what it gains over the best of them, 1 - error / error of the best (Murphy 1988,
 * doi:10.1175/1520-0493(1988)116<2417:SSBOTM>2.0.CO;2, there with mean squares). The last known state is the initial
 * condition where the methods are given one, else the last snapshot of the training part, where that leads up to the
 * observations, measured at every point with the sensors' noise: known exactly, it would make any forecast by the model
 * that made the truth exact. */
#pragma once

#include "experiment/flow/laboratory/errors.h"
#include "experiment/flow/method.h"

G_BEGIN_DECLS

enum {
  LAC_BASELINE_FORECAST,
  LAC_BASELINE_PERSISTENCE,
  LAC_BASELINE_CLIMATOLOGY,
  LAC_BASELINE_STATIC_POD,
  LAC_N_BASELINES
};

typedef struct {
  const char *key, *label; /* label: translatable */
} LacBaselineRow;

extern const LacBaselineRow lac_baseline_rows[LAC_N_BASELINES];

typedef struct {
  double errors[LAC_N_BASELINES]; /* relative to the fluctuation; NaN: not available */
} LacBaselines;

/* Returns TRUE when the scene offers the baseline. */
gboolean lac_baselines_have(const LacCase *subject, guint baseline);

/* Measures those that the scene offers. @noise: of the sensors, relative to the fluctuation. @problem's grid is without
 * the observed part. Returns: FALSE with the error of the solver. A forecast that becomes non-finite has no error. */
gboolean lac_baselines_find(const LacProblem   *problem,
                            const LacErrorNorm *norm,
                            double              noise,
                            LacBaselines       *baselines,
                            GError            **error);

/* Returns 1 - @error over that of the best baseline. */
double lac_baselines_get_skill(const LacBaselines *baselines, double error);

G_END_DECLS
