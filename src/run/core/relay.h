/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lossless queue from the compute thread to the controlling thread, for records and metric rows. Batches wait in
 * memory up to a budget; elements over budget are read back from the segment of the run folder, where all elements
 * are written anyway. Neither thread waits for the other. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRelay LacRelay;

/* @element_size: bytes per element; a batch holds @batch_length of them; up to @budget_bytes of batches are queued. */
LacRelay *lac_relay_new(gsize element_size, gsize batch_length, gsize budget_bytes);
void      lac_relay_free(LacRelay *relay); /* after both sides have stopped */

/* Producer. @ordinal: number of elements put before these @n. Does not allocate once batches are recycled. */
void lac_relay_put(LacRelay *relay, guint64 ordinal, gconstpointer elements, gsize n);
/* Hands over the current batch. Returns: TRUE when anything was handed over. */
gboolean lac_relay_publish(LacRelay *relay);
/* Ends production: also announces elements that are only in the segment, which must have been flushed. */
void lac_relay_finish(LacRelay *relay);
/* Returns TRUE when the next publication announces elements that are only in the segment, which must be flushed
 * first. */
gboolean lac_relay_is_spilling(const LacRelay *relay);

/* Returns TRUE when any element was ever left out of the queue and so is only in the segment. */
gboolean lac_relay_has_spilled(const LacRelay *relay);

typedef void (*LacRelayFunc)(gconstpointer elements, gsize n, gpointer user_data);
/* Reads elements [first, first + n) of the segment, in order, into @func. Returns: the number read. */
typedef gsize (*LacRelayLoadFunc)(guint64      first,
                                  guint64      n,
                                  LacRelayFunc func,
                                  gpointer     func_data,
                                  gpointer     user_data);

/* Consumer. Passes on everything published so far, in order. Returns: the number of elements. */
gsize lac_relay_drain(LacRelay        *relay,
                      LacRelayFunc     func,
                      gpointer         func_data,
                      LacRelayLoadFunc load,
                      gpointer         load_data);

G_END_DECLS
