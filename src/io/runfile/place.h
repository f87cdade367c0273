/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Path and lock of a run folder. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: a run folder or a file in it. Returns: (transfer full): the folder, or %NULL with %LAC_ERROR_BAD_FILE set. */
char *lac_run_place_dup_folder(const char *path, GError **error);

/* Locks a folder for its single writer; the lock is released when the process ends. Returns: a descriptor for
 * lac_run_place_unlock(); -1 with @busy TRUE when another process holds the lock, -1 with @busy FALSE when the folder
 * cannot be locked. */
int  lac_run_place_lock(const char *folder, gboolean *busy);
void lac_run_place_unlock(int lock);

G_END_DECLS
