/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna profile: where the time of a run or trace was spent. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/trace/trace-file.h"
#include "report/summary/profile.h"
#include "report/summary/speed.h"

#define MOST_ROWS 100000

/* @word: (nullable) */
static gboolean
find_column(const char *word, const LacOperationColumn **column, GError **error)
{
  *column = word != NULL ? lac_operation_column_find(word) : NULL;
  if (word == NULL || *column != NULL)
    return TRUE;
  gsize                     n;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  g_autoptr(GString)        words = g_string_new("memory");
  for (gsize i = 0; i < n; i++)
    g_string_append_printf(words, ", %s", columns[i].key);
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "sort = %s is no column; use %s", word,
              words->str);
  return FALSE;
}

static int
run_verb(int argc, char **argv)
{
  gboolean           json = FALSE, csv = FALSE;
  g_autofree char   *top = NULL, *sort = NULL;
  const GOptionEntry entries[] = {
    {"top", 0, 0, G_OPTION_ARG_STRING, &top, "Rows of the table; 20, 0: all", "N"},
    {"sort", 0, 0, G_OPTION_ARG_STRING, &sort,
     "Column that orders the table: total, self, count, mean, p99, memory or another; total",
     "COLUMN"},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, "Print the table of operations as CSV", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL},
    {NULL},
  };
  const LacVerbForm         form = {"RUN|TRACE",
                                    "Shows where the time went: operations, outlier iterations, costs of "
                                            "the first call, leaks; and which settings would save time.",
                                    entries, 1, 1};
  gint64                    range[] = {0, MOST_ROWS}, n_most = 20;
  const LacOperationColumn *column = NULL;
  g_auto(GStrv)             words = NULL;
  g_autoptr(GError)         error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error) ||
      !lac_arguments_integer("top", top, range, &n_most, &error) ||
      !find_column(sort, &column, &error))
    return lac_answer_error(error);
  g_autoptr(LacCapture) capture = lac_arguments_open_capture(words[0], &error);
  if (capture == NULL)
    return lac_answer_error(error);

  g_autoptr(GArray) advice =
    lac_trace_is_named(words[0]) ? NULL : lac_speed_advice_of_run(words[0], capture);
  g_autofree char *text = json  ? lac_profile_json(capture, advice)
                          : csv ? lac_profile_csv(capture, column)
                                : lac_profile_text(capture, (gsize) n_most, column, advice);
  g_print("%s%s", text, json ? "\n" : "");
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_profile = {
  .name = "profile",
  .usage = "RUN|TRACE [--sort COLUMN] [--csv|--json]",
  .summary = "where the time went, and outliers",
  .run = run_verb,
};
