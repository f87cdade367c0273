/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages for failed writes: which folder, how much free space, what to do. */
#include "io/format/write-error.h"

#include "base/error.h"

#include <errno.h>
#include <sys/statvfs.h>

guint64
lac_free_bytes(const char *path)
{
  g_autofree char *there = g_strdup(path);
  struct statvfs   about;

  while (statvfs(there, &about) != 0) {
    const gboolean is_missing = errno == ENOENT;
    char          *above = g_path_get_dirname(there);
    if (!is_missing || g_str_equal(above, there)) {
      g_free(above);
      return G_MAXUINT64;
    }
    g_free(there);
    there = above;
  }
  return (guint64) about.f_bavail * about.f_frsize;
}

gboolean
lac_write_error(GError **error, int code, const char *path, guint64 n_bytes)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);

  if (code == ENOSPC || code == EDQUOT || code == EFBIG) {
    guint64          room = lac_free_bytes(folder);
    g_autofree char *free_text = g_format_size(room == G_MAXUINT64 ? 0 : room);

    if (n_bytes > 0) {
      g_autofree char *wanted = g_format_size(n_bytes);
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_DISK_FULL,
        "%s needs %s more for %s and has room for no more (%s free): make room, then resume; "
        "everything up to the last checkpoint is kept",
        folder, wanted, name, free_text);
    } else {
      g_set_error(error, LAC_ERROR, LAC_ERROR_DISK_FULL,
                  "%s has no room left for %s (%s free): make room, then resume", folder, name,
                  free_text);
    }
    return FALSE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE,
              "%s cannot be written in %s: %s; name another folder or change its permissions", name,
              folder, g_strerror(code));
  return FALSE;
}
