/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single producer, single consumer. Ordering relies only on release and acquire of the counters, which
 * ThreadSanitizer supports. Source: Lamport (1983), doi:10.1145/69624.357207 */
#include "perf/recorder/ring.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LINE = 64 };

/* The planted fault of tests/perf compiles this file a second time without the ordering. */
#ifndef LAC_RING_PUBLISH
#  define LAC_RING_PUBLISH memory_order_release
#endif

struct _LacRing {
  alignas(LINE) _Atomic guint64 head;
  guint64 seen_tail; /* producer's copy */
  alignas(LINE) _Atomic guint64 tail;
  guint64 seen_head; /* consumer's copy */
  alignas(LINE) LacRecord *slots;
  guint64            mask;
  _Atomic(LacRing *) next;
};

LacRing *
lac_ring_new(gsize capacity, guint64 start)
{
  g_return_val_if_fail(capacity >= 2 && (capacity & (capacity - 1)) == 0, NULL);
  LacRing *ring = aligned_alloc(LINE, sizeof(LacRing));
  g_assert(ring != NULL);
  *ring = (LacRing){.seen_tail = start, .seen_head = start, .mask = capacity - 1};
  atomic_init(&ring->head, start);
  atomic_init(&ring->tail, start);
  ring->slots = g_new0(LacRecord, capacity);
  return ring;
}

void
lac_ring_free(LacRing *ring)
{
  if (ring == NULL)
    return;
  g_free(ring->slots);
  free(ring);
}

gboolean
lac_ring_push(LacRing *ring, const LacRecord *record)
{
  guint64 head = atomic_load_explicit(&ring->head, memory_order_relaxed);
  if (head - ring->seen_tail > ring->mask) {
    ring->seen_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (head - ring->seen_tail > ring->mask)
      return FALSE;
  }
  ring->slots[head & ring->mask] = *record;
  atomic_store_explicit(&ring->head, head + 1, LAC_RING_PUBLISH);
  return TRUE;
}

gsize
lac_ring_get_n(LacRing *ring)
{
  guint64 tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
  ring->seen_head = atomic_load_explicit(&ring->head, memory_order_acquire);
  return (gsize) (ring->seen_head - tail);
}

gsize
lac_ring_peek(LacRing *ring, const LacRecord **records)
{
  guint64 tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
  if (ring->seen_head == tail)
    ring->seen_head = atomic_load_explicit(&ring->head, memory_order_acquire);
  guint64 first = tail & ring->mask;
  guint64 until_end = ring->mask + 1 - first;
  *records = &ring->slots[first];
  return (gsize) MIN(ring->seen_head - tail, until_end);
}

void
lac_ring_drop(LacRing *ring, gsize n)
{
  guint64 tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
  atomic_store_explicit(&ring->tail, tail + n, memory_order_release);
}

void
lac_ring_set_next(LacRing *ring, LacRing *next)
{
  atomic_store_explicit(&ring->next, next, memory_order_release);
}

LacRing *
lac_ring_get_next(LacRing *ring)
{
  return atomic_load_explicit(&ring->next, memory_order_acquire);
}
