/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of sensor placement: pivoted QR alternating with LAPACK's sgeqp3, and the complete path from snapshots to
 * positions on three grids, each in its own process to measure peak memory. Prints JSON. */
#include "base/pool.h"
#include "base/rng.h"
#include "bench/harness/program.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

#include <string.h>

#define N_ROUNDS 7

void sgeqp3_(const int *m,
             const int *n,
             float     *a,
             const int *lda,
             int       *jpvt,
             float     *tau,
             float     *work,
             const int *lwork,
             int       *info);

/* Returns CPU time for one thread, which other load hardly affects; wall time for several. */
static double
now(guint n_threads)
{
  return lac_bench_clocks_scored(lac_bench_clocks_now(1), n_threads);
}

static double *
random_modes(gsize n_modes, gsize n_points)
{
  LacRng  rng = lac_rng(1, 1);
  double *modes = g_new(double, n_modes *n_points);

  for (gsize i = 0; i < n_modes * n_points; i++)
    modes[i] = lac_rng_normal(&rng);
  return modes;
}

/* Returns: seconds. @a: [n_points][n_modes], destroyed. */
static double
time_lapack(float *a, gsize n_modes, gsize n_points, guint n_threads, gsize *places)
{
  const int         m = (int) n_modes, n = (int) n_points;
  int               n_work = -1, info;
  float             wanted;
  g_autofree int   *order = g_new0(int, n_points);
  g_autofree float *tau = g_new(float, n_modes), *work = NULL;
  double            seconds;

  sgeqp3_(&m, &n, a, &m, order, tau, &wanted, &n_work, &info);
  n_work = (int) wanted;
  work = g_new0(float, n_work);
  seconds = now(n_threads);
  sgeqp3_(&m, &n, a, &m, order, tau, work, &n_work, &info);
  seconds = now(n_threads) - seconds;
  for (gsize k = 0; k < n_modes; k++)
    places[k] = (gsize) order[k] - 1;
  return seconds;
}

static double
time_ours(const double *modes, gsize n_modes, gsize n_points, LacPool *pool, gsize *places)
{
  const LacPlacementProblem problem = {
    .modes = modes,
    .n_modes = n_modes,
    .n_components = 1,
    .n_points = n_points,
    .pool = pool,
  };
  const guint       n_threads = lac_pool_get_n_threads(pool);
  g_autoptr(GError) error = NULL;
  double            seconds = now(n_threads);

  if (!lac_placement_find("qr", NULL)->choose(&problem, NULL, places, n_modes, &error))
    g_error("%s", error->message);
  return now(n_threads) - seconds;
}

static void
measure_pivots(gsize n_modes, gsize n_points, guint n_threads, double limit)
{
  g_autoptr(LacPool) pool = lac_pool_new(n_threads);
  g_autofree double *modes = random_modes(n_modes, n_points);
  g_autofree float  *transposed = g_new(float, n_modes *n_points);
  g_autofree gsize  *lapack = g_new(gsize, n_modes), *places = g_new(gsize, n_modes);
  g_autofree char   *name =
    g_strdup_printf("sensor/pivots-%" G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT "/%u threads", n_modes,
                    n_points, n_threads);
  double ratios[N_ROUNDS], ours[N_ROUNDS], theirs[N_ROUNDS], same = 0;

  for (guint i = 0; i < N_ROUNDS; i++) {
    for (gsize j = 0; j < n_points; j++)
      for (gsize r = 0; r < n_modes; r++)
        transposed[j * n_modes + r] = (float) modes[r * n_points + j];
    theirs[i] = 1e3 * time_lapack(transposed, n_modes, n_points, n_threads, lapack);
    ours[i] = 1e3 * time_ours(modes, n_modes, n_points, pool, places);
    ratios[i] = theirs[i] / ours[i];
  }
  for (gsize k = 0; k < n_modes; k++)
    same += places[k] == lapack[k];
  bench_print(bench_row(name, "sgeqp3_over_ours", "1", LAC_BENCH_SPEEDUP, limit), ratios, N_ROUNDS);
  bench_print(bench_row(name, "time", "ms", LAC_BENCH_TIME, 0), ours, N_ROUNDS);
  bench_print(bench_row(name, "sgeqp3_time", "ms", LAC_BENCH_TIME, 0), theirs, N_ROUNDS);
  bench_print_one(bench_row(name, "same_pivots", "1", LAC_BENCH_MERIT, 0), same);
}

int
main(void)
{
  const guint n_threads = MIN(lac_pool_available(), 64);

  bench_begin(n_threads, NULL);
  measure_pivots(64, 262144, 1, 0);
  if (n_threads > 1)
    measure_pivots(64, 262144, n_threads, 5);
  return bench_end();
}
