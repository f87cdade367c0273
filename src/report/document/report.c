/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of the report writer; the plain-text writer. */
#include "report/document/report.h"

#include "base/error.h"
#include "base/number-display.h"
#include "io/format/json-text.h"
#include "io/format/metric-json.h"
#include "io/runfile/metadata.h"
#include "report/bench/bench-private.h"
#include "report/bench/table.h"
#include "report/canvas/paper-private.h"
#include "report/compare/compare-private.h"
#include "report/document/document-private.h"
#include "report/summary/findings.h"
#include "report/summary/operation-table.h"
#include "report/summary/reliability.h"
#include "report/summary/summary-private.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <json-glib/json-glib.h>
#include <math.h>

/* ---- the report as one JSON object: {"lacuna_report": 1, "runs": [...]} ---- */

/* Adds the metrics; NaN becomes null, since JSON has no NaN. */
static void
add_metrics(JsonBuilder *builder, const LacRunFile *run)
{
  JsonObject *metrics = json_object_new();

  for (gsize i = 0; i < run->n_metrics; i++)
    if (run->metrics[i].is_result)
      lac_json_put_metric(metrics, run->metrics[i].key, run->metrics[i].last);
  json_builder_set_member_name(builder, "metrics");
  json_builder_add_value(builder, json_node_init_object(json_node_alloc(), metrics));
  json_object_unref(metrics);
}

static void
add_reliability(JsonBuilder *builder, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_reliability_lines(run);

  json_builder_set_member_name(builder, "trust");
  json_builder_begin_object(builder);
  for (guint i = 0; i < lines->len; i++)
    lac_json_add_text(builder, g_array_index(lines, LacReliabilityLine, i).method,
                      g_array_index(lines, LacReliabilityLine, i).sentence);
  json_builder_end_object(builder);
}

static void
add_settings(JsonBuilder *builder, const LacRunFile *run)
{
  json_builder_set_member_name(builder, "settings");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < run->n_settings; i++) {
    json_builder_begin_object(builder);
    lac_meta_put_json(&lac_meta_setting, LAC_META_REPORT, &run->settings[i], builder);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
add_facts_and_events(JsonBuilder *builder, const LacRunFile *run)
{
  json_builder_set_member_name(builder, "provenance");
  json_builder_begin_object(builder);
  for (gsize i = 0; i < run->n_facts; i++)
    lac_json_add_text(builder, run->facts[i].key, run->facts[i].value);
  json_builder_end_object(builder);
  json_builder_set_member_name(builder, "events");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < run->n_events; i++) {
    json_builder_begin_object(builder);
    lac_json_add_integer(builder, "step", run->events[i].step);
    lac_json_add_number(builder, "seconds", run->events[i].seconds);
    lac_json_add_text(builder, "what", run->events[i].what);
    lac_json_add_text(builder, "detail", run->events[i].detail);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
add_run(JsonBuilder *builder, const LacRunFile *run)
{
  g_auto(LacSummary) summary = {0};
  lac_summary_init(&summary, run);
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "run", run->path);
  lac_meta_put_json(&lac_meta_run, LAC_META_REPORT, run, builder);
  lac_json_add_number(builder, "seconds_per_step", summary.seconds_per_step);
  lac_json_add_number(builder, "peak_memory_mb", summary.peak_memory / 1e6);
  lac_json_add_number(builder, "peak_resident_mb", summary.peak_resident / 1e6);
  add_metrics(builder, run);
  add_reliability(builder, run);
  add_settings(builder, run);
  lac_operations_add_json(run->capture, summary.operations, summary.n_operations, builder);
  g_auto(LacAnalysis) analysis = lac_analysis_make(run->capture);
  lac_findings_add_json(&analysis, run->capture, builder);
  add_facts_and_events(builder, run);
  lac_summary_add_marks(run, builder);
  json_builder_end_object(builder);
}

static char *
report_dup_json(LacRunFile *const *runs, gsize n_runs)
{
  LAC_SPEAK_ENGLISH;
  g_autoptr(JsonBuilder) builder = json_builder_new();
  json_builder_begin_object(builder);
  lac_json_add_integer(builder, "lacuna_report", 1);
  json_builder_set_member_name(builder, "runs");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < n_runs; i++)
    add_run(builder, runs[i]);
  json_builder_end_array(builder);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *json = lac_json_dup_text(root, TRUE);
  return g_strconcat(json, "\n", NULL);
}

/* ---- report ---- */

static void
print_table(GString *text, const LacSummary *summary, void (*fill)(const LacSummary *, LacTable *))
{
  g_auto(LacTable) table = {0};
  fill(summary, &table);
  if (table.kinds->len == 0)
    return;
  g_string_append_c(text, '\n');
  lac_table_print(&table, text);
}

static void
print_reliability(GString *text, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_reliability_lines(run);

  if (lines->len > 0)
    g_string_append(text, "\nreliability\n");
  for (guint i = 0; i < lines->len; i++) {
    const LacReliabilityLine *line = &g_array_index(lines, LacReliabilityLine, i);

    g_string_append_printf(text, "%s %s.\n", line->title, line->sentence);
  }
}

static void
print_run(GString *text, const LacRunFile *run)
{
  g_auto(LacSummary) summary = {0};
  lac_summary_init(&summary, run);
  g_autofree char *seconds = lac_duration_text(run->seconds);
  g_autofree char *setup = lac_duration_text(run->setup_seconds);
  g_autofree char *a_step = lac_duration_text(summary.seconds_per_step);
  g_autofree char *memory = lac_summary_memory_text(&summary);
  g_string_append_printf(text, "%s (%s)\n%s\n\n", run->title, run->experiment, run->path);
  g_string_append_printf(text, "  outcome       %s\n", run->outcome);
  if (run->detail != NULL && *run->detail != '\0')
    g_string_append_printf(text, "                %s\n", run->detail);
  if (*run->caution != '\0')
    g_string_append_printf(text, "  caution       %s\n", run->caution);
  g_autofree char *started = lac_summary_started(run);
  g_string_append_printf(text, "  started       %s\n", started);
  g_string_append_printf(text, "  steps         %" G_GINT64_FORMAT "\n", run->steps);
  g_string_append_printf(text, "  compute time  %s (%s per step), set-up %s\n", seconds, a_step,
                         setup);
  g_string_append_printf(text, "  backend       %s, %s, threads: %u\n", run->backend,
                         run->precision, run->threads);
  g_string_append_printf(text, "  seed          %" G_GUINT64_FORMAT "\n", run->seed);
  if (*memory != '\0')
    g_string_append_printf(text, "  memory        at most %s\n", memory);
  print_table(text, &summary, lac_summary_results);
  print_reliability(text, run);
  print_table(text, &summary, lac_summary_gates);
  print_table(text, &summary, lac_summary_operations);
  g_string_append_c(text, '\n');
  g_auto(LacAnalysis) analysis = lac_analysis_make(run->capture);
  lac_findings_print(&analysis, run->capture, text);
  print_table(text, &summary, lac_summary_settings);
  print_table(text, &summary, lac_summary_events);
  print_table(text, &summary, lac_summary_facts);
}

/* Chooses the text by the extension of @path; NULL: a paged format. @text: for .txt; @json: for .json; both (transfer
 * full) */
typedef char *(*DupFunc)(gconstpointer data);

static gboolean
write_content(const LacDocumentContent *content,
              DupFunc                   text,
              DupFunc                   json,
              const char               *path,
              GError                  **error)
{
  LAC_NUMBERS_WITH_POINTS;
  g_autofree char *lower = g_ascii_strdown(path, -1);
  g_autofree char *written = NULL;
  if (g_str_has_suffix(lower, ".pdf"))
    return lac_document_write_pdf(content, path, error);
  if (g_str_has_suffix(lower, ".txt"))
    written = text(content->data);
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
dup_runs_text(gconstpointer data)
{
  const LacRuns *all = data;
  GString       *text = g_string_new("Lacuna: report\n\n");
  if (all->n > 1) {
    g_autofree char *comparison = lac_compare_text(all->runs, all->n);
    g_string_append_printf(text, "%s\n", comparison);
  }
  for (gsize i = 0; i < all->n; i++) {
    if (i > 0)
      g_string_append(text, "\n\n");
    print_run(text, all->runs[i]);
  }
  return g_string_free(text, FALSE);
}

static char *
dup_runs_json(gconstpointer data)
{
  const LacRuns *all = data;
  return report_dup_json(all->runs, all->n);
}

gboolean
lac_report_write(LacRunFile *const *runs, gsize n_runs, const char *path, GError **error)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 1 && path != NULL, FALSE);
  if (n_runs > LAC_COMPARISON_MOST) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%" G_GSIZE_FORMAT " runs are too many for a report; at most %d", n_runs,
                LAC_COMPARISON_MOST);
    return FALSE;
  }
  LacRuns          all = {runs, n_runs};
  g_autofree char *name = g_path_get_basename(runs[0]->path);
  g_autofree char *several = g_strdup_printf(_("%u runs"), (guint) n_runs);
  g_autofree char *started = lac_summary_started(runs[0]);
  g_autofree char *foot = g_strdup_printf("%s · %s", runs[0]->experiment, started);
  g_autofree char *title =
    g_strdup_printf(_("Report: %s"), n_runs > 1 ? several : lac_word(runs[0]->title));
  g_autoptr(GString) keywords = g_string_new(name);
  for (gsize i = 0; i < runs[0]->n_facts; i++)
    g_string_append_printf(keywords, "; %s: %s", runs[0]->facts[i].key, runs[0]->facts[i].value);
  const LacDocumentContent content = {title,         n_runs > 1 ? several : name, foot,
                                      keywords->str, lac_report_add_runs,         &all};
  return write_content(&content, dup_runs_text, dup_runs_json, path, error);
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
  const LacDocumentContent content = {
    "Benchmark",          names[0], machine != NULL ? machine : "", program != NULL ? program : "",
    lac_report_add_bench, &all};
  return write_content(&content, dup_benches_text, dup_benches_json, path, error);
}
