/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tracker's metrics as CSV (RFC 4180) and JSON. */
#include "base/error.h"
#include "base/json-quote.h"
#include "base/number.h"
#include "base/text-rows.h"
#include "perf/tracker/tracker.h"

#include <glib/gi18n-lib.h>

/* ---- CSV ---- */

static void
append_cell(GString *csv, const char *text)
{
  g_autofree char *cell = lac_text_needs_quotes(text) ? lac_text_quote(text) : NULL;

  g_string_append(csv, cell != NULL ? cell : text);
}

static void
append_seconds(GString *csv, double seconds)
{
  g_autofree char *text = lac_number_dup_text(seconds);

  g_string_append_printf(csv, ",%s", text);
}

static void
append_bytes(GString *csv, gint64 n_bytes)
{
  g_string_append_c(csv, ',');
  if (n_bytes != LAC_RECORD_UNKNOWN)
    g_string_append_printf(csv, "%" G_GINT64_FORMAT, n_bytes);
}

/* One scope tracked once is its own mean, smallest and largest. */
static void
append_metric_row(GString *csv, const LacTrackMetric *metric)
{
  append_cell(csv, metric->operation);
  g_string_append_printf(csv, ",%u,1", metric->depth);
  for (int i = 0; i < 4; i++)
    append_seconds(csv, metric->seconds);
  append_bytes(csv, metric->memory.cpu_delta);
  append_bytes(csv, metric->memory.cpu_peak);
  append_bytes(csv, metric->memory.gpu_delta);
  append_bytes(csv, metric->memory.gpu_peak);
  g_string_append_c(csv, '\n');
}

static void
append_statistic_row(GString *csv, const LacTrackStatistic *statistic)
{
  append_cell(csv, statistic->operation);
  g_string_append_printf(csv, ",,%" G_GUINT64_FORMAT, statistic->count);
  append_seconds(csv, statistic->total_seconds);
  append_seconds(csv, statistic->mean_seconds);
  append_seconds(csv, statistic->min_seconds);
  append_seconds(csv, statistic->max_seconds);
  g_string_append(csv, ",,,,\n");
}

char *
lac_tracker_dup_csv(LacTracker *tracker)
{
  gsize n_metrics, n_statistics;

  g_return_val_if_fail(tracker != NULL, NULL);
  const LacTrackMetric    *metrics = lac_tracker_get_metrics(tracker, &n_metrics);
  const LacTrackStatistic *statistics = lac_tracker_get_statistics(tracker, &n_statistics);
  GString *csv = g_string_new("operation,depth,count,total_seconds,mean_seconds,min_seconds,"
                              "max_seconds,cpu_delta_bytes,cpu_peak_bytes,gpu_delta_bytes,"
                              "gpu_peak_bytes\n");
  for (gsize i = 0; i < n_metrics; i++)
    append_metric_row(csv, &metrics[i]);
  for (gsize i = 0; i < n_statistics; i++)
    append_statistic_row(csv, &statistics[i]);
  return g_string_free(csv, FALSE);
}

/* ---- JSON ---- */

static void
append_name(GString *json, const char *operation)
{
  g_autofree char *quoted = lac_json_quote(operation);

  g_string_append_printf(json, "{\"operation\": %s", quoted);
}

static void
append_number(GString *json, const char *key, double value)
{
  g_autofree char *text = lac_json_dup_number(value);

  g_string_append_printf(json, ", \"%s\": %s", key, text);
}

static void
append_whole(GString *json, const char *key, gint64 n_bytes)
{
  if (n_bytes == LAC_RECORD_UNKNOWN)
    g_string_append_printf(json, ", \"%s\": null", key);
  else
    g_string_append_printf(json, ", \"%s\": %" G_GINT64_FORMAT, key, n_bytes);
}

static void
append_metric(GString *json, const LacTrackMetric *metric)
{
  append_name(json, metric->operation);
  append_whole(json, "depth", metric->depth);
  append_number(json, "seconds", metric->seconds);
  append_whole(json, "cpu_delta_bytes", metric->memory.cpu_delta);
  append_whole(json, "cpu_peak_bytes", metric->memory.cpu_peak);
  append_whole(json, "gpu_delta_bytes", metric->memory.gpu_delta);
  append_whole(json, "gpu_peak_bytes", metric->memory.gpu_peak);
  g_string_append_c(json, '}');
}

static void
append_statistic(GString *json, const LacTrackStatistic *statistic)
{
  append_name(json, statistic->operation);
  g_string_append_printf(json, ", \"count\": %" G_GUINT64_FORMAT, statistic->count);
  append_number(json, "total_seconds", statistic->total_seconds);
  append_number(json, "mean_seconds", statistic->mean_seconds);
  append_number(json, "min_seconds", statistic->min_seconds);
  append_number(json, "max_seconds", statistic->max_seconds);
  g_string_append_c(json, '}');
}

char *
lac_tracker_dup_json(LacTracker *tracker)
{
  gsize n_metrics, n_statistics;

  g_return_val_if_fail(tracker != NULL, NULL);
  const LacTrackMetric    *metrics = lac_tracker_get_metrics(tracker, &n_metrics);
  const LacTrackStatistic *statistics = lac_tracker_get_statistics(tracker, &n_statistics);
  g_autofree char         *total = lac_json_dup_number(lac_tracker_get_total_time(tracker));
  GString                 *json = g_string_new(NULL);

  g_string_append_printf(json, "{\"total_seconds\": %s,\n \"metrics\": [", total);
  for (gsize i = 0; i < n_metrics; i++) {
    g_string_append(json, i > 0 ? ",\n  " : "\n  ");
    append_metric(json, &metrics[i]);
  }
  g_string_append(json, "],\n \"repeated\": [");
  for (gsize i = 0; i < n_statistics; i++) {
    g_string_append(json, i > 0 ? ",\n  " : "\n  ");
    append_statistic(json, &statistics[i]);
  }
  g_string_append(json, "]}\n");
  return g_string_free(json, FALSE);
}

/* ---- files ---- */

static gboolean
write_text(const char *text, const char *path, GError **error)
{
  g_autoptr(GError) problem = NULL;

  if (g_file_set_contents(path, text, -1, &problem))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, _("the measurements cannot be written: %s"),
              problem->message);
  return FALSE;
}

gboolean
lac_tracker_write_csv(LacTracker *tracker, const char *path, GError **error)
{
  g_return_val_if_fail(tracker != NULL && path != NULL, FALSE);
  g_autofree char *csv = lac_tracker_dup_csv(tracker);
  return write_text(csv, path, error);
}

gboolean
lac_tracker_write_json(LacTracker *tracker, const char *path, GError **error)
{
  g_return_val_if_fail(tracker != NULL && path != NULL, FALSE);
  g_autofree char *json = lac_tracker_dup_json(tracker);
  return write_text(json, path, error);
}
