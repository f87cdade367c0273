/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane. While the overflow holds anything the producer adds to it alone, so whatever lies in the ring is older: the
 * consumer, holding the lock, empties the ring and then the overflow. The lock is touched only when the ring was full. */
#include "perf/lane.h"

#include "perf/ring.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define BATCH 256
#define CHUNK 4096

typedef struct Chunk {
  struct Chunk *next;
  gsize         n;
  LacRecord     records[CHUNK];
} Chunk;

struct _LacLane {
  guint16          id;
  gboolean         muted;
  char            *name;
  LacRing         *ring;
  guint64          sequence; /* producer's: of the next record */
  guint8           depth;    /* producer's: open spans */
  _Atomic(guint64) n_pushed;
  atomic_int       overflowed; /* the overflow holds something */
  pthread_mutex_t  lock;       /* of the overflow */
  Chunk           *first, *last;
  guint64          expected; /* consumer's: sequence of the next record */
};

LacLane *
lac_lane_new(const LacLaneSettings *settings)
{
  LacLane *lane = g_new0(LacLane, 1);

  lane->id = settings->id;
  lane->muted = settings->muted;
  lane->name = g_strdup(settings->name);
  lane->ring = lac_ring_new(settings->capacity, settings->start);
  pthread_mutex_init(&lane->lock, NULL);
  return lane;
}

void
lac_lane_free(LacLane *lane)
{
  if (!lane)
    return;
  while (lane->first) {
    Chunk *chunk = lane->first;

    lane->first = chunk->next;
    g_free(chunk);
  }
  pthread_mutex_destroy(&lane->lock);
  lac_ring_free(lane->ring);
  g_free(lane->name);
  g_free(lane);
}

const char *
lac_lane_get_name(const LacLane *lane)
{
  return lane->name;
}

static void
append_to_overflow(LacLane *lane, const LacRecord *record)
{
  pthread_mutex_lock(&lane->lock);
  if (!lane->last || lane->last->n == CHUNK) {
    Chunk *chunk = g_malloc(sizeof *chunk);

    chunk->next = NULL;
    chunk->n = 0;
    if (lane->last)
      lane->last->next = chunk;
    else
      lane->first = chunk;
    lane->last = chunk;
  }
  lane->last->records[lane->last->n++] = *record;
  atomic_store_explicit(&lane->overflowed, 1, memory_order_release);
  pthread_mutex_unlock(&lane->lock);
}

void
lac_lane_push(LacLane *lane, LacRecord record)
{
  if (lane->muted)
    return;
  record.sequence = lane->sequence++;
  record.lane = lane->id;
  if (atomic_load_explicit(&lane->overflowed, memory_order_acquire) ||
      !lac_ring_push(lane->ring, &record))
    append_to_overflow(lane, &record);
  atomic_store_explicit(&lane->n_pushed, lane->sequence, memory_order_release);
}

void
lac_lane_enter(LacLane *lane)
{
  lane->depth++;
}

guint8
lac_lane_leave(LacLane *lane)
{
  g_assert(lane->depth > 0);
  return --lane->depth;
}

static gsize
hand_over(LacLane *lane, const LacRecord *records, gsize n, LacRecordFunc func, gpointer user_data)
{
  for (gsize i = 0; i < n; i++)
    if (G_UNLIKELY(records[i].sequence != lane->expected++))
      g_error("lane %s: record %" G_GUINT64_FORMAT " is out of order", lane->name,
              records[i].sequence);
  func(records, n, user_data);
  return n;
}

static gsize
drain_ring(LacLane *lane, LacRecordFunc func, gpointer user_data)
{
  LacRecord batch[BATCH];
  gsize     n, total = 0;

  while ((n = lac_ring_pop(lane->ring, batch, BATCH)) > 0)
    total += hand_over(lane, batch, n, func, user_data);
  return total;
}

gsize
lac_lane_drain(LacLane *lane, LacRecordFunc func, gpointer user_data)
{
  gsize  total = drain_ring(lane, func, user_data);
  Chunk *chunk = NULL;

  if (!atomic_load_explicit(&lane->overflowed, memory_order_acquire))
    return total;
  pthread_mutex_lock(&lane->lock);
  total += drain_ring(lane, func, user_data);
  chunk = lane->first;
  lane->first = lane->last = NULL;
  atomic_store_explicit(&lane->overflowed, 0, memory_order_release);
  pthread_mutex_unlock(&lane->lock);
  while (chunk) {
    Chunk *next = chunk->next;

    total += hand_over(lane, chunk->records, chunk->n, func, user_data);
    g_free(chunk);
    chunk = next;
  }
  return total;
}

guint64
lac_lane_get_n_pushed(const LacLane *lane)
{
  return atomic_load_explicit(&lane->n_pushed, memory_order_acquire);
}
