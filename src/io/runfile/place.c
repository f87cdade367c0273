/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Path and lock of a run folder. */
#define _DEFAULT_SOURCE /* flock */
#include "io/runfile/place.h"

#include "base/error.h"
#include "io/runfile/format.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
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

int
lac_run_place_lock(const char *folder, gboolean *busy)
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

void
lac_run_place_unlock(int lock)
{
  if (lock >= 0)
    close(lock);
}
