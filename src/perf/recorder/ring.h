/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lossless ring of records between one producing and one consuming thread: no lock, no fence. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

/* Two 64-bit counters that only grow, modulo 2^64: head, records put in; tail, records taken out. Each side has its
 * counter and a copy of the other's on its own cache line, and reads the other's line only when the copy indicates
 * full or empty. */
typedef struct _LacRing LacRing;

/* @capacity: a power of two, 2 or more; @start: initial value of both counters: 0, or just below 2^64 to test
 * wrapping */
LacRing *lac_ring_new(gsize capacity, guint64 start);
void     lac_ring_free(LacRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRing, lac_ring_free)

/* Producer. Returns: %FALSE when the ring is full, which it leaves unchanged. */
gboolean lac_ring_push(LacRing *ring, const LacRecord *record);

/* Consumer: number of records available. */
gsize lac_ring_get_n(LacRing *ring);

/* Consumer. Returns: the number of contiguous records at @records, oldest first; valid until lac_ring_drop(). */
gsize lac_ring_peek(LacRing *ring, const LacRecord **records);
void  lac_ring_drop(LacRing *ring, gsize n);

G_END_DECLS
