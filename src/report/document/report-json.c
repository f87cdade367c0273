/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report as JSON: {"lacuna_report": 1, "title", "texts": [...], "runs": [...]}, in English. */
#include "report/document/report-json.h"

#include "io/format/json-text.h"
#include "io/format/metric-json.h"
#include "io/runfile/metadata.h"
#include "report/summary/changes.h"
#include "report/summary/findings.h"
#include "report/summary/kernel-table.h"
#include "report/summary/memory.h"
#include "report/summary/method-answer.h"
#include "report/summary/operation-table.h"
#include "report/summary/reliability.h"
#include "report/summary/settings.h"
#include "report/summary/speed.h"
#include "report/summary/summary-private.h"
#include "report/text/words.h"

#define FORMAT_VERSION 1

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

/* @are_all: not only those that mattered */
static void
add_settings(JsonBuilder *builder, const LacRunFile *run, gboolean are_all)
{
  json_builder_set_member_name(builder, "settings");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < run->n_settings; i++) {
    if (!are_all && !lac_setting_mattered(&run->settings[i]))
      continue;
    json_builder_begin_object(builder);
    lac_meta_put_json(&lac_meta_setting, LAC_META_REPORT, &run->settings[i], builder);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
add_facts(JsonBuilder *builder, const LacRunFile *run)
{
  json_builder_set_member_name(builder, "provenance");
  json_builder_begin_object(builder);
  for (gsize i = 0; i < run->n_facts; i++)
    lac_json_add_text(builder, run->facts[i].key, run->facts[i].value);
  json_builder_end_object(builder);
}

static void
add_events(JsonBuilder *builder, const LacRunFile *run)
{
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

/* ---- the table of methods: "methods": [{"method", "name", "comparison", "values": {KEY: number or null}}] ---- */

static void
add_method(JsonBuilder *builder, const LacMethodTable *table, const LacMethodRow *row)
{
  JsonObject *values = json_object_new();

  json_builder_begin_object(builder);
  lac_json_add_text(builder, "method", row->group);
  lac_json_add_text(builder, "name", row->name);
  json_builder_set_member_name(builder, "comparison");
  json_builder_add_boolean_value(builder, row->is_comparison);
  for (gsize c = 0; c < table->n_columns; c++)
    if (table->columns[c].kind != LAC_COLUMN_FURTHER)
      lac_json_put_metric(values, table->columns[c].key, row->cells[c].value);
  json_builder_set_member_name(builder, "values");
  json_builder_add_value(builder, json_node_init_object(json_node_alloc(), values));
  json_builder_end_object(builder);
  json_object_unref(values);
}

static void
add_methods(JsonBuilder *builder, const LacSummary *summary)
{
  g_auto(LacMethodTable) table = {0};

  lac_method_table_fill_run(&table, summary->run, summary->operations, summary->n_operations);
  lac_method_table_sort(&table, table.ranking);
  g_autofree char *answer = lac_method_answer_dup(&table);
  if (answer != NULL)
    lac_json_add_text(builder, "answer", answer);
  json_builder_set_member_name(builder, "methods");
  json_builder_begin_array(builder);
  for (gsize r = 0; r < table.n_rows; r++)
    add_method(builder, &table, &table.rows[r]);
  json_builder_end_array(builder);
}

/* ---- the sections ---- */

static void
add_head(JsonBuilder *builder, const LacSummary *summary)
{
  lac_json_add_number(builder, "seconds_per_step", summary->seconds_per_step);
  lac_json_add_number(builder, "peak_memory_mb", summary->peak_memory / 1e6);
  lac_json_add_number(builder, "peak_resident_mb", summary->peak_resident / 1e6);
  lac_json_add_number(builder, "cache_hit_rate", summary->cache_hits);
  lac_json_add_number(builder, "fft_plan_hit_rate", summary->plan_hits);
  add_methods(builder, summary);
  add_metrics(builder, summary->run);
  add_reliability(builder, summary->run);
}

static void
add_memory(JsonBuilder *builder, const LacSummary *summary)
{
  json_builder_set_member_name(builder, "memory");
  json_builder_begin_object(builder);
  lac_json_add_number(builder, "peak_resident_bytes", summary->peak_resident);
  lac_json_add_number(builder, "projected_peak_bytes", lac_summary_project_peak(summary, 10));
  for (guint i = 0; i < LAC_N_MEMORY_PARTS; i++) {
    g_autofree char *key = g_strconcat(lac_memory_part_get_key((LacMemoryPart) i), "_bytes", NULL);

    lac_json_add_number(builder, key, summary->memory_parts[i]);
  }
  json_builder_end_object(builder);
  lac_json_add_number(builder, "cpu_utilisation", summary->cpu_utilisation);
  lac_json_add_number(builder, "gpu_utilisation", summary->gpu_utilisation);
  lac_json_add_number(builder, "samples_per_second", summary->samples_per_second);
}

static void
add_findings(JsonBuilder *builder, const LacRunFile *run)
{
  g_auto(LacAnalysis) analysis = lac_analysis_make(run->capture);

  g_autoptr(GArray) advice = lac_speed_advice_of_run(run->path, run->capture);

  lac_findings_add_json(&analysis, run->capture, builder);
  lac_speed_advice_add_json(advice, builder);
}

static void
add_run(JsonBuilder *builder, const LacRunFile *run, const LacReportSections *sections)
{
  g_auto(LacSummary) summary = {0};
  const gboolean     has_all = lac_report_sections_have(sections, LAC_PART_ALL_SETTINGS);

  lac_summary_init(&summary, run);
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "run", run->path);
  lac_meta_put_json(&lac_meta_run, LAC_META_REPORT, run, builder);
  if (lac_report_sections_have(sections, LAC_PART_HEAD))
    add_head(builder, &summary);
  if (has_all || lac_report_sections_have(sections, LAC_PART_SETTINGS))
    add_settings(builder, run, has_all);
  if (lac_report_sections_have(sections, LAC_PART_TIME))
    lac_operations_add_json(run->capture, summary.operations, summary.n_operations, builder);
  if (lac_report_sections_have(sections, LAC_PART_TIME))
    lac_kernels_add_json(run->capture, builder);
  if (lac_report_sections_have(sections, LAC_PART_FINDINGS))
    add_findings(builder, run);
  if (lac_report_sections_have(sections, LAC_PART_MACHINE))
    add_facts(builder, run);
  if (lac_report_sections_have(sections, LAC_PART_MEMORY))
    add_memory(builder, &summary);
  if (lac_report_sections_have(sections, LAC_PART_CHANGES)) {
    add_events(builder, run);
    lac_summary_add_marks(run, builder);
  }
  json_builder_end_object(builder);
}

char *
lac_report_dup_json(const LacReportJson *report)
{
  LAC_SPEAK_ENGLISH;
  g_autoptr(JsonBuilder) builder = json_builder_new();

  json_builder_begin_object(builder);
  lac_json_add_integer(builder, "lacuna_report", FORMAT_VERSION);
  if (report->title != NULL && *report->title != '\0')
    lac_json_add_text(builder, "title", report->title);
  if (report->texts != NULL && report->texts->len > 0) {
    json_builder_set_member_name(builder, "texts");
    json_builder_begin_array(builder);
    for (guint i = 0; i < report->texts->len; i++)
      json_builder_add_string_value(builder, report->texts->pdata[i]);
    json_builder_end_array(builder);
  }
  json_builder_set_member_name(builder, "runs");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < report->n_runs; i++)
    add_run(builder, report->runs[i], &report->sections[i]);
  json_builder_end_array(builder);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *json = lac_json_dup_text(root, TRUE);
  return g_strconcat(json, "\n", NULL);
}
