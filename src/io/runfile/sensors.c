/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor measurements of a run, saved in its folder. */
#include "io/runfile/sensors.h"

#include "base/error.h"
#include "io/input/measurements-csv.h"
#include "io/runfile/format.h"
#include "io/runfile/place.h"

gboolean
lac_run_sensors_write(const LacRunFolder *folder, const LacMeasurements *readings, GError **error)
{
  g_autofree char *path = g_build_filename(lac_run_folder_get_path(folder), LAC_RUN_SENSORS, NULL);

  return lac_measurements_write_csv(readings, path, error);
}

LacMeasurements *
lac_run_sensors_read(const char *path, GError **error)
{
  g_autofree char *folder = lac_run_place_dup_folder(path, error);
  g_autofree char *file = folder != NULL ? g_build_filename(folder, LAC_RUN_SENSORS, NULL) : NULL;

  if (file == NULL)
    return NULL;
  if (g_file_test(file, G_FILE_TEST_EXISTS))
    return lac_measurements_read_csv(file, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s has no sensor measurements: the run has no sensors or is older than this feature",
              folder);
  return NULL;
}
