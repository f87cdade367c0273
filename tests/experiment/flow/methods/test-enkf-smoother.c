/* SPDX-License-Identifier: GPL-3.0-or-later */
/* If nothing moves between two observations, an ensemble that was kept from the first and smoothed by the second is
 * the filter's own ensemble after the second, with any taper. */
#include "experiment/flow/methods/enkf-smoother.h"

#include <glib.h>

#include <math.h>
#include <string.h>

enum { SIDE = 20, POINTS = SIDE * SIDE, N = 2 * POINTS, MEMBERS = 9, STATIONS = 3, SENSORS = 6 };

#define LENGTH          1.3
#define FLOAT_PRECISION 2e-5

typedef struct {
  LacObservations *observations;
  LacEnsemble     *ensemble;
  LacEnkfSmoother *smoother;
  LacPool         *pool;
  LacRng           rng;
  double           means[8 * N], deviations[8 * N];
} Twin;

static LacObservations *
place_sensors(void)
{
  static const gsize places[STATIONS] = {3, 7 * SIDE + 11, 15 * SIDE + 19};
  LacObservations   *observations = lac_observations_new(SENSORS, STATIONS, 1);

  for (gsize k = 0; k < SENSORS; k++) {
    const gsize station = k % STATIONS, place = places[station];

    observations->stations[2 * station] = 2 * G_PI / SIDE * (double) (place % SIDE);
    observations->stations[2 * station + 1] = 2 * G_PI / SIDE * (double) (place / SIDE);
    observations->sensors[k] =
      (LacSensor){.rows = {k / STATIONS * POINTS + place}, .weights = {1}, .station = station};
  }
  return observations;
}

static LacEnsembleSettings
make_settings(const Twin *twin)
{
  return (LacEnsembleSettings){
    .n_members = MEMBERS,
    .n_fields = 2,
    .grid = {.nx = SIDE,
             .ny = SIDE,
             .cell = {2 * G_PI / SIDE, 2 * G_PI / SIDE},
             .periodic = {TRUE, TRUE}},
    .observations = twin->observations,
  };
}

static LacEnkfSmoother *
new_smoother(const Twin *twin, gsize lag)
{
  g_autoptr(GError)         error = NULL;
  const LacEnsembleSettings settings = make_settings(twin);
  LacEnkfSmoother          *smoother = lac_enkf_smoother_new(&settings, lag, twin->pool, &error);

  g_assert_no_error(error);
  return smoother;
}

static void
twin_init(Twin *twin, gsize lag)
{
  *twin = (Twin){.observations = place_sensors(), .pool = lac_pool_new(2), .rng = lac_rng(5, 1)};
  const LacEnsembleSettings settings = make_settings(twin);

  twin->ensemble = lac_ensemble_new(&settings);
  twin->smoother = new_smoother(twin, lag);
  for (gsize i = 0; i < MEMBERS * N; i++)
    lac_ensemble_get_members(twin->ensemble)[i] = 3 + lac_rng_normal(&twin->rng);
}

static void
twin_clear(Twin *twin)
{
  lac_enkf_smoother_free(twin->smoother);
  lac_ensemble_free(twin->ensemble);
  lac_observations_free(twin->observations);
  lac_pool_free(twin->pool);
}

/* Analyses observation @k, smooths what was kept before, and keeps. */
static void
observe(Twin *twin, gsize k)
{
  double            values[SENSORS], deviations[SENSORS], spread;
  const LacAnalysis analysis = {.kind = k % 2 ? LAC_ENKF_SQUARE_ROOT : LAC_ENKF_STOCHASTIC,
                                .inflation = 1,
                                .localisation = LENGTH,
                                .values = values,
                                .deviations = deviations};

  for (gsize i = 0; i < SENSORS; i++) {
    values[i] = 3 + lac_rng_normal(&twin->rng);
    deviations[i] = 0.5;
  }
  values[k % SENSORS] = NAN;
  g_assert_true(lac_ensemble_analyse(twin->ensemble, &analysis, &twin->rng));
  memcpy(twin->means + k * N, lac_ensemble_get_mean(twin->ensemble, &spread), N * sizeof(double));
  const LacEnsembleWeights weights = lac_ensemble_get_weights(twin->ensemble);
  lac_enkf_smoother_update(twin->smoother, k, &weights, LENGTH, twin->means, twin->deviations);
  lac_ensemble_get_deviation(twin->ensemble, twin->deviations + k * N);
  lac_enkf_smoother_keep(twin->smoother, k, lac_ensemble_get_members(twin->ensemble));
}

static void
assert_same(const Twin *twin, gsize j, gsize k)
{
  for (gsize i = 0; i < N; i++) {
    g_assert_cmpfloat_with_epsilon(twin->means[j * N + i], twin->means[k * N + i], FLOAT_PRECISION);
    g_assert_cmpfloat_with_epsilon(twin->deviations[j * N + i], twin->deviations[k * N + i],
                                   FLOAT_PRECISION);
  }
}

static void
test_stillness(void)
{
  Twin twin;

  twin_init(&twin, 3);
  for (gsize k = 0; k < 6; k++) {
    observe(&twin, k);
    for (gsize j = k > 3 ? k - 3 : 0; j < k; j++)
      assert_same(&twin, j, k);
  }
  /* beyond the lag nothing is corrected any more */
  double apart = 0;
  for (gsize i = 0; i < N; i++)
    apart = fmax(apart, fabs(twin.means[i] - twin.means[5 * N + i]));
  g_assert_cmpfloat(apart, >, 0.05);
  twin_clear(&twin);
}

/* The first members of kept ensembles and filter are still the same, so that the identity goes on to hold. */
static void
test_reduce(void)
{
  Twin twin;

  twin_init(&twin, 4);
  observe(&twin, 0);
  observe(&twin, 1);
  lac_ensemble_reduce(twin.ensemble, 5);
  lac_enkf_smoother_reduce(twin.smoother, 5);
  observe(&twin, 2);
  observe(&twin, 3);
  for (gsize j = 0; j < 3; j++)
    assert_same(&twin, j, 3);
  twin_clear(&twin);
}

static void
test_checkpoint(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  LacVisit            restored = {.from = store, .error = &error};
  Twin                one, other;

  twin_init(&one, 3);
  twin_init(&other, 3);
  for (gsize k = 0; k < 5; k++) {
    observe(&one, k);
    observe(&other, k);
  }
  lac_enkf_smoother_visit(one.smoother, 5, &(LacVisit){.to = store});
  lac_enkf_smoother_free(one.smoother);
  one.smoother = new_smoother(&one, 3);
  lac_enkf_smoother_visit(one.smoother, 5, &restored);
  g_assert_false(restored.has_failed);
  g_assert_no_error(error);
  observe(&one, 5);
  observe(&other, 5);
  g_assert_cmpmem(one.means, sizeof one.means, other.means, sizeof other.means);
  twin_clear(&one);
  twin_clear(&other);
}

/* The mean of all members survives the loss of some. */
static void
test_mean_of_all(void)
{
  double before[N], spread;
  Twin   twin;

  twin_init(&twin, 2);
  memcpy(before, lac_ensemble_get_mean(twin.ensemble, &spread), sizeof before);
  lac_ensemble_reduce(twin.ensemble, 4);
  const double *after = lac_ensemble_get_mean(twin.ensemble, &spread);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon(after[i], before[i], 1e-12);
  twin_clear(&twin);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/enkf-smoother/in-stillness-the-past-is-the-present", test_stillness);
  g_test_add_func("/experiment/enkf-smoother/it-follows-a-smaller-ensemble", test_reduce);
  g_test_add_func("/experiment/enkf-smoother/a-checkpoint-goes-on-bit-by-bit", test_checkpoint);
  g_test_add_func("/experiment/enkf-smoother/fewer-members-keep-the-mean-of-all", test_mean_of_all);
  return g_test_run();
}
