/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna export-sensors: what the sensors of a run said, as measurements that another run takes. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/measurements-csv.h"
#include "io/run-sensors.h"

static gboolean
write_sensors(const char *source, const char *path, GError **error)
{
  if (path == NULL || !g_str_has_suffix(path, ".csv")) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "export-sensors needs -o FILE.csv");
    return FALSE;
  }
  g_autoptr(LacMeasurements) readings = lac_run_sensors_read(source, error);
  return readings != NULL && lac_measurements_write_csv(readings, path, error);
}

int
lac_verb_export_sensors(int argc, char **argv)
{
  g_autofree char   *path = NULL;
  const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "What to write: .csv", "FILE"}, {NULL}};
  const LacVerbForm form = {
    "RUN -o FILE.csv",
    "Writes what the sensors said; lacuna run takes it back with --set measurements=FILE.csv.",
    entries, 1, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;

  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  return write_sensors(words[0], path, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
}
