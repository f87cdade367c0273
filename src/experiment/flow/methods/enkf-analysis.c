/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter's analysis in double on the host: two products with 2K columns, one small solve. */
#include "experiment/flow/methods/enkf-analysis.h"

#include "backend/dense.h"

#include <math.h>
#include <string.h>

struct _LacEnsemble {
  LacEnsembleSettings settings;
  gsize               n;             /* values per member */
  gsize               n_points;      /* of the grid */
  gsize               n_seen;        /* number of sensors observed in this analysis */
  gsize              *seen;          /* [n_sensors]: their indices */
  double             *members;       /* [n_members][n] */
  double             *numbers;       /* [n_members][n_numbers] */
  double             *mean;          /* [n] */
  double             *anomalies;     /* [n_members][n] */
  double             *observed;      /* [n_members][n_seen] anomalies at the sensors */
  double             *cross;         /* [n][n_seen] covariance of field and observations */
  double             *number_cross;  /* [n_numbers][n_seen] */
  double             *covariance;    /* [n_seen][n_seen] */
  double             *innovation;    /* [n_seen][n_members] */
  double             *taper;         /* [n_points][n_stations] */
  double             *axis_taper;    /* [n_stations][nx + ny] */
  double             *station_taper; /* [n_stations][n_stations] */
  double              taper_length;
  LacInnovation       last;
};

LacEnsemble *
lac_ensemble_new(const LacEnsembleSettings *settings)
{
  LacEnsemble *ensemble = g_new0(LacEnsemble, 1);
  const gsize  n_members = settings->n_members, m = settings->observations->n_sensors;
  const gsize  n_stations = settings->observations->n_stations;

  ensemble->settings = *settings;
  ensemble->n_points = settings->nx * settings->ny;
  ensemble->n = settings->n_fields * ensemble->n_points;
  ensemble->seen = g_new0(gsize, m);
  ensemble->members = g_new0(double, n_members * ensemble->n);
  ensemble->numbers = g_new0(double, n_members * settings->n_numbers + 1);
  ensemble->mean = g_new0(double, ensemble->n);
  ensemble->anomalies = g_new0(double, n_members * ensemble->n);
  ensemble->observed = g_new0(double, n_members *m);
  ensemble->cross = g_new0(double, ensemble->n *m);
  ensemble->number_cross = g_new0(double, settings->n_numbers *m + 1);
  ensemble->covariance = g_new0(double, m *m);
  ensemble->innovation = g_new0(double, m *n_members);
  ensemble->taper = g_new0(double, ensemble->n_points *n_stations);
  ensemble->axis_taper = g_new0(double, settings->nx + settings->ny);
  ensemble->station_taper = g_new0(double, n_stations *n_stations);
  return ensemble;
}

void
lac_ensemble_free(LacEnsemble *ensemble)
{
  if (!ensemble)
    return;
  g_free(ensemble->seen);
  g_free(ensemble->members);
  g_free(ensemble->numbers);
  g_free(ensemble->mean);
  g_free(ensemble->anomalies);
  g_free(ensemble->observed);
  g_free(ensemble->cross);
  g_free(ensemble->number_cross);
  g_free(ensemble->covariance);
  g_free(ensemble->innovation);
  g_free(ensemble->taper);
  g_free(ensemble->axis_taper);
  g_free(ensemble->station_taper);
  g_free(ensemble);
}

double *
lac_ensemble_get_members(LacEnsemble *ensemble)
{
  return ensemble->members;
}

double *
lac_ensemble_get_numbers(LacEnsemble *ensemble)
{
  return ensemble->numbers;
}

/* Returns the Gaussian with period 2 pi, 1 at distance 0. Truncation at half the period would leave a kink and
 * therefore negative eigenvalues: with many sensors the tapered covariance would be indefinite. Beyond the longest
 * length it is 1 up to rounding. */
static double
wrapped_gaussian(double distance, double length)
{
  const int    n_images = 12; /* the last is 8 standard deviations away for the longest length */
  const double longest = 9;   /* its variation is then of the order exp(-longest^2 / 2) */
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

/* Returns the taper for a separation of @apart along @axis; on periodic axes lengths are scaled to a period of 2 pi. */
static double
taper_along(const LacEnsemble *ensemble, guint axis, double apart, double length)
{
  const LacEnsembleSettings *settings = &ensemble->settings;
  const gsize                n = axis == 0 ? settings->nx : settings->ny;
  const double               scale = 2 * G_PI / ((double) n * settings->cell[axis]);

  if (n == 1)
    return 1;
  if (settings->periodic[axis])
    return wrapped_gaussian(remainder(apart * scale, 2 * G_PI), length * scale);
  return exp(-apart * apart / (2 * length * length));
}

static void
make_taper(LacEnsemble *ensemble, double length)
{
  const LacEnsembleSettings *settings = &ensemble->settings;
  const gsize                nx = settings->nx, ny = settings->ny;
  const gsize                n_stations = settings->observations->n_stations;
  const double              *stations = settings->observations->stations;
  double                    *along_x = ensemble->axis_taper, *along_y = along_x + nx;

  if (ensemble->taper_length == length)
    return;
  ensemble->taper_length = length;
  for (gsize k = 0; k < n_stations; k++) {
    const double *place = stations + 2 * k;

    for (gsize x = 0; x < nx; x++)
      along_x[x] = taper_along(
        ensemble, 0, settings->lower[0] + (double) x * settings->cell[0] - place[0], length);
    for (gsize y = 0; y < ny; y++)
      along_y[y] = taper_along(
        ensemble, 1, settings->lower[1] + (double) y * settings->cell[1] - place[1], length);
    for (gsize i = 0; i < nx * ny; i++)
      ensemble->taper[i * n_stations + k] = along_x[i % nx] * along_y[i / nx];
    for (gsize other = 0; other < n_stations; other++)
      ensemble->station_taper[k * n_stations + other] =
        taper_along(ensemble, 0, stations[2 * other] - place[0], length) *
        taper_along(ensemble, 1, stations[2 * other + 1] - place[1], length);
  }
}

static void
choose_seen(LacEnsemble *ensemble, const double *values)
{
  ensemble->n_seen = 0;
  for (gsize k = 0; k < ensemble->settings.observations->n_sensors; k++)
    if (isfinite(values[k]))
      ensemble->seen[ensemble->n_seen++] = k;
}

static const LacSensor *
sensor_at(const LacEnsemble *ensemble, gsize k)
{
  return &ensemble->settings.observations->sensors[ensemble->seen[k]];
}

static void
find_mean(LacEnsemble *ensemble)
{
  memset(ensemble->mean, 0, ensemble->n * sizeof *ensemble->mean);
  for (gsize e = 0; e < ensemble->settings.n_members; e++)
    for (gsize i = 0; i < ensemble->n; i++)
      ensemble->mean[i] += ensemble->members[e * ensemble->n + i];
  for (gsize i = 0; i < ensemble->n; i++)
    ensemble->mean[i] /= (double) ensemble->settings.n_members;
}

/* Computes the innovations against the ensemble mean, reading each sensor once per member, and the inflation factor
 * needed to explain them. */
static LacInnovation
compare(LacEnsemble *ensemble, const LacAnalysis *analysis)
{
  const double  beyond = 3; /* standard deviations of chi-squared with that many values */
  const gsize   n_members = ensemble->settings.n_members, m = ensemble->n_seen;
  double        squares = 0, variances = 0, noises = 0;
  LacInnovation result = {.inflation = analysis->inflation};

  for (gsize k = 0; k < m; k++) {
    const gsize      at = ensemble->seen[k];
    const LacSensor *sensor = sensor_at(ensemble, k);
    const double     mean = lac_sensor_read(sensor, ensemble->mean);
    const double     apart = analysis->values[at] - mean;
    const double     noise = analysis->deviations[at] * analysis->deviations[at];
    double           variance = 0;

    for (gsize e = 0; e < n_members; e++)
      variance += pow(lac_sensor_read(sensor, ensemble->members + e * ensemble->n) - mean, 2) /
                  (double) (n_members - 1);
    variance *= analysis->inflation * analysis->inflation;
    result.chi_squared += apart * apart / (variance + noise) / (double) m;
    squares += apart * apart;
    variances += variance;
    noises += noise;
  }
  if (result.chi_squared > 1 + beyond * sqrt(2 / (double) m) && variances > 0)
    result.inflation *= sqrt(MAX(1, (squares - noises) / variances));
  result.inflation = CLAMP(result.inflation, analysis->inflation,
                           MAX(analysis->inflation, analysis->most_inflation));
  return result;
}

static void
inflate(LacEnsemble *ensemble, double factor)
{
  for (gsize e = 0; e < ensemble->settings.n_members; e++) {
    double *member = ensemble->members + e * ensemble->n;
    double *anomaly = ensemble->anomalies + e * ensemble->n;

    for (gsize i = 0; i < ensemble->n; i++) {
      anomaly[i] = (member[i] - ensemble->mean[i]) * factor;
      member[i] = ensemble->mean[i] + anomaly[i];
    }
    for (gsize k = 0; k < ensemble->n_seen; k++)
      ensemble->observed[e * ensemble->n_seen + k] =
        lac_sensor_read(sensor_at(ensemble, k), anomaly);
  }
}

/* Computes the tapered covariances between observations and between field and observations. */
static void
find_covariances(LacEnsemble *ensemble, const double *deviations)
{
  const gsize  n = ensemble->n, m = ensemble->n_seen, n_members = ensemble->settings.n_members;
  const gsize  n_stations = ensemble->settings.observations->n_stations;
  const double weight = 1 / (double) (n_members - 1);

  lac_dense_gemm(TRUE, FALSE, m, m, n_members, weight, ensemble->observed, m, ensemble->observed, m,
                 0, ensemble->covariance, m);
  lac_dense_gemm(TRUE, FALSE, n, m, n_members, weight, ensemble->anomalies, n, ensemble->observed,
                 m, 0, ensemble->cross, m);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      ensemble->cross[i * m + k] *=
        ensemble->taper[i % ensemble->n_points * n_stations + sensor_at(ensemble, k)->station];
  for (gsize j = 0; j < m; j++) {
    const double deviation = deviations[ensemble->seen[j]];

    for (gsize k = 0; k < m; k++)
      ensemble->covariance[j * m + k] *=
        ensemble->station_taper[sensor_at(ensemble, j)->station * n_stations +
                                sensor_at(ensemble, k)->station];
    ensemble->covariance[j * m + j] += deviation * deviation;
  }
}

/* Computes the covariances of parameters and observations, not tapered: parameters have no position. */
static void
find_number_covariances(LacEnsemble *ensemble)
{
  const gsize  m = ensemble->n_seen, n_members = ensemble->settings.n_members;
  const guint  n_numbers = ensemble->settings.n_numbers;
  const double weight = 1 / (double) (n_members - 1);

  for (guint p = 0; p < n_numbers; p++) {
    double mean = 0;

    for (gsize e = 0; e < n_members; e++)
      mean += ensemble->numbers[e * n_numbers + p] / (double) n_members;
    for (gsize k = 0; k < m; k++) {
      double sum = 0;

      for (gsize e = 0; e < n_members; e++)
        sum += (ensemble->numbers[e * n_numbers + p] - mean) * ensemble->observed[e * m + k];
      ensemble->number_cross[p * m + k] = weight * sum;
    }
  }
}

/* Checks explicitly, because a Cholesky factorisation may not detect NaN. */
static gboolean
is_finite(const LacEnsemble *ensemble)
{
  for (gsize k = 0; k < ensemble->n_seen; k++)
    if (!isfinite(ensemble->covariance[k * ensemble->n_seen + k]))
      return FALSE;
  return TRUE;
}

static void
draw_innovations(LacEnsemble *ensemble, const LacAnalysis *analysis, LacRng *rng)
{
  const gsize n_members = ensemble->settings.n_members;

  for (gsize e = 0; e < n_members; e++)
    for (gsize k = 0; k < ensemble->n_seen; k++) {
      const gsize sensor = ensemble->seen[k];

      ensemble->innovation[k * n_members + e] =
        analysis->values[sensor] + analysis->deviations[sensor] * lac_rng_normal(rng) -
        lac_sensor_read(sensor_at(ensemble, k), ensemble->members + e * ensemble->n);
    }
}

gboolean
lac_ensemble_analyse(LacEnsemble *ensemble, const LacAnalysis *analysis, LacRng *rng)
{
  const gsize n = ensemble->n, n_members = ensemble->settings.n_members;
  const guint n_numbers = ensemble->settings.n_numbers;
  gsize       m;

  choose_seen(ensemble, analysis->values);
  m = ensemble->n_seen;
  ensemble->last = (LacInnovation){.chi_squared = NAN, .inflation = 1};
  if (m == 0)
    return TRUE;
  make_taper(ensemble, analysis->localisation);
  find_mean(ensemble);
  ensemble->last = compare(ensemble, analysis);
  inflate(ensemble, ensemble->last.inflation);
  find_covariances(ensemble, analysis->deviations);
  find_number_covariances(ensemble);
  draw_innovations(ensemble, analysis, rng);
  if (!is_finite(ensemble) ||
      !lac_dense_cholesky_solve(ensemble->covariance, m, ensemble->innovation, n_members))
    return FALSE;
  lac_dense_gemm(TRUE, TRUE, n_members, n, m, 1, ensemble->innovation, n_members, ensemble->cross,
                 m, 1, ensemble->members, n);
  for (gsize e = 0; e < n_members; e++)
    for (guint p = 0; p < n_numbers; p++)
      for (gsize k = 0; k < m; k++)
        ensemble->numbers[e * n_numbers + p] += analysis->damping *
                                                ensemble->number_cross[p * m + k] *
                                                ensemble->innovation[k * n_members + e];
  return TRUE;
}

LacInnovation
lac_ensemble_get_innovation(const LacEnsemble *ensemble)
{
  return ensemble->last;
}

const double *
lac_ensemble_get_mean(LacEnsemble *ensemble, double *spread)
{
  double squares = 0;

  find_mean(ensemble);
  for (gsize e = 0; e < ensemble->settings.n_members; e++)
    for (gsize i = 0; i < ensemble->n; i++) {
      const double apart = ensemble->members[e * ensemble->n + i] - ensemble->mean[i];

      squares += apart * apart;
    }
  *spread = sqrt(squares / (double) ((ensemble->settings.n_members - 1) * ensemble->n));
  return ensemble->mean;
}

void
lac_ensemble_get_deviation(LacEnsemble *ensemble, double *deviation)
{
  const gsize n_members = ensemble->settings.n_members;

  find_mean(ensemble);
  for (gsize i = 0; i < ensemble->n; i++)
    deviation[i] = 0;
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < ensemble->n; i++) {
      const double apart = ensemble->members[e * ensemble->n + i] - ensemble->mean[i];

      deviation[i] += apart * apart / (double) (n_members - 1);
    }
  for (gsize i = 0; i < ensemble->n; i++)
    deviation[i] = sqrt(deviation[i]);
}

gsize
lac_ensemble_get_bytes(const LacEnsemble *ensemble)
{
  const gsize m = ensemble->settings.observations->n_sensors;
  const gsize n_members = ensemble->settings.n_members;

  return sizeof(double) * (ensemble->n * (2 * n_members + 1 + m) + 2 * n_members * m + m * m +
                           ensemble->n_points * ensemble->settings.observations->n_stations);
}

double
lac_ensemble_get_flops(const LacEnsemble *ensemble)
{
  const double n = (double) ensemble->n;
  const double m = (double) ensemble->settings.observations->n_sensors;
  const double n_members = (double) ensemble->settings.n_members;

  return 4 * n * m * n_members + 2 * m * m * n_members + m * m * m / 3 + 2 * m * m * n_members;
}
