/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analysis of a stochastic ensemble Kalman filter with Gaussian localisation, wrapped around the period, for velocity
 * fields on the periodic square [0, 2 pi]^2 seen at points:
 *   x_e += (L o P_xy) (L o P_yy + R)^-1 (y + eps_e - H x_e), anomalies inflated first.
 * Source: Burgers, van Leeuwen, Evensen (1998), doi:10.1175/1520-0493(1998)126<1719:ASITEK>2.0.CO;2; flow.md 4.7. */
#pragma once

#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacEnsemble LacEnsemble;

/* @places: [n_sensors] grid points, row-major in y, x; both velocity components are seen at each */
LacEnsemble *lac_ensemble_new(gsize n_members, gsize n_side, const gsize *places, gsize n_sensors);
void         lac_ensemble_free(LacEnsemble *ensemble);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnsemble, lac_ensemble_free)

/* The members' velocities, [n_members][2][n][n]: filled and read by the caller. */
double *lac_ensemble_get_members(LacEnsemble *ensemble);

typedef struct {
  double        inflation;    /* factor of the anomalies */
  double        localisation; /* length, radians */
  double        deviation;    /* of an observation as the filter believes it, > 0 */
  const double *values;       /* [2 * n_sensors]: u at all sensors, then v */
} LacObservation;

/* Updates the members. Draws 2 * n_sensors normal numbers a member. Does not allocate.
 * Returns: FALSE when the covariance is not positive definite: the ensemble holds a NaN. */
gboolean
lac_ensemble_analyse(LacEnsemble *ensemble, const LacObservation *observation, LacRng *rng);

/* Mean of the members, [2][n][n], and the rms of their deviations from it. */
const double *lac_ensemble_get_mean(LacEnsemble *ensemble, double *spread);

/* Memory held, and floating-point operations of one analysis: its two products and the solve. */
gsize  lac_ensemble_get_bytes(const LacEnsemble *ensemble);
double lac_ensemble_get_flops(const LacEnsemble *ensemble);

G_END_DECLS
