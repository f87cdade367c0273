/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ring: each side owns one counter and keeps a copy of the other's, so that a cache line moves only when the copy
 * is exhausted. Orders are acquire and release on the counters; ThreadSanitizer models these, not fences. */
#include "perf/ring.h"

#include <stdatomic.h>

#define CACHE_LINE 64

/* The negative control of the tests compiles this file with relaxed and expects ThreadSanitizer to object. */
#ifndef LAC_RING_PUBLISH
#  define LAC_RING_PUBLISH memory_order_release
#endif

struct _LacRing {
  LacRecord *slots;
  gsize      mask;
  _Alignas(CACHE_LINE) _Atomic(guint64) head; /* written by the producer: next to fill */
  guint64 tail_seen;                          /* the producer's copy of tail */
  _Alignas(CACHE_LINE) _Atomic(guint64) tail; /* written by the consumer: next to take */
  guint64 head_seen;                          /* the consumer's copy of head */
};

LacRing *
lac_ring_new(gsize capacity, guint64 start)
{
  LacRing *ring = g_aligned_alloc0(1, sizeof *ring, CACHE_LINE);

  g_assert(capacity > 0 && (capacity & (capacity - 1)) == 0);
  ring->slots = g_new0(LacRecord, capacity);
  ring->mask = capacity - 1;
  ring->tail_seen = ring->head_seen = start;
  atomic_init(&ring->head, start);
  atomic_init(&ring->tail, start);
  return ring;
}

void
lac_ring_free(LacRing *ring)
{
  if (!ring)
    return;
  g_free(ring->slots);
  g_aligned_free(ring);
}

gboolean
lac_ring_push(LacRing *ring, const LacRecord *record)
{
  const guint64 head = atomic_load_explicit(&ring->head, memory_order_relaxed);

  if (head - ring->tail_seen > ring->mask) {
    ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (head - ring->tail_seen > ring->mask)
      return FALSE;
  }
  ring->slots[head & ring->mask] = *record;
  atomic_store_explicit(&ring->head, head + 1, LAC_RING_PUBLISH);
  return TRUE;
}

gsize
lac_ring_pop(LacRing *ring, LacRecord *records, gsize n)
{
  const guint64 tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
  guint64       ready = ring->head_seen - tail;

  if (ready < n) {
    ring->head_seen = atomic_load_explicit(&ring->head, memory_order_acquire);
    ready = ring->head_seen - tail;
  }
  n = MIN(n, (gsize) ready);
  for (gsize i = 0; i < n; i++)
    records[i] = ring->slots[(tail + i) & ring->mask];
  if (n > 0)
    atomic_store_explicit(&ring->tail, tail + n, LAC_RING_PUBLISH);
  return n;
}
