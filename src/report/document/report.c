/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of the report writer by the name of the file. */
#include "report/document/report.h"

#include "base/error.h"
#include "base/number-display.h"
#include "report/bench/bench-private.h"
#include "report/bench/table.h"
#include "report/canvas/paper-private.h"
#include "report/compare/compare-private.h"
#include "report/document/document-private.h"
#include "report/document/report-json.h"
#include "report/summary/summary-private.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

gboolean
lac_report_write_content(const LacDocumentContent *content,
                         LacDupFunc                text,
                         LacDupFunc                json,
                         const char               *path,
                         GError                  **error)
{
  LAC_NUMBERS_WITH_POINTS;
  g_autofree char *lower = g_ascii_strdown(path, -1);
  g_autofree char *written = NULL;
  if (g_str_has_suffix(lower, ".pdf"))
    return lac_document_write_pdf(content, path, error);
  if (g_str_has_suffix(lower, ".txt"))
    written = text != NULL ? text(content->data) : lac_document_dup_plain(content, error);
  else if (g_str_has_suffix(lower, ".json"))
    written = json(content->data);
  else if (g_str_has_suffix(lower, ".html"))
    written = lac_document_dup_html(content, error);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s: the name of a report must end in .pdf, .html, .txt or .json", path);
  return written != NULL && lac_text_write(path, written, error);
}

static char *
dup_runs_json(gconstpointer data)
{
  const LacRuns                *all = data;
  g_autofree LacReportSections *sections = g_new(LacReportSections, all->n);
  for (gsize i = 0; i < all->n; i++)
    sections[i] = all->sections;
  return lac_report_dup_json(&(LacReportJson){all->runs, sections, all->n, NULL, NULL});
}

/* JSON is data: it has all sections unless the user chooses some. */
static LacReportSections
get_sections(const LacReportSections *chosen, const char *path)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);

  if (chosen != NULL)
    return *chosen;
  return g_str_has_suffix(lower, ".json") ? lac_report_sections_all()
                                          : lac_report_sections_default();
}

gboolean
lac_report_write(LacRunFile *const *runs, gsize n_runs, const char *path, GError **error)
{
  return lac_report_write_sections(runs, n_runs, NULL, LAC_PAPER_A4, path, error);
}

gboolean
lac_report_write_sections(LacRunFile *const       *runs,
                          gsize                    n_runs,
                          const LacReportSections *sections,
                          LacReportPaper           paper,
                          const char              *path,
                          GError                 **error)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 1 && path != NULL, FALSE);
  if (n_runs > LAC_COMPARISON_MOST) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%" G_GSIZE_FORMAT " runs are too many for a report; at most %d", n_runs,
                LAC_COMPARISON_MOST);
    return FALSE;
  }
  LacRuns          all = {runs, n_runs, get_sections(sections, path)};
  g_autofree char *name = g_path_get_basename(runs[0]->path);
  g_autofree char *several = g_strdup_printf(_("%u runs"), (guint) n_runs);
  g_autofree char *started = lac_summary_started(runs[0]);
  g_autofree char *foot = g_strdup_printf("%s · %s", runs[0]->experiment, started);
  g_autofree char *title =
    g_strdup_printf(_("Report: %s"), n_runs > 1 ? several : lac_word(runs[0]->title));
  g_autoptr(GString) keywords = g_string_new(name);
  for (gsize i = 0; i < runs[0]->n_facts; i++)
    g_string_append_printf(keywords, "; %s: %s", runs[0]->facts[i].key, runs[0]->facts[i].value);
  const LacDocumentContent content = {
    title, n_runs > 1 ? several : name, foot, keywords->str, lac_report_add_runs, &all, paper};
  return lac_report_write_content(&content, NULL, dup_runs_json, path, error);
}

static char *
dup_benches_text(gconstpointer data)
{
  const LacBenches *all = data;
  if (all->after != NULL)
    return lac_bench_compare_text(all->before, all->after, all->names);
  return lac_bench_is_ablation(all->before) ? lac_bench_ablation_text(all->before)
                                            : lac_bench_text(all->before);
}

static char *
dup_benches_json(gconstpointer data)
{
  const LacBenches *all = data;
  return all->after != NULL ? lac_bench_compare_json(all->before, all->after)
                            : lac_bench_file_dup_text(all->before, TRUE);
}

gboolean
lac_report_write_bench(const LacBenchFile *before,
                       const LacBenchFile *after,
                       const char *const   names[2],
                       const char         *path,
                       GError            **error)
{
  g_return_val_if_fail(before != NULL && names != NULL && path != NULL, FALSE);
  const LacBenches         all = {before, after, {names[0], names[1]}};
  const char              *machine = lac_bench_file_get_fact(before, LAC_BENCH_IDENTITY);
  const char              *program = lac_bench_file_get_fact(before, "program");
  const LacDocumentContent content = {"Benchmark",
                                      names[0],
                                      machine != NULL ? machine : "",
                                      program != NULL ? program : "",
                                      lac_report_add_bench,
                                      &all,
                                      LAC_PAPER_A4};
  return lac_report_write_content(&content, dup_benches_text, dup_benches_json, path, error);
}
