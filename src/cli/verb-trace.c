/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna trace: the records of a run for a trace viewer. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "perf/trace.h"

static gboolean
write_trace(const char *source, const char *path, GError **error)
{
  if (g_str_has_suffix(path, ".pftrace")) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION,
                "%s: Perfetto's own format is not in this version; its viewer reads .json too",
                path);
    return FALSE;
  }
  if (!g_str_has_suffix(path, ".json")) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s: the ending of a trace is .json", path);
    return FALSE;
  }
  g_autoptr(LacRunFile) run = lac_run_file_open(source, error);
  if (run == NULL)
    return FALSE;
  return lac_trace_write_chrome(run->capture, path, error);
}

int
lac_verb_trace(int argc, char **argv)
{
  g_autofree char   *path = NULL;
  const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "What to write: .json", "FILE"}, {NULL}};
  const LacVerbForm form = {
    "RUN -o FILE.json", "Writes a Chrome trace, which ui.perfetto.dev reads too.", entries, 1, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  if (path == NULL) {
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE, "trace needs -o FILE.json");
    return lac_answer_error(error);
  }
  return write_trace(words[0], path, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
}
