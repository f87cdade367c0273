/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna compare: runs beside each other. */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/compare.h"

int
lac_verb_compare(int argc, char **argv)
{
  gboolean           json = FALSE;
  const GOptionEntry entries[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL}, {NULL}};
  const LacVerbForm form = {"RUN RUN... (2 to 12)",
                            "Shows the settings that differ, results, time, memory and speed-up.",
                            entries, 2, 12};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  g_autoptr(GPtrArray) runs = lac_arguments_open_runs(words, &error);
  if (runs == NULL)
    return lac_answer_error(error);

  LacRunFile *const *all = (LacRunFile *const *) runs->pdata;
  g_autofree char   *text =
    json ? lac_compare_json(all, runs->len) : lac_compare_text(all, runs->len);
  g_print("%s%s", text, g_str_has_suffix(text, "\n") ? "" : "\n");
  return LAC_EXIT_FINISHED;
}
