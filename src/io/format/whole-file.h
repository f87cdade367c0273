/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file as a whole: its bytes, unpacked where gzip packed them, and what it is remembered by. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a file may unfold to. */
#define LAC_WHOLE_FILE_MOST ((gsize) 4 << 30)

/**
 * lac_whole_file_read:
 * @length: (out): bytes, without the zero that is put behind them
 *
 * Returns: (transfer full): the bytes, those inside of a gzip file when it is one; %NULL with %LAC_ERROR_BAD_FILE: missing, a
 * folder, empty, packed and damaged, too large.
 */
char *lac_whole_file_read(const char *path, gsize *length, GError **error);

/* As lac_whole_file_read(), for text whose lines hold numbers: one cut in its last number would be read as another number, so the
 * last line must have its line end. A packed file has a check sum instead. */
char *lac_whole_file_read_lines(const char *path, gsize *length, GError **error);

/* Whether the bytes begin as a gzip file does. */
gboolean lac_is_gzip(gconstpointer bytes, gsize length);

/* Returns: (transfer full): "PATH (SHA-256 ...)". */
char *lac_file_dup_source(const char *path);

G_END_DECLS
