/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summary of a run: results, settings, operations, events, provenance. */
#include "experiment/experiment.h"
#include "perf/recorder/gauges.h"
#include "perf/recorder/record.h"
#include "report/canvas/canvas.h"
#include "report/summary/changes.h"
#include "report/summary/gates.h"
#include "report/summary/operation-table.h"
#include "report/summary/summary-private.h"
#include "report/text/metric-text.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* The values of the counters of a run. */
typedef struct {
  gint64 names[LAC_N_GAUGES];
  gsize  n[LAC_N_GAUGES];
  double last[LAC_N_GAUGES], most[LAC_N_GAUGES], sum[LAC_N_GAUGES];
} Gauges;

static void
add_counter(Gauges *gauges, const LacRecord *record)
{
  for (guint i = 0; i < LAC_N_GAUGES; i++) {
    if (gauges->names[i] != record->name)
      continue;
    gauges->last[i] = record->value;
    gauges->most[i] = fmax(gauges->most[i], record->value);
    gauges->sum[i] += record->value;
    gauges->n[i]++;
  }
}

static double
get_mean(const Gauges *gauges, LacGauge gauge)
{
  return gauges->n[gauge] > 0 ? gauges->sum[gauge] / (double) gauges->n[gauge] : (double) NAN;
}

static void
take_gauges(LacSummary *summary, const Gauges *gauges)
{
  if (gauges->n[LAC_GAUGE_RESIDENT] > 0)
    summary->peak_resident = fmax(summary->peak_resident, gauges->most[LAC_GAUGE_RESIDENT]);
  if (gauges->n[LAC_GAUGE_CACHE_HITS] > 0)
    summary->cache_hits = gauges->last[LAC_GAUGE_CACHE_HITS];
  if (gauges->n[LAC_GAUGE_PLAN_HITS] > 0)
    summary->plan_hits = gauges->last[LAC_GAUGE_PLAN_HITS];
  for (guint i = 0; i < LAC_N_MEMORY_PARTS; i++)
    summary->memory_parts[i] = gauges->most[lac_gauge_of_memory((LacMemoryPart) i)];
  summary->cpu_utilisation = get_mean(gauges, LAC_GAUGE_CPU_UTILISATION);
  summary->gpu_utilisation = get_mean(gauges, LAC_GAUGE_GPU_UTILISATION);
  summary->samples_per_second = get_mean(gauges, LAC_GAUGE_SAMPLES);
}

void
lac_summary_init(LacSummary *summary, const LacRunFile *run)
{
  g_return_if_fail(summary != NULL && run != NULL);
  summary->run = run;
  summary->aggregates = lac_aggregates_new();
  lac_aggregates_add_capture(summary->aggregates, run->capture);
  summary->operations = lac_aggregates_get(summary->aggregates, &summary->n_operations);
  summary->seconds_per_step = run->steps > 0 ? run->seconds / (double) run->steps : (double) NAN;
  summary->peak_memory = summary->peak_resident = (double) NAN;
  summary->cache_hits = summary->plan_hits = (double) NAN;
  Gauges gauges = {{0}};
  for (guint i = 0; i < LAC_N_GAUGES; i++)
    gauges.names[i] = lac_capture_find_name(run->capture, lac_gauge_name((LacGauge) i));
  for (gsize i = 0, n = lac_capture_get_n_records(run->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(run->capture, i);
    if (record->kind != LAC_RECORD_MEMORY && record->memory > 0)
      summary->peak_memory = fmax(summary->peak_memory, (double) record->memory);
    if (record->kind == LAC_RECORD_COUNTER)
      add_counter(&gauges, record);
    if (record->kind == LAC_RECORD_MEMORY && record->cpu_peak != LAC_RECORD_UNKNOWN)
      summary->peak_resident = fmax(summary->peak_resident, (double) record->cpu_peak);
  }
  take_gauges(summary, &gauges);
}

void
lac_summary_clear(LacSummary *summary)
{
  g_clear_pointer(&summary->aggregates, lac_aggregates_free);
}

const char *
lac_summary_operation_name(const LacSummary *summary, gsize i)
{
  return lac_capture_get_name(summary->run->capture, summary->operations[i].name);
}

gssize
lac_summary_key_metric(const LacRunFile *run)
{
  for (gsize i = 0; i < run->n_metrics; i++)
    if (run->metrics[i].is_result)
      return (gssize) i;
  return -1;
}

char *
lac_summary_started(const LacRunFile *run)
{
  g_autoptr(GTimeZone) zone = g_time_zone_new_local();
  g_autoptr(GDateTime) parsed =
    run->started != NULL ? g_date_time_new_from_iso8601(run->started, zone) : NULL;
  g_autoptr(GDateTime) local = parsed != NULL ? g_date_time_to_local(parsed) : NULL;
  return local != NULL ? g_date_time_format(local, "%Y-%m-%d %H:%M") : g_strdup("–");
}

char *
lac_summary_memory_text(const LacSummary *summary)
{
  g_autofree char *planned = lac_bytes_text(summary->peak_memory);
  g_autofree char *resident = lac_bytes_text(summary->peak_resident);
  gboolean         has_both = isfinite(summary->peak_memory) && isfinite(summary->peak_resident);
  return g_strdup_printf("%s%s%s%s%s", isfinite(summary->peak_memory) ? planned : "",
                         isfinite(summary->peak_memory) ? _(" in an operation") : "",
                         has_both ? ", " : "", isfinite(summary->peak_resident) ? resident : "",
                         isfinite(summary->peak_resident) ? _(" resident") : "");
}

char *
lac_summary_metric_text(const LacRunFile *run, gsize m)
{
  g_auto(LacRunMetrics) metrics = {0};
  g_autofree double    *values = g_new(double, run->n_metrics + 1);
  lac_run_metrics_init(&metrics, run);
  for (gsize i = 0; i < run->n_metrics; i++)
    values[i] = run->metrics[i].last;
  return lac_metric_text(metrics.metrics, values, run->n_metrics, m);
}

/* Returns TRUE for a metric of the run that repeats one of a method, which the table of methods shows. */
static gboolean
repeats_a_method(const LacRunMetrics *metrics, gsize m)
{
  for (gsize i = 0; i < metrics->n; i++) {
    const char *own = strchr(metrics->metrics[i].key, '.');

    if (own != NULL && g_str_equal(own + 1, metrics->metrics[m].key))
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE when the table of methods shows the metric. */
static gboolean
is_in_method_table(const LacRunMetrics *metrics, gsize m)
{
  const gboolean has_row =
    metrics->n_groups == 0 || *lac_metric_group(&metrics->metrics[m]) != '\0';

  return has_row ? metrics->metrics[m].placing.column != LAC_COLUMN_FURTHER
                 : repeats_a_method(metrics, m);
}

void
lac_summary_results(const LacSummary *summary, LacTable *table)
{
  static const LacColumn columns[] = {
    {N_("result"), LAC_ALIGN_LEFT, TRUE},
    {N_("value"), LAC_ALIGN_RIGHT, FALSE},
    {N_("key"), LAC_ALIGN_LEFT, FALSE},
  };
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  g_auto(LacRunMetrics) metrics = {0};
  lac_run_metrics_init(&metrics, summary->run);
  for (gsize i = 0; i < summary->run->n_metrics; i++) {
    const LacRunMetric *metric = &summary->run->metrics[i];
    if (!metric->is_result || lac_metric_is_error(metrics.metrics, metrics.n, i) ||
        is_in_method_table(&metrics, i))
      continue;
    g_autofree char  *value = lac_summary_metric_text(summary->run, i);
    g_autofree char  *label = lac_run_metrics_dup_label(&metrics, i);
    const char *const cells[] = {label, value, metric->key};
    lac_table_add(table, LAC_ROW_PLAIN, cells);
  }
}

void
lac_summary_gates(const LacSummary *summary, LacTable *table)
{
  lac_gates_fill(summary->run, table);
}

static void
add_setting(LacTable *table, const LacRunFile *run, const LacRunSetting *setting)
{
  g_autofree char *value = lac_experiment_dup_shown(run->experiment, setting->key, setting->text);
  gboolean         has_unit = setting->unit != NULL && g_strcmp0(setting->unit, "1") != 0 &&
                      g_str_equal(value, setting->text); /* a value with a name has none */
  const char *const cells[] = {
    lac_word(setting->label),
    *value == '\0' ? _("none") : value,
    has_unit ? setting->unit : "",
    setting->is_default ? "" : _("changed"),
    setting->key,
  };
  lac_table_add(table, setting->is_default ? LAC_ROW_PLAIN : LAC_ROW_STRONG, cells);
}

void
lac_summary_settings(const LacSummary *summary, LacTable *table)
{
  static const LacColumn columns[] = {
    {N_("setting"), LAC_ALIGN_LEFT, TRUE}, {N_("value"), LAC_ALIGN_RIGHT, TRUE},
    {N_("unit"), LAC_ALIGN_LEFT, FALSE},   {"", LAC_ALIGN_LEFT, FALSE},
    {N_("key"), LAC_ALIGN_LEFT, FALSE},
  };
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  const LacRunFile *run = summary->run;
  for (gsize i = 0; i < run->n_settings; i++) {
    const char *group = run->settings[i].group;
    gboolean    is_known = FALSE;
    for (gsize k = 0; k < i; k++)
      is_known |= g_strcmp0(run->settings[k].group, group) == 0;
    if (is_known)
      continue;
    if (group != NULL && *group != '\0')
      lac_table_add(table, LAC_ROW_GROUP, (const char *const[]){lac_word(group)});
    for (gsize k = i; k < run->n_settings; k++)
      if (g_strcmp0(run->settings[k].group, group) == 0)
        add_setting(table, run, &run->settings[k]);
  }
}

void
lac_summary_operations(const LacSummary *summary, LacTable *table)
{
  lac_operations_fill(summary->run->capture, summary->operations, summary->n_operations, FALSE,
                      table);
}

void
lac_summary_events(const LacSummary *summary, LacTable *table)
{
  static const LacColumn columns[] = {
    {N_("step"), LAC_ALIGN_RIGHT, FALSE},
    {N_("at"), LAC_ALIGN_RIGHT, FALSE},
    {N_("event"), LAC_ALIGN_LEFT, FALSE},
    {N_("detail"), LAC_ALIGN_LEFT, TRUE},
  };
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (gsize i = 0; i < summary->run->n_events; i++) {
    const LacRunEvent *event = &summary->run->events[i];
    if (lac_run_event_is_change(event))
      continue;
    g_autofree char  *step = g_strdup_printf("%" G_GINT64_FORMAT, event->step);
    g_autofree char  *at = lac_duration_text(event->seconds);
    const char *const cells[] = {step, at, event->what, event->detail != NULL ? event->detail : ""};
    lac_table_add(table, LAC_ROW_PLAIN, cells);
  }
}

void
lac_summary_facts(const LacSummary *summary, LacTable *table)
{
  static const LacColumn columns[] = {
    {N_("provenance"), LAC_ALIGN_LEFT, FALSE},
    {N_("value"), LAC_ALIGN_LEFT, TRUE},
  };
  g_autofree char *kept = lac_run_file_dup_records_kept(summary->run);
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  lac_table_add(table, LAC_ROW_PLAIN, (const char *const[]){"records kept", kept});
  for (gsize i = 0; i < summary->run->n_facts; i++) {
    const char *const cells[] = {summary->run->facts[i].key, summary->run->facts[i].value};
    lac_table_add(table, LAC_ROW_PLAIN, cells);
  }
}
