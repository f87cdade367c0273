/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark harness: turns alternate, clocks are correct, child processes return rows, errors and memory. */
#include "base/error.h"
#include "bench/harness/child.h"
#include "bench/harness/machine.h"
#include "bench/harness/pair.h"
#include "bench/harness/probe.h"
#include "bench/harness/program.h"

#include <glib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  GString *order;
  char     name;
  double   cost;
} Way;

static gboolean
take_turn(gpointer data, double *cost, GError **error)
{
  Way *way = data;

  g_string_append_c(way->order, way->name);
  *cost = way->cost++;
  if (way->cost < 100)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "a turn failed");
  return FALSE;
}

static void
test_turns(void)
{
  g_autoptr(GString) order = g_string_new(NULL);
  g_autoptr(GError)  error = NULL;
  Way                with = {order, 'a', 1}, without = {order, 'b', 4};
  double             costs[2][3], speedups[3];
  LacBenchTurns      turns = {take_turn, &with, &without, 3, costs[0], costs[1], speedups};

  g_assert_true(lac_bench_take_turns(&turns, &error));
  g_assert_no_error(error);
  g_assert_cmpstr(order->str, ==, "abbaab");
  for (int i = 0; i < 3; i++) {
    g_assert_cmpfloat(costs[0][i], ==, i + 1);
    g_assert_cmpfloat(costs[1][i], ==, i + 4);
    g_assert_cmpfloat(speedups[i], ==, (i + 4.0) / (i + 1));
  }
  without.cost = 99;
  g_assert_false(lac_bench_take_turns(&turns, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_FAILED);
}

static void
sleep_shortly(gpointer data)
{
  guint *n = data;

  g_usleep(2000);
  ++*n;
}

/* Sleeping takes wall time but no CPU time. */
static void
test_clocks(void)
{
  guint                n = 0;
  const LacBenchClocks one = lac_bench_time(sleep_shortly, &n);
  const LacBenchClocks median = lac_bench_time_many(sleep_shortly, &n, 5, 0);

  g_assert_cmpuint(n, ==, 6);
  g_assert_cmpfloat(one.wall, >=, 2e-3);
  g_assert_cmpfloat(median.wall, >=, 2e-3);
  g_assert_cmpfloat(median.cpu, <, 1e-3);
  g_assert_cmpfloat(lac_bench_clocks_scored(median, 1), ==, median.cpu);
  g_assert_cmpfloat(lac_bench_clocks_scored(median, 2), ==, median.wall);
}

/* The probe, measured next to itself, has the expected ratio. */
static void
test_beside(void)
{
  g_autoptr(LacPool)       pool = lac_pool_new(1);
  g_autoptr(LacBenchProbe) probe = lac_bench_probe_new(pool);
  double                   relative, most = 0, least = INFINITY;

  for (int i = 0; i < 5; i++) {
    const LacBenchBeside beside = lac_bench_beside_begin(probe);

    for (int k = 0; k < 3; k++)
      lac_bench_probe_run(probe);
    lac_bench_beside_end(&beside, FALSE, &relative);
    most = MAX(most, relative);
    least = MIN(least, relative);
  }
  /* three runs, each reported as the geometric mean of two halves: at least twice three; half of that allows for
   * other load */
  g_assert_cmpfloat(most, >, 3);
  g_assert_cmpfloat(least, <, 60);
}

static gboolean
refuse(gconstpointer task, LacBenchFile *rows, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "sensors = 0 is too few");
  return FALSE;
}

static gboolean
die(gconstpointer task, LacBenchFile *rows, GError **error)
{
  _Exit(3);
}

static void
test_children(void)
{
  g_autoptr(LacBenchFile) rows = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;

  g_assert_false(lac_bench_in_child(refuse, NULL, "a phase", rows, &error));
  g_assert_nonnull(strstr(error->message, "sensors = 0 is too few"));
  g_clear_error(&error);
  g_assert_false(lac_bench_in_child(die, NULL, "a phase", rows, &error));
  g_assert_nonnull(strstr(error->message, "did not end"));
}

#define HELD ((gsize) 64 << 20)

static gboolean
hold(gconstpointer task, LacBenchFile *rows, GError **error)
{
  const LacBenchRow row = {
    .name = "a", .metric = "grown_bytes", .unit = "B", .kind = LAC_BENCH_MEMORY};
  const LacBenchMemory memory = lac_bench_memory_begin();
  volatile char       *bytes = g_malloc(HELD);
  double               grown;

  for (gsize i = 0; i < HELD; i += 512)
    bytes[i] = 1;
  g_free((gpointer) bytes);
  lac_bench_memory_end(memory, &grown);
  lac_bench_row_sample(lac_bench_file_add(rows, &row), grown);
  return TRUE;
}

/* Memory held and freed is counted, within 1 MB: the process has other allocations, and the kernel counts resident
 * pages of each thread in batches. */
static void
test_memory(void)
{
  g_autoptr(LacBenchFile) rows = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;
  double                  grown;

  g_assert_true(lac_bench_in_child(hold, NULL, "a phase", rows, &error));
  grown = lac_bench_row_median(lac_bench_file_find(rows, "a", "grown_bytes"));
  g_assert_cmpfloat(grown, >, (double) HELD - 1e6);
  /* a sanitizer delays freeing and adds shadow memory */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  g_assert_cmpfloat(grown, <, (double) HELD + 1e6);
#endif
}

static void
test_machine(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();

  lac_bench_describe_machine(file, 1, NULL);
  for (const char *const *key =
         (const char *const[]){LAC_BENCH_IDENTITY, "processor", "kernels", "linear algebra",
                               "build type", "program", "load before", "started", NULL};
       *key; key++)
    g_assert_nonnull(lac_bench_file_get_fact(file, *key));
}

/* In a child process: a benchmark prints one file, and its exit status reports whether it met its limits. */
static void
test_program_alone(void)
{
  const double samples[] = {3, 1, 2};

  bench_begin(2, NULL);
  bench_print(bench_row("a", "rate", "GFLOP/s", LAC_BENCH_MERIT, 2), samples, 3);
  bench_print_one(bench_row("a", "error", "1", LAC_BENCH_QUALITY, 0), 7);
  if (bench_end() != 0)
    exit(9);
  bench_begin(2, NULL);
  bench_print(bench_row("b", "rate", "GFLOP/s", LAC_BENCH_MERIT, 2.5), samples, 3);
  exit(bench_end());
}

static void
test_program(void)
{
  g_test_trap_subprocess("/bench/harness/subprocess/program", 0, 0);
  g_test_trap_assert_failed();
  g_test_trap_assert_stdout(
    "*\"threads\" : 2,*\"passed\" : true,*\"name\" : \"a\"*\"value\" : 2.0,*"
    "\"threads\" : 2,*\"passed\" : false,*\"name\" : \"b\"*");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bench/harness/turns-alternate", test_turns);
  g_test_add_func("/bench/harness/clocks-see-what-was-done", test_clocks);
  g_test_add_func("/bench/harness/work-is-told-beside-the-probe", test_beside);
  g_test_add_func("/bench/harness/subprocess/program", test_program_alone);
  g_test_add_func("/bench/harness/a-program-prints-one-file", test_program);
  g_test_add_func("/bench/harness/errors-of-the-other-process-are-told", test_children);
  g_test_add_func("/bench/harness/memory-that-was-given-back-counts", test_memory);
  g_test_add_func("/bench/harness/the-machine-is-described", test_machine);
  return g_test_run();
}
