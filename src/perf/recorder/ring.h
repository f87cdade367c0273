/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of records between one producing and one consuming thread: no lock, no fence, nothing lost. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

/* Two 64-bit counters that only grow, modulo 2^64: head, records put in; tail, records taken out. Each side keeps
 * its counter and a copy of the other's on a cache line of its own, and looks at the other's line only when the
 * copy says full or empty. */
typedef struct _LacRing LacRing;

/* @capacity: a power of two, 2 or more; @start: where both counters begin: 0, or shortly before 2^64 in a test of
 * their wrapping */
LacRing *lac_ring_new(gsize capacity, guint64 start);
void     lac_ring_free(LacRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRing, lac_ring_free)

/* Producer. Returns: %FALSE when there is no room; nothing is changed then. */
gboolean lac_ring_push(LacRing *ring, const LacRecord *record);

/* Consumer: how many it may take now. */
gsize lac_ring_get_n(LacRing *ring);

/* Consumer. Returns: how many records lie one after the other at @records, oldest first; they stay until
 * lac_ring_drop(). */
gsize lac_ring_peek(LacRing *ring, const LacRecord **records);
void  lac_ring_drop(LacRing *ring, gsize n);

G_END_DECLS
