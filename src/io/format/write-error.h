/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sentence for a file that could not be written: which folder, how much room, what to do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE after a system call set errno to @code while writing
 * @n_bytes (0: not known) to @path. Returns: %FALSE, so that a caller can return it. */
gboolean lac_write_error(GError **error, int code, const char *path, guint64 n_bytes);

/* Bytes free for this user where @path lies, or would where it is not there yet; G_MAXUINT64 when the system does not say. */
guint64 lac_free_bytes(const char *path);

G_END_DECLS
