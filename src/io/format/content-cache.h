/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk cache of expensive results in the user's cache folder, keyed by everything that they depend on. An entry is
 * valid only for the executable that wrote it: another build recomputes. The folder may be deleted at any time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacContentCache LacContentCache;

/* @folder: (nullable): created when needed; NULL: the user's cache folder. @most_bytes: maximum size of the folder;
 * 0: the default, 2 GiB. When it is full, the oldest entries are evicted. An entry larger than a quarter of the
 * maximum is not stored. */
LacContentCache *lac_content_cache_new(const char *folder, guint64 most_bytes);
LacContentCache *lac_content_cache_ref(LacContentCache *cache);
void             lac_content_cache_unref(LacContentCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacContentCache, lac_content_cache_unref)

/* Looks up an entry. Any thread and any process. Returns: (transfer full) (nullable): its bytes, aligned for every
 * type; %NULL when there is no entry or it is damaged. */
GBytes *lac_content_cache_recall(LacContentCache *cache, const char *key);

/* Returns the numbers of lookups and of hits made through @cache. Any thread. */
void lac_content_cache_get_counts(LacContentCache *cache, guint64 *n_asked, guint64 *n_found);

/* Stores an entry atomically; fails silently. Any thread and any process. */
void lac_content_cache_remember(LacContentCache *cache, const char *key, GBytes *bytes);

G_END_DECLS
