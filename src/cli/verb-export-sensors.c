/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna export-sensors: exports a run's sensor readings or exposures as measurements for another run. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/export/measurements.h"

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
  if (path == NULL)
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "export-sensors needs -o FILE.csv; for an imaging run -o FILE.h5");
  return error == NULL && lac_measurements_export(words[0], path, &error) ? LAC_EXIT_FINISHED
                                                                          : lac_answer_error(error);
}

const LacVerb lac_verb_export_sensors = {
  .name = "export-sensors",
  .usage = "RUN -o FILE",
  .summary = "its sensor measurements, for another run",
  .run = run_verb,
};
