/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Path and lock of a run folder. */
#define _DEFAULT_SOURCE /* flock */
#include "io/runfile/place.h"

#include "base/error.h"
#include "io/runfile/format.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *
lac_run_place_dup_folder(const char *path, GError **error)
{
  g_autofree char *folder = NULL;

  if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s does not exist", path);
    return NULL;
  }
  if (g_file_test(path, G_FILE_TEST_IS_DIR))
    folder = g_strdup(path);
  else
    folder = g_path_get_dirname(path);

  g_autofree char *journal = g_build_filename(folder, LAC_RUN_JOURNAL, NULL);
  if (!g_file_test(journal, G_FILE_TEST_IS_REGULAR)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is not a run: it has no file named %s; name a folder that ends in %s", path,
                LAC_RUN_JOURNAL, LAC_RUN_FOLDER_SUFFIX);
    return NULL;
  }
  gsize length = strlen(folder);
  while (length > 1 && folder[length - 1] == G_DIR_SEPARATOR)
    folder[--length] = '\0';
  return g_steal_pointer(&folder);
}

/* ---- readers of this process ---- */

/* A lock on a file says only that another holder exists: this tells a reader of this process from a writer. */
static GMutex mutex;
static GCond  change;
static GHashTable
  *readers; /* owns the ids of the folders that are being read; protected by the mutex */

/* Returns: (transfer full): the same text for all paths of a folder. */
static char *
dup_id(const char *folder)
{
  struct stat about;

  return stat(folder, &about) == 0 ? g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                                     (guint64) about.st_dev, (guint64) about.st_ino)
                                   : g_strdup(folder);
}

/* Waits, with the mutex locked, until no other thread reads the folder. */
static void
wait_for_readers(const char *id)
{
  if (readers == NULL)
    readers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  while (g_hash_table_contains(readers, id))
    g_cond_wait(&change, &mutex);
}

/* ---- the lock ---- */

static int
lock_folder(const char *folder, gboolean *busy)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_LOCK, NULL);
  int              lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

  *busy = FALSE;
  if (lock < 0)
    lock = open(path, O_RDONLY | O_CLOEXEC);
  if (lock < 0)
    return -1;
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    *busy = errno == EWOULDBLOCK;
    close(lock);
    return -1;
  }
  return lock;
}

int
lac_run_place_lock(const char *folder, gboolean *busy)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mutex);
  g_autofree char        *id = dup_id(folder);

  wait_for_readers(id);
  return lock_folder(folder, busy);
}

void
lac_run_place_unlock(int lock)
{
  if (lock >= 0)
    close(lock);
}

void
lac_run_place_begin_reading(LacRunReading *reading, const char *folder)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mutex);

  reading->id = dup_id(folder);
  wait_for_readers(reading->id);
  g_hash_table_add(readers, reading->id);
  reading->lock = lock_folder(folder, &reading->busy);
}

void
lac_run_place_end_reading(LacRunReading *reading)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mutex);

  lac_run_place_unlock(reading->lock);
  g_hash_table_remove(readers, reading->id); /* frees it */
  g_cond_broadcast(&change);
}

gboolean
lac_run_place_is_written(const char *folder)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mutex);
  g_autofree char        *id = dup_id(folder);
  gboolean                busy = FALSE;

  if (readers == NULL || !g_hash_table_contains(readers, id))
    lac_run_place_unlock(lock_folder(folder, &busy));
  return busy;
}
