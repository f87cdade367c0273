/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pre-faulted block of host memory, aligned for huge pages, that is handed out and freed as a whole. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacArena LacArena;

/* Returns: (nullable): NULL when the memory cannot be had. Every page is touched before it returns. */
LacArena *lac_arena_new(gsize n_bytes);
void      lac_arena_free(LacArena *arena);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacArena, lac_arena_free)

/* Returns: zeroed memory aligned to 64 bytes. Asking for more than is left is a bug. */
gpointer lac_arena_take(LacArena *arena, gsize n_bytes);
gsize    lac_arena_get_size(const LacArena *arena);
gsize    lac_arena_get_used(const LacArena *arena);

G_END_DECLS
