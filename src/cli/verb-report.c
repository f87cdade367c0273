/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna report: a report of one or several runs. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/report.h"

int
lac_verb_report(int argc, char **argv)
{
  g_autofree char   *path = NULL;
  const GOptionEntry entries[] = {{"output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
                                   "What to write: .pdf, .html, .txt or .json", "FILE"},
                                  {NULL}};
  const LacVerbForm  form = {"RUN... -o FILE.pdf|.html|.txt|.json",
                             "Writes a report; of several runs also their comparison.", entries, 1,
                             12};
  g_auto(GStrv)      words = NULL;
  g_autoptr(GError)  error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  if (path == NULL) {
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "report needs -o FILE, ending in .pdf, .html, .txt or .json");
    return lac_answer_error(error);
  }
  g_autoptr(GPtrArray) runs = lac_arguments_open_runs(words, &error);
  if (runs == NULL || !lac_report_write((LacRunFile *const *) runs->pdata, runs->len, path, &error))
    return lac_answer_error(error);
  return LAC_EXIT_FINISHED;
}
