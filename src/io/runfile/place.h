/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Path and lock of a run folder. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: a run folder or a file in it. Returns: (transfer full): the folder, or %NULL with %LAC_ERROR_BAD_FILE set. */
char *lac_run_place_dup_folder(const char *path, GError **error);

/* Locks a folder for its single writer; the lock is released when the process ends. Waits while another thread of this
 * process has it locked as a reader. Returns: a descriptor for lac_run_place_unlock(); -1 with @busy TRUE when a writer
 * holds the lock, also in another process; -1 with @busy FALSE when the folder cannot be locked. */
int  lac_run_place_lock(const char *folder, gboolean *busy);
void lac_run_place_unlock(int lock);

/* A folder locked by a reader, which may assemble its run.h5. */
typedef struct {
  char    *id; /* of the folder in this process */
  int      lock;
  gboolean busy; /* a writer holds the lock */
} LacRunReading;

/* Lock a folder to read it, and unlock it, also when it is busy. Threads of this process that read the same run wait for
 * one another and do not take each other for its writer. */
void lac_run_place_begin_reading(LacRunReading *reading, const char *folder);
void lac_run_place_end_reading(LacRunReading *reading);

/* Returns TRUE while a writer has the folder locked. */
gboolean lac_run_place_is_written(const char *folder);

G_END_DECLS
