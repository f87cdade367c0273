/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter's analysis in double on the host: one small solve at the sensors, then one pass over the field in blocks
 * of points that stay in the cache, with two products each. */
#include "experiment/flow/methods/enkf-analysis.h"

#include "backend/dense.h"
#include "base/memory-part.h"

#include <math.h>
#include <string.h>

#define LEAST_TAPER   1e-3 /* of a value, to be used at a point */
#define LEAST_CHECKED 4    /* number of values from which their median is typical */

/* Points per block; BLOCK_VALUES: values of all members in a block, fewer than the second-level cache holds. */
enum { BLOCK_LEAST = 64, BLOCK_MOST = 512, BLOCK_VALUES = 1 << 15 };

struct _LacEnsemble {
  LacMemoryClaim      claim;
  LacEnsembleSettings settings;
  gsize               n;        /* values per member */
  gsize               n_points; /* of the grid */
  gsize               n_seen;   /* number of sensors observed in this analysis */
  gsize              *seen;     /* [n_sensors]: their indices */
  guint8             *left_out; /* [n_sensors]: LAC_READING_* */
  double       *surprise; /* [2][n_sensors]: squared innovations over their variances; scratch */
  gsize         n_block;  /* points per block */
  double       *members;  /* [n_members][n] */
  double       *numbers;  /* [n_members][n_numbers] */
  double       *mean;     /* [n] */
  double       *block;    /* [n_members][n_block]: anomalies, then states, of one block */
  double       *cross;    /* [n_block][n_seen] covariance of field and observations */
  double       *observed; /* [n_members][n_seen]: states, then anomalies, at the sensors */
  double       *observed_mean; /* [n_seen] */
  double       *number_cross;  /* [n_numbers][n_seen] */
  double       *covariance;    /* [n_seen][n_seen] */
  double       *weights;       /* [n_seen][n_members] */
  double       *values;        /* [n_seen]: measured */
  double       *noise;         /* [n_seen]: deviations of the seen values */
  double       *work;          /* of the weights */
  double       *point_taper;   /* [n_sensors] */
  double       *point_work;    /* of the transform of a point */
  LacEnkfTaper  taper;
  LacInnovation last;
};

LacEnsemble *
lac_ensemble_new(const LacEnsembleSettings *settings)
{
  LacEnsemble *ensemble = g_new0(LacEnsemble, 1);
  const gsize  n_members = settings->n_members, m = settings->observations->n_sensors;
  const gsize  n_stations = settings->observations->n_stations;

  ensemble->settings = *settings;
  ensemble->n_points = settings->grid.nx * settings->grid.ny;
  ensemble->n = settings->n_fields * ensemble->n_points;
  ensemble->seen = g_new0(gsize, m);
  ensemble->left_out = g_new0(guint8, m);
  ensemble->surprise = g_new0(double, 2 * m);
  ensemble->members = g_new0(double, n_members * ensemble->n);
  ensemble->numbers = g_new0(double, n_members *(settings->n_numbers + 1)); /* as it is saved */
  ensemble->mean = g_new0(double, ensemble->n);
  ensemble->n_block = CLAMP(BLOCK_VALUES / n_members / 8 * 8, BLOCK_LEAST, BLOCK_MOST);
  ensemble->block = g_new0(double, n_members * ensemble->n_block);
  ensemble->cross = g_new0(double, ensemble->n_block *m);
  ensemble->observed = g_new0(double, n_members *m);
  ensemble->observed_mean = g_new0(double, m);
  ensemble->number_cross = g_new0(double, settings->n_numbers *m + 1);
  ensemble->covariance = g_new0(double, m *m);
  ensemble->weights = g_new0(double, m *n_members);
  ensemble->values = g_new0(double, m + 1);
  ensemble->noise = g_new0(double, m + 1);
  G_STATIC_ASSERT(LAC_ENKF_WEIGHTS_WORK(1) >= LAC_ENKF_DIAGNOSTICS_WORK(1));
  ensemble->work = g_new0(double, LAC_ENKF_WEIGHTS_WORK(m));
  ensemble->point_taper = g_new0(double, m + 1);
  ensemble->point_work = g_new0(double, LAC_ENKF_TRANSFORM_WORK(m, n_members));
  lac_enkf_taper_init(&ensemble->taper, &settings->grid, settings->observations);
  lac_memory_claim(&ensemble->claim, LAC_MEMORY_STATES,
                   sizeof(double) * (n_members * (ensemble->n + ensemble->n_block + 2 * m) +
                                     (settings->grid.nx + settings->grid.ny) * n_stations + m * m));
  return ensemble;
}

void
lac_ensemble_free(LacEnsemble *ensemble)
{
  if (!ensemble)
    return;
  g_free(ensemble->seen);
  g_free(ensemble->left_out);
  g_free(ensemble->surprise);
  g_free(ensemble->members);
  g_free(ensemble->numbers);
  g_free(ensemble->mean);
  g_free(ensemble->block);
  g_free(ensemble->cross);
  g_free(ensemble->observed);
  g_free(ensemble->observed_mean);
  g_free(ensemble->number_cross);
  g_free(ensemble->covariance);
  g_free(ensemble->weights);
  g_free(ensemble->values);
  g_free(ensemble->noise);
  g_free(ensemble->work);
  g_free(ensemble->point_taper);
  g_free(ensemble->point_work);
  lac_enkf_taper_clear(&ensemble->taper);
  lac_memory_unclaim(&ensemble->claim);
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

static void
choose_seen(LacEnsemble *ensemble, const double *values)
{
  ensemble->n_seen = 0;
  for (gsize k = 0; k < ensemble->settings.observations->n_sensors; k++)
    if (isfinite(values[k]) && !ensemble->left_out[k])
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

/* Shifts the first @n of @n_members rows of @n_values to the mean of all. */
static void
shift_to_mean(double *rows, gsize n_members, gsize n_values, gsize n)
{
  for (gsize i = 0; i < n_values; i++) {
    double all = 0, kept = 0;

    for (gsize e = 0; e < n_members; e++)
      all += rows[e * n_values + i] / (double) n_members;
    for (gsize e = 0; e < n; e++)
      kept += rows[e * n_values + i] / (double) n;
    for (gsize e = 0; e < n; e++)
      rows[e * n_values + i] += all - kept;
  }
}

void
lac_ensemble_reduce(LacEnsemble *ensemble, gsize n)
{
  const gsize n_members = ensemble->settings.n_members;

  g_return_if_fail(n >= 2 && n <= n_members);
  shift_to_mean(ensemble->members, n_members, ensemble->n, n);
  shift_to_mean(ensemble->numbers, n_members, ensemble->settings.n_numbers, n);
  ensemble->settings.n_members = n;
}

/* Reads each sensor once per member. */
static void
read_sensors(LacEnsemble *ensemble)
{
  const gsize n_members = ensemble->settings.n_members, m = ensemble->n_seen;

  memset(ensemble->observed_mean, 0, m * sizeof *ensemble->observed_mean);
  for (gsize e = 0; e < n_members; e++)
    for (gsize k = 0; k < m; k++) {
      const double value =
        lac_sensor_read(sensor_at(ensemble, k), ensemble->members + e * ensemble->n);

      ensemble->observed[e * m + k] = value;
      ensemble->observed_mean[k] += value;
    }
  for (gsize k = 0; k < m; k++)
    ensemble->observed_mean[k] /= (double) n_members;
}

/* Returns the inflated variance of the members' values at the sensor. */
static double
get_variance(const LacEnsemble *ensemble, const LacAnalysis *analysis, gsize k)
{
  const gsize n_members = ensemble->settings.n_members;
  double      variance = 0;

  for (gsize e = 0; e < n_members; e++)
    variance += pow(ensemble->observed[e * ensemble->n_seen + k] - ensemble->observed_mean[k], 2) /
                (double) (n_members - 1);
  return variance * analysis->inflation * analysis->inflation;
}

/* Returns the upper median; @x is sorted by insertion, as few values as a sensor network has. */
static double
sort_to_median(double *x, gsize n)
{
  for (gsize i = 1; i < n; i++) {
    const double value = x[i];
    gsize        j = i;

    for (; j > 0 && x[j - 1] > value; j--)
      x[j] = x[j - 1];
    x[j] = value;
  }
  return x[n / 2];
}

static gboolean
is_distrusted(const LacAnalysis *analysis, gsize sensor)
{
  return analysis->distrusted && analysis->distrusted[sensor];
}

/* Fills @sorted with the squared innovations over their variances, of trusted sensors unless all are distrusted.
 * Returns: their number. */
static gsize
list_surprises(const LacEnsemble *ensemble, const LacAnalysis *analysis, double *sorted)
{
  gsize n = 0;

  for (guint pass = 0; pass < 2 && n == 0; pass++)
    for (gsize k = 0; k < ensemble->n_seen; k++)
      if (pass || !is_distrusted(analysis, ensemble->seen[k]))
        sorted[n++] = ensemble->surprise[k];
  return n;
}

/* Returns: TRUE when values were left out: those that are seen must be read again. */
static gboolean
check_first_guess(LacEnsemble *ensemble, const LacAnalysis *analysis)
{
  const double median_of_chi = 0.4549364; /* of chi-squared with one degree of freedom */
  const gsize  m = ensemble->n_seen;
  double      *sorted = ensemble->surprise + ensemble->settings.observations->n_sensors;
  gboolean     has_left_out = FALSE;

  if (analysis->first_guess == 0 || m < LEAST_CHECKED)
    return FALSE;
  for (gsize k = 0; k < m; k++) {
    const gsize at = ensemble->seen[k];

    ensemble->surprise[k] =
      pow(analysis->values[at] - ensemble->observed_mean[k], 2) /
      (get_variance(ensemble, analysis, k) + pow(analysis->deviations[at], 2));
  }
  const gsize  n = list_surprises(ensemble, analysis, sorted);
  const double typical = sort_to_median(sorted, n) / median_of_chi;
  for (gsize k = 0; k < m; k++) {
    const gsize    at = ensemble->seen[k];
    const gboolean fails = ensemble->surprise[k] > pow(analysis->first_guess, 2) * fmax(typical, 1);
    const gboolean is_left_out = fails || is_distrusted(analysis, at);

    ensemble->left_out[at] =
      (guint8) ((is_left_out ? LAC_READING_LEFT_OUT : 0) | (fails ? LAC_READING_UNEXPECTED : 0));
    has_left_out = has_left_out || is_left_out;
  }
  return has_left_out;
}

/* Computes the innovations against the ensemble mean, and the inflation factor needed to explain them. */
static LacInnovation
compare(const LacEnsemble *ensemble, const LacAnalysis *analysis)
{
  const double  beyond = 3; /* standard deviations of chi-squared with that many values */
  const gsize   m = ensemble->n_seen;
  double        squares = 0, variances = 0, noises = 0;
  LacInnovation result = {.inflation = analysis->inflation};

  for (gsize k = 0; k < m; k++) {
    const gsize  at = ensemble->seen[k];
    const double mean = ensemble->observed_mean[k];
    const double apart = analysis->values[at] - mean;
    const double noise = analysis->deviations[at] * analysis->deviations[at];
    const double variance = get_variance(ensemble, analysis, k);

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

/* Replaces the states at the sensors by their inflated anomalies. */
static void
inflate_observed(LacEnsemble *ensemble, double factor)
{
  const gsize m = ensemble->n_seen;

  for (gsize i = 0; i < ensemble->settings.n_members * m; i++)
    ensemble->observed[i] = (ensemble->observed[i] - ensemble->observed_mean[i % m]) * factor;
}

/* Computes the tapered covariance of the observations, and adds that of the noise. */
static void
find_covariance(LacEnsemble *ensemble, const double *deviations)
{
  const gsize  m = ensemble->n_seen, n_members = ensemble->settings.n_members;
  const gsize  n_stations = ensemble->settings.observations->n_stations;
  const double weight = 1 / (double) (n_members - 1);

  lac_dense_gemm(TRUE, FALSE, m, m, n_members, weight, ensemble->observed, m, ensemble->observed, m,
                 0, ensemble->covariance, m);
  for (gsize j = 0; j < m; j++) {
    const double deviation = deviations[ensemble->seen[j]];

    for (gsize k = 0; k < m; k++)
      ensemble->covariance[j * m + k] *=
        ensemble->taper
          .stations[sensor_at(ensemble, j)->station * n_stations + sensor_at(ensemble, k)->station];
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

/* Gathers the measured values of this analysis, and the noise assumed for them. */
static void
gather_readings(LacEnsemble *ensemble, const LacAnalysis *analysis)
{
  for (gsize k = 0; k < ensemble->n_seen; k++) {
    ensemble->values[k] = analysis->values[ensemble->seen[k]];
    ensemble->noise[k] = analysis->deviations[ensemble->seen[k]];
  }
}

static LacEnkfReadings
get_readings(const LacEnsemble *ensemble)
{
  return (LacEnkfReadings){
    .m = ensemble->n_seen,
    .n_members = ensemble->settings.n_members,
    .states = ensemble->observed,
    .mean = ensemble->observed_mean,
    .values = ensemble->values,
    .deviations = ensemble->noise,
  };
}

static gboolean
find_weights(LacEnsemble *ensemble, const LacAnalysis *analysis, LacRng *rng)
{
  const LacEnkfInput input = {
    .m = ensemble->n_seen,
    .n_members = ensemble->settings.n_members,
    .anomalies = ensemble->observed,
    .values = ensemble->values,
    .mean = ensemble->observed_mean,
    .deviations = ensemble->noise,
    .covariance = ensemble->covariance,
  };

  return lac_enkf_find_weights(analysis->kind, &input, rng, ensemble->work, ensemble->weights);
}

/* Loads the anomalies of @n points from @first on, inflated, and their mean. Members are copied because their rows may
 * be a power of two apart, where they evict one another from the cache. */
static void
load_block(LacEnsemble *ensemble, gsize first, gsize n, double factor)
{
  const gsize n_members = ensemble->settings.n_members;
  double     *mean = ensemble->mean + first;

  memset(mean, 0, n * sizeof *mean);
  for (gsize e = 0; e < n_members; e++) {
    const double *member = ensemble->members + e * ensemble->n + first;
    double       *block = ensemble->block + e * ensemble->n_block;

    for (gsize i = 0; i < n; i++) {
      block[i] = member[i];
      mean[i] += member[i];
    }
  }
  for (gsize i = 0; i < n; i++)
    mean[i] /= (double) n_members;
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      ensemble->block[e * ensemble->n_block + i] =
        (ensemble->block[e * ensemble->n_block + i] - mean[i]) * factor;
}

static void
taper_cross(LacEnsemble *ensemble, gsize first, gsize n)
{
  const gsize m = ensemble->n_seen;

  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      ensemble->cross[i * m + k] *= lac_enkf_taper_at(
        &ensemble->taper, (first + i) % ensemble->n_points, sensor_at(ensemble, k)->station);
}

/* Updates @n points from @first on with the weights of the innovations. */
static void
update_block(LacEnsemble *ensemble, gsize first, gsize n)
{
  const gsize n_members = ensemble->settings.n_members, m = ensemble->n_seen;
  const gsize row = ensemble->n_block;

  load_block(ensemble, first, n, ensemble->last.inflation);
  lac_dense_gemm(TRUE, FALSE, n, m, n_members, 1 / (double) (n_members - 1), ensemble->block, row,
                 ensemble->observed, m, 0, ensemble->cross, m);
  taper_cross(ensemble, first, n);
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      ensemble->block[e * row + i] += ensemble->mean[first + i];
  lac_dense_gemm(TRUE, TRUE, n_members, n, m, 1, ensemble->weights, n_members, ensemble->cross, m,
                 1, ensemble->block, row);
  for (gsize e = 0; e < n_members; e++)
    memcpy(ensemble->members + e * ensemble->n + first, ensemble->block + e * row,
           n * sizeof *ensemble->block);
}

/* Fills in the factors of the values near a point. */
static void
find_point_taper(LacEnsemble *ensemble, gsize point)
{
  for (gsize k = 0; k < ensemble->n_seen; k++) {
    const double taper =
      lac_enkf_taper_at(&ensemble->taper, point, sensor_at(ensemble, k)->station);

    ensemble->point_taper[k] = taper >= LEAST_TAPER ? taper : 0;
  }
}

/* Updates all fields at one point with its own transform. */
static gboolean
update_point(LacEnsemble *ensemble, const LacEnkfInput *input, gsize point)
{
  const gsize      n_members = ensemble->settings.n_members;
  LacEnkfTransform transform;

  find_point_taper(ensemble, point);
  if (!lac_enkf_find_transform(input, ensemble->point_taper, ensemble->point_work, &transform))
    return FALSE;
  for (guint f = 0; f < ensemble->settings.n_fields; f++) {
    double *values = ensemble->members + f * ensemble->n_points + point, mean = 0;

    for (gsize e = 0; e < n_members; e++)
      mean += values[e * ensemble->n] / (double) n_members;
    for (gsize e = 0; e < n_members; e++)
      ensemble->block[e] = (values[e * ensemble->n] - mean) * ensemble->last.inflation;
    mean += lac_enkf_apply_transform(&transform, ensemble->block, 1);
    for (gsize e = 0; e < n_members; e++)
      values[e * ensemble->n] = mean + ensemble->block[e];
  }
  return TRUE;
}

static gboolean
update_locally(LacEnsemble *ensemble)
{
  const LacEnkfInput input = {
    .m = ensemble->n_seen,
    .n_members = ensemble->settings.n_members,
    .anomalies = ensemble->observed,
    .values = ensemble->values,
    .mean = ensemble->observed_mean,
    .deviations = ensemble->noise,
  };

  for (gsize point = 0; point < ensemble->n_points; point++)
    if (!update_point(ensemble, &input, point))
      return FALSE;
  return TRUE;
}

gboolean
lac_ensemble_analyse(LacEnsemble *ensemble, const LacAnalysis *analysis, LacRng *rng)
{
  const gsize n = ensemble->n, n_members = ensemble->settings.n_members;
  const guint n_numbers = ensemble->settings.n_numbers;

  memset(ensemble->left_out, 0, ensemble->settings.observations->n_sensors);
  choose_seen(ensemble, analysis->values);
  ensemble->last = (LacInnovation){.chi_squared = NAN, .inflation = 1};
  if (ensemble->n_seen == 0)
    return TRUE;
  lac_enkf_taper_set_length(&ensemble->taper, analysis->localisation);
  read_sensors(ensemble);
  if (check_first_guess(ensemble, analysis)) {
    choose_seen(ensemble, analysis->values);
    read_sensors(ensemble);
  }
  const gsize           m = ensemble->n_seen;
  const LacEnkfReadings readings = get_readings(ensemble);
  gather_readings(ensemble, analysis);
  if (analysis->diagnostics)
    lac_enkf_diagnostics_rank(analysis->diagnostics, &readings, analysis->diagnostics_rng);
  ensemble->last = compare(ensemble, analysis);
  inflate_observed(ensemble, ensemble->last.inflation);
  find_covariance(ensemble, analysis->deviations);
  find_number_covariances(ensemble);
  if (!is_finite(ensemble))
    return FALSE;
  if (analysis->diagnostics)
    lac_enkf_diagnostics_add(analysis->diagnostics, &readings, ensemble->covariance,
                             ensemble->work);
  if (!find_weights(ensemble, analysis, rng))
    return FALSE;
  if (analysis->kind == LAC_ENKF_LOCAL && !update_locally(ensemble))
    return FALSE;
  for (gsize first = 0; first < n && analysis->kind != LAC_ENKF_LOCAL; first += ensemble->n_block)
    update_block(ensemble, first, MIN(ensemble->n_block, n - first));
  for (gsize e = 0; e < n_members; e++)
    for (guint p = 0; p < n_numbers; p++)
      for (gsize k = 0; k < m; k++)
        ensemble->numbers[e * n_numbers + p] += analysis->damping *
                                                ensemble->number_cross[p * m + k] *
                                                ensemble->weights[k * n_members + e];
  return TRUE;
}

LacEnsembleWeights
lac_ensemble_get_weights(const LacEnsemble *ensemble)
{
  return (LacEnsembleWeights){
    .n = ensemble->n_seen,
    .seen = ensemble->seen,
    .anomalies = ensemble->observed,
    .weights = ensemble->weights,
  };
}

const guint8 *
lac_ensemble_get_left_out(const LacEnsemble *ensemble)
{
  return ensemble->left_out;
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

  return sizeof(double) * (ensemble->n * (n_members + 1) + ensemble->n_block * (n_members + m) +
                           2 * n_members * m + m * m +
                           (ensemble->settings.grid.nx + ensemble->settings.grid.ny) *
                             ensemble->settings.observations->n_stations);
}

double
lac_ensemble_get_flops(const LacEnsemble *ensemble)
{
  const double n = (double) ensemble->n;
  const double m = (double) ensemble->settings.observations->n_sensors;
  const double n_members = (double) ensemble->settings.n_members;

  return 4 * n * m * n_members + 2 * m * m * n_members + m * m * m / 3 + 2 * m * m * n_members;
}
