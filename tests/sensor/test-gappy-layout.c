/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD beyond the posterior mean: least squares, sensors between grid points, missing values, deviations and the
 * quality of a layout, each against its definition or Monte Carlo. */
#include "base/error.h"
#include "base/rng.h"
#include "sensor/helpers/reconstruct.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N        60
#define N_VALUES 9

/* Makes complete modes: snapshots of rank @rank, with as many modes. */
static LacPod *
make_pod(gsize rank, gsize n_modes)
{
  const gsize        n_snapshots = 200;
  LacRng             rng = lac_rng(21, rank);
  g_autofree double *directions = g_new(double, rank *N);
  g_autofree double *snapshots = g_new0(double, n_snapshots *N);

  for (gsize i = 0; i < rank * N; i++)
    directions[i] = lac_rng_normal(&rng);
  for (gsize s = 0; s < n_snapshots; s++)
    for (gsize r = 0; r < rank; r++) {
      const double amplitude = lac_rng_normal(&rng) / (double) (r + 1);

      for (gsize j = 0; j < N; j++)
        snapshots[s * N + j] += 0.3 + amplitude * directions[r * N + j];
    }
  return lac_pod_new(snapshots, n_snapshots, N, n_modes);
}

/* Draws a field of the modes with the variances of the training coefficients. */
static void
draw_field(const LacPod *pod, LacRng *rng, double *field)
{
  memcpy(field, pod->mean, N * sizeof *field);
  for (gsize r = 0; r < pod->n_modes; r++) {
    const double a = pod->deviations[r] * lac_rng_normal(rng);

    for (gsize j = 0; j < N; j++)
      field[j] += a * pod->modes[r * N + j];
  }
}

static const LacStencil *
get_stencils(void)
{
  static LacStencil stencils[N_VALUES];

  for (gsize k = 0; k < N_VALUES; k++) {
    const double along = 0.1 * (double) k, up = 0.05 + 0.07 * (double) k;
    const gsize  at = (7 * k + 2) % (N - 12);

    stencils[k] = (LacStencil){
      {at, at + 1, at + 10, at + 11},
      {(1 - along) * (1 - up), along * (1 - up), (1 - along) * up, along * up},
    };
  }
  return stencils;
}

static LacGappySettings
make_settings(const LacPod *pod, LacGappyMethod method, double noise)
{
  return (LacGappySettings){
    .pod = pod,
    .stencils = get_stencils(),
    .n_values = N_VALUES,
    .noise = noise,
    .method = method,
  };
}

static void
measure(const double *field, double noise, LacRng *rng, double *values)
{
  const LacStencil *stencils = get_stencils();

  for (gsize k = 0; k < N_VALUES; k++) {
    values[k] = noise * lac_rng_normal(rng);
    for (gsize s = 0; s < LAC_STENCIL_SIZE; s++)
      values[k] += stencils[k].weights[s] * field[stencils[k].rows[s]];
  }
}

static LacGappy *
new_gappy(const LacGappySettings *settings)
{
  g_autoptr(GError) error = NULL;
  LacGappy         *gappy = lac_gappy_new_with(settings, &error);

  g_assert_no_error(error);
  return gappy;
}

static void
test_exact(void)
{
  g_autoptr(LacPod) pod = make_pod(6, 6);
  LacRng            rng = lac_rng(1, 1);

  for (int method = LAC_GAPPY_BAYES; method <= LAC_GAPPY_LEAST_SQUARES; method++) {
    const LacGappySettings settings = make_settings(pod, (LacGappyMethod) method, 1e-7);
    g_autoptr(LacGappy)    gappy = new_gappy(&settings);
    double                 field[N], found[N], values[N_VALUES];

    draw_field(pod, &rng, field);
    measure(field, 0, &rng, values);
    reconstruct(gappy, pod, values, found);
    for (gsize j = 0; j < N; j++)
      g_assert_cmpfloat_with_epsilon(found[j], field[j], 1e-10);
  }
}

/* The least-squares residual is orthogonal to the modes at the sensors, with each value weighted by its noise. */
static void
test_least_squares(void)
{
  g_autoptr(LacPod)   pod = make_pod(5, 5);
  LacGappySettings    settings = make_settings(pod, LAC_GAPPY_LEAST_SQUARES, 0);
  LacRng              rng = lac_rng(2, 2);
  double              noises[N_VALUES], values[N_VALUES], found[N], again[N_VALUES];
  g_autoptr(LacGappy) gappy = NULL;

  for (gsize k = 0; k < N_VALUES; k++) {
    noises[k] = 0.1 * (double) (1 + k % 3);
    values[k] = lac_rng_normal(&rng);
  }
  settings.noises = noises;
  gappy = new_gappy(&settings);
  reconstruct(gappy, pod, values, found);
  measure(found, 0, &rng, again);
  for (gsize r = 0; r < pod->n_modes; r++) {
    double seen[N_VALUES], sum = 0;

    measure(pod->modes + r * N, 0, &rng, seen);
    for (gsize k = 0; k < N_VALUES; k++)
      sum += seen[k] * (values[k] - again[k]) / (noises[k] * noises[k]);
    g_assert_cmpfloat_with_epsilon(sum, 0, 1e-9);
  }
}

/* A NaN does not change the reconstruction from the other sensors, for any set of missing values, repeatedly. */
static void
test_missing(void)
{
  g_autoptr(LacPod) pod = make_pod(12, 5);
  LacRng            rng = lac_rng(3, 3);

  for (int method = LAC_GAPPY_BAYES; method <= LAC_GAPPY_LEAST_SQUARES; method++) {
    const LacGappySettings settings = make_settings(pod, (LacGappyMethod) method, 0.1);
    g_autoptr(LacGappy)    gappy = new_gappy(&settings);

    for (gsize draw = 0; draw < 80; draw++) {
      LacStencil          kept[N_VALUES];
      LacGappySettings    fewer = settings;
      double              field[N], found[N], other[N], values[N_VALUES], left[N_VALUES];
      double              spread[N], other_spread[N];
      g_autoptr(LacGappy) without = NULL;

      draw_field(pod, &rng, field);
      measure(field, 0.1, &rng, values);
      fewer.n_values = 0;
      for (gsize k = 0; k < N_VALUES; k++) {
        if (lac_rng_uniform(&rng) < 0.4) {
          values[k] = k % 2 ? (double) NAN : (double) INFINITY;
          continue;
        }
        kept[fewer.n_values] = settings.stencils[k];
        left[fewer.n_values++] = values[k];
      }
      fewer.stencils = kept;
      without = new_gappy(&fewer);
      reconstruct(gappy, pod, values, found);
      reconstruct(without, pod, left, other);
      lac_gappy_get_deviation(gappy, values, NULL, spread);
      lac_gappy_get_deviation(without, NULL, NULL, other_spread);
      for (gsize j = 0; j < N; j++) {
        g_assert_cmpfloat_with_epsilon(found[j], other[j], 1e-9 * (1 + fabs(other[j])));
        g_assert_cmpfloat_with_epsilon(spread[j], other_spread[j], 1e-9 * (1 + other_spread[j]));
      }
    }
  }
}

static void
test_all_missing(void)
{
  g_autoptr(LacPod)      pod = make_pod(6, 6);
  const LacGappySettings settings = make_settings(pod, LAC_GAPPY_LEAST_SQUARES, 0.1);
  g_autoptr(LacGappy)    gappy = new_gappy(&settings);
  double                 values[N_VALUES], found[N];

  for (gsize k = 0; k < N_VALUES; k++)
    values[k] = (double) NAN;
  reconstruct(gappy, pod, values, found);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat(found[j], ==, pod->mean[j]);
}

/* Fields drawn from the prior, values with noise: the errors have the predicted variance, per entry and on average.
 * The mean square of n normal numbers has a standard deviation of sqrt(2 / n); the tolerance is five times that. */
static void
test_deviation(gconstpointer data)
{
  const LacGappyMethod   method = (LacGappyMethod) GPOINTER_TO_INT(data);
  const gsize            n_draws = 4000;
  const double           noise = 0.3, bound = 5 * sqrt(2.0 / (double) n_draws);
  g_autoptr(LacPod)      pod = make_pod(7, 7);
  const LacGappySettings settings = make_settings(pod, method, noise);
  g_autoptr(LacGappy)    gappy = new_gappy(&settings);
  g_autoptr(LacPool)     pool = lac_pool_new(2);
  LacRng                 rng = lac_rng(4, 4);
  double                 spread[N], shared[N], squares[N] = {0}, total = 0;
  LacLayoutQuality       quality;

  for (gsize draw = 0; draw < n_draws; draw++) {
    double field[N], found[N], values[N_VALUES];

    draw_field(pod, &rng, field);
    measure(field, noise, &rng, values);
    reconstruct(gappy, pod, values, found);
    for (gsize j = 0; j < N; j++)
      squares[j] += (found[j] - field[j]) * (found[j] - field[j]) / (double) n_draws;
  }
  lac_gappy_get_deviation(gappy, NULL, NULL, spread);
  lac_gappy_get_deviation(gappy, NULL, pool, shared);
  for (gsize j = 0; j < N; j++) {
    g_assert_cmpfloat_with_epsilon(squares[j] / (spread[j] * spread[j]), 1, bound);
    g_assert_cmpfloat(shared[j], ==, spread[j]);
    total += spread[j] * spread[j];
  }
  g_assert_true(lac_gappy_evaluate(&settings, &quality, NULL));
  g_assert_cmpfloat_with_epsilon(quality.expected_error * pod->rms * sqrt(N) / sqrt(total), 1,
                                 1e-9);
}

/* The truncated modes are part of the deviation. */
static void
test_truncated(void)
{
  g_autoptr(LacPod)      pod = make_pod(20, 4);
  const LacGappySettings settings = make_settings(pod, LAC_GAPPY_BAYES, 0.1);
  g_autoptr(LacGappy)    gappy = new_gappy(&settings);
  double                 spread[N];

  lac_gappy_get_deviation(gappy, NULL, NULL, spread);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat(spread[j], >=, pod->truncation[j]);
}

/* Compares with actually leaving the value out. */
static void
test_leave_one_out(void)
{
  g_autoptr(LacPod) pod = make_pod(12, 5);
  LacRng            rng = lac_rng(5, 5);

  for (int method = LAC_GAPPY_BAYES; method <= LAC_GAPPY_LEAST_SQUARES; method++) {
    const LacGappySettings settings = make_settings(pod, (LacGappyMethod) method, 0.1);
    g_autoptr(LacGappy)    gappy = new_gappy(&settings);
    double                 field[N], values[N_VALUES], errors[N_VALUES];

    draw_field(pod, &rng, field);
    measure(field, 0.1, &rng, values);
    values[4] = (double) NAN;
    lac_gappy_leave_one_out(gappy, values, errors);
    g_assert_true(isnan(errors[4]));
    for (gsize k = 0; k < N_VALUES; k++) {
      const double value = values[k];
      double       found[N], seen[N_VALUES];

      if (k == 4)
        continue;
      values[k] = (double) NAN;
      reconstruct(gappy, pod, values, found);
      measure(found, 0, &rng, seen);
      values[k] = value;
      g_assert_cmpfloat_with_epsilon(errors[k], value - seen[k], 1e-9);
    }
  }
}

/* Fields of the prior with the stated noise: the mean is 1. Fields of twice the deviations and noise: 4. */
static void
test_surprise(void)
{
  g_autoptr(LacPod)      pod = make_pod(5, 5);
  const LacGappySettings settings = make_settings(pod, LAC_GAPPY_BAYES, 0.1);
  g_autoptr(LacGappy)    gappy = new_gappy(&settings);
  LacRng                 rng = lac_rng(6, 5);

  for (guint factor = 1; factor <= 2; factor++) {
    double sum = 0;
    gsize  n = 0;

    for (guint draw = 0; draw < 2000; draw++) {
      double field[N], values[N_VALUES];

      draw_field(pod, &rng, field);
      for (gsize i = 0; i < N; i++)
        field[i] = pod->mean[i] + factor * (field[i] - pod->mean[i]);
      measure(field, 0.1 * factor, &rng, values);
      values[draw % N_VALUES] = (double) NAN;
      lac_gappy_add_surprise(gappy, values, &sum, &n);
    }
    g_assert_cmpuint(n, ==, 2000 * (N_VALUES - 1));
    g_assert_cmpfloat_with_epsilon(sum / (double) n, factor * factor, 0.06 * factor * factor);
  }
}

/* As many values as modes: least squares interpolates each value, the others do not determine it. */
static void
test_nothing_left(void)
{
  g_autoptr(LacPod)      pod = make_pod(12, N_VALUES);
  const LacGappySettings settings = make_settings(pod, LAC_GAPPY_LEAST_SQUARES, 0.1);
  g_autoptr(LacGappy)    gappy = new_gappy(&settings);
  double                 values[N_VALUES] = {0}, errors[N_VALUES];

  lac_gappy_leave_one_out(gappy, values, errors);
  for (gsize k = 0; k < N_VALUES; k++)
    g_assert_true(isnan(errors[k]));
}

/* Two sensors on unit columns of a two-mode basis: the singular values are known. */
static void
test_condition(void)
{
  double           mean[4] = {0}, truncation[4] = {0}, deviations[2] = {1, 1};
  double           modes[8] = {0.8, 0, 0, 0.6, 0, 0.5, sqrt(0.75), 0};
  const LacPod     pod = {4, 2, mean, modes, deviations, truncation, sqrt(0.5)};
  gsize            rows[2] = {0, 1};
  LacGappySettings settings = {.pod = &pod, .rows = rows, .n_values = 2, .noise = 0.1};
  LacLayoutQuality quality;

  g_assert_true(lac_gappy_evaluate(&settings, &quality, NULL));
  g_assert_cmpfloat_with_epsilon(quality.condition, 1.6, 1e-12);
  /* each coefficient of variance 1 is measured by one sensor with noise 0.1 */
  g_assert_cmpfloat_with_epsilon(quality.expected_error * sqrt(0.5),
                                 sqrt((1 / (1 + 64.0) + 1 / (1 + 25.0)) / 4), 1e-12);
  rows[1] = 0; /* two sensors at one position measure the same direction */
  g_assert_true(lac_gappy_evaluate(&settings, &quality, NULL));
  g_assert_true(isinf(quality.condition));
}

static void
test_noise(void)
{
  g_autoptr(LacPod)      pod = make_pod(6, 6);
  const LacGappySettings settings = make_settings(pod, LAC_GAPPY_BAYES, 0);
  g_autoptr(GError)      error = NULL;

  g_assert_null(lac_gappy_new_with(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/sensor/gappy-layout/sensors-between-points-are-exact-in-the-span", test_exact);
  g_test_add_func("/sensor/gappy-layout/least-squares-leaves-an-orthogonal-residual",
                  test_least_squares);
  g_test_add_func("/sensor/gappy-layout/a-missing-value-is-a-missing-sensor", test_missing);
  g_test_add_func("/sensor/gappy-layout/without-values-the-mean-remains", test_all_missing);
  g_test_add_data_func("/sensor/gappy-layout/bayes/deviations-are-those-of-many-draws",
                       GINT_TO_POINTER(LAC_GAPPY_BAYES), test_deviation);
  g_test_add_data_func("/sensor/gappy-layout/least-squares/deviations-are-those-of-many-draws",
                       GINT_TO_POINTER(LAC_GAPPY_LEAST_SQUARES), test_deviation);
  g_test_add_func("/sensor/gappy-layout/the-deviation-includes-what-the-modes-leave",
                  test_truncated);
  g_test_add_func("/sensor/gappy-layout/leaving-one-out-needs-no-second-solution",
                  test_leave_one_out);
  g_test_add_func("/sensor/gappy-layout/surprise-is-one-under-the-prior", test_surprise);
  g_test_add_func("/sensor/gappy-layout/the-last-witness-is-not-judged", test_nothing_left);
  g_test_add_func("/sensor/gappy-layout/condition-and-expected-error-of-unit-columns",
                  test_condition);
  g_test_add_func("/sensor/gappy-layout/noise-of-zero-is-refused", test_noise);
  return g_test_run();
}
