/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lock-free ring of records: one producer, one consumer, capacity a power of two. Says when it is full; loses nothing. */
#pragma once

#include "perf/record.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRing LacRing;

/* @capacity: a power of two; @start: value of both counters at first (they wrap; 0 but for tests) */
LacRing *lac_ring_new(gsize capacity, guint64 start);
void     lac_ring_free(LacRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRing, lac_ring_free)

/* Producer. Returns: FALSE when there is no room. */
gboolean lac_ring_push(LacRing *ring, const LacRecord *record);

/* Consumer. Copies at most @n of the oldest. Returns: how many. */
gsize lac_ring_pop(LacRing *ring, LacRecord *records, gsize n);

G_END_DECLS
