/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tracker's tables, lines and files, of work that is really done: their form by pattern, their numbers by identities. */
#include "base/error.h"
#include "helpers/missing.h"
#include "perf/helpers/work.h"
#include "perf/tracker/tracker.h"

#include <glib/gstdio.h>

#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define MS  G_GINT64_CONSTANT(1000000)
#define MIB ((gsize) 1 << 20)

#define DOUBLE_LINE "={90}\n"
#define LINE        "-{90}\n"
/* The columns as they are printed: where a header begins, and where the number below it ends or begins. */
#define SUMMARY_HEAD                                                                     \
  DOUBLE_LINE "PERFORMANCE SUMMARY\n" DOUBLE_LINE                                        \
              "Operation                      Time \\(s\\)     CPU \\(MB\\)        GPU " \
              "\\(MB\\)        GPU Peak\n" LINE
#define STATISTICS_HEAD                                                                \
  DOUBLE_LINE "AGGREGATE STATISTICS \\(for repeated operations\\)\n" DOUBLE_LINE       \
              "Operation                      Count    Total \\(s\\)    Mean \\(s\\) " \
              "    Min \\(s\\)      Max \\(s\\)\n" LINE

typedef struct {
  LacTracker *tracker;
  WorkDevice  device;
  gpointer    pages;
} Fixture;

enum { LOADED = 8 };

/* The three of the guide: loading takes memory, the model the device's. */
static void
run_phases(Fixture *f)
{
  {
    LAC_TRACK(f->tracker, "data loading");
    f->pages = work_take(LOADED * MIB);
    work_for(4 * MS);
  }
  {
    LAC_TRACK(f->tracker, "preprocessing");
    work_for(2 * MS);
  }
  {
    LAC_TRACK(f->tracker, "model forward");
    work_for(6 * MS);
    work_device_take(&f->device, 2880500000);
    work_device_take(&f->device, -1630200000);
  }
}

static void
set_up(Fixture *f, gconstpointer data)
{
  LacMemoryProbe probe = work_device_probe(&f->device);

  f->tracker = lac_tracker_new(TRUE);
  lac_tracker_set_probe(f->tracker, &probe);
}

static void
tear_down(Fixture *f, gconstpointer data)
{
  if (f->pages != NULL)
    work_give_back(f->pages, LOADED * MIB);
  lac_tracker_free(f->tracker);
}

/* ---- 1: a summary of phases ---- */

static char *
nth_line(const char *text, guint n)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

  g_assert_cmpuint(n, <, g_strv_length(lines));
  return g_strdup(lines[n]);
}

static double
number_ending_at(const char *line, gsize end)
{
  gsize begin = end;

  g_assert_cmpuint(strlen(line), >=, end);
  g_assert_true(line[end] == ' ' || line[end] == '\0' || line[end] == 's');
  while (begin > 0 && line[begin - 1] != ' ')
    begin--;
  return g_ascii_strtod(line + begin, NULL);
}

static void
test_summary(Fixture *f, gconstpointer data)
{
  run_phases(f);
  g_autofree char *text = lac_tracker_dup_summary(f->tracker, LAC_TRACKER_ALL);

  work_assert_matches(
    text, SUMMARY_HEAD
    "data loading                  .*\\d\\.\\d{3} +[+-]\\d+\\.\\d +\\+0\\.0 +0\\.0\n"
    "preprocessing                 .*\\d\\.\\d{3} +[+-]\\d+\\.\\d +\\+0\\.0 +0\\.0\n"
    "model forward                 .*\\d\\.\\d{3} +[+-]\\d+\\.\\d +\\+1250\\.3 +2880\\.5\n" LINE
    "TOTAL {30,34}\\d+\\.\\d{3}s\n" DOUBLE_LINE);

  double sum = 0;
  gsize  n;
  for (guint row = 0; row < 3; row++) {
    g_autofree char *line = nth_line(text, 5 + row);
    g_assert_cmpuint(strlen(line), ==, 83);
    sum += number_ending_at(line, 41);
    number_ending_at(line, 56);
    number_ending_at(line, 71);
  }
  g_autofree char *total_line = nth_line(text, 9);
  double           total = number_ending_at(total_line, 41);
  g_assert_cmpfloat(fabs(total - sum), <=, 4 * 0.5e-3); /* four roundings to three decimals */
  const LacTrackMetric *metrics = lac_tracker_get_metrics(f->tracker, &n);
  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpfloat(fabs(lac_tracker_get_total_time(f->tracker) -
                         (metrics[0].seconds + metrics[1].seconds + metrics[2].seconds)),
                    <, 1e-12);
  g_assert_cmpfloat(fabs(total - lac_tracker_get_total_time(f->tracker)), <=, 0.501e-3);
}

static void
test_metrics(Fixture *f, gconstpointer data)
{
  static const char *const names[] = {"data loading", "preprocessing", "model forward"};
  static const gint64      least[] = {4 * MS, 2 * MS, 6 * MS};
  gsize                    n;

  run_phases(f);
  const LacTrackMetric *metrics = lac_tracker_get_metrics(f->tracker, &n);
  g_assert_cmpuint(n, ==, 3);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpstr(metrics[i].operation, ==, names[i]);
    g_assert_cmpint(metrics[i].duration_ns, >=, least[i]);
    g_assert_cmpfloat(metrics[i].seconds, ==, (double) metrics[i].duration_ns * 1e-9);
    g_assert_cmpfloat(lac_tracker_get_operation_time(f->tracker, names[i]), ==, metrics[i].seconds);
    metrics = lac_tracker_get_metrics(f->tracker, &n);
  }
  g_assert_cmpint(metrics[0].memory.cpu_delta, >=, (gint64) (LOADED * MIB / 2));
  g_assert_cmpint(metrics[0].memory.cpu_peak, >=, metrics[0].memory.cpu_delta);
  g_assert_cmpint(metrics[2].memory.gpu_delta, ==, 1250300000);
  g_assert_cmpint(metrics[2].memory.gpu_peak, ==, 2880500000);
  g_assert_cmpfloat(lac_tracker_get_operation_time(f->tracker, "unheard of"), ==, 0);

  lac_tracker_clear(f->tracker);
  lac_tracker_get_metrics(f->tracker, &n);
  g_assert_cmpuint(n, ==, 0);
  g_assert_cmpfloat(lac_tracker_get_total_time(f->tracker), ==, 0);
  g_autofree char *text = lac_tracker_dup_summary(f->tracker, LAC_TRACKER_ALL);
  g_assert_cmpstr(text, ==, "");
}

/* A scope within another is indented and its time is in TOTAL once; a device nobody asked is unknown. */
static void
test_nested(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(TRUE);
  gsize                 n;

  {
    LAC_TRACK(tracker, "outer");
    {
      LAC_TRACK(tracker, "inner, of a name that is longer than its column");
      work_for(MS);
    }
    work_for(MS);
  }
  g_autofree char *text = lac_tracker_dup_summary(tracker, LAC_TRACKER_ALL);
  work_assert_matches(text, SUMMARY_HEAD
                      "outer {25}.{11} +[+-]\\d+\\.\\d {14}- {11}-\n"
                      "  inner, of a name that is \\.\\.\\..{11} +[+-]\\d+\\.\\d {14}- {11}-\n" LINE
                      "TOTAL {25}.{11}s\n" DOUBLE_LINE);
  const LacTrackMetric *metrics = lac_tracker_get_metrics(tracker, &n);
  g_assert_cmpstr(metrics[0].operation, ==, "outer");
  g_assert_cmpuint(metrics[1].depth, ==, 1);
  g_assert_cmpint(metrics[0].memory.gpu_peak, ==, LAC_RECORD_UNKNOWN);
  g_assert_cmpint(metrics[0].memory.cpu_peak, >=, metrics[1].memory.cpu_peak);
  g_assert_cmpfloat(lac_tracker_get_total_time(tracker), ==, metrics[0].seconds);
}

/* ---- 2: repeated operations ---- */

static void
test_repeated(void)
{
  enum { N = 3000 }; /* more than the tracker lets wait */
  g_autoptr(LacTracker) tracker = lac_tracker_new(TRUE);
  gsize                 n, n_metrics;

  for (int i = 0; i < N; i++) {
    LAC_TRACK_REPEATED(tracker, "batch_forward");
    if (i == 0)
      work_for(2 * MS); /* the first is slow */
  }
  for (int i = 0; i < 3; i++) {
    LAC_TRACK_REPEATED(tracker, "batch_backward");
    work_for(10 * MS);
  }
  const LacTrackStatistic *s = lac_tracker_get_statistics(tracker, &n);
  g_assert_cmpuint(n, ==, 2);
  g_assert_cmpstr(s[0].operation, ==, "batch_backward"); /* the larger total is first */
  for (gsize i = 0; i < 2; i++) {
    g_assert_cmpuint(s[i].count, ==, i == 0 ? 3 : N);
    g_assert_cmpfloat(fabs(s[i].mean_seconds * (double) s[i].count - s[i].total_seconds), <,
                      1e-12 * s[i].total_seconds);
    g_assert_cmpfloat(s[i].min_seconds, <=, s[i].mean_seconds);
    g_assert_cmpfloat(s[i].mean_seconds, <=, s[i].max_seconds);
  }
  g_assert_cmpfloat(s[1].max_seconds, >=, 2e-3);
  g_assert_cmpfloat(s[0].total_seconds, >=, 30e-3);
  g_assert_cmpfloat(
    fabs(lac_tracker_get_total_time(tracker) - (s[0].total_seconds + s[1].total_seconds)), <, 1e-9);

  WorkSink sink;
  work_sink_open(&sink);
  lac_tracker_print(tracker, LAC_TRACKER_ALL, sink.file);
  g_autofree char *text = work_sink_close(&sink);
#define COLUMN "\\d+\\.\\d{3} +"
  work_assert_matches(
    text, STATISTICS_HEAD
    "batch_backward                 3        " COLUMN COLUMN COLUMN "\\d+\\.\\d{3}\n"
    "batch_forward                  3000     " COLUMN COLUMN COLUMN "\\d+\\.\\d{3}\n" DOUBLE_LINE);
  g_autofree char *row = nth_line(text, 5);
  g_assert_cmpuint(strspn(row + 30, " "), ==,
                   1); /* Count, Total, Mean, Min, Max begin at 31, ... */
  for (gsize i = 0; i < 4; i++) {
    const gsize begins[] = {40, 53, 66, 79};
    g_assert_true(row[begins[i] - 1] == ' ' && g_ascii_isdigit(row[begins[i]]));
  }
  lac_tracker_get_metrics(tracker, &n_metrics);
  g_assert_cmpuint(n_metrics, ==, 0);
  g_assert_cmpuint(lac_capture_get_n_records(lac_tracker_get_capture(tracker)), ==, N + 3);
}

/* ---- 3 and 4: one scope, one function ---- */

static void
test_printed(void)
{
  WorkDevice     device = {.used = 1000000};
  LacMemoryProbe probe = work_device_probe(&device);
  WorkSink       sink;

  work_sink_open(&sink);
  {
    LAC_TRACK_PRINTED_TO("critical_operation", sink.file, &probe);
    work_for(5 * MS);
    work_device_take(&device, 1023300000);
    work_device_take(&device, -511300000);
  }
  g_autofree char *text = work_sink_close(&sink);
  double           seconds = work_assert_matches(
              text, "\\[Performance\\] critical_operation: (?<x>\\d+\\.\\d{3})s, CPU [+-]\\d+\\.\\dMB, GPU "
                              "\\+512\\.0MB\n"
                              "              GPU peak: 1024\\.3MB\n");
  g_assert_cmpfloat(seconds, >=, 0.005);
}

static int
process_batch(int batch)
{
  work_for(3 * MS);
  return 2 * batch;
}

static int
leave_early(FILE *sink, int value)
{
  LAC_TRACK_PRINTED_TO("early", sink, NULL);
  if (value > 0)
    return value;
  return -value;
}

static void
test_function(void)
{
  WorkSink sink;

  work_sink_open(&sink);
  g_assert_cmpint(LAC_TRACK_CALL("data processing", sink.file, process_batch(21)), ==, 42);
  g_assert_cmpint(leave_early(sink.file, 7), ==, 7);
  g_autofree char *text = work_sink_close(&sink);
  double           seconds = work_assert_matches(
              text, "\\[Performance\\] data processing: (?<x>\\d+\\.\\d{3})s, CPU [+-]\\d+\\.\\dMB\n"
                              "\\[Performance\\] early: \\d+\\.\\d{3}s, CPU [+-]\\d+\\.\\dMB\n");
  g_assert_cmpfloat(seconds, >=, 0.003);
}

/* ---- files ---- */

static void
test_csv(Fixture *f, gconstpointer data)
{
  run_phases(f);
  for (int i = 0; i < 4; i++) {
    LAC_TRACK_REPEATED(f->tracker, "a \"name\", quoted");
  }
  g_autofree char *csv = lac_tracker_dup_csv(f->tracker);
#define NUMBER "[0-9.e-]+"
  work_assert_matches(csv,
                      "operation,depth,count,total_seconds,mean_seconds,min_seconds,max_seconds,"
                      "cpu_delta_bytes,cpu_peak_bytes,gpu_delta_bytes,gpu_peak_bytes\n"
                      "data loading,0,1(," NUMBER "){4},-?\\d+,\\d+,0,0\n"
                      "preprocessing,0,1(," NUMBER "){4},-?\\d+,\\d+,0,0\n"
                      "model forward,0,1(," NUMBER "){4},-?\\d+,\\d+,1250300000,2880500000\n"
                      "\"a \"\"name\"\", quoted\",,4(," NUMBER "){4},,,,\n");
}

static void
test_json(Fixture *f, gconstpointer data)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autofree char      *folder = g_dir_make_tmp("lacuna-tracker-XXXXXX", &error);
  g_autofree char      *path = g_build_filename(folder, "tracker.json", NULL);

  lac_tracker_set_probe(f->tracker, NULL);
  run_phases(f);
  {
    LAC_TRACK_REPEATED(f->tracker, "batch");
  }
  g_assert_true(lac_tracker_write_json(f->tracker, path, &error));
  g_assert_no_error(error);
  g_assert_true(json_parser_load_from_file(parser, path, &error));
  JsonObject *root = json_node_get_object(json_parser_get_root(parser));
  JsonArray  *metrics = json_object_get_array_member(root, "metrics");
  JsonArray  *repeated = json_object_get_array_member(root, "repeated");
  double      total = 0;

  g_assert_cmpuint(json_array_get_length(metrics), ==, 3);
  g_assert_cmpuint(json_array_get_length(repeated), ==, 1);
  for (guint i = 0; i < 3; i++) {
    JsonObject *metric = json_array_get_object_element(metrics, i);
    total += json_object_get_double_member(metric, "seconds");
    g_assert_true(json_object_get_null_member(metric, "gpu_delta_bytes"));
    g_assert_cmpint(json_object_get_int_member(metric, "cpu_peak_bytes"), >, 0);
  }
  JsonObject *batch = json_array_get_object_element(repeated, 0);
  g_assert_cmpint(json_object_get_int_member(batch, "count"), ==, 1);
  total += json_object_get_double_member(batch, "total_seconds");
  g_assert_cmpfloat(fabs(total - json_object_get_double_member(root, "total_seconds")), <, 1e-9);
  g_assert_cmpint(g_unlink(path), ==, 0);
  g_assert_cmpint(g_rmdir(folder), ==, 0);
  g_assert_false(lac_tracker_write_csv(f->tracker, path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
}

/* A decimal comma stays out of tables and files. */
static void
test_locale(Fixture *f, gconstpointer data)
{
  g_autofree char *before = g_strdup(setlocale(LC_ALL, NULL));

  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
    test_missing("locales");
    return;
  }
  run_phases(f);
  g_autofree char *csv = lac_tracker_dup_csv(f->tracker);
  g_autofree char *text = lac_tracker_dup_summary(f->tracker, LAC_TRACKER_ALL);
  setlocale(LC_ALL, before);
  g_assert_null(strchr(text, ','));
  g_auto(GStrv) rows = g_strsplit(csv, "\n", -1);
  g_auto(GStrv) cells = g_strsplit(rows[1], ",", -1);
  g_assert_cmpuint(g_strv_length(cells), ==, 11);
}

static void
test_disabled(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(FALSE);
  gsize                 n_metrics, n_statistics;

  for (int i = 0; i < 10; i++) {
    LAC_TRACK(tracker, "once");
    LAC_TRACK_REPEATED(tracker, "often");
  }
  lac_tracker_get_metrics(tracker, &n_metrics);
  lac_tracker_get_statistics(tracker, &n_statistics);
  g_assert_cmpuint(n_metrics + n_statistics, ==, 0);
}

int
main(int argc, char **argv)
{
#define ADD(name, func) g_test_add("/perf/tracker/" name, Fixture, NULL, set_up, func, tear_down)
  g_test_init(&argc, &argv, NULL);
  ADD("summary-has-the-columns-and-total-is-their-sum", test_summary);
  ADD("metrics-are-in-order-and-cleared", test_metrics);
  g_test_add_func("/perf/tracker/nested-scopes-count-once", test_nested);
  g_test_add_func("/perf/tracker/repeated-operations-have-statistics", test_repeated);
  g_test_add_func("/perf/tracker/one-scope-says-what-it-took", test_printed);
  g_test_add_func("/perf/tracker/one-function-says-what-it-took", test_function);
  ADD("csv-has-a-row-each", test_csv);
  ADD("json-is-valid-and-unknown-is-null", test_json);
  ADD("decimal-point-in-every-locale", test_locale);
  g_test_add_func("/perf/tracker/disabled-leaves-nothing", test_disabled);
  return g_test_run();
}
