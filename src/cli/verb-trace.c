/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna trace: exports the records of a run or of another program's trace for a trace viewer. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "perf/trace/trace.h"

static gboolean
write_trace(const char *source, const char *path, GError **error)
{
  g_autoptr(LacCapture) capture = lac_arguments_open_capture(source, error);
  return capture != NULL && lac_trace_write(capture, path, error);
}

static int
run_verb(int argc, char **argv)
{
  g_autofree char   *path = NULL;
  const GOptionEntry entries[] = {{"output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
                                   "Output file: .json, .json.gz, .pftrace or .csv", "FILE"},
                                  {NULL}};
  const LacVerbForm  form = {"RUN|TRACE -o FILE",
                             "Writes a trace: Chrome's, Perfetto's, or a table.", entries, 1, 1};
  g_auto(GStrv)      words = NULL;
  g_autoptr(GError)  error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  if (path == NULL) {
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE, "trace needs -o FILE.json");
    return lac_answer_error(error);
  }
  return write_trace(words[0], path, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
}

const LacVerb lac_verb_trace = {
  .name = "trace",
  .usage = "RUN -o FILE.json",
  .summary = "a trace for chrome://tracing or ui.perfetto.dev",
  .run = run_verb,
};
