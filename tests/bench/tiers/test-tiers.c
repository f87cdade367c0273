/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark tiers: every phase produces its rows, and qualities are the same in every process. */
#include "base/error.h"
#include "bench/tiers/ablation.h"
#include "bench/tiers/bench.h"
#include "helpers/sanitized.h"
#include "report/bench/names.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static const LacBenchTier tiny = {"tiny", 16, 4, 10, 5, 100, 100, 100, 1e12};

static gboolean
measure(const char *only, guint n_rounds, LacBenchFile *file, GError **error)
{
  const LacBenchTier    *tiers[] = {&tiny};
  const LacBenchSettings settings = {
    .tiers = tiers, .n_tiers = 1, .n_threads = 1, .n_rounds = n_rounds, .only = only};

  return lac_bench_measure(&settings, file, error);
}

/* The window offers the tiers and laboratories that are measured. */
static void
test_names(void)
{
  gsize                     n;
  const LacBenchTier       *tiers = lac_bench_tiers(&n);
  const LacBenchLaboratory *laboratories;

  g_assert_cmpuint(n, ==, g_strv_length((GStrv) lac_bench_tier_keys));
  for (gsize i = 0; i < n; i++)
    g_assert_cmpstr(tiers[i].name, ==, lac_bench_tier_keys[i]);
  laboratories = lac_bench_laboratories(&n);
  g_assert_cmpuint(n, ==, g_strv_length((GStrv) lac_bench_laboratory_keys));
  for (gsize i = 0; i < n; i++)
    g_assert_cmpstr(laboratories[i].name, ==, lac_bench_laboratory_keys[i]);
}

static const LacBenchRow *
assert_row(const LacBenchFile *file, const char *metric, guint n, gboolean is_relative)
{
  const LacBenchRow *row = lac_bench_file_find(file, "flow/tiny", metric);

  g_assert_nonnull(row);
  g_assert_cmpuint(row->samples->len, ==, n);
  g_assert_cmpuint(row->relative->len, ==, is_relative ? n : 0);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpfloat(g_array_index(row->samples, double, i), >, 0);
    g_assert_true(isfinite(g_array_index(row->samples, double, i)));
  }
  return row;
}

static void
test_steps(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;
  const LacBenchRow      *step, *forward, *backward, *loss;

  g_assert_true(measure("/step", 2, file, &error));
  g_assert_no_error(error);
  step = assert_row(file, "step_seconds", 2, TRUE);
  forward = assert_row(file, "forward_seconds", 2, TRUE);
  backward = assert_row(file, "backward_seconds", 2, TRUE);
  assert_row(file, "setup_seconds", 2, TRUE);
  assert_row(file, "training_peak_resident_bytes", 2, FALSE);
  loss = assert_row(file, "pinn.loss", 2, FALSE);
  g_assert_cmpfloat(g_array_index(loss->samples, double, 0), ==,
                    g_array_index(loss->samples, double, 1));
  /* both are within the step by the recorder's clock; 5 % for the calibration of its ticks */
  g_assert_cmpfloat(lac_bench_row_median(forward) + lac_bench_row_median(backward), <=,
                    1.05 * lac_bench_row_median(step));
  g_assert_true(lac_bench_file_passes(file));
}

static void
test_sensors(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;

  g_assert_true(measure("sensor_selection", 1, file, &error));
  g_assert_no_error(error);
  assert_row(file, "sensor_selection_seconds", 1, TRUE);
  assert_row(file, "sensor_selection_peak_resident_bytes", 1, FALSE);
  g_assert_null(lac_bench_file_find(file, "flow/tiny", "step_seconds"));
}

/* Switches produce their rows, and the result is the same without the optimisation: bitwise where the same kernels
 * compute in the same order, else within the row's rounding tolerance. */
static void
test_ablation(void)
{
  static const struct {
    const char *name;
    gboolean    is_same;
  } switches[] = {
    {"graph_replay", TRUE},
    {"threads", TRUE},
#if !TEST_IS_SANITIZED
    {"tiles", FALSE},
    {"fused_layers", FALSE},
    {"imaging_threads", TRUE},
    {"content_cache", TRUE},
    {"fft_plans", FALSE},
    {"imaging_mask_cache", TRUE},
    {"imaging_measurement_cache", TRUE},
    {"imaging_small_detector", FALSE},
    {"imaging_fft_plans", FALSE},
    {"imaging_fused_metrics", TRUE},
#endif
  };
  const LacBenchTier     *tiers[] = {&tiny};
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++) {
    const LacBenchSettings settings = {
      .tiers = tiers, .n_tiers = 1, .n_threads = 1, .n_rounds = 1, .only = switches[i].name};
    g_autofree char   *name = g_strconcat("ablation/tiny/", switches[i].name, NULL);
    const LacBenchRow *speedup, *difference;

    g_assert_true(lac_bench_ablate(&settings, file, &error));
    g_assert_no_error(error);
    speedup = lac_bench_file_find(file, name, "speedup");
    difference = lac_bench_file_find(file, name, "difference");
    g_assert_cmpfloat(lac_bench_row_median(speedup), >, 0);
    g_assert_nonnull(speedup->note);
    g_assert_true(lac_bench_row_passes(difference));
    if (switches[i].is_same)
      g_assert_cmpfloat(lac_bench_row_median(difference), ==, 0);
  }
  g_assert_nonnull(lac_bench_file_find(file, "ablation/imaging_grid_cache", "speedup")->note);
}

/* Each operation of an iteration has a row, and both variants reach the same energy: bitwise where the same kernels
 * compute in the same order. */
static void
test_quantum(void)
{
  static const struct {
    const char *name;
    gboolean    is_same;
  } switches[] = {
    {"quantum_threads", TRUE},
#if !TEST_IS_SANITIZED
    {"quantum_laplacian", FALSE},
    {"quantum_batching", FALSE},
    {"quantum_fused_kernels", FALSE},
    {"quantum_precision", FALSE},
#endif
  };
  static const char *const operations[] = {"train", "mcmc", "energy_gradient", "optimiser",
                                           "forward"};
  const LacBenchTier      *tiers[] = {&tiny};
  g_autoptr(LacBenchFile)  file = lac_bench_file_new();
  g_autoptr(GError)        error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++) {
    const LacBenchSettings settings = {
      .tiers = tiers, .n_tiers = 1, .n_threads = 1, .n_rounds = 1, .only = switches[i].name};
    g_autofree char   *train = g_strconcat("ablation/tiny/", switches[i].name, "/train", NULL);
    const LacBenchRow *difference;

    g_assert_true(lac_bench_ablate(&settings, file, &error));
    g_assert_no_error(error);
    for (gsize k = 0; k < G_N_ELEMENTS(operations); k++) {
      g_autofree char *name =
        g_strconcat("ablation/tiny/", switches[i].name, "/", operations[k], NULL);

      g_assert_cmpfloat(lac_bench_row_median(lac_bench_file_find(file, name, "speedup")), >, 0);
      g_assert_cmpfloat(lac_bench_row_median(lac_bench_file_find(file, name, "with_seconds")), >,
                        0);
    }
    difference = lac_bench_file_find(file, train, "difference");
    g_assert_cmpfloat(difference->limit, >, 0);
    g_assert_true(lac_bench_row_passes(difference));
    if (switches[i].is_same)
      g_assert_cmpfloat(lac_bench_row_median(difference), ==, 0);
  }
}

static void
test_unknown_phase(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;

  g_assert_false(measure("nonsense", 1, file, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bench/tiers/have-the-names-that-the-window-offers", test_names);
  g_test_add_func("/bench/tiers/a-training-leaves-its-rows", test_steps);
  g_test_add_func("/bench/tiers/sensor-selection-leaves-its-rows", test_sensors);
  g_test_add_func("/bench/tiers/without-an-optimisation-the-result-is-the-same", test_ablation);
  g_test_add_func("/bench/tiers/without-an-optimisation-the-energy-is-the-same", test_quantum);
  g_test_add_func("/bench/tiers/an-unknown-phase-is-refused", test_unknown_phase);
  return g_test_run();
}
