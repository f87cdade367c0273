/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder from several threads at once: no record lost, in order, names and lanes stable. */
#include "perf/recorder/perf.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { MANY = 1000000 };
#else
enum { MANY = 20000000 };
#endif

enum { MOST_LANES = 4, MOST_BEHIND = 1 << 20 }; /* 84 MB of pending records */

typedef struct {
  LacPerf    *perf;
  LacLane    *lane;
  guint64     n;
  guint64     sum; /* of pushed values; read after the thread has ended */
  atomic_uint ended;
} Producer;

typedef struct {
  guint64 n, sum;
  guint64 next[MOST_LANES]; /* by lane: next expected sequence number */
} Sink;

static guint64
mix(guint64 i)
{
  i ^= i >> 31;
  return i * 0x9e3779b97f4a7c15;
}

static void *
produce(void *data)
{
  Producer *producer = data;
  for (guint64 i = 0; i < producer->n; i++) {
    guint64 payload = mix(i);
    producer->sum += payload;
    lac_lane_push(producer->lane,
                  (LacRecord){.kind = LAC_RECORD_SPAN, .count = payload, .step = (gint64) i});
    /* Otherwise a consumer without a processor would let the list grow to gigabytes. */
    while (i % 4096 == 0 && lac_perf_get_n_pushed(producer->perf) >
                              lac_perf_get_n_drained(producer->perf) + MOST_BEHIND)
      sched_yield();
  }
  atomic_store(&producer->ended, TRUE);
  return NULL;
}

static void
take(const LacRecord *records, gsize n, gpointer user_data)
{
  Sink *sink = user_data;
  for (gsize i = 0; i < n; i++) {
    guint64 *next = &sink->next[records[i].lane];
    if (records[i].sequence != *next || records[i].step != (gint64) *next)
      g_error("lane %u: record %" G_GUINT64_FORMAT " where %" G_GUINT64_FORMAT " was due",
              records[i].lane, records[i].sequence, *next);
    (*next)++;
    sink->sum += records[i].count;
  }
  sink->n += n;
}

static void
record_and_check(guint n_lanes, guint64 n_each, gulong pause_us)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_FULL);
  Producer           producers[MOST_LANES] = {0};
  pthread_t          threads[MOST_LANES];
  Sink               sink = {0};
  guint64            sum = 0;
  for (guint i = 0; i < n_lanes; i++) {
    producers[i].perf = perf;
    producers[i].n = n_each;
    producers[i].lane = lac_perf_lane(perf, "producer");
    g_assert_cmpint(pthread_create(&threads[i], NULL, produce, &producers[i]), ==, 0);
  }
  for (guint running = n_lanes; running > 0;) {
    running = 0;
    for (guint i = 0; i < n_lanes; i++)
      running += !atomic_load(&producers[i].ended);
    if (lac_perf_drain(perf, take, &sink) == 0)
      sched_yield();
    if (pause_us > 0)
      g_usleep(pause_us);
  }
  for (guint i = 0; i < n_lanes; i++) {
    pthread_join(threads[i], NULL);
    sum += producers[i].sum;
  }
  lac_perf_drain(perf, take, &sink);
  g_assert_cmpuint(sink.n, ==, n_lanes * n_each);
  g_assert_cmpuint(sink.sum, ==, sum);
  g_assert_cmpuint(lac_perf_get_n_pushed(perf), ==, sink.n);
  g_assert_cmpuint(lac_perf_get_n_drained(perf), ==, sink.n);
  g_test_message("%" G_GUINT64_FORMAT " rings were added for %" G_GUINT64_FORMAT " records",
                 lac_perf_get_n_spilled(perf), sink.n);
}

static void
test_twenty_million(void)
{
  record_and_check(1, MANY, 0);
}

static void
test_four_lanes(void)
{
  record_and_check(4, MANY / 40, 0);
}

/* The consumer sleeps 20 ms at a time, so that nearly everything goes through the overflow lists. */
static void
test_stalled_consumer(void)
{
  record_and_check(2, MANY / 40, 20000);
}

static void
keep(const LacRecord *records, gsize n, gpointer user_data)
{
  g_array_append_vals(user_data, records, (guint) n);
}

static void
test_spans_nest(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  g_autoptr(GArray)  records = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  LacLane           *lane = lac_perf_lane(perf, "compute");
  guint32            step = lac_perf_name(perf, "step"), phase = lac_perf_name(perf, "phase");
  LacSpan            outer = lac_span_begin(lane, step);
  for (guint32 i = 0; i < 2; i++) {
    LacSpan inner = lac_span_begin(lane, phase);
    lac_lane_set_batch(lane, 3, i + 1);
    lac_span_end(lane, inner, 7);
  }
  lac_lane_set_batch(lane, 0, 0);
  lac_span_end(lane, outer, 7);
  g_assert_cmpuint(lac_perf_drain(perf, keep, records), ==, 3);
  const LacRecord *r = (const LacRecord *) (gpointer) records->data;
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpuint(r[i].name, ==, i < 2 ? phase : step);
    g_assert_cmpuint(r[i].depth, ==, i < 2 ? 1 : 0);
    g_assert_cmpuint(r[i].count, ==, 1);
    g_assert_cmpint(r[i].step, ==, 7);
    g_assert_cmpuint(r[i].epoch, ==, i < 2 ? 3 : 0);
    g_assert_cmpuint(r[i].batch, ==, i < 2 ? i + 1 : 0);
    g_assert_cmpint(r[i].memory, ==, -1);
    g_assert_cmpint(r[i].duration_ns, >=, 0);
    g_assert_cmpint(r[i].start_ns, >=, r[2].start_ns);
    g_assert_cmpint(r[i].start_ns + r[i].duration_ns, <=, r[2].start_ns + r[2].duration_ns);
  }
}

static void
test_names(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  const char        *first = NULL;
  for (guint i = 0; i < 3000; i++) {
    g_autofree char *name = g_strdup_printf("operation %u", i);
    g_assert_cmpuint(lac_perf_name(perf, name), ==, i);
    g_assert_cmpuint(lac_perf_name(perf, name), ==, i);
    if (i == 0)
      first = lac_perf_get_name(perf, 0);
  }
  g_assert_cmpuint(lac_perf_get_n_names(perf), ==, 3000);
  g_assert_true(lac_perf_get_name(perf, 0) == first); /* valid for the life of the recorder */
  g_assert_cmpstr(lac_perf_get_name(perf, 2999), ==, "operation 2999");
}

static void
test_lanes(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  for (guint i = 0; i < 20; i++) {
    g_autofree char *name = g_strdup_printf("lane %u", i);
    lac_perf_lane(perf, name);
  }
  g_assert_cmpuint(lac_perf_get_n_lanes(perf), ==, 20);
  g_assert_cmpstr(lac_perf_get_lane_name(perf, 19), ==, "lane 19");
}

static void
test_off(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_OFF);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  Sink               sink = {0};
  lac_lane_push(lane, (LacRecord){.step = 1});
  lac_span_end(lane, lac_span_begin(lane, lac_perf_name(perf, "step")), 1);
  g_assert_cmpuint(lac_perf_drain(perf, take, &sink), ==, 0);
  g_assert_cmpuint(lac_perf_get_n_pushed(perf), ==, 0);
  g_assert_cmpint(lac_perf_get_detail(perf), ==, LAC_PERF_OFF);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/recorder/of-twenty-million-records-none-is-lost", test_twenty_million);
  g_test_add_func("/perf/recorder/four-lanes-at-once", test_four_lanes);
  g_test_add_func("/perf/recorder/stalled-consumer-loses-nothing", test_stalled_consumer);
  g_test_add_func("/perf/recorder/spans-nest", test_spans_nest);
  g_test_add_func("/perf/recorder/names-are-interned", test_names);
  g_test_add_func("/perf/recorder/lanes-keep-their-names", test_lanes);
  g_test_add_func("/perf/recorder/off-records-nothing", test_off);
  return g_test_run();
}
