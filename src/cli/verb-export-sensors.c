/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna export-sensors: exports a run's sensor readings or exposures as measurements for another run. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/input/exposures-h5.h"
#include "io/input/measurements-csv.h"
#include "io/runfile/exposures.h"
#include "io/runfile/sensors.h"

static gboolean
write_sensors(const char *source, const char *path, GError **error)
{
  if (path != NULL && g_str_has_suffix(path, ".h5")) {
    g_autoptr(LacStore) exposures = lac_run_exposures_read(source, error);
    return exposures != NULL && lac_exposures_h5_write(exposures, path, error);
  }
  if (path == NULL || !g_str_has_suffix(path, ".csv")) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "export-sensors needs -o FILE.csv; for an imaging run -o FILE.h5");
    return FALSE;
  }
  g_autoptr(LacMeasurements) readings = lac_run_sensors_read(source, error);
  return readings != NULL && lac_measurements_write_csv(readings, path, error);
}

static int
run_verb(int argc, char **argv)
{
  g_autofree char   *path = NULL;
  const GOptionEntry entries[] = {{"output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
                                   "Output file: .csv, for an imaging run .h5", "FILE"},
                                  {NULL}};
  const LacVerbForm  form = {
     "RUN -o FILE",
     "Writes the sensor measurements; lacuna run imports them with --set measurements=FILE.",
     entries, 1, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;

  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  return write_sensors(words[0], path, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
}

const LacVerb lac_verb_export_sensors = {
  .name = "export-sensors",
  .usage = "RUN -o FILE",
  .summary = "its sensor measurements, for another run",
  .run = run_verb,
};
