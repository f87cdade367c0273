/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sensor selection costs: POD by the method of snapshots, then pivoted QR of as many modes as sensors. */
#define _DEFAULT_SOURCE /* wait4 */
#include "run/bench-sensors.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_WAVES = 60, N_NUMBERS = 9 /* at most, along an axis */ };

const LacBenchTier *
lac_bench_tiers(gsize *n_tiers)
{
  static const LacBenchTier tiers[] = {
    {32, 1, 8, 2, 1e9},
    {128, 1, 12, 30, 8e9},
    {512, 1, 16, 300, 32e9},
    {512, 2, 16, 300, 32e9},
  };

  *n_tiers = G_N_ELEMENTS(tiers);
  return tiers;
}

/* A wave along x over all rows, which are shifted against each other; by a turning pair, which is fast. */
static void
add_wave(const LacBenchTier *tier, const double *wave, double amplitude, float *snapshot)
{
  const double turn_c = cos(wave[0]), turn_s = sin(wave[0]);

  for (gsize row = 0; row < tier->side * tier->n_components; row++) {
    const double at =
      wave[2] * (double) (1 + row / tier->side) + wave[1] * (double) (row % tier->side);
    float *to = snapshot + row * tier->side;
    double c = amplitude * cos(at), s = amplitude * sin(at);

    for (gsize i = 0; i < tier->side; i++) {
      const double next = c * turn_c - s * turn_s;

      to[i] += (float) c;
      s = c * turn_s + s * turn_c;
      c = next;
    }
  }
}

/* Waves of falling amplitude that come and go. */
static float *
make_snapshots(const LacBenchTier *tier)
{
  const gsize  n = tier->side * tier->side * tier->n_components;
  const double once = 2 * G_PI / (double) tier->side;
  LacRng       rng = lac_rng(2, tier->side);
  float       *snapshots = g_try_new0(float, LAC_BENCH_N_SNAPSHOTS *n);

  for (gsize k = 0; snapshots && k < N_WAVES; k++) {
    const double wave[] = {
      once * (double) lac_rng_below(&rng, N_NUMBERS),
      once * (double) lac_rng_below(&rng, N_NUMBERS),
      2 * G_PI * lac_rng_uniform(&rng),
    };

    for (gsize s = 0; s < LAC_BENCH_N_SNAPSHOTS; s++)
      add_wave(tier, wave, lac_rng_normal(&rng) / (1 + 0.5 * (double) k), snapshots + s * n);
  }
  return snapshots;
}

/* Returns: seconds from snapshots to places; NaN where it cannot be done. */
static double
place(const LacBenchTier *tier, const float *snapshots, LacPool *pool)
{
  const gsize          n_points = tier->side * tier->side;
  const LacPodSettings settings = {
    .n_snapshots = LAC_BENCH_N_SNAPSHOTS,
    .n = n_points * tier->n_components,
    .n_modes = tier->n_sensors,
    .narrow = snapshots,
    .method = LAC_POD_SNAPSHOTS,
    .pool = pool,
  };
  const gint64        begin = lac_clock_ns();
  g_autoptr(LacPod)   pod = lac_pod_new_with(&settings, NULL);
  g_autofree gsize   *places = g_new(gsize, tier->n_sensors);
  LacPlacementProblem problem = {
    .n_components = tier->n_components, .n_points = n_points, .pool = pool};

  if (!pod)
    return NAN;
  problem.modes = pod->modes;
  problem.n_modes = pod->n_modes;
  if (!lac_placement_find("qr", NULL)->choose(&problem, NULL, places, tier->n_sensors, NULL))
    return NAN;
  return (double) (lac_clock_ns() - begin) * 1e-9;
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* What the other process does: writes its seconds, in order. */
static gboolean
run_rounds(const LacBenchTier *tier, guint n_threads, int to)
{
  g_autoptr(LacPool) pool = lac_pool_new(n_threads);
  g_autofree float  *snapshots = make_snapshots(tier);
  double             seconds[LAC_BENCH_N_ROUNDS];

  for (gsize i = 0; snapshots && i < G_N_ELEMENTS(seconds); i++)
    seconds[i] = place(tier, snapshots, pool);
  if (!snapshots)
    return FALSE;
  qsort(seconds, G_N_ELEMENTS(seconds), sizeof *seconds, compare);
  return write(to, seconds, sizeof seconds) == sizeof seconds;
}

gboolean
lac_bench_tier(const LacBenchTier *tier, guint n_threads, LacBenchCost *cost, GError **error)
{
  double        seconds[LAC_BENCH_N_ROUNDS] = {NAN, NAN, NAN};
  struct rusage usage = {0};
  int           ends[2], status = 0;
  gssize        n_read = -1;
  pid_t         child = -1;

  if (pipe(ends) == 0 && (child = fork()) == 0)
    _exit(run_rounds(tier, n_threads, ends[1]) ? EXIT_SUCCESS : EXIT_FAILURE);
  if (child > 0) {
    close(ends[1]);
    n_read = read(ends[0], seconds, sizeof seconds);
    close(ends[0]);
    wait4(child, &status, 0, &usage);
  }
  if (n_read != sizeof seconds || !isfinite(seconds[LAC_BENCH_N_ROUNDS - 1])) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "sensor selection on a grid of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                " did not end; is there room for it in memory?",
                tier->side, tier->side);
    return FALSE;
  }
  *cost = (LacBenchCost){
    .seconds = seconds[LAC_BENCH_N_ROUNDS / 2],
    .slowest = seconds[LAC_BENCH_N_ROUNDS - 1],
    .bytes = 1024.0 * (double) usage.ru_maxrss,
  };
  return TRUE;
}
