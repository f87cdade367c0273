/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The producer pushes into a ring. When that is full it goes on in a spare one, linked behind it, and never returns; the
 * consumer follows the link when the ring is empty, and hands the ring back as a spare. No lock: each ring has one producer
 * and one consumer, and spares change hands by exchanging a pointer. The producer allocates only when all rings that were
 * prepared are full.
 * The count of pushed records is published after each record, so that the consumer finds at least that many in the chain: an
 * empty ring before that count is reached has been left. */
#include "perf/recorder/lane.h"

#include "base/clock.h"
#include "perf/recorder/heap.h"
#include "perf/recorder/ring.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
  LINE = 64,
  N_SPARES = 2,
  DEEPEST = 255,
  BATCH_RECORDS = 4096 /* delivered at once; small enough to free room for a busy producer */
};

struct _LacLane {
  char    *name;
  LacSink *sink; /* NULL without an external profiler */
  gsize    capacity;
  guint16  id;

  /* Written by the producer; the counters may be read by any thread. */
  alignas(LINE) _Atomic guint64 n_pushed;
  _Atomic guint64 n_spilled;
  LacRing        *to; /* NULL when nothing is recorded */
  guint           depth;
  guint32         epoch, batch;
  gboolean        is_memory_read;
  gint64          most;      /* largest reading of the present span */
  gint64          memory_ns; /* spent reading */

  alignas(LINE) _Atomic(LacRing *) spares[N_SPARES]; /* NULL: taken */

  /* Written by the consumer. */
  alignas(LINE) _Atomic guint64 n_drained;
  LacRing *from; /* the oldest ring of the chain that ends at @to */
};

LacLane *
lac_lane_new(const LacLaneSettings *settings)
{
  LacLane *lane = aligned_alloc(LINE, sizeof(LacLane));
  g_assert(lane != NULL);
  *lane = (LacLane){.name = g_strdup(settings->name),
                    .id = settings->id,
                    .sink = settings->sink,
                    .capacity = settings->capacity};
  if (settings->muted)
    return lane;
  lane->from = lane->to = lac_ring_new(settings->capacity, settings->start);
  for (guint i = 0; i < N_SPARES; i++)
    atomic_init(&lane->spares[i], lac_ring_new(settings->capacity, settings->start));
  return lane;
}

void
lac_lane_free(LacLane *lane)
{
  if (lane == NULL)
    return;
  for (LacRing *ring = lane->from; ring != NULL;) {
    LacRing *next = lac_ring_get_next(ring);
    lac_ring_free(ring);
    ring = next;
  }
  for (guint i = 0; i < N_SPARES; i++)
    lac_ring_free(atomic_load_explicit(&lane->spares[i], memory_order_relaxed));
  g_free(lane->name);
  free(lane);
}

const char *
lac_lane_get_name(const LacLane *lane)
{
  return lane->name;
}

guint64
lac_lane_get_n_pushed(LacLane *lane)
{
  return atomic_load_explicit(&lane->n_pushed, memory_order_relaxed);
}

guint64
lac_lane_get_n_drained(LacLane *lane)
{
  return atomic_load_explicit(&lane->n_drained, memory_order_relaxed);
}

guint64
lac_lane_get_n_spilled(LacLane *lane)
{
  return atomic_load_explicit(&lane->n_spilled, memory_order_relaxed);
}

/* Producer: takes a spare ring, or makes one. */
static LacRing *
take_ring(LacLane *lane)
{
  for (guint i = 0; i < N_SPARES; i++) {
    LacRing *ring = atomic_exchange_explicit(&lane->spares[i], NULL, memory_order_acquire);
    if (ring != NULL)
      return ring;
  }
  guint64 n = atomic_load_explicit(&lane->n_spilled, memory_order_relaxed);
  atomic_store_explicit(&lane->n_spilled, n + 1, memory_order_relaxed);
  return lac_ring_new(lane->capacity, 0);
}

/* Consumer: hands back an empty ring that the producer has left. */
static void
give_ring(LacLane *lane, LacRing *ring)
{
  lac_ring_set_next(ring, NULL);
  for (guint i = 0; i < N_SPARES; i++) {
    LacRing *none = NULL;
    if (atomic_compare_exchange_strong_explicit(&lane->spares[i], &none, ring, memory_order_release,
                                                memory_order_relaxed))
      return;
  }
  lac_ring_free(ring);
}

void
lac_lane_push(LacLane *lane, LacRecord record)
{
  if (!lac_lane_is_recording(lane))
    return;
  guint64 n = atomic_load_explicit(&lane->n_pushed, memory_order_relaxed);
  record.sequence = n;
  record.lane = lane->id;
  if (G_UNLIKELY(lane->sink != NULL))
    lac_sink_push(lane->sink, lane->name, &record);
  if (!lac_ring_push(lane->to, &record)) {
    LacRing *ring = take_ring(lane);
    lac_ring_push(ring, &record);
    lac_ring_set_next(lane->to, ring);
    lane->to = ring;
  }
  atomic_store_explicit(&lane->n_pushed, n + 1, memory_order_release);
}

void
lac_lane_set_batch(LacLane *lane, guint32 epoch, guint32 batch)
{
  if (lane == NULL)
    return;
  lane->epoch = epoch;
  lane->batch = batch;
}

gint64
lac_lane_read_memory(LacLane *lane, gboolean is_read)
{
  if (lane == NULL)
    return 0;
  const gint64 ns = lane->memory_ns;
  lane->is_memory_read = is_read;
  lane->memory_ns = 0;
  return ns;
}

static gint64
read_resident(LacLane *lane)
{
  const gint64 begin_ns = lac_clock_ns(), resident = (gint64) lac_heap_get_resident();
  lane->memory_ns += lac_clock_ns() - begin_ns;
  return resident;
}

LacSpan
lac_span_begin(LacLane *lane, guint32 name)
{
  if (!lac_lane_is_recording(lane))
    return (LacSpan){.name = name, .resident = -1};
  lane->depth++;
  if (G_UNLIKELY(lane->sink != NULL))
    lac_sink_begin(lane->sink, name);
  LacSpan span = {.name = name, .memory = -1, .resident = -1};
  if (G_UNLIKELY(lane->is_memory_read)) {
    span.resident = read_resident(lane);
    span.outer_most = lane->most;
    lane->most = span.resident;
  }
  span.start_ns = lac_clock_ns();
  return span;
}

gboolean
lac_lane_is_recording(const LacLane *lane)
{
  return lane != NULL && lane->to != NULL;
}

LacRecord
lac_lane_end_span(LacLane *lane, LacSpan span, gint64 step)
{
  g_assert(lane->depth > 0);
  lane->depth--;
  if (G_UNLIKELY(lane->sink != NULL))
    lac_sink_end(lane->sink);
  LacRecord record = {
    .start_ns = span.start_ns,
    .duration_ns = lac_clock_ns() - span.start_ns,
    .step = step,
    .count = 1,
    .flops = span.flops,
    .bytes = span.bytes,
    .epoch = lane->epoch,
    .batch = lane->batch,
    .memory = span.memory,
    .name = span.name,
    .kind = LAC_RECORD_SPAN,
    .depth = (guint8) MIN(lane->depth, DEEPEST),
  };
  lac_lane_push(lane, record);
  return record;
}

/* Adds the memory record of a span that has ended. */
static void
push_memory(LacLane *lane, const LacSpan *span, LacRecord record)
{
  const gint64 now = read_resident(lane);
  record.kind = LAC_RECORD_MEMORY;
  record.cpu_delta = now - span->resident;
  record.cpu_peak = MAX(lane->most, now);
  record.gpu_delta = record.gpu_peak = LAC_RECORD_UNKNOWN;
  lane->most = MAX(span->outer_most, record.cpu_peak);
  lac_lane_push(lane, record);
}

void
lac_span_end(LacLane *lane, LacSpan span, gint64 step)
{
  if (!lac_lane_is_recording(lane))
    return;
  const LacRecord record = lac_lane_end_span(lane, span, step);
  if (G_UNLIKELY(span.resident > 0))
    push_memory(lane, &span, record);
}

static void
hand_over(LacLane *lane, const LacRecord *records, gsize n, LacRecordFunc func, gpointer user_data)
{
  guint64 sequence = atomic_load_explicit(&lane->n_drained, memory_order_relaxed);
  for (gsize i = 0; i < n; i++)
    g_assert(records[i].sequence == sequence + i);
  func(records, n, user_data);
  atomic_store_explicit(&lane->n_drained, sequence + n, memory_order_relaxed);
}

gsize
lac_lane_drain(LacLane *lane, LacRecordFunc func, gpointer user_data)
{
  const guint64 before = atomic_load_explicit(&lane->n_drained, memory_order_relaxed);
  const gsize most = (gsize) (atomic_load_explicit(&lane->n_pushed, memory_order_acquire) - before);
  const LacRecord *records;
  for (gsize done = 0, n; done < most; done += n) {
    LacRing *ring = lane->from;
    n = MIN(MIN(lac_ring_peek(ring, &records), most - done), BATCH_RECORDS);
    if (n > 0) {
      hand_over(lane, records, n, func, user_data);
      lac_ring_drop(ring, n);
    } else {
      lane->from = lac_ring_get_next(ring);
      give_ring(lane, ring);
    }
  }
  return most;
}
