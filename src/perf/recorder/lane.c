/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The producer pushes into the ring; from the first record that finds it full, everything goes to the overflow list,
 * under a lock, until the consumer has taken the whole list. So the list is always newer than the ring's content, and
 * later records go to the ring again. */
#include "perf/recorder/lane.h"

#include "base/clock.h"
#include "perf/recorder/heap.h"
#include "perf/recorder/ring.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
  LINE = 64,
  CHUNK_RECORDS = 4096,
  DEEPEST = 255,
  BATCH_RECORDS = 4096 /* delivered at once; small enough to free room for a busy producer */
};

typedef struct _Chunk Chunk;

struct _Chunk {
  Chunk    *next;
  gsize     n;
  LacRecord records[CHUNK_RECORDS];
};

struct _LacLane {
  char    *name;
  LacRing *ring; /* NULL when nothing is recorded */
  LacSink *sink; /* NULL without an external profiler */
  guint16  id;

  /* Written by the producer; the counters may be read by any thread. */
  alignas(LINE) _Atomic guint64 n_pushed;
  _Atomic guint64 n_overflowed;
  guint           depth;
  guint32         epoch, batch;
  gboolean        is_memory_read;
  gint64          most;      /* largest reading of the present span */
  gint64          memory_ns; /* spent reading */

  alignas(LINE) pthread_mutex_t lock; /* protects the list */
  Chunk      *first, *last;
  atomic_bool overflowing; /* the list is not empty; changed under the lock only */

  /* Written by the consumer. */
  alignas(LINE) _Atomic guint64 n_drained;
};

LacLane *
lac_lane_new(const LacLaneSettings *settings)
{
  LacLane *lane = aligned_alloc(LINE, sizeof(LacLane));
  g_assert(lane != NULL);
  *lane = (LacLane){.name = g_strdup(settings->name), .id = settings->id, .sink = settings->sink};
  lane->ring = settings->muted ? NULL : lac_ring_new(settings->capacity, settings->start);
  pthread_mutex_init(&lane->lock, NULL);
  return lane;
}

static void
free_chunks(Chunk *chunk)
{
  while (chunk != NULL) {
    Chunk *next = chunk->next;
    g_free(chunk);
    chunk = next;
  }
}

void
lac_lane_free(LacLane *lane)
{
  if (lane == NULL)
    return;
  free_chunks(lane->first);
  pthread_mutex_destroy(&lane->lock);
  lac_ring_free(lane->ring);
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
lac_lane_get_n_overflowed(LacLane *lane)
{
  return atomic_load_explicit(&lane->n_overflowed, memory_order_relaxed);
}

/* Appends to the overflow list; the caller holds the lock. */
static void
append(LacLane *lane, const LacRecord *record)
{
  if (lane->last == NULL || lane->last->n == CHUNK_RECORDS) {
    Chunk *chunk = g_malloc(sizeof(Chunk));
    chunk->next = NULL;
    chunk->n = 0;
    if (lane->last == NULL)
      lane->first = chunk;
    else
      lane->last->next = chunk;
    lane->last = chunk;
  }
  lane->last->records[lane->last->n++] = *record;
  atomic_store_explicit(&lane->overflowing, TRUE, memory_order_relaxed);
  guint64 n = atomic_load_explicit(&lane->n_overflowed, memory_order_relaxed);
  atomic_store_explicit(&lane->n_overflowed, n + 1, memory_order_relaxed);
}

static void
push_late(LacLane *lane, const LacRecord *record)
{
  pthread_mutex_lock(&lane->lock);
  /* The consumer may have taken the list meanwhile: then the ring is in use again. */
  gboolean overflowing = atomic_load_explicit(&lane->overflowing, memory_order_relaxed);
  if (overflowing || !lac_ring_push(lane->ring, record))
    append(lane, record);
  pthread_mutex_unlock(&lane->lock);
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
  if (atomic_load_explicit(&lane->overflowing, memory_order_acquire) ||
      !lac_ring_push(lane->ring, &record))
    push_late(lane, &record);
  atomic_store_explicit(&lane->n_pushed, n + 1, memory_order_relaxed);
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
  return lane != NULL && lane->ring != NULL;
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

static gsize
drain_ring(LacLane *lane, gsize most, LacRecordFunc func, gpointer user_data)
{
  gsize            done = 0, n;
  const LacRecord *records;
  while (done < most && (n = lac_ring_peek(lane->ring, &records)) > 0) {
    n = MIN(MIN(n, most - done), BATCH_RECORDS);
    hand_over(lane, records, n, func, user_data);
    lac_ring_drop(lane->ring, n);
    done += n;
  }
  return done;
}

gsize
lac_lane_drain(LacLane *lane, LacRecordFunc func, gpointer user_data)
{
  if (lane->ring == NULL)
    return 0;
  if (!atomic_load_explicit(&lane->overflowing, memory_order_acquire))
    return drain_ring(lane, lac_ring_get_n(lane->ring), func, user_data);

  /* While the list is not empty the producer does not touch the ring, so the ring's content is older. */
  pthread_mutex_lock(&lane->lock);
  Chunk *chunks = lane->first;
  gsize  older = lac_ring_get_n(lane->ring);
  lane->first = lane->last = NULL;
  atomic_store_explicit(&lane->overflowing, FALSE, memory_order_release);
  pthread_mutex_unlock(&lane->lock);

  gsize done = drain_ring(lane, older, func, user_data);
  for (Chunk *chunk = chunks; chunk != NULL; chunk = chunk->next) {
    hand_over(lane, chunk->records, chunk->n, func, user_data);
    done += chunk->n;
  }
  free_chunks(chunks);
  return done;
}
