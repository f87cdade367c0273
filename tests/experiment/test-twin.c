/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The twin: its truth, what the training part alone decides, and observations that never change. */
#include "base/error.h"
#include "experiment/flow/twin.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_SNAPSHOTS 20
#define SIDE        16
#define N_SENSORS   3

typedef struct {
  LacContext      context;
  LacTwinSettings settings;
  guint           polls_left, n_reports;
  double          fraction;
} Bench;

static gboolean
is_cancelled(gpointer data)
{
  Bench *bench = data;

  if (bench->polls_left == 0)
    return TRUE;
  bench->polls_left--;
  return FALSE;
}

static void
note_progress(double fraction, const char *what, gpointer data)
{
  Bench *bench = data;

  g_assert_cmpfloat(fraction, >=, bench->fraction);
  g_assert_cmpfloat(fraction, <=, 1);
  g_assert_true(what && *what);
  bench->fraction = fraction;
  bench->n_reports++;
}

static void
bench_init(Bench *bench)
{
  g_autoptr(GError) error = NULL;

  memset(bench, 0, sizeof *bench);
  lac_device_open(&bench->context.device, "cpu", &error);
  g_assert_no_error(error);
  bench->context.pool = lac_pool_new(1);
  bench->context.seed = 3;
  bench->context.precision = "auto";
  bench->context.cancelled = is_cancelled;
  bench->context.progress = note_progress;
  bench->context.user_data = bench;
  bench->polls_left = G_MAXUINT;
  bench->settings = (LacTwinSettings){
    .flow = {.device = bench->context.device,
             .pool = bench->context.pool,
             .type = LAC_F64,
             .n = SIDE,
             .n_members = 1,
             .viscosity = 0.05,
             .forcing = 2,
             .time_step = 0.02},
    .spin_up = 0.5,
    .steps_between = 10,
    .n_snapshots = N_SNAPSHOTS,
    .n_sensors = N_SENSORS,
    .placement = LAC_PLACEMENT_QR,
    .noise = 0.1,
  };
}

static void
bench_clear(Bench *bench)
{
  lac_pool_free(bench->context.pool);
  lac_device_close(&bench->context.device);
}

static LacTwin *
make(Bench *bench)
{
  g_autoptr(GError) error = NULL;
  LacTwin          *twin = NULL;

  bench->fraction = 0;
  twin = lac_twin_new(&bench->settings, &bench->context, &error);
  g_assert_no_error(error);
  return twin;
}

/* Twelve of twenty train: mean and modes are those of the twelve, whatever the rest is. */
static void
test_training(void)
{
  Bench bench;

  bench_init(&bench);
  {
    g_autoptr(LacTwin) twin = make(&bench);
    g_autoptr(LacPod)  pod = lac_pod_new(twin->snapshots, 12, twin->n, 2 * N_SENSORS);

    g_assert_cmpuint(bench.n_reports, >=, N_SNAPSHOTS);
    g_assert_cmpuint(twin->n_training, ==, 12);
    g_assert_cmpuint(twin->n, ==, 2 * SIDE * SIDE);
    g_assert_cmpmem(pod->mean, twin->n * sizeof(double), twin->pod->mean, twin->n * sizeof(double));
    g_assert_true(lac_twin_get_truth(twin, 0) == twin->snapshots + 12 * twin->n);
    for (gsize k = 0; k < N_SENSORS; k++) {
      g_assert_cmpuint(twin->rows[k], ==, twin->places[k]);
      g_assert_cmpuint(twin->rows[N_SENSORS + k], ==, SIDE * SIDE + twin->places[k]);
    }
  }
  bench_clear(&bench);
}

/* From one snapshot to the next the flow goes on by its own equation. */
static void
test_truth(void)
{
  Bench bench;

  bench_init(&bench);
  {
    g_autoptr(LacTwin)            twin = make(&bench);
    g_autoptr(GError)             error = NULL;
    g_autoptr(LacVorticitySolver) solver = lac_vorticity_new(&bench.settings.flow, &error);
    g_autofree double            *velocity = g_new(double, twin->n);

    for (gsize k = 0; k + 1 < N_SNAPSHOTS; k += 6) {
      g_assert_true(lac_vorticity_set(solver, twin->snapshots + k * twin->n, &error));
      g_assert_true(lac_vorticity_advance(solver, 10, &error));
      g_assert_true(lac_vorticity_get(solver, velocity, &error));
      g_assert_cmpfloat(lac_relative_l2(velocity, twin->snapshots + (k + 1) * twin->n, twin->n), <,
                        1e-12);
    }
  }
  bench_clear(&bench);
}

static void
test_observations(void)
{
  Bench bench;

  bench_init(&bench);
  {
    g_autoptr(LacTwin) twin = make(&bench), again = make(&bench);
    double             first[8][2 * N_SENSORS];
    double             squares = 0;

    for (gsize k = 0; k < 8; k++)
      memcpy(first[k], lac_twin_observe(twin, k), sizeof first[k]);
    for (gsize k = 8; k-- > 0;) {
      g_assert_cmpmem(first[k], sizeof first[k], lac_twin_observe(twin, k), sizeof first[k]);
      g_assert_cmpmem(first[k], sizeof first[k], lac_twin_observe(again, k), sizeof first[k]);
      for (gsize i = 0; i < 2 * N_SENSORS; i++)
        squares += pow(
          (first[k][i] - lac_twin_get_truth(twin, k)[twin->rows[i]]) / (0.1 * twin->pod->rms), 2);
    }
    /* 48 squares of normal numbers: their mean is 1, five deviations of it are 5 sqrt(2 / 48) */
    g_assert_cmpfloat(fabs(squares / 48 - 1), <, 5 * sqrt(2.0 / 48));
  }
  bench_clear(&bench);
}

/* The truth is without error; the training mean has error 1. */
static void
test_error(void)
{
  Bench bench;

  bench_init(&bench);
  {
    g_autoptr(LacTwin) twin = make(&bench);

    for (gsize k = 0; k < 8; k++) {
      g_assert_cmpfloat(lac_twin_get_error(twin, lac_twin_get_truth(twin, k), k), ==, 0);
      g_assert_cmpfloat_with_epsilon(lac_twin_get_error(twin, twin->pod->mean, k), 1, 1e-14);
    }
  }
  bench_clear(&bench);
}

static void
assert_refused(Bench *bench, int code, const char *part)
{
  g_autoptr(GError)  error = NULL;
  g_autoptr(LacTwin) twin = NULL;

  bench->fraction = 0;
  twin = lac_twin_new(&bench->settings, &bench->context, &error);
  g_assert_null(twin);
  g_assert_error(error, LAC_ERROR, code);
  g_assert_nonnull(strstr(error->message, part));
}

static void
test_refused(void)
{
  Bench bench;

  bench_init(&bench);
  bench.polls_left = 5;
  assert_refused(&bench, LAC_ERROR_FAILED, "cancelled");
  bench.polls_left = G_MAXUINT;
  bench.settings.flow.time_step = 10;
  bench.settings.flow.viscosity = 1e-4;
  bench.settings.steps_between = 100;
  assert_refused(&bench, LAC_ERROR_OUT_OF_RANGE, "time_step is too long");
  bench_clear(&bench);
}

static void
test_placement(void)
{
  Bench bench;

  bench_init(&bench);
  bench.settings.placement = LAC_PLACEMENT_RANDOM;
  {
    g_autoptr(LacTwin) twin = make(&bench), again = make(&bench), other = NULL;
    const gsize        n_bytes = N_SENSORS * sizeof *twin->places;

    bench.context.seed = 4;
    other = make(&bench);
    g_assert_cmpmem(twin->places, n_bytes, again->places, n_bytes);
    g_assert_true(memcmp(twin->places, other->places, n_bytes) != 0);
  }
  bench_clear(&bench);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/twin/modes-know-the-training-part-alone", test_training);
  g_test_add_func("/experiment/twin/snapshots-follow-the-equation", test_truth);
  g_test_add_func("/experiment/twin/observations-are-the-same-whenever-asked", test_observations);
  g_test_add_func("/experiment/twin/the-error-is-relative-to-the-fluctuation", test_error);
  g_test_add_func("/experiment/twin/cancelled-or-diverged-is-refused-in-words", test_refused);
  g_test_add_func("/experiment/twin/random-places-follow-the-seed", test_placement);
  return g_test_run();
}
