/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes the run folders of a test. */
#pragma once

#include <glib/gstdio.h>

static inline void
remove_all(const char *path)
{
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  for (const char *name = NULL; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
    g_autofree char *inner = g_build_filename(path, name, NULL);
    if (g_file_test(inner, G_FILE_TEST_IS_DIR))
      remove_all(inner);
    else
      g_remove(inner);
  }
  g_rmdir(path);
}
