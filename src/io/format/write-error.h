/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages for failed writes: which folder, how much free space, what to do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE after a system call set errno to @code while writing @n_bytes
 * (0: unknown) to @path. Returns: %FALSE, for callers to return. */
gboolean lac_write_error(GError **error, int code, const char *path, guint64 n_bytes);

/* Returns the bytes free for this user at @path, or where it would be created; G_MAXUINT64 when unknown. */
guint64 lac_free_bytes(const char *path);

G_END_DECLS
