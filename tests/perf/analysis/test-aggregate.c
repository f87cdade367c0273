/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over records against sums by hand: integer nanoseconds, so that they are exact. */
#include "perf/analysis/aggregate.h"

#include <math.h>

enum { STEP, PHASE, MATMUL, TANH, MEMORY, N_NAMES };

static LacRecord
span(guint32 name, guint8 depth, gint64 ns)
{
  return (LacRecord){.kind = LAC_RECORD_SPAN,
                     .name = name,
                     .depth = depth,
                     .duration_ns = ns,
                     .count = 1,
                     .memory = -1};
}

static LacRecord
aggregate(guint32 name, guint64 count, gint64 ns)
{
  return (LacRecord){.kind = LAC_RECORD_AGGREGATE,
                     .name = name,
                     .count = count,
                     .duration_ns = ns,
                     .flops = 2.0 * (double) ns,
                     .bytes = 3.0 * (double) ns,
                     .memory = ns % 1000};
}

static LacRecord
point(LacRecordKind kind)
{
  return (LacRecord){.kind = (guint8) kind, .name = MEMORY, .count = 1, .value = 5};
}

/* Returns a memory record; its members are neither work nor time, and must not be summed as such. */
static LacRecord
memory_of(LacRecord of)
{
  of.kind = LAC_RECORD_MEMORY;
  of.cpu_delta = of.cpu_peak = of.gpu_delta = of.gpu_peak = G_GINT64_CONSTANT(1) << 61;
  return of;
}

static LacRecord
nested(guint32 name, guint8 depth, guint16 lane, gint64 ns)
{
  LacRecord record = span(name, depth, ns);
  record.lane = lane;
  return record;
}

static const LacAggregate *
row_of(LacAggregates *aggregates, guint32 name)
{
  gsize               n;
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n);
  for (gsize i = 0; i < n; i++) {
    if (rows[i].name == name)
      return &rows[i];
  }
  return NULL;
}

static void
test_sums(void)
{
  enum { STEPS = 500 };
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gint64                   total[N_NAMES] = {0}, least = G_MAXINT64, most = 0, memory = -1;
  guint64                  count = 0;
  double                   least_mean = HUGE_VAL, most_mean = 0;
  for (int i = 0; i < STEPS; i++) {
    gint64    outer = g_test_rand_int_range(1000, 2000), inner = g_test_rand_int_range(1, 900);
    gint64    matmul = g_test_rand_int_range(1, 5000), tanh_ns = g_test_rand_int_range(1, 300);
    guint64   calls = (guint64) g_test_rand_int_range(1, 9);
    LacRecord records[] = {
      span(PHASE, 1, inner),     aggregate(MATMUL, calls, matmul), aggregate(TANH, 1, tanh_ns),
      span(STEP, 0, outer),      aggregate(MEMORY, 0, 0), /* not called in this step */
      point(LAC_RECORD_COUNTER), point(LAC_RECORD_MARK),           memory_of(span(STEP, 0, outer)),
    };
    lac_aggregates_add(aggregates, records, G_N_ELEMENTS(records));
    total[STEP] += outer;
    total[PHASE] += inner;
    total[MATMUL] += matmul;
    total[TANH] += tanh_ns;
    count += calls;
    least = MIN(least, outer);
    most = MAX(most, outer);
    memory = MAX(memory, matmul % 1000);
    least_mean = MIN(least_mean, (double) matmul / (double) calls);
    most_mean = MAX(most_mean, (double) matmul / (double) calls);
  }
  const LacAggregate *row = row_of(aggregates, MATMUL);
  g_assert_cmpuint(row->count, ==, count);
  g_assert_cmpfloat(row->total_ns, ==, (double) total[MATMUL]);
  g_assert_cmpfloat(row->mean_ns, ==, (double) total[MATMUL] / (double) count);
  g_assert_cmpfloat(row->min_ns, ==, least_mean);
  g_assert_cmpfloat(row->max_ns, ==, most_mean);
  g_assert_cmpfloat(row->flops, ==, 2.0 * (double) total[MATMUL]);
  g_assert_cmpfloat(row->bytes, ==, 3.0 * (double) total[MATMUL]);
  g_assert_cmpint(row->memory, ==, memory);
  g_assert_cmpfloat(row->share, ==,
                    (double) total[MATMUL] / (double) (total[MATMUL] + total[TANH]));
  row = row_of(aggregates, STEP);
  g_assert_cmpuint(row->count, ==, STEPS);
  g_assert_cmpfloat(row->total_ns, ==, (double) total[STEP]);
  g_assert_cmpfloat(row->min_ns, ==, (double) least);
  g_assert_cmpfloat(row->max_ns, ==, (double) most);
  g_assert_cmpint(row->memory, ==, -1);
  g_assert_cmpfloat(row->share, ==, 1);
  row = row_of(aggregates, PHASE);
  g_assert_cmpfloat(row->share, ==, (double) total[PHASE] / (double) total[STEP]);
  g_assert_null(row_of(aggregates, MEMORY));
}

/* At full detail the tiles of an operation are recorded too: its sums do not count them twice. */
static void
test_tiles_of_an_operation(void)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  LacRecord                records[] = {
                   span(MATMUL, 2, 30),
                   span(MATMUL, 2, 70),
                   aggregate(MATMUL, 2, 100),
                   aggregate(TANH, 1, 300),
  };
  lac_aggregates_add(aggregates, records, G_N_ELEMENTS(records));
  const LacAggregate *row = row_of(aggregates, MATMUL);
  g_assert_cmpuint(row->count, ==, 2);
  g_assert_cmpfloat(row->total_ns, ==, 100);
  g_assert_cmpfloat(row->min_ns, ==, 30);
  g_assert_cmpfloat(row->max_ns, ==, 70);
  g_assert_cmpfloat(row->share, ==, 0.25);
}

/* The rows are the same record by record or all at once, sorted by total, largest first. */
static void
test_order_and_pieces(void)
{
  enum { N = 2000 };
  g_autoptr(LacAggregates) whole = lac_aggregates_new();
  g_autoptr(LacAggregates) pieces = lac_aggregates_new();
  g_autofree LacRecord    *records = g_new(LacRecord, N);
  gsize                    n_whole, n_pieces;
  for (gsize i = 0; i < N; i++) {
    guint32 name = (guint32) g_test_rand_int_range(0, 40);
    gint64  ns = g_test_rand_int_range(0, 1000);
    records[i] = name % 2 ? span(name, (guint8) (name % 3), ns) : aggregate(name, 3, ns);
    lac_aggregates_add(pieces, &records[i], 1);
  }
  lac_aggregates_add(whole, records, N);
  const LacAggregate *a = lac_aggregates_get(whole, &n_whole);
  const LacAggregate *b = lac_aggregates_get(pieces, &n_pieces);
  g_assert_cmpuint(n_whole, ==, 40);
  g_assert_cmpuint(n_pieces, ==, 40);
  double operations = 0;
  for (gsize i = 0; i < n_whole; i++) {
    g_assert_cmpuint(a[i].name, ==, b[i].name);
    g_assert_cmpfloat(a[i].total_ns, ==, b[i].total_ns);
    g_assert_true(a[i].share >= 0 && a[i].share <= 1);
    if (i > 0)
      g_assert_cmpfloat(a[i].total_ns, <=, a[i - 1].total_ns);
    if (a[i].name % 2 == 0)
      operations += a[i].share;
  }
  /* 20 quotients that add up to 1, each rounded once */
  g_assert_cmpfloat(fabs(operations - 1), <=, 20 * 2.3e-16);
}

/* Operations of 40, 30 and 2 with phases of 60 and 12, the 12 within the 60. */
static void
test_largest(void)
{
  const LacRecord records[] = {
    nested(PHASE, 1, 0, 12), nested(STEP, 0, 0, 72),  aggregate(MATMUL, 4, 30),
    aggregate(TANH, 4, 40),  aggregate(MEMORY, 1, 2),
  };
  const LacAggregate      *parts[2];
  gsize                    n;
  g_autoptr(LacAggregates) all = lac_aggregates_new(), phases = lac_aggregates_new();
  lac_aggregates_add(all, records, G_N_ELEMENTS(records));
  const LacAggregate *rows = lac_aggregates_get(all, &n);
  g_assert_cmpuint(lac_aggregates_largest(rows, n, 0.1, parts, 2), ==, 2);
  g_assert_cmpuint(parts[0]->name, ==, TANH);
  g_assert_cmpuint(parts[1]->name, ==, MATMUL);
  g_assert_cmpuint(lac_aggregates_largest(rows, n, 0.1, parts, 1), ==, 1);
  g_assert_cmpuint(parts[0]->name, ==, TANH);
  g_assert_cmpuint(lac_aggregates_largest(rows, n, 0.5, parts, 2), ==, 1); /* 40 of 72 */

  lac_aggregates_add(phases, records, 2);
  rows = lac_aggregates_get(phases, &n);
  g_assert_cmpuint(lac_aggregates_largest(rows, n, 0.1, parts, 2), ==, 2);
  g_assert_cmpuint(parts[0]->name, ==, STEP);
  g_assert_cmpfloat_with_epsilon(lac_aggregate_own_share(parts[0]), 60.0 / 72.0, 1e-15);
  g_assert_cmpfloat_with_epsilon(lac_aggregate_own_share(parts[1]), 12.0 / 72.0, 1e-15);
}

static void
test_empty(void)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n = 9;
  lac_aggregates_get(aggregates, &n);
  g_assert_cmpuint(n, ==, 0);
}

/* In order of their end, alternating between two lanes: the self time of each; their sum is that of the outermost
 * spans. */
static void
test_self_time(void)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  const LacRecord          records[] = {
             nested(TANH, 2, 0, 10),   nested(TANH, 2, 1, 7),   nested(MATMUL, 2, 0, 30),
             nested(PHASE, 1, 0, 50),  nested(PHASE, 1, 1, 20), nested(PHASE, 1, 0, 5),
             nested(STEP, 0, 0, 100),  nested(STEP, 0, 1, 21),  nested(PHASE, 1, 0, 60),
             nested(STEP, 0, 0, 1000),
  };
  lac_aggregates_add(aggregates, records, G_N_ELEMENTS(records));
  g_assert_cmpfloat(row_of(aggregates, TANH)->self_ns, ==, 17);
  g_assert_cmpfloat(row_of(aggregates, MATMUL)->self_ns, ==, 30);
  g_assert_cmpfloat(row_of(aggregates, PHASE)->self_ns, ==, 10 + 13 + 5 + 60);
  g_assert_cmpfloat(row_of(aggregates, STEP)->self_ns, ==, 45 + 1 + 940);
  double own = 0;
  for (guint32 name = STEP; name <= TANH; name++)
    own += row_of(aggregates, name)->self_ns;
  g_assert_cmpfloat(own, ==, 100 + 21 + 1000);
}

static void
test_quantiles(void)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  for (gint64 i = 1; i <= 1000; i++) {
    LacRecord record = span(STEP, 0, 1000 * ((i * 7919) % 1000 + 1)); /* each value once */
    lac_aggregates_add(aggregates, &record, 1);
  }
  const LacAggregate *row = row_of(aggregates, STEP);
  g_assert_cmpfloat_with_epsilon(row->p50_ns, 500e3, 500e3 * 0.016);
  g_assert_cmpfloat_with_epsilon(row->p90_ns, 900e3, 900e3 * 0.016);
  g_assert_cmpfloat_with_epsilon(row->p99_ns, 990e3, 990e3 * 0.016);
  g_assert_cmpfloat(row->min_ns, ==, 1e3);
  g_assert_cmpfloat(row->max_ns, ==, 1e6);
}

/* Changes add up, peaks are the largest, and what was not read stays unknown. */
static void
test_memory(void)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  LacRecord records[] = {span(STEP, 0, 100), memory_of(span(STEP, 0, 100)), span(STEP, 0, 100),
                         memory_of(span(STEP, 0, 100)), span(PHASE, 0, 100)};
  records[1].cpu_delta = 5000;
  records[1].cpu_peak = 90000;
  records[3].cpu_delta = -2000;
  records[3].cpu_peak = 70000;
  records[1].gpu_delta = records[1].gpu_peak = LAC_RECORD_UNKNOWN;
  records[3].gpu_delta = LAC_RECORD_UNKNOWN;
  records[3].gpu_peak = 800;
  lac_aggregates_add(aggregates, records, G_N_ELEMENTS(records));
  g_assert_cmpint(row_of(aggregates, STEP)->cpu_delta, ==, 3000);
  g_assert_cmpint(row_of(aggregates, STEP)->cpu_peak, ==, 90000);
  g_assert_cmpint(row_of(aggregates, STEP)->gpu_delta, ==, LAC_RECORD_UNKNOWN);
  g_assert_cmpint(row_of(aggregates, STEP)->gpu_peak, ==, 800);
  g_assert_cmpint(row_of(aggregates, PHASE)->cpu_delta, ==, LAC_RECORD_UNKNOWN);
  g_assert_cmpint(row_of(aggregates, PHASE)->gpu_peak, ==, LAC_RECORD_UNKNOWN);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/aggregate/sums-are-exact", test_sums);
  g_test_add_func("/perf/aggregate/tiles-are-not-counted-twice", test_tiles_of_an_operation);
  g_test_add_func("/perf/aggregate/pieces-make-the-whole-in-order", test_order_and_pieces);
  g_test_add_func("/perf/aggregate/what-is-its-own-adds-up-to-the-outermost", test_self_time);
  g_test_add_func("/perf/aggregate/quantiles-are-those-of-the-calls", test_quantiles);
  g_test_add_func("/perf/aggregate/largest-parts-are-of-operations-where-these-matter",
                  test_largest);
  g_test_add_func("/perf/aggregate/memory-is-that-of-its-records", test_memory);
  g_test_add_func("/perf/aggregate/nothing-gives-no-rows", test_empty);
  return g_test_run();
}
