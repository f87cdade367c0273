/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as one JSON object: {"lacuna_report": 1, "runs": [...]}. */
#include "io/format/json-text.h"
#include "io/format/metric-json.h"
#include "report/document/report-private.h"
#include "report/summary/findings.h"
#include "report/summary/operation-table.h"
#include "report/summary/summary-private.h"
#include "report/summary/trust.h"
#include "report/text/words.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* JSON knows no NaN. */
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
add_trust(JsonBuilder *builder, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_trust_lines(run);

  json_builder_set_member_name(builder, "trust");
  json_builder_begin_object(builder);
  for (guint i = 0; i < lines->len; i++)
    lac_json_add_text(builder, g_array_index(lines, LacTrustLine, i).engine,
                      g_array_index(lines, LacTrustLine, i).sentence);
  json_builder_end_object(builder);
}

static void
add_settings(JsonBuilder *builder, const LacRunFile *run)
{
  json_builder_set_member_name(builder, "settings");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < run->n_settings; i++) {
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "key", run->settings[i].key);
    lac_json_add_text(builder, "value", run->settings[i].text);
    lac_json_add_text(builder, "unit", run->settings[i].unit);
    json_builder_set_member_name(builder, "is_default");
    json_builder_add_boolean_value(builder, run->settings[i].is_default);
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
  lac_json_add_text(builder, "experiment", run->experiment);
  lac_json_add_text(builder, "title", run->title);
  lac_json_add_text(builder, "caution", run->caution);
  lac_json_add_text(builder, "started", run->started);
  lac_json_add_text(builder, "outcome", run->outcome);
  lac_json_add_text(builder, "detail", run->detail);
  lac_json_add_text(builder, "backend", run->backend);
  lac_json_add_text(builder, "precision", run->precision);
  lac_json_add_integer(builder, "threads", run->threads);
  lac_json_add_integer(builder, "seed", (gint64) run->seed);
  lac_json_add_integer(builder, "steps", run->steps);
  lac_json_add_number(builder, "seconds", run->seconds);
  lac_json_add_number(builder, "setup_seconds", run->setup_seconds);
  lac_json_add_number(builder, "seconds_per_step", summary.seconds_per_step);
  lac_json_add_number(builder, "peak_memory_mb", summary.peak_memory / 1e6);
  lac_json_add_number(builder, "peak_resident_mb", summary.peak_resident / 1e6);
  add_metrics(builder, run);
  add_trust(builder, run);
  add_settings(builder, run);
  lac_operations_add_json(run->capture, summary.operations, summary.n_operations, builder);
  g_auto(LacAnalysis) analysis = lac_analysis_make(run->capture);
  lac_findings_add_json(&analysis, run->capture, builder);
  add_facts_and_events(builder, run);
  lac_summary_add_marks(run, builder);
  json_builder_end_object(builder);
}

char *
lac_report_dup_json(LacRunFile *const *runs, gsize n_runs)
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
