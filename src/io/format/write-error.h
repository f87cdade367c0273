/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages for failed writes: which folder, how much free space, what to do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE. @code: errno of the failed write to @path; @n_bytes: size of
 * that write; 0: unknown. Returns: %FALSE, so that callers can return it. */
gboolean lac_write_error(GError **error, int code, const char *path, guint64 n_bytes);

/* Returns the number of bytes available to this user at @path, which need not exist yet; G_MAXUINT64 when unknown. */
guint64 lac_free_bytes(const char *path);

G_END_DECLS
