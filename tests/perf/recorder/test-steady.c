/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing is allocated within a step: not by the pool, nor a producer whose ring has room, nor the consumer. Counts
 * every allocation of the process, even one freed at once. */
#include "base/clock.h"
#include "base/pool.h"
#include "helpers/counting-malloc.h"
#include "perf/recorder/heap.h"
#include "perf/recorder/perf.h"
#include "perf/recorder/wake.h"

enum { STEPS = 1000, ITEMS = 64 };

typedef struct {
  LacPerf *perf;
  LacPool *pool;
  LacLane *lane;
  LacWake  wake;
  guint32  name;
  guint64  n_records;
  double   items[ITEMS];
} Fixture;

static void
work(gsize item, guint worker, gpointer user_data)
{
  Fixture *f = user_data;
  f->items[item] += (double) item;
}

static void
take(const LacRecord *records, gsize n, gpointer user_data)
{
  Fixture *f = user_data;
  f->n_records += n;
}

static void
step(Fixture *f, gint64 number)
{
  LacSpan span = lac_span_begin(f->lane, f->name);
  lac_pool_run(f->pool, ITEMS, work, f);
  for (int i = 0; i < 10; i++)
    lac_lane_push(f->lane, (LacRecord){.kind = LAC_RECORD_AGGREGATE, .count = 1, .step = number});
  lac_wake_raise(&f->wake);
  lac_wake_clear(&f->wake);
  lac_span_end(f->lane, span, number);
  lac_perf_drain(f->perf, take, f);
  lac_heap_in_use();
  lac_heap_get_resident();
}

static void
test_steady(void)
{
  Fixture f = {.perf = lac_perf_new(LAC_PERF_COARSE), .pool = lac_pool_new(2)};
  f.lane = lac_perf_lane(f.perf, "compute");
  f.name = lac_perf_name(f.perf, "step");
  step(&f, 0);
  gsize heap = lac_heap_in_use();
  guint before = count_allocations();
  for (gint64 i = 1; i <= STEPS; i++)
    step(&f, i);
  g_assert_cmpuint(count_allocations(), ==, before);
  g_assert_cmpuint(lac_heap_in_use(), ==, heap);
  g_assert_cmpuint(f.n_records, ==, 11 * (STEPS + 1));
  g_assert_cmpfloat(f.items[5], ==, 5.0 * (STEPS + 1));
  g_assert_cmpuint(lac_perf_get_n_spilled(f.perf), ==, 0);
  lac_pool_free(f.pool);
  lac_perf_free(f.perf);
#if !COUNTS_MALLOC
  g_test_skip("a sanitizer has an allocator of its own");
#else
  g_assert_cmpuint(before, >, 0); /* set-up did allocate, and was counted */
#endif
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/steady/nothing-is-allocated-within-a-step", test_steady);
  return g_test_run();
}
