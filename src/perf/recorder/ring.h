/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lossless ring of records between one producing and one consuming thread: no lock, no fence. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

/* Two 64-bit counters that only grow, modulo 2^64: head counts the records put in, tail the records taken out. The
 * cache line of each side holds its own counter and a copy of the other counter; a side reads the other line only
 * when the copy indicates full or empty. */
typedef struct _LacRing LacRing;

/* @capacity: a power of two, 2 or more; @start: initial value of both counters: 0, or just below 2^64 to test
 * wrap-around */
LacRing *lac_ring_new(gsize capacity, guint64 start);
void     lac_ring_free(LacRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRing, lac_ring_free)

/* Producer: puts in a record. Returns: %FALSE when the ring is full; it is then unchanged. */
gboolean lac_ring_push(LacRing *ring, const LacRecord *record);

/* Consumer: returns the number of records available. */
gsize lac_ring_get_n(LacRing *ring);

/* Consumer: sets @records to the oldest records, valid until lac_ring_drop(). Returns: the number of contiguous
 * records at @records, oldest first. */
gsize lac_ring_peek(LacRing *ring, const LacRecord **records);
void  lac_ring_drop(LacRing *ring, gsize n);

/* Chain of rings. Producer: links the ring in which it goes on, after the last record of @ring; the link publishes what was
 * put into @next. Consumer: returns the link; %NULL: the producer has not left @ring. The consumer takes the link off
 * a ring that the producer has left, before it is used anew. */
void     lac_ring_set_next(LacRing *ring, LacRing *next);
LacRing *lac_ring_get_next(LacRing *ring);

G_END_DECLS
