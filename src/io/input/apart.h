/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a file in a process of its own: HDF5 and matio crash or hang on some damaged files, and nobody else should. */
#pragma once

#include "io/input/array.h"

G_BEGIN_DECLS

typedef gboolean (*LacInputReadFunc)(LacInputFile *file, const char *path, GError **error);

/* Calls @reader in a forked child, whose arrays come back through a pipe. A child that crashes, or takes
 * more time or memory than a file of that size can ask for, has met a damaged file.
 * Returns: FALSE with the child's error, or %LAC_ERROR_BAD_FILE. */
gboolean
lac_input_read_apart(LacInputFile *file, const char *path, LacInputReadFunc reader, GError **error);

/* Puts bytes on their way to the parent; ends the child when nobody takes them. */
typedef void (*LacApartSend)(int to, gconstpointer data, gsize n_bytes);
typedef gboolean (*LacApartFunc)(gpointer user_data, LacApartSend send, int to);

/* Calls @func in a forked child under the same limits: what it sends is put into @data, @n_bytes in all.
 * Returns: FALSE when fewer came. */
gboolean lac_input_numbers_apart(const char  *path,
                                 LacApartFunc func,
                                 gpointer     user_data,
                                 gpointer     data,
                                 gsize        n_bytes);

/* Calls @act in a forked child under the same limits. Returns: FALSE when it did, or when the child crashed or hung: then @path
 * is better not read by this process. */
gboolean lac_try_apart(const char *path, gboolean (*act)(const char *path));

G_END_DECLS
