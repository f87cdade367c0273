/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creation and recursive removal of a test's folder. */
#include "folder.h"

#include <glib/gstdio.h>

char *
test_folder_new(void)
{
  char *folder = g_dir_make_tmp("lacuna-test-XXXXXX", NULL);

  g_assert_nonnull(folder);
  return folder;
}

static void
remove_tree(const char *path)
{
  g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
  const char     *name;

  while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
    g_autofree char *child = g_build_filename(path, name, NULL);

    remove_tree(child);
  }
  g_remove(path);
}

void
test_folder_remove(char *folder)
{
  remove_tree(folder);
  g_free(folder);
}
