/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analysis of a stochastic ensemble Kalman filter with Gaussian localisation (wrapped around where the grid is periodic)
 * for fields on a uniform grid seen through point sensors:
 *   x_e += (L o P_xy) (L o P_yy + R)^-1 (y + eps_e - H x_e), anomalies inflated first.
 * Where the innovations are far larger than spread and noise explain, the anomalies grow to explain them: a filter that has
 * lost the truth finds it again (Wang, Bishop 2003, doi:10.1175/1520-0469(2003)060<1140:ACOBAE>2.0.CO;2).
 * Unknown numbers of the equation may ride along; they are updated without localisation, damped.
 * Source: Burgers, van Leeuwen, Evensen (1998), doi:10.1175/1520-0493(1998)126<1719:ASITEK>2.0.CO;2. */
#pragma once

#include "base/rng.h"
#include "experiment/flow/observations.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize                  n_members;
  guint                  n_fields;
  gsize                  nx, ny;
  double                 lower[2], cell[2]; /* of the grid, in the units of the sensors' places */
  gboolean               periodic[2];
  const LacObservations *observations; /* of the sensors only; borrowed */
  guint                  n_numbers;    /* that ride along */
} LacEnsembleSettings;

typedef struct _LacEnsemble LacEnsemble;

LacEnsemble *lac_ensemble_new(const LacEnsembleSettings *settings);
void         lac_ensemble_free(LacEnsemble *ensemble);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnsemble, lac_ensemble_free)

/* The members' states, [n_members][n_fields][ny][nx], and numbers, [n_members][n_numbers]: filled and read by the caller. */
double *lac_ensemble_get_members(LacEnsemble *ensemble);
double *lac_ensemble_get_numbers(LacEnsemble *ensemble);

typedef struct {
  double inflation; /* factor of the anomalies of the fields */
  double
                most_inflation; /* up to which it grows where the innovations are larger than spread and noise explain */
  double        localisation; /* standard deviation of the taper, in the units of the places */
  double        damping;      /* share of the update that the numbers take, 0 ... 1 */
  const double *values;       /* [n_sensors]; NaN: not seen */
  const double *deviations;   /* [n_sensors] as the filter believes them, > 0 */
} LacAnalysis;

/* Updates the members. Draws one normal number a seen sensor and member. Does not allocate.
 * Returns: FALSE when the covariance is not positive definite: the ensemble holds a NaN. */
gboolean lac_ensemble_analyse(LacEnsemble *ensemble, const LacAnalysis *analysis, LacRng *rng);

/* Of the last analysis. */
typedef struct {
  double
         chi_squared; /* mean of innovation^2 / (spread^2 + noise^2) before it: 1 where the filter knows what it knows */
  double inflation; /* the factor that was taken */
} LacInnovation;

LacInnovation lac_ensemble_get_innovation(const LacEnsemble *ensemble);

/* Mean of the members, [n_fields][ny][nx], and the rms of their deviations from it. */
const double *lac_ensemble_get_mean(LacEnsemble *ensemble, double *spread);

/* @deviation: [n_fields][ny][nx]: standard deviation of the members at each number. */
void lac_ensemble_get_deviation(LacEnsemble *ensemble, double *deviation);

/* Memory held, and floating-point operations of one analysis: its products and the solve. */
gsize  lac_ensemble_get_bytes(const LacEnsemble *ensemble);
double lac_ensemble_get_flops(const LacEnsemble *ensemble);

G_END_DECLS
