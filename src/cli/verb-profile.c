/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna profile: where the time of a run or trace was spent. */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/summary/profile.h"

#define MOST_ROWS 100000

static int
run_verb(int argc, char **argv)
{
  gboolean           json = FALSE;
  g_autofree char   *top = NULL;
  const GOptionEntry entries[] = {
    {"top", 0, 0, G_OPTION_ARG_STRING, &top, "Rows of the table; 20, 0: all", "N"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL},
    {NULL},
  };
  const LacVerbForm form = {
    "RUN|TRACE",
    "Shows where the time went: operations, outlier iterations, costs of the first call, leaks.",
    entries, 1, 1};
  gint64            range[] = {0, MOST_ROWS}, n_most = 20;
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error) ||
      !lac_arguments_integer("top", top, range, &n_most, &error))
    return lac_answer_error(error);
  g_autoptr(LacCapture) capture = lac_arguments_open_capture(words[0], &error);
  if (capture == NULL)
    return lac_answer_error(error);

  g_autofree char *text =
    json ? lac_profile_json(capture) : lac_profile_text(capture, (gsize) n_most);
  g_print("%s%s", text, json ? "\n" : "");
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_profile = {
  .name = "profile",
  .usage = "RUN|TRACE [--json]",
  .summary = "where the time went, and outliers",
  .run = run_verb,
};
