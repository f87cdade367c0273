/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pool of threads for everything: spins a little, then sleeps on a futex. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacPool LacPool;

/* Called for items 0 ... n-1 in any order on any worker; worker 0 is the calling thread. What is written must
 * depend on the item alone, never on the worker: that makes results the same for any number of threads. */
typedef void (*LacPoolFunc)(gsize item, guint worker, gpointer user_data);

/* @n_threads: 1 or more, the calling thread included; 0 for as many as the affinity mask allows.
 * Denormals are flushed to zero in every worker and, during lac_pool_run(), in the caller. */
LacPool *lac_pool_new(guint n_threads);
void     lac_pool_free(LacPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPool, lac_pool_free)

guint lac_pool_get_n_threads(const LacPool *pool);

/* From now on the calling thread, those it creates and the workers leave a processor to others that want it, as whoever moves a
 * pointer does: they are nicer by LAC_GIVES_WAY. Nothing is lost where there are processors for all. Cannot be taken back. */
#define LAC_GIVES_WAY 5
void lac_pool_give_way(LacPool *pool);

/* Blocks until all items are done. One caller at a time; no nesting; does not allocate. */
void lac_pool_run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data);

/* Processors this process may use. */
guint lac_pool_available(void);

G_END_DECLS
