/* SPDX-License-Identifier: GPL-3.0-or-later */
/* However many records are dropped, the sums are unchanged: integer nanoseconds, so that they are exact. */
#include "perf/analysis/aggregate.h"
#include "perf/recorder/decimator.h"

#include <string.h>

enum { STEP, PHASE, MATMUL, COUNTER, N_NAMES };
enum { COMPUTE, POOL, WINDOW };

static void
add(GArray *records, guint32 name, guint16 lane, LacRecordKind kind, gint64 step, gint64 ns)
{
  LacRecord record = {
    .start_ns = 1000 * (gint64) records->len,
    .duration_ns = ns,
    .step = step,
    .count = kind == LAC_RECORD_AGGREGATE ? 3 : 1,
    .flops = (double) ns,
    .memory = step,
    .name = name,
    .lane = lane,
    .kind = (guint8) kind,
    .depth = name == PHASE,
  };
  g_array_append_val(records, record);
}

/* Returns @n steps as a run records them: a phase within each step, an operation, a counter, and a window frame
 * without a step. */
static GArray *
make_steps(gint64 n)
{
  GArray *records = g_array_new(FALSE, TRUE, sizeof(LacRecord));

  add(records, PHASE, COMPUTE, LAC_RECORD_SPAN, -1, 5);
  for (gint64 step = 0; step < n; step++) {
    add(records, MATMUL, POOL, LAC_RECORD_AGGREGATE, step, 40 + 3 * step);
    add(records, PHASE, COMPUTE, LAC_RECORD_SPAN, step, 10 + step % 7);
    add(records, STEP, COMPUTE, LAC_RECORD_SPAN, step, 100 + step);
    add(records, COUNTER, COMPUTE, LAC_RECORD_COUNTER, step, 0);
    add(records, STEP, WINDOW, LAC_RECORD_SPAN, -1, 7);
  }
  return records;
}

static void
collect(const LacRecord *records, gsize n, gpointer user_data)
{
  g_array_append_vals(user_data, records, (guint) n);
}

/* Decimates in batches of uneven length. */
static GArray *
thin(LacDecimator *decimator, const GArray *records, gint64 stride)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(LacRecord));

  lac_decimator_set_stride(decimator, stride);
  for (guint at = 0; at < records->len;) {
    guint n = MIN(1 + at % 13, records->len - at);
    lac_decimator_take(decimator, &g_array_index(records, LacRecord, at), n, collect, out);
    at += n;
  }
  lac_decimator_finish(decimator, collect, out);
  return out;
}

static void
assert_same_sums(const GArray *all, const GArray *kept)
{
  g_autoptr(LacAggregates) a = lac_aggregates_new(), b = lac_aggregates_new();
  gsize                    n, n_kept;

  lac_aggregates_add(a, (const LacRecord *) (gpointer) all->data, all->len);
  lac_aggregates_add(b, (const LacRecord *) (gpointer) kept->data, kept->len);
  const LacAggregate *x = lac_aggregates_get(a, &n), *y = lac_aggregates_get(b, &n_kept);
  g_assert_cmpuint(n, ==, n_kept);
  g_assert_cmpuint(n, ==, 3);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(x[i].name, ==, y[i].name);
    g_assert_true(x[i].is_operation == y[i].is_operation);
    g_assert_cmpuint(x[i].count, ==, y[i].count);
    g_assert_cmpfloat(x[i].total_ns, ==, y[i].total_ns);
    g_assert_cmpfloat(x[i].self_ns, ==, y[i].self_ns);
    g_assert_cmpfloat(x[i].share, ==, y[i].share);
    g_assert_cmpfloat(x[i].flops, ==, y[i].flops);
    g_assert_cmpint(x[i].memory, ==, y[i].memory);
  }
}

static void
test_all(void)
{
  g_autoptr(LacDecimator) decimator = lac_decimator_new();
  g_autoptr(GArray)       all = make_steps(20);
  g_autoptr(GArray)       kept = thin(decimator, all, 1);
  LacDecimatorCounts      counts = lac_decimator_get_counts(decimator);

  g_assert_cmpmem(kept->data, kept->len * sizeof(LacRecord), all->data,
                  all->len * sizeof(LacRecord));
  g_assert_cmpuint(counts.n_taken, ==, all->len);
  g_assert_cmpuint(counts.n_kept, ==, all->len);
  g_assert_cmpuint(counts.n_sums, ==, 0);
  g_assert_cmpint(counts.first_step, ==, -1);
}

static void
test_some(gconstpointer data)
{
  const gint64            stride = GPOINTER_TO_INT(data);
  g_autoptr(LacDecimator) decimator = lac_decimator_new();
  g_autoptr(GArray)       all = make_steps(50);
  g_autoptr(GArray)       kept = thin(decimator, all, stride);
  LacDecimatorCounts      counts = lac_decimator_get_counts(decimator);
  guint                   n_steps = 0;

  assert_same_sums(all, kept);
  for (guint i = 0; i < kept->len; i++) {
    const LacRecord *record = &g_array_index(kept, LacRecord, i);
    if (record->name != STEP || record->lane != COMPUTE || record->kind != LAC_RECORD_SPAN)
      continue;
    g_assert_cmpint(record->step, ==, (gint64) n_steps * stride);
    n_steps++;
  }
  g_assert_cmpuint(n_steps, ==, (50 + stride - 1) / stride);
  g_assert_cmpuint(kept->len, ==, counts.n_kept + counts.n_sums);
  g_assert_cmpuint(counts.n_taken, ==, all->len);
  g_assert_cmpint(counts.first_step, ==, 1);
}

static void
test_none(void)
{
  g_autoptr(LacDecimator) decimator = lac_decimator_new();
  g_autoptr(GArray)       all = make_steps(30);
  g_autoptr(GArray)       first = make_steps(2);
  g_autoptr(GArray)       before = thin(decimator, first, 1);
  g_autoptr(GArray)       kept = thin(decimator, all, 0);

  for (guint i = 0; i < kept->len; i++)
    g_assert_cmpuint(g_array_index(kept, LacRecord, i).kind, >=, LAC_RECORD_SPANS_DROPPED);
  g_assert_cmpint(lac_decimator_get_counts(decimator).n_kept, ==, first->len);
  assert_same_sums(all, kept);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/thinner/at-first-every-record-stays-as-it-is", test_all);
  g_test_add_data_func("/perf/thinner/of-every-fourth-step-the-sums-are-those-of-all",
                       GINT_TO_POINTER(4), test_some);
  g_test_add_data_func("/perf/thinner/of-every-64th-step-the-sums-are-those-of-all",
                       GINT_TO_POINTER(64), test_some);
  g_test_add_func("/perf/thinner/where-none-may-stay-the-sums-do", test_none);
  return g_test_run();
}
