/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analysis step of an ensemble Kalman filter with Gaussian localisation for fields on a uniform grid observed by point
 * sensors, with the weights of enkf-weights.h; anomalies are inflated first.
 * If the innovations far exceed what spread and noise explain, the anomalies are inflated to match them, so that a
 * diverged filter recovers (Wang, Bishop 2003, doi:10.1175/1520-0469(2003)060<1140:ACOBAE>2.0.CO;2). Unknown
 * parameters may augment the state; they are updated without localisation, with damping.
 * With a first-guess check, a value far from what the ensemble expects of it is left out: beyond a number of standard
 * deviations of spread and noise, as far as those explain the values of all sensors together (their median), so that a
 * filter that is wrong everywhere does not reject its way back.
 * Source: Evensen (2003), doi:10.1007/s10236-003-0036-9. */
#pragma once

#include "experiment/flow/methods/enkf-diagnostics.h"
#include "experiment/flow/methods/enkf-taper.h"
#include "experiment/flow/methods/enkf-weights.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize                  n_members;
  guint                  n_fields;
  LacTaperGrid           grid;
  const LacObservations *observations; /* only the sensors are used; borrowed */
  guint                  n_numbers;    /* number of unknown parameters that augment the state */
} LacEnsembleSettings;

typedef struct _LacEnsemble LacEnsemble;

LacEnsemble *lac_ensemble_new(const LacEnsembleSettings *settings);
void         lac_ensemble_free(LacEnsemble *ensemble);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnsemble, lac_ensemble_free)

/* Drops all members but the first @n >= 2, which keep the mean of all, of states and parameters. */
void lac_ensemble_reduce(LacEnsemble *ensemble, gsize n);

/* Return the members' states, [n_members][n_fields][ny][nx], and parameters, [n_members][n_numbers], for reading and
 * writing. */
double *lac_ensemble_get_members(LacEnsemble *ensemble);
double *lac_ensemble_get_numbers(LacEnsemble *ensemble);

typedef struct {
  LacEnkfKind   kind;
  double        inflation;      /* inflation factor of the field anomalies */
  double        most_inflation; /* upper bound of the adaptive inflation */
  double        localisation;   /* standard deviation of the taper, in the units of the positions */
  double        damping;        /* fraction of the update applied to the parameters, 0 ... 1 */
  const double *values;         /* [n_sensors]; NaN: missing */
  const double *deviations;     /* [n_sensors], > 0: noise that the filter assumes */
  double        first_guess;    /* standard deviations beyond which a value is left out; 0: none */
  const guint8 *distrusted;     /* (nullable): [n_sensors]: 1: left out whatever its value */
  LacEnkfDiagnostics *diagnostics;     /* (nullable): of the values used, updated */
  LacRng             *diagnostics_rng; /* for their ranks */
} LacAnalysis;

/* Updates the members. Draws numbers from @rng as lac_enkf_find_weights() does. Does not allocate. Returns: FALSE when
 * the covariance is not positive definite because the ensemble contains NaN. */
gboolean lac_ensemble_analyse(LacEnsemble *ensemble, const LacAnalysis *analysis, LacRng *rng);

/* Diagnostics of the last analysis. */
typedef struct {
  double
    chi_squared; /* mean of innovation^2 / (spread^2 + noise^2) before the analysis: 1 if calibrated */
  double inflation; /* applied inflation factor */
} LacInnovation;

LacInnovation lac_ensemble_get_innovation(const LacEnsemble *ensemble);

/* The last analysis, for ensembles of other times; valid until the next. */
typedef struct {
  gsize         n;         /* values used */
  const gsize  *seen;      /* [n]: their sensors */
  const double *anomalies; /* [n_members][n]: inflated, at the sensors, before the analysis */
  const double *weights;   /* [n][n_members] */
} LacEnsembleWeights;

LacEnsembleWeights lac_ensemble_get_weights(const LacEnsemble *ensemble);

/* Returns [n_sensors]: LAC_READING_* bits of the last analysis. */
enum {
  LAC_READING_LEFT_OUT = 1,
  LAC_READING_UNEXPECTED = 2, /* the first-guess check failed */
};
const guint8 *lac_ensemble_get_left_out(const LacEnsemble *ensemble);

/* Returns the ensemble mean, [n_fields][ny][nx], and the RMS deviation of the members from it. */
const double *lac_ensemble_get_mean(LacEnsemble *ensemble, double *spread);

/* @deviation: [n_fields][ny][nx]: standard deviation of the members per entry. */
void lac_ensemble_get_deviation(LacEnsemble *ensemble, double *deviation);

/* Return the memory held, and the floating-point operations per analysis: its products and the solve. */
gsize  lac_ensemble_get_bytes(const LacEnsemble *ensemble);
double lac_ensemble_get_flops(const LacEnsemble *ensemble);

G_END_DECLS
