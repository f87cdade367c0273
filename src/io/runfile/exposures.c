/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures of a run, saved in its folder. */
#include "io/runfile/exposures.h"

#include "base/error.h"
#include "io/input/exposures-h5.h"
#include "io/runfile/format.h"
#include "io/runfile/place.h"

gboolean
lac_run_exposures_write(const LacRunFolder *folder, const LacStore *exposures, GError **error)
{
  g_autofree char *path =
    g_build_filename(lac_run_folder_get_path(folder), LAC_RUN_EXPOSURES, NULL);

  return lac_exposures_h5_write(exposures, path, error);
}

LacStore *
lac_run_exposures_read(const char *path, GError **error)
{
  g_autofree char *folder = lac_run_place_dup_folder(path, error);
  g_autofree char *file = folder != NULL ? g_build_filename(folder, LAC_RUN_EXPOSURES, NULL) : NULL;

  if (file == NULL)
    return NULL;
  if (g_file_test(file, G_FILE_TEST_EXISTS))
    return lac_exposures_h5_read(file, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has no exposures: it is not an imaging run",
              folder);
  return NULL;
}
