/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records and FLOP counts of a program. */
#include "graph/helpers/program-scene.h"

#include <stdlib.h>

typedef struct {
  LacPerf *perf;
  guint    n_aggregates, n_spans, n_tiles;
  double   flops, ns;
  double   product_flops; /* FLOP of the layers */
  guint64  n_calls;
  gint64   most_memory;
  gboolean reverse_seen;
} StepTimes;

static void
step_times(const LacRecord *records, gsize n_records, gpointer user_data)
{
  StepTimes *sums = user_data;

  for (gsize i = 0; i < n_records; i++) {
    const char *name = lac_perf_get_name(sums->perf, records[i].name);

    sums->n_spans += records[i].kind == LAC_RECORD_SPAN;
    sums->n_tiles += records[i].kind == LAC_RECORD_SPAN && g_str_equal(name, "tile");
    if (records[i].kind != LAC_RECORD_AGGREGATE)
      continue;
    sums->n_aggregates++;
    sums->flops += records[i].flops;
    if (g_str_has_prefix(name, "layer ") || g_str_has_prefix(name, "linear "))
      sums->product_flops += records[i].flops;
    sums->ns += (double) records[i].duration_ns;
    sums->reverse_seen |= g_str_equal(name, "layer tanh 9x9 reverse");
    g_assert_cmpint(records[i].step, ==, 1);
    g_assert_cmpint(records[i].memory, >, 0);
    g_assert_cmpint(records[i].duration_ns, >, 0);
    sums->n_calls += records[i].count;
    sums->most_memory = MAX(sums->most_memory, records[i].memory);
    g_assert_cmpuint(records[i].count, >, 0);
  }
}

/* 2 FLOP per weight and row forward, the same for the bar of the weight and for that of the operand, which the first
 * layer skips; rows are four streams of each point and one of each datum. */
static double
count_products(const ProgramShape *shape)
{
  double rows = 4.0 * (double) shape->n_points + (double) shape->n_data;

  return rows * (2 * 2.0 * (2 * 9) + 2 * 3 * 2.0 * (9 * 9) + 3 * 2.0 * 9);
}

static void
test_records(void)
{
  ProgramShape       shape = shape_small();
  ProgramScene       scene;
  g_autoptr(LacPool) pool = lac_pool_new(2);
  guint64            n_calls = 0;

  scene_init(&scene, &shape, "cpu");
  for (LacPerfDetail detail = LAC_PERF_OFF; detail <= LAC_PERF_FULL; detail++) {
    g_autoptr(LacPerf) perf = lac_perf_new(detail);
    StepTimes          sums = {.perf = perf};
    LacProgramOptions  options = {
       .device = scene.device,
       .type = LAC_F64,
       .pool = pool,
       .perf = perf,
       .lane = lac_perf_lane(perf, "compute"),
       .gradient = TRUE,
       .tile_points = 32,
    };
    g_autoptr(LacProgram) program = scene_new_program(&scene, &options);

    program_run(program);
    lac_perf_drain(perf, step_times, &sums);
    g_assert_cmpint(sums.n_aggregates > 0, ==, detail != LAC_PERF_OFF);
    g_assert_cmpuint(sums.n_tiles, ==,
                     detail == LAC_PERF_FULL ? (203 + 31) / 32 + (37 + 31) / 32 : 0);
    g_assert_cmpuint(sums.n_spans - sums.n_tiles, ==, detail == LAC_PERF_OFF ? 0 : 3);
    if (detail == LAC_PERF_OFF)
      continue;
    g_assert_true(sums.reverse_seen);
    g_assert_cmpfloat(sums.flops, ==, lac_program_get_flops(program));
    g_assert_cmpfloat(sums.product_flops, ==, count_products(&shape));
    g_assert_cmpfloat(sums.ns, >, 0);
    /* no operation has more live memory than the plan's arena */
    g_assert_cmpint(sums.most_memory, <=, lac_program_get_arena_bytes(program));
    /* calls are counted on every tile, though few are timed at coarse detail */
    g_assert_true(detail == LAC_PERF_COARSE || sums.n_calls == n_calls);
    n_calls = sums.n_calls;
  }
  scene_clear(&scene);
}

typedef struct {
  LacPerf *perf;
  double   operations_ns, tiles_ns;
} Times;

static void
add_times(const LacRecord *records, gsize n_records, gpointer user_data)
{
  Times *times = user_data;

  for (gsize i = 0; i < n_records; i++) {
    const char *name = lac_perf_get_name(times->perf, records[i].name);

    if (records[i].kind == LAC_RECORD_AGGREGATE)
      times->operations_ns += (double) records[i].duration_ns;
    else if (g_str_equal(name, "forward+reverse"))
      times->tiles_ns += (double) records[i].duration_ns;
  }
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* On one thread operations take nearly all the time of tiles: besides them only the gradient is zeroed and a call is
 * prepared. At coarse detail few tiles are timed, which determine only the proportions. The median of many replays,
 * because of other load on the machine; within a fifth, because these tiles take microseconds. */
static void
test_times(gconstpointer detail)
{
  enum { REPLAYS = 101 };
  ProgramShape       shape = shape_small();
  ProgramScene       scene;
  g_autoptr(LacPerf) perf = lac_perf_new((LacPerfDetail) GPOINTER_TO_INT(detail));
  double             ratios[REPLAYS];
  LacProgramOptions  options = {.type = LAC_F64, .gradient = TRUE, .tile_points = 8};

  scene_init(&scene, &shape, "cpu");
  options.device = scene.device;
  options.perf = perf;
  options.lane = lac_perf_lane(perf, "compute");
  g_autoptr(LacProgram) program = scene_new_program(&scene, &options);
  for (int i = 0; i < REPLAYS; i++) {
    Times times = {.perf = perf};

    program_run(program);
    lac_perf_drain(perf, add_times, &times);
    ratios[i] = times.operations_ns / times.tiles_ns;
  }
  qsort(ratios, REPLAYS, sizeof(double), compare);
  g_test_message("operations over tiles: %.3f", ratios[REPLAYS / 2]);
  g_assert_cmpfloat(ratios[REPLAYS / 2], >=, 0.8);
  g_assert_cmpfloat(ratios[REPLAYS / 2], <=, 1.2);
  scene_clear(&scene);
}

/* Operations other than products are a tenth at most. */
static void
test_flops(void)
{
  ProgramShape shape = shape_small();
  ProgramScene scene;

  scene_init(&scene, &shape, "cpu");
  LacProgramOptions     options = {.device = scene.device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = scene_new_program(&scene, &options);
  double                products = count_products(&shape);

  g_assert_cmpfloat(lac_program_get_flops(program), >=, products);
  g_assert_cmpfloat(lac_program_get_flops(program), <, 1.1 * products);
  scene_clear(&scene);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/program/every operation leaves one record a replay", test_records);
  g_test_add_data_func("/program/operations make up the time of the tiles/coarse",
                       GINT_TO_POINTER(LAC_PERF_COARSE), test_times);
  g_test_add_data_func("/program/operations make up the time of the tiles/full",
                       GINT_TO_POINTER(LAC_PERF_FULL), test_times);
  g_test_add_func("/program/flops are those of the matrix products", test_flops);
  return g_test_run();
}
