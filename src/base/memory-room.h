/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks against the memory limits of the process (ulimit -v, ulimit -d) before memory is needed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A limit in bytes on the address space or the data segment of this process; @limit is 0 when unlimited. */
typedef struct {
  guint64 limit, used;
  char    letter; /* letter of its ulimit option: 'v' or 'd' */
} LacMemoryLimit;

/* Returns: the limit with the least memory left; its @limit is 0 when both are unlimited. */
LacMemoryLimit lac_memory_limit_get(void);

/**
 * lac_memory_room_check:
 * @bytes: address space about to be needed
 * @what: what needs it, as the subject of a sentence
 * @advice: (nullable): a remedy other than a higher limit: "use fewer threads"
 *
 * Any thread. Reserves nothing. Returns: TRUE when @bytes fit within every limit; FALSE with an error message that
 * states limit, use and need.
 */
gboolean lac_memory_room_check(guint64 bytes, const char *what, const char *advice, GError **error);

G_END_DECLS
