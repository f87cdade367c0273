/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages for failed writes: which folder, how much free space, what to do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE after a system call that wrote @n_bytes (0: unknown) to @path
 * set errno to @code. Returns: %FALSE, so that callers can return it. */
gboolean lac_write_error(GError **error, int code, const char *path, guint64 n_bytes);

/* Returns the number of bytes free for this user at @path, which need not exist yet; G_MAXUINT64 when unknown. */
guint64 lac_free_bytes(const char *path);

G_END_DECLS
