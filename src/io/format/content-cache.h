/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What earlier runs computed at a cost, in files of the user's cache folder, by a key that names all that it depends on. An
 * entry belongs to the very program file that wrote it: another build computes again. The folder may be deleted at any time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacContentCache LacContentCache;

/* @folder: (nullable): made where it is needed; NULL: the user's cache folder. @most_bytes: what the folder may hold; 0: the
 * default, 2 GiB. The oldest entries make room; one of more than a quarter is not kept. */
LacContentCache *lac_content_cache_new(const char *folder, guint64 most_bytes);
LacContentCache *lac_content_cache_ref(LacContentCache *cache);
void             lac_content_cache_unref(LacContentCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacContentCache, lac_content_cache_unref)

/* Any thread and any process. Returns: (transfer full) (nullable): the bytes, at an address for every type; %NULL where there
 * are none or they are damaged. */
GBytes *lac_content_cache_recall(LacContentCache *cache, const char *key);

/* How often this one was asked, and how often it had what was asked for. Any thread. */
void lac_content_cache_get_counts(LacContentCache *cache, guint64 *n_asked, guint64 *n_found);

/* Any thread and any process; an entry is there as a whole or not at all. Where it cannot be written nothing is kept. */
void lac_content_cache_remember(LacContentCache *cache, const char *key, GBytes *bytes);

G_END_DECLS
