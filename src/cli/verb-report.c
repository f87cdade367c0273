/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna report: a report of one or several runs. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/document/plan.h"
#include "report/document/report.h"

/* Writes a report of one benchmark file, or of the change between two. */
static gboolean
report_benches(const GStrv words, const char *path, GError **error)
{
  guint n = g_strv_length(words);
  if (n > 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%u benchmark files are too many for a report; use one or two", n);
    return FALSE;
  }
  g_autoptr(LacBenchFile) before = lac_bench_file_read(words[0], error);
  g_autoptr(LacBenchFile) after =
    before != NULL && n > 1 ? lac_bench_file_read(words[1], error) : NULL;
  if (before == NULL || (n > 1 && after == NULL))
    return FALSE;
  g_autofree char *first = g_path_get_basename(words[0]);
  g_autofree char *second = n > 1 ? g_path_get_basename(words[1]) : NULL;
  return lac_report_write_bench(before, after, (const char *const[2]){first, second}, path, error);
}

/* Writes a saved report plan again. */
static gboolean
report_plan(const char *source, const char *path, GError **error)
{
  g_autoptr(LacReportPlan) plan = lac_report_plan_load(source, error);
  if (plan == NULL)
    return FALSE;
  g_auto(GStrv) folders = g_new0(char *, plan->runs->len + 1);
  for (guint i = 0; i < plan->runs->len; i++)
    folders[i] = g_strdup(plan->runs->pdata[i]);
  g_autoptr(GPtrArray) runs = lac_arguments_open_runs(folders, error);
  return runs != NULL &&
         lac_report_plan_write(plan, (LacRunFile *const *) runs->pdata, path, error);
}

static int
run_verb(int argc, char **argv)
{
  const LacReportSections every = lac_report_sections_all(), usual = lac_report_sections_default();
  g_autofree char        *all = lac_report_sections_dup_keys(&every);
  g_autofree char        *few = lac_report_sections_dup_keys(&usual);
  g_autofree char        *choice =
    g_strdup_printf("Sections in order, or all: %s (default: %s; .json: all)", all, few);
  g_autofree char   *path = NULL, *keys = NULL, *paper_key = NULL;
  const GOptionEntry entries[] = {{"output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
                                   "Output file: .pdf, .html, .txt or .json", "FILE"},
                                  {"sections", 0, 0, G_OPTION_ARG_STRING, &keys, choice, "KEY,..."},
                                  {"paper", 0, 0, G_OPTION_ARG_STRING, &paper_key,
                                   "Paper of a PDF: a4 or letter (default: a4)", "SIZE"},
                                  {NULL}};
  const LacVerbForm  form = {
     "RUN... | PLAN.json | BENCH.json [BENCH.json] -o FILE.pdf|.html|.txt|.json",
     "Writes a report of runs or benchmarks, with a comparison of several.", entries, 1, 12};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  LacReportSections sections;
  LacReportPaper    paper = LAC_PAPER_A4;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error) ||
      (keys != NULL && !lac_report_sections_parse(keys, &sections, &error)) ||
      (paper_key != NULL && !lac_report_paper_parse(paper_key, &paper, &error)))
    return lac_answer_error(error);
  if (path == NULL) {
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "report needs -o FILE, ending in .pdf, .html, .txt or .json");
    return lac_answer_error(error);
  }
  if ((keys != NULL || paper_key != NULL) &&
      (lac_is_report_plan(words[0]) || lac_is_bench_file(words[0]))) {
    g_set_error(&error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s: --sections and --paper are for a report of runs", words[0]);
    return lac_answer_error(error);
  }
  if (lac_is_report_plan(words[0]))
    return report_plan(words[0], path, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
  if (lac_is_bench_file(words[0]))
    return report_benches(words, path, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
  g_autoptr(GPtrArray) runs = lac_arguments_open_runs(words, &error);
  if (runs == NULL ||
      !lac_report_write_sections((LacRunFile *const *) runs->pdata, runs->len,
                                 keys != NULL ? &sections : NULL, paper, path, &error))
    return lac_answer_error(error);
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_report = {
  .name = "report",
  .usage = "RUN... -o FILE.pdf|.html|.txt|.json",
  .summary = "a report",
  .run = run_verb,
};
