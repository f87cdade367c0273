/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lossless way from the compute thread to the controlling thread, for records and for metric rows. Batches wait in
 * memory up to a budget; what comes while it is used up is read back from the segment of the run folder, where
 * everything is written anyway. Neither side ever waits for the other. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRelay LacRelay;

/* @element_size: bytes of one element; a batch holds @batch_length of them; at most @budget_bytes of batches wait. */
LacRelay *lac_relay_new(gsize element_size, gsize batch_length, gsize budget_bytes);
void      lac_relay_free(LacRelay *relay); /* when neither side runs any more */

/* Producer. @ordinal: how many elements went before these @n. Does not allocate once batches come back. */
void lac_relay_put(LacRelay *relay, guint64 ordinal, gconstpointer elements, gsize n);
/* Hands over what has gathered. Returns: whether there was anything. */
gboolean lac_relay_publish(LacRelay *relay);
/* Before the end: also announces what went only to the segment, which must be flushed by now. */
void lac_relay_finish(LacRelay *relay);
/* Whether the next publication announces elements of the segment, so that it has to be flushed first. */
gboolean lac_relay_is_spilling(const LacRelay *relay);

/* Whether anything was ever left to the segment alone. */
gboolean lac_relay_has_spilled(const LacRelay *relay);

typedef void (*LacRelayFunc)(gconstpointer elements, gsize n, gpointer user_data);
/* Reads elements [first, first + n) of the segment, in order, into @func. Returns: how many there were. */
typedef gsize (*LacRelayLoadFunc)(guint64      first,
                                  guint64      n,
                                  LacRelayFunc func,
                                  gpointer     func_data,
                                  gpointer     user_data);

/* Consumer. Everything published so far, in order. Returns: how many elements. */
gsize lac_relay_drain(LacRelay        *relay,
                      LacRelayFunc     func,
                      gpointer         func_data,
                      LacRelayLoadFunc load,
                      gpointer         load_data);

G_END_DECLS
