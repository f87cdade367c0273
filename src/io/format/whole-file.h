/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of complete files, decompressed if gzipped, and their identification by checksum. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Maximum decompressed size. */
#define LAC_WHOLE_FILE_MOST ((gsize) 4 << 30)

/**
 * lac_whole_file_read:
 * @length: (out): bytes, without the terminating zero
 *
 * Returns: (transfer full): the contents, decompressed if the file is gzipped; %NULL with %LAC_ERROR_BAD_FILE: missing,
 * a folder, empty, damaged compression, too large.
 */
char *lac_whole_file_read(const char *path, gsize *length, GError **error);

/* Reads a file like lac_whole_file_read(), for text whose lines hold numbers. Fails when the last line has no line
 * end, because a truncated number would be read as a different one; a gzipped file has a checksum instead. */
char *lac_whole_file_read_lines(const char *path, gsize *length, GError **error);

/* Returns: (transfer full): the complete lines within the first 64 KiB, decompressed if the file is gzipped; %NULL with
 * %LAC_ERROR_BAD_FILE. Fast for a file of any size. */
char *lac_file_read_head(const char *path, gsize *length, GError **error);

/* Returns TRUE when the bytes start with the gzip signature. */
gboolean lac_is_gzip(gconstpointer bytes, gsize length);

/* Returns: (transfer full): path and checksum, "PATH (SHA-256 ...)". */
char *lac_file_dup_source(const char *path);

G_END_DECLS
