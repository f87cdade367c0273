/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements in the formats that runs import. */
#include "io/export/measurements.h"

#include "base/error.h"
#include "io/input/exposures-h5.h"
#include "io/input/measurements-csv.h"
#include "io/runfile/exposures.h"
#include "io/runfile/sensors.h"

gboolean
lac_measurements_export(const char *folder, const char *path, GError **error)
{
  g_return_val_if_fail(folder != NULL && path != NULL, FALSE);
  if (g_str_has_suffix(path, ".h5")) {
    g_autoptr(LacStore) exposures = lac_run_exposures_read(folder, error);
    return exposures != NULL && lac_exposures_h5_write(exposures, path, error);
  }
  if (!g_str_has_suffix(path, ".csv")) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_USAGE,
      "%s: measurements are written to a .csv file, those of an imaging run to a .h5 file", path);
    return FALSE;
  }
  g_autoptr(LacMeasurements) readings = lac_run_sensors_read(folder, error);
  return readings != NULL && lac_measurements_write_csv(readings, path, error);
}
