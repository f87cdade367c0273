/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor utilisation of one training step of a network for the Navier-Stokes equations: its rate divided by the
 * rate of bare multiply-adds measured right before and after in this process. Prints JSON. */
#include "pinn.h"

#include "backend/cpu/peak.h"
#include "bench/harness/pair.h"
#include "bench/harness/program.h"

#include <math.h>
#include <string.h>

#define N_ROUNDS 7

static void
step(gpointer pinn)
{
  bench_pinn_step(pinn);
}

/* Returns the median clocks of steps that together take about a third of a second. */
static LacBenchClocks
seconds_of_step(BenchPinn *pinn)
{
  return lac_bench_time_many(step, pinn, 5, 0.3);
}

/* Scores one thread by CPU time, several by wall time, which includes waiting. */
static void
measure_fraction(const BenchPinnShape *shape, const char *name, double limit)
{
  const guint n_threads = shape->n_threads;
  BenchPinn   pinn;
  double      wall[N_ROUNDS], cpu[N_ROUNDS], milliseconds[N_ROUNDS], rates[N_ROUNDS];

  bench_pinn_init(&pinn, shape);
  seconds_of_step(&pinn);
  for (guint i = 0; i < N_ROUNDS; i++) {
    LacCpuRate     before = lac_cpu_peak_flops(shape->type, n_threads);
    LacBenchClocks one = seconds_of_step(&pinn);
    LacCpuRate     after = lac_cpu_peak_flops(shape->type, n_threads);
    wall[i] = pinn.flops / one.wall / ((before.wall + after.wall) / 2);
    cpu[i] = pinn.flops / (one.cpu / n_threads) / ((before.cpu + after.cpu) / 2);
    milliseconds[i] = 1e3 * (n_threads == 1 ? one.cpu : one.wall);
    rates[i] = pinn.flops * 1e-6 / milliseconds[i];
  }
  bench_print(
    bench_row(name, "peak_fraction_cpu", "1", LAC_BENCH_MERIT, n_threads == 1 ? limit : 0), cpu,
    N_ROUNDS);
  bench_print(
    bench_row(name, "peak_fraction_wall", "1", LAC_BENCH_MERIT, n_threads > 1 ? limit : 0), wall,
    N_ROUNDS);
  bench_print(bench_row(name, "step_time", "ms", LAC_BENCH_TIME, 0), milliseconds, N_ROUNDS);
  bench_print(bench_row(name, "rate", "GFLOP/s", LAC_BENCH_MERIT, 0), rates, N_ROUNDS);
  bench_pinn_clear(&pinn);
}

static gboolean
cost_of_step(gpointer pinn, double *seconds, GError **error)
{
  *seconds = seconds_of_step(pinn).cpu;
  return TRUE;
}

/* Compares the tiled graph with the same graph as a single tile, executed node by node like most frameworks;
 * alternating. */
static void
measure_tiling(const BenchPinnShape *shape, const char *name)
{
  BenchPinnShape whole = *shape;
  BenchPinn      tiled, by_node;
  double         costs[2][N_ROUNDS], ratios[N_ROUNDS];

  whole.tile_points = shape->n_points;
  bench_pinn_init(&tiled, shape);
  bench_pinn_init(&by_node, &whole);
  bench_pinn_step(&by_node);
  lac_bench_take_turns(
    &(LacBenchTurns){cost_of_step, &tiled, &by_node, N_ROUNDS, costs[0], costs[1], ratios}, NULL);
  bench_print(bench_row(name, "by_node_over_tiled", "1", LAC_BENCH_SPEEDUP, 1.2), ratios, N_ROUNDS);
  bench_pinn_clear(&tiled);
  bench_pinn_clear(&by_node);
}

static void
gradient_of(BenchPinn *pinn, LacType type, double *gradient, gsize n)
{
  g_autoptr(GError) error = NULL;
  gconstpointer     from;

  if (!lac_program_run(pinn->program, NULL, 0, NULL, &error))
    g_error("%s", error->message);
  from = lac_program_get_gradient(pinn->program);
  for (gsize i = 0; i < n; i++)
    gradient[i] = type == LAC_F32 ? (double) ((const float *) from)[i] : ((const double *) from)[i];
}

/* || g32 - g64 || / || g64 || at the same single-precision weights and points */
static void
measure_gradient(const BenchPinnShape *shape, const char *name)
{
  BenchPinnShape     wide = *shape;
  BenchPinn          narrow, reference;
  g_autofree double *g32 = NULL, *g64 = NULL;
  double             error = 0, size = 0;
  gsize              n;

  wide.type = LAC_F64;
  bench_pinn_init(&narrow, shape);
  bench_pinn_init(&reference, &wide);
  n = lac_program_get_n_parameters(narrow.program);
  g32 = g_new(double, n);
  g64 = g_new(double, n);
  gradient_of(&narrow, LAC_F32, g32, n);
  gradient_of(&reference, LAC_F64, g64, n);
  for (gsize i = 0; i < n; i++) {
    error += (g32[i] - g64[i]) * (g32[i] - g64[i]);
    size += g64[i] * g64[i];
  }
  error = sqrt(error / size);
  bench_print_one(bench_row(name, "gradient_error", "1", LAC_BENCH_QUALITY, 5e-7), error);
  bench_pinn_clear(&narrow);
  bench_pinn_clear(&reference);
}

/* Prints the milliseconds of each step, for an alternating comparison with another program. */
static void
print_steps(const BenchPinnShape *shape, gsize n_steps)
{
  BenchPinn pinn;

  bench_pinn_init(&pinn, shape);
  for (gsize i = 0; i < 3; i++)
    bench_pinn_step(&pinn);
  bench_print_steps(step, &pinn, n_steps);
  bench_pinn_clear(&pinn);
}

int
main(int argc, char **argv)
{
  int                n_layers = 4, width = 128, n_points = 4096, n_threads = 0, tile = 0, steps = 0;
  const GOptionEntry entries[] = {
    {"layers", 0, 0, G_OPTION_ARG_INT, &n_layers, "hidden layers", "N"},
    {"width", 0, 0, G_OPTION_ARG_INT, &width, "neurons per layer", "N"},
    {"points", 0, 0, G_OPTION_ARG_INT, &n_points, "points of the batch", "N"},
    {"threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "threads; 0: one, then one per processor", "N"},
    {"tile", 0, 0, G_OPTION_ARG_INT, &tile, "points per tile; 0: automatic", "N"},
    {"steps", 0, 0, G_OPTION_ARG_INT, &steps, "only print the wall and CPU milliseconds of N steps",
     "N"},
    {NULL},
  };

  bench_parse(entries, NULL, &argc, &argv);
  BenchPinnShape   shape = {.n_layers = (gsize) n_layers,
                            .width = (gsize) width,
                            .n_points = (gsize) n_points,
                            .type = LAC_F32,
                            .n_threads = (guint) MAX(n_threads, 1),
                            .tile_points = (gsize) tile};
  g_autofree char *f32 = g_strdup_printf("flow/pinn-step-%dx%d-f32", n_layers, width);
  g_autofree char *f64 = g_strdup_printf("flow/pinn-step-%dx%d-f64", n_layers, width);

  if (steps > 0) {
    print_steps(&shape, (gsize) steps);
    return 0;
  }
  bench_begin(n_threads > 0 ? (guint) n_threads : MIN(lac_pool_available(), 64), NULL);
  measure_fraction(&shape, f32, 0.8);
  shape.type = LAC_F64;
  measure_fraction(&shape, f64, 0);
  shape.type = LAC_F32;
  measure_tiling(&shape, f32);
  measure_gradient(&shape, f32);
  if (n_threads == 0 && lac_pool_available() > 1) {
    shape.n_threads = MIN(lac_pool_available(), 64);
    g_autofree char *all = g_strdup_printf("%s/%u threads", f32, shape.n_threads);
    measure_fraction(&shape, all, 0.8);
  }
  return bench_end();
}
