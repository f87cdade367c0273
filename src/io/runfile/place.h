/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run lies, and whether somebody is writing it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: a run folder or a file in it. Returns: (transfer full): the folder, or %NULL with %LAC_ERROR_BAD_FILE set. */
char *lac_run_place_dup_folder(const char *path, GError **error);

/* The lock of a folder is held by its one writer for as long as its process lives.
 * Returns: a descriptor for lac_run_place_unlock(); -1 with @busy TRUE when another holds it, -1 with @busy FALSE where
 * the folder cannot be locked. */
int  lac_run_place_lock(const char *folder, gboolean *busy);
void lac_run_place_unlock(int lock);

G_END_DECLS
