/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room for memory under the limits of the process (ulimit -v, ulimit -d), checked before it is needed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A limit in bytes on the address space or on the data of this process; 0 bytes: none. */
typedef struct {
  guint64 limit, used;
  char    letter; /* of ulimit */
} LacMemoryLimit;

/* Returns: the limit that leaves the least; its @limit is 0 without one. */
LacMemoryLimit lac_memory_limit_get(void);

/**
 * lac_memory_room_check:
 * @bytes: address space that is going to be needed
 * @what: what needs it, as the subject of a sentence
 * @advice: (nullable): what else than a higher limit would help: "use fewer threads"
 *
 * Any thread. Reserves nothing. Returns: TRUE when no limit is in the way; FALSE with a sentence that has limit, use and need.
 */
gboolean lac_memory_room_check(guint64 bytes, const char *what, const char *advice, GError **error);

G_END_DECLS
