/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ring between two threads: every record once, complete and in order, for any capacity, pace and counter. */
#include "perf/recorder/ring.h"

#include <pthread.h>
#include <sched.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { RECORDS = 20000 };
#else
enum { RECORDS = 200000 };
#endif

/* Every field depends on the number, so that a torn record is detected. */
static LacRecord
record_of(guint64 i)
{
  return (LacRecord){
    .sequence = i,
    .start_ns = (gint64) (i * 3),
    .duration_ns = (gint64) ~i,
    .step = (gint64) (i + 5),
    .count = i ^ 0x5555,
    .flops = (double) i,
    .bytes = (double) i * 2,
    .value = -(double) i,
    .memory = (gint64) i * 7,
    .name = (guint32) i,
    .lane = (guint16) i,
    .kind = (guint8) (i % 4),
    .depth = (guint8) i,
  };
}

static void
assert_record(const LacRecord *record, guint64 i)
{
  LacRecord expected = record_of(i);
  g_assert_cmpmem(record, sizeof *record, &expected, sizeof expected);
}

typedef enum {
  PACE_FULL,
  PACE_SLOW_PRODUCER,
  PACE_SLOW_CONSUMER,
  N_PACES,
} Pace;

typedef struct {
  LacRing *ring;
  Pace     pace;
} Producing;

/* Yields at irregular moments, independent of the other side. */
static void
yield_sometimes(guint64 i)
{
  if ((i * 0x9e3779b97f4a7c15) >> 61 == 0)
    sched_yield();
}

static void *
produce(void *data)
{
  const Producing *producing = data;
  for (guint64 i = 0; i < RECORDS; i++) {
    LacRecord record = record_of(i);
    while (!lac_ring_push(producing->ring, &record))
      sched_yield();
    if (producing->pace == PACE_SLOW_PRODUCER)
      yield_sometimes(i);
  }
  return NULL;
}

static void
consume(LacRing *ring, Pace pace)
{
  guint64 taken = 0;
  while (taken < RECORDS) {
    const LacRecord *records;
    gsize            n = lac_ring_peek(ring, &records);
    if (n == 0)
      sched_yield();
    for (gsize i = 0; i < n; i++)
      assert_record(&records[i], taken + i);
    lac_ring_drop(ring, n);
    taken += n;
    if (pace == PACE_SLOW_CONSUMER)
      yield_sometimes(taken);
  }
  g_assert_cmpuint(lac_ring_get_n(ring), ==, 0);
}

static void
test_threads(gconstpointer data)
{
  gsize capacity = GPOINTER_TO_SIZE(data);
  for (Pace pace = 0; pace < N_PACES; pace++) {
    for (guint wraps = 0; wraps < 2; wraps++) {
      guint64            start = wraps ? G_MAXUINT64 - RECORDS / 2 : 0;
      g_autoptr(LacRing) ring = lac_ring_new(capacity, start);
      Producing          producing = {ring, pace};
      pthread_t          producer;
      g_assert_cmpint(pthread_create(&producer, NULL, produce, &producing), ==, 0);
      consume(ring, pace);
      pthread_join(producer, NULL);
    }
  }
}

/* One thread, against a plain count of records put in and taken out. */
static void
test_full_and_empty(void)
{
  static const gsize capacities[] = {2, 64, 1024};
  for (gsize c = 0; c < G_N_ELEMENTS(capacities); c++) {
    gsize              capacity = capacities[c];
    g_autoptr(LacRing) ring = lac_ring_new(capacity, G_MAXUINT64 - 3);
    const LacRecord   *records;
    guint64            in = 0, out = 0;
    g_assert_cmpuint(lac_ring_peek(ring, &records), ==, 0);
    for (int round = 0; round < 200; round++) {
      gsize more = (gsize) g_test_rand_int_range(0, 2 * (gint32) capacity);
      for (gsize i = 0; i < more; i++) {
        LacRecord record = record_of(in);
        gboolean  room = in - out < capacity;
        g_assert_true(lac_ring_push(ring, &record) == room);
        in += room;
      }
      g_assert_cmpuint(lac_ring_get_n(ring), ==, in - out);
      gsize less = (gsize) g_test_rand_int_range(0, (gint32) capacity + 1);
      while (less > 0) {
        gsize n = lac_ring_peek(ring, &records);
        n = MIN(n, less);
        if (n == 0)
          break;
        for (gsize i = 0; i < n; i++)
          assert_record(&records[i], out + i);
        lac_ring_drop(ring, n);
        out += n;
        less -= n;
      }
    }
    g_assert_cmpuint(in, >, capacity);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/ring/full-and-empty-are-exact", test_full_and_empty);
  g_test_add_data_func("/perf/ring/two-threads/capacity-2", GSIZE_TO_POINTER(2), test_threads);
  g_test_add_data_func("/perf/ring/two-threads/capacity-64", GSIZE_TO_POINTER(64), test_threads);
  g_test_add_data_func("/perf/ring/two-threads/capacity-16384", GSIZE_TO_POINTER(16384),
                       test_threads);
  return g_test_run();
}
