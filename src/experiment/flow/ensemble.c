/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter's analysis in double on the host: two products with 2K columns, one small solve. */
#include "experiment/flow/ensemble.h"

#include "backend/dense.h"

#include <math.h>
#include <string.h>

struct _LacEnsemble {
  gsize   n_members, n_side, n_sensors;
  gsize   n;          /* numbers a member: 2 n_side^2 */
  gsize   n_values;   /* 2 n_sensors */
  gsize  *rows;       /* [n_values] of a member */
  gsize  *places;     /* [n_sensors] */
  double *members;    /* [n_members][n] */
  double *mean;       /* [n] */
  double *anomalies;  /* [n_members][n] */
  double *observed;   /* [n_members][n_values] anomalies at the sensors */
  double *cross;      /* [n][n_values] covariance of field and observations */
  double *covariance; /* [n_values][n_values] */
  double *innovation; /* [n_values][n_members] */
  double *taper;      /* [n_side^2][n_sensors] */
  double *axis_taper; /* [n_side] by cells apart */
  double  taper_length;
};

LacEnsemble *
lac_ensemble_new(gsize n_members, gsize n_side, const gsize *places, gsize n_sensors)
{
  LacEnsemble *ensemble = g_new0(LacEnsemble, 1);
  const gsize  n_points = n_side * n_side;

  ensemble->n_members = n_members;
  ensemble->n_side = n_side;
  ensemble->n_sensors = n_sensors;
  ensemble->n = 2 * n_points;
  ensemble->n_values = 2 * n_sensors;
  ensemble->places = g_memdup2(places, n_sensors * sizeof *places);
  ensemble->rows = g_new(gsize, ensemble->n_values);
  for (gsize k = 0; k < n_sensors; k++) {
    ensemble->rows[k] = places[k];
    ensemble->rows[n_sensors + k] = n_points + places[k];
  }
  ensemble->members = g_new0(double, n_members * ensemble->n);
  ensemble->mean = g_new0(double, ensemble->n);
  ensemble->anomalies = g_new0(double, n_members * ensemble->n);
  ensemble->observed = g_new0(double, n_members * ensemble->n_values);
  ensemble->cross = g_new0(double, ensemble->n * ensemble->n_values);
  ensemble->covariance = g_new0(double, ensemble->n_values * ensemble->n_values);
  ensemble->innovation = g_new0(double, ensemble->n_values *n_members);
  ensemble->taper = g_new0(double, n_points *n_sensors);
  ensemble->axis_taper = g_new0(double, n_side);
  return ensemble;
}

void
lac_ensemble_free(LacEnsemble *ensemble)
{
  if (!ensemble)
    return;
  g_free(ensemble->places);
  g_free(ensemble->rows);
  g_free(ensemble->members);
  g_free(ensemble->mean);
  g_free(ensemble->anomalies);
  g_free(ensemble->observed);
  g_free(ensemble->cross);
  g_free(ensemble->covariance);
  g_free(ensemble->innovation);
  g_free(ensemble->taper);
  g_free(ensemble->axis_taper);
  g_free(ensemble);
}

double *
lac_ensemble_get_members(LacEnsemble *ensemble)
{
  return ensemble->members;
}

/* The Gaussian wrapped around a period of 2 pi, 1 at distance 0. Cutting it at half the period instead leaves a kink, and
 * with it negative eigenvalues: many sensors would then make the tapered covariance indefinite. Beyond the longest
 * length it is 1 to rounding. */
static double
wrapped_gaussian(double distance, double length)
{
  const int    n_images = 12; /* the last lies 8 standard deviations away for the longest length */
  const double longest = 9;   /* exp(-longest^2 / 2) is what varies there */
  double       sum = 0, at_zero = 0;

  if (length >= longest)
    return 1;
  for (int image = -n_images; image <= n_images; image++) {
    const double apart = distance + 2 * G_PI * image, shift = 2 * G_PI * image;

    sum += exp(-apart * apart / (2 * length * length));
    at_zero += exp(-shift * shift / (2 * length * length));
  }
  return sum / at_zero;
}

/* Cells from @b to @a along an axis of @n, as an index into the taper of one axis. */
static gsize
steps_between(gsize a, gsize b, gsize n)
{
  return (a + n - b) % n;
}

static void
make_taper(LacEnsemble *ensemble, double length)
{
  const gsize n = ensemble->n_side;

  if (ensemble->taper_length == length)
    return;
  ensemble->taper_length = length;
  for (gsize i = 0; i < n; i++)
    ensemble->axis_taper[i] = wrapped_gaussian(2 * G_PI * (double) i / (double) n, length);
  for (gsize i = 0; i < n * n; i++)
    for (gsize k = 0; k < ensemble->n_sensors; k++) {
      const gsize place = ensemble->places[k];

      ensemble->taper[i * ensemble->n_sensors + k] =
        ensemble->axis_taper[steps_between(i % n, place % n, n)] *
        ensemble->axis_taper[steps_between(i / n, place / n, n)];
    }
}

static void
find_mean(LacEnsemble *ensemble)
{
  memset(ensemble->mean, 0, ensemble->n * sizeof *ensemble->mean);
  for (gsize e = 0; e < ensemble->n_members; e++)
    for (gsize i = 0; i < ensemble->n; i++)
      ensemble->mean[i] += ensemble->members[e * ensemble->n + i];
  for (gsize i = 0; i < ensemble->n; i++)
    ensemble->mean[i] /= (double) ensemble->n_members;
}

static void
inflate(LacEnsemble *ensemble, double factor)
{
  find_mean(ensemble);
  for (gsize e = 0; e < ensemble->n_members; e++) {
    double *member = ensemble->members + e * ensemble->n;
    double *anomaly = ensemble->anomalies + e * ensemble->n;

    for (gsize i = 0; i < ensemble->n; i++) {
      anomaly[i] = (member[i] - ensemble->mean[i]) * factor;
      member[i] = ensemble->mean[i] + anomaly[i];
    }
    for (gsize k = 0; k < ensemble->n_values; k++)
      ensemble->observed[e * ensemble->n_values + k] = anomaly[ensemble->rows[k]];
  }
}

/* Tapered covariances of observations with observations and of the field with observations. */
static void
find_covariances(LacEnsemble *ensemble, double variance)
{
  const gsize  n = ensemble->n, m = ensemble->n_values, n_sensors = ensemble->n_sensors;
  const gsize  n_points = n / 2;
  const double weight = 1 / (double) (ensemble->n_members - 1);

  lac_dense_gemm(TRUE, FALSE, m, m, ensemble->n_members, weight, ensemble->observed, m,
                 ensemble->observed, m, 0, ensemble->covariance, m);
  lac_dense_gemm(TRUE, FALSE, n, m, ensemble->n_members, weight, ensemble->anomalies, n,
                 ensemble->observed, m, 0, ensemble->cross, m);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      ensemble->cross[i * m + k] *= ensemble->taper[i % n_points * n_sensors + k % n_sensors];
  for (gsize j = 0; j < m; j++) {
    const gsize place = ensemble->places[j % n_sensors];

    for (gsize k = 0; k < m; k++)
      ensemble->covariance[j * m + k] *= ensemble->taper[place * n_sensors + k % n_sensors];
    ensemble->covariance[j * m + j] += variance;
  }
}

/* A Cholesky factorisation need not notice a NaN. */
static gboolean
is_finite(const LacEnsemble *ensemble)
{
  for (gsize k = 0; k < ensemble->n_values; k++)
    if (!isfinite(ensemble->covariance[k * ensemble->n_values + k]))
      return FALSE;
  return TRUE;
}

static void
draw_innovations(LacEnsemble *ensemble, const LacObservation *observation, LacRng *rng)
{
  for (gsize e = 0; e < ensemble->n_members; e++)
    for (gsize k = 0; k < ensemble->n_values; k++)
      ensemble->innovation[k * ensemble->n_members + e] =
        observation->values[k] + observation->deviation * lac_rng_normal(rng) -
        ensemble->members[e * ensemble->n + ensemble->rows[k]];
}

gboolean
lac_ensemble_analyse(LacEnsemble *ensemble, const LacObservation *observation, LacRng *rng)
{
  const gsize n = ensemble->n, m = ensemble->n_values, n_members = ensemble->n_members;

  make_taper(ensemble, observation->localisation);
  inflate(ensemble, observation->inflation);
  find_covariances(ensemble, observation->deviation * observation->deviation);
  draw_innovations(ensemble, observation, rng);
  if (!is_finite(ensemble) ||
      !lac_dense_cholesky_solve(ensemble->covariance, m, ensemble->innovation, n_members))
    return FALSE;
  lac_dense_gemm(TRUE, TRUE, n_members, n, m, 1, ensemble->innovation, n_members, ensemble->cross,
                 m, 1, ensemble->members, n);
  return TRUE;
}

const double *
lac_ensemble_get_mean(LacEnsemble *ensemble, double *spread)
{
  double squares = 0;

  find_mean(ensemble);
  for (gsize e = 0; e < ensemble->n_members; e++)
    for (gsize i = 0; i < ensemble->n; i++) {
      const double apart = ensemble->members[e * ensemble->n + i] - ensemble->mean[i];

      squares += apart * apart;
    }
  *spread = sqrt(squares / (double) ((ensemble->n_members - 1) * ensemble->n));
  return ensemble->mean;
}

gsize
lac_ensemble_get_bytes(const LacEnsemble *ensemble)
{
  const gsize m = ensemble->n_values, n_members = ensemble->n_members;

  return sizeof(double) * (ensemble->n * (2 * n_members + 1 + m) + 2 * n_members * m + m * m +
                           ensemble->n / 2 * ensemble->n_sensors);
}

double
lac_ensemble_get_flops(const LacEnsemble *ensemble)
{
  const double n = (double) ensemble->n, m = (double) ensemble->n_values;
  const double n_members = (double) ensemble->n_members;

  return 4 * n * m * n_members + 2 * m * m * n_members + m * m * m / 3 + 2 * m * m * n_members;
}
