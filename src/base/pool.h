/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process's thread pool: workers spin briefly, then sleep on a futex. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacPool LacPool;

/* Processes one of the items 0 ... n-1. Items are processed in any order and on any worker; worker 0 is the calling
 * thread. Results must depend on the item alone, never on the worker, so that they are the same for any number of
 * threads. */
typedef void (*LacPoolFunc)(gsize item, guint worker, gpointer user_data);

/* @n_threads: 1 or more, including the calling thread; 0: lac_pool_available(). Denormals are flushed to zero in
 * every worker and, during lac_pool_run(), in the caller. */
LacPool *lac_pool_new(guint n_threads);
void     lac_pool_free(LacPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPool, lac_pool_free)

guint lac_pool_get_n_threads(const LacPool *pool);

/* Lowers the priority of the workers, the calling thread and the threads that it creates later, by LAC_GIVES_WAY nice
 * levels, so that interactive programs stay responsive. Costs nothing while processors are idle. Irreversible. */
#define LAC_GIVES_WAY 5
void lac_pool_give_way(LacPool *pool);

/* Blocks until all items are done. One caller at a time; no nesting; never allocates. */
void lac_pool_run(LacPool *pool, gsize n_items, LacPoolFunc func, gpointer user_data);

/* Returns the number of processors available to this process: its affinity mask, limited by the quotas of its control
 * groups. */
guint lac_pool_available(void);

G_END_DECLS
