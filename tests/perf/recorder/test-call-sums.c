/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of short calls: laps follow one another without gaps, so that the times of a worker add up to the time between
 * its first call and its last. */
#include "base/clock.h"
#include "perf/recorder/call-sums.h"

#include <math.h>
#include <pthread.h>

enum { SEE, CHANGE, REST, N_OPERATIONS, N_WORKERS = 2, N_CALLS = 2000 };

static const char *const names[N_OPERATIONS] = {"see", "change", "rest"};

typedef struct {
  LacCallSums *sums;
  guint        worker;
  guint64      ticks; /* between the first call and the last */
} Work;

static void *
work(void *data)
{
  Work         *job = data;
  const guint64 begin = lac_call_sums_begin(job->sums);
  guint64       time = begin;
  for (guint i = 0; i < N_CALLS; i++) {
    time = lac_call_sums_lap(job->sums, job->worker, SEE, time);
    time = lac_call_sums_lap(job->sums, job->worker, CHANGE, time);
  }
  job->ticks = time - begin;
  return NULL;
}

typedef struct {
  guint     n;
  LacRecord records[8];
} Taken;

static void
take(const LacRecord *records, gsize n, gpointer user_data)
{
  Taken *taken = user_data;
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(taken->n, <, G_N_ELEMENTS(taken->records));
    taken->records[taken->n++] = records[i];
  }
}

static void
test_sums(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  LacCallSums       *sums = lac_call_sums_new(perf, names, N_OPERATIONS, N_WORKERS);
  Work               jobs[N_WORKERS];
  pthread_t          threads[N_WORKERS];
  Taken              taken = {0};
  double             ticks = 0;

  lac_call_sums_set_cost(sums, CHANGE, 3, 16);
  for (guint i = 0; i < N_WORKERS; i++) {
    jobs[i] = (Work){sums, i, 0};
    g_assert_cmpint(pthread_create(&threads[i], NULL, work, &jobs[i]), ==, 0);
  }
  for (guint i = 0; i < N_WORKERS; i++) {
    g_assert_cmpint(pthread_join(threads[i], NULL), ==, 0);
    ticks += (double) jobs[i].ticks;
  }
  lac_call_sums_emit(sums, lane, 77, 5);
  lac_call_sums_emit(sums, lane, 78, 6); /* nothing is left */
  lac_perf_drain(perf, take, &taken);

  g_assert_cmpuint(taken.n, ==, 2); /* an operation without calls has no row */
  for (guint i = 0; i < taken.n; i++) {
    const LacRecord *record = &taken.records[i];
    g_assert_cmpstr(lac_perf_get_name(perf, record->name), ==, names[i]);
    g_assert_cmpint(record->kind, ==, LAC_RECORD_AGGREGATE);
    g_assert_cmpuint(record->count, ==, N_WORKERS * N_CALLS);
    g_assert_cmpint(record->start_ns, ==, 77);
    g_assert_cmpint(record->step, ==, 5);
  }
  g_assert_cmpfloat(taken.records[0].flops, ==, 0);
  g_assert_cmpfloat(taken.records[1].flops, ==, 3.0 * N_WORKERS * N_CALLS);
  g_assert_cmpfloat(taken.records[1].bytes, ==, 16.0 * N_WORKERS * N_CALLS);
  const double sum = (double) (taken.records[0].duration_ns + taken.records[1].duration_ns);
  g_assert_cmpfloat(fabs(sum - ticks * lac_clock_tick_ns()), <=, 2);
  lac_call_sums_free(sums);
}

static void
test_discarded(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  LacCallSums       *sums = lac_call_sums_new(perf, names, N_OPERATIONS, 1);
  Taken              taken = {0};
  lac_call_sums_lap(sums, 0, SEE, lac_call_sums_begin(sums));
  lac_call_sums_emit(sums, NULL, 0, -1);
  lac_call_sums_emit(sums, lane, 0, -1);
  lac_perf_drain(perf, take, &taken);
  g_assert_cmpuint(taken.n, ==, 0);
  lac_call_sums_free(sums);
}

static void
test_off(void)
{
  g_autoptr(LacPerf) off = lac_perf_new(LAC_PERF_OFF);
  LacPerf *const     none[] = {NULL, off};
  for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
    LacCallSums *sums = lac_call_sums_new(none[i], names, N_OPERATIONS, 1);
    g_assert_cmpuint(lac_call_sums_begin(sums), ==, 0);
    g_assert_cmpuint(lac_call_sums_lap(sums, 0, REST, 0), ==, 0);
    lac_call_sums_emit(sums, NULL, 0, 0);
    lac_call_sums_free(sums);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/call-sums/sums", test_sums);
  g_test_add_func("/perf/call-sums/discarded", test_discarded);
  g_test_add_func("/perf/call-sums/off", test_off);
  return g_test_run();
}
