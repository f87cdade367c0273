/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data folders located relative to the executable, so that an installation can be moved. */
#include "base/data-folder.h"

char *
lac_data_folder(const char *installed, const char *built)
{
  g_return_val_if_fail(installed != NULL && built != NULL, NULL);
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  if (program == NULL)
    return NULL;
  g_autofree char *folder = g_path_get_dirname(program);
  g_autofree char *build = g_build_filename(folder, "build.ninja", NULL);
  if (g_file_test(build, G_FILE_TEST_EXISTS))
    return g_build_filename(folder, built, NULL);
  return g_build_filename(folder, "..", "share", installed, NULL);
}
