/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of sensor selection: POD by the method of snapshots, then pivoted QR with as many modes as sensors. */
#include "base/pool.h"
#include "base/rng.h"
#include "bench/harness/child.h"
#include "bench/harness/probe.h"
#include "bench/tiers/bench-private.h"
#include "perf/analysis/ratio.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

#include <math.h>
#include <string.h>

#define N_SNAPSHOTS   200
#define GROUP_SECONDS 0.04 /* of placement between two probes */
#define TIMES_FASTER  10   /* promised factor below the limit */

enum {
  N_WAVES = 60,
  N_NUMBERS = 9 /* N_NUMBERS: number of wavenumbers along an axis */,
  N_ROUNDS = 3
};

/* A square grid and the number of values per point. */
typedef struct {
  gsize side, n_components, n_sensors;
} Grid;

/* Adds a wave along x with a phase shift per row; computed by rotating a (cos, sin) pair, which is fast. */
static void
add_wave(const Grid *grid, const double *wave, double amplitude, float *snapshot)
{
  const double turn_c = cos(wave[0]), turn_s = sin(wave[0]);

  for (gsize row = 0; row < grid->side * grid->n_components; row++) {
    const double at =
      wave[2] * (double) (1 + row / grid->side) + wave[1] * (double) (row % grid->side);
    float *to = snapshot + row * grid->side;
    double c = amplitude * cos(at), s = amplitude * sin(at);

    for (gsize i = 0; i < grid->side; i++) {
      const double next = c * turn_c - s * turn_s;

      to[i] += (float) c;
      s = c * turn_s + s * turn_c;
      c = next;
    }
  }
}

/* Returns snapshots of waves with decreasing, time-dependent amplitudes. */
static float *
make_snapshots(const Grid *grid)
{
  const gsize  n = grid->side * grid->side * grid->n_components;
  const double once = 2 * G_PI / (double) grid->side;
  LacRng       rng = lac_rng(2, grid->side);
  float       *snapshots = g_try_new0(float, N_SNAPSHOTS *n);

  for (gsize k = 0; snapshots && k < N_WAVES; k++) {
    const double wave[] = {
      once * (double) lac_rng_below(&rng, N_NUMBERS),
      once * (double) lac_rng_below(&rng, N_NUMBERS),
      2 * G_PI * lac_rng_uniform(&rng),
    };

    for (gsize s = 0; s < N_SNAPSHOTS; s++)
      add_wave(grid, wave, lac_rng_normal(&rng) / (1 + 0.5 * (double) k), snapshots + s * n);
  }
  return snapshots;
}

/* Places sensors from snapshots. */
static gboolean
place(const Grid *grid, const float *snapshots, LacPool *pool, GError **error)
{
  const gsize          n_points = grid->side * grid->side;
  const LacPodSettings settings = {
    .n_snapshots = N_SNAPSHOTS,
    .n = n_points * grid->n_components,
    .n_modes = grid->n_sensors,
    .narrow = snapshots,
    .method = LAC_POD_SNAPSHOTS,
    .pool = pool,
  };
  g_autoptr(LacPod)   pod = lac_pod_new_with(&settings, error);
  g_autofree gsize   *places = g_new(gsize, grid->n_sensors);
  LacPlacementProblem problem = {
    .n_components = grid->n_components, .n_points = n_points, .pool = pool};

  if (!pod)
    return FALSE;
  problem.modes = pod->modes;
  problem.n_modes = pod->n_modes;
  return lac_placement_find("qr", NULL)->choose(&problem, NULL, places, grid->n_sensors, error);
}

static void
add(const LacBenchTask *task,
    LacBenchFile       *rows,
    const char         *what,
    LacBenchRow         row,
    double              sample,
    double              relative)
{
  g_autofree char *metric = g_strconcat(what, row.metric, NULL);

  row.metric = metric;
  if (row.limit > 0)
    row.note = "a tenth of the planned limit";
  row.limit /= TIMES_FASTER;
  lac_bench_print(task, rows, row, sample, relative);
}

static LacBenchRow
seconds_row(const LacBenchTier *tier)
{
  return (LacBenchRow){
    .metric = "seconds", .unit = "s", .kind = LAC_BENCH_TIME, .limit = tier->selection_seconds};
}

/* The limit includes the snapshots. */
static LacBenchRow
bytes_row(const LacBenchTier *tier)
{
  return (LacBenchRow){.metric = "peak_resident_bytes",
                       .unit = "B",
                       .kind = LAC_BENCH_MEMORY,
                       .limit = tier->memory_bytes};
}

static LacBenchRow
grown_row(void)
{
  return (LacBenchRow){.metric = "grown_bytes", .unit = "B", .kind = LAC_BENCH_MEMORY};
}

static gboolean
measure(const LacBenchTask *task,
        gsize               n_components,
        const char         *what,
        LacBenchFile       *rows,
        GError            **error)
{
  const Grid               grid = {task->tier->side, n_components, task->tier->n_sensors};
  g_autoptr(LacPool)       pool = lac_pool_new(task->n_threads);
  g_autoptr(LacBenchProbe) probe = lac_bench_probe_new(pool);
  const LacBenchMemory     memory = lac_bench_memory_begin();
  g_autofree float        *snapshots = make_snapshots(&grid);
  double                   peak, grown, wall[N_ROUNDS], relative[N_ROUNDS];

  if (!snapshots)
    return FALSE;
  for (gsize i = 0; i < N_ROUNDS; i++) {
    const LacBenchBeside beside = lac_bench_beside_begin(probe);
    double               n = 0;

    do {
      if (!place(&grid, snapshots, pool, error))
        return FALSE;
      n++;
    } while (lac_bench_wall_seconds() - beside.begin.wall < GROUP_SECONDS);
    wall[i] = lac_bench_beside_end(&beside, FALSE, &relative[i]).wall / n;
    relative[i] /= n;
  }
  peak = lac_bench_memory_end(memory, &grown);
  add(task, rows, what, seconds_row(task->tier), lac_median(wall, N_ROUNDS),
      lac_median(relative, N_ROUNDS));
  add(task, rows, what, bytes_row(task->tier), peak - (double) lac_bench_probe_get_bytes(probe),
      NAN);
  add(task, rows, what, grown_row(), grown, NAN);
  return TRUE;
}

/* Measures seconds and memory from snapshots in memory to sensor positions. */
gboolean
lac_bench_sensors(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  return measure(task, 1, "sensor_selection_", rows, error);
}

/* Measures the same with two components. */
gboolean
lac_bench_sensors_uv(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  return measure(task, 2, "sensor_selection_uv_", rows, error);
}
