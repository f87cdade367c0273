/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna compare: compares runs, or two benchmark files. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/bench/table.h"
#include "report/compare/compare.h"

static int
compare_benchmarks(const GStrv paths, gboolean json)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacBenchFile) before = NULL, after = NULL;
  g_autofree char        *text = NULL;

  if (g_strv_length(paths) != 2) {
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "compare needs two benchmark files: before and after");
    return lac_answer_error(error);
  }
  before = lac_bench_file_read(paths[0], &error);
  after = before ? lac_bench_file_read(paths[1], &error) : NULL;
  if (!after)
    return lac_answer_error(error);
  text = json ? lac_bench_compare_json(before, after)
              : lac_bench_compare_text(before, after, (const char *const *) paths);
  g_print("%s%s", text, g_str_has_suffix(text, "\n") ? "" : "\n");
  return LAC_EXIT_FINISHED;
}

static int
run_verb(int argc, char **argv)
{
  gboolean           json = FALSE;
  const GOptionEntry entries[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL}, {NULL}};
  const LacVerbForm form = {"RUN RUN... (2 to 12) | BENCH.json BENCH.json",
                            "Compares runs by settings, results, time, memory and speed-up; two "
                            "benchmarks by ratios with intervals.",
                            entries, 2, 12};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  if (lac_is_bench_file(words[0]))
    return compare_benchmarks(words, json);
  g_autoptr(GPtrArray) runs = lac_arguments_open_runs(words, &error);
  if (runs == NULL)
    return lac_answer_error(error);

  LacRunFile *const *all = (LacRunFile *const *) runs->pdata;
  g_autofree char   *text =
    json ? lac_compare_json(all, runs->len) : lac_compare_text(all, runs->len);
  g_print("%s%s", text, g_str_has_suffix(text, "\n") ? "" : "\n");
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_compare = {
  .name = "compare",
  .usage = "RUN RUN... [--json]",
  .summary = "settings that differ, results, time, memory, operations; two benchmarks",
  .run = run_verb,
};
