/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Path and lock of a run folder. */
#define _DEFAULT_SOURCE /* flock */
#include "io/runfile/place.h"

#include "base/error.h"
#include "io/runfile/format.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  change = PTHREAD_COND_INITIALIZER;
static GHashTable     *readers; /* owned ids of the folders being read; protected by the mutex */

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
    pthread_cond_wait(&change, &mutex);
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
  g_autofree char *id = dup_id(folder);

  pthread_mutex_lock(&mutex);
  wait_for_readers(id);
  const int lock = lock_folder(folder, busy);
  pthread_mutex_unlock(&mutex);
  return lock;
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
  reading->id = dup_id(folder);
  pthread_mutex_lock(&mutex);
  wait_for_readers(reading->id);
  g_hash_table_add(readers, reading->id);
  reading->lock = lock_folder(folder, &reading->busy);
  pthread_mutex_unlock(&mutex);
}

void
lac_run_place_end_reading(LacRunReading *reading)
{
  pthread_mutex_lock(&mutex);
  lac_run_place_unlock(reading->lock);
  g_hash_table_remove(readers, reading->id); /* frees it */
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&mutex);
}

gboolean
lac_run_place_is_written(const char *folder)
{
  g_autofree char *id = dup_id(folder);
  gboolean         busy = FALSE;

  pthread_mutex_lock(&mutex);
  if (readers == NULL || !g_hash_table_contains(readers, id))
    lac_run_place_unlock(lock_folder(folder, &busy));
  pthread_mutex_unlock(&mutex);
  return busy;
}
