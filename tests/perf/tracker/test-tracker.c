/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tracker's tables, lines and files for real work: their form by pattern, their values by identities. */
#include "helpers/missing.h"
#include "perf/helpers/track.h"
#include "perf/helpers/work.h"

#include <glib/gstdio.h>

#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS  G_GINT64_CONSTANT(1000000)
#define MIB ((gsize) 1 << 20)

#define DOUBLE_LINE "={90}\n"
#define LINE        "-{90}\n"
/* Printed columns: where a header begins, and where the value below it ends or begins. */
#define SUMMARY_HEAD                                                                     \
  DOUBLE_LINE "PERFORMANCE SUMMARY\n" DOUBLE_LINE                                        \
              "Operation                      Time \\(s\\)     CPU \\(MB\\)        GPU " \
              "\\(MB\\)        GPU Peak\n" LINE
#define STATISTICS_HEAD                                                                \
  DOUBLE_LINE "AGGREGATE STATISTICS \\(for repeated operations\\)\n" DOUBLE_LINE       \
              "Operation                      Count    Total \\(s\\)    Mean \\(s\\) " \
              "    Min \\(s\\)      Max \\(s\\)\n" LINE

typedef struct {
  LacTracker    *tracker;
  WorkDevice     device;
  LacTrackDevice probe;
  gpointer       pages;
} Fixture;

enum { LOADED = 8 };

/* The guide's three phases: loading takes memory, the model takes device memory. */
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
  f->probe = track_device(&f->device);
  f->tracker = lac_tracker_new(true);
  lac_tracker_set_device(f->tracker, &f->probe);
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
  g_autofree char *text = track_dup_summary(f->tracker);

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
  const LacTrackRow *metrics = lac_tracker_get_rows(f->tracker, LAC_TRACK_ONCE, &n);
  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpfloat(
    fabs(lac_tracker_get_total_time(f->tracker) -
         (metrics[0].total_seconds + metrics[1].total_seconds + metrics[2].total_seconds)),
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
  const LacTrackRow *metrics = lac_tracker_get_rows(f->tracker, LAC_TRACK_ONCE, &n);
  g_assert_cmpuint(n, ==, 3);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpstr(metrics[i].operation, ==, names[i]);
    g_assert_cmpfloat(metrics[i].total_seconds, >=, (double) least[i] * 1e-9);
    g_assert_cmpuint(metrics[i].count, ==, 1);
    g_assert_true(i == 0 || metrics[i].start_ns > metrics[i - 1].start_ns);
    double seconds = metrics[i].total_seconds;
    g_assert_cmpfloat(lac_tracker_get_sum(f->tracker, names[i]).total_seconds, ==, seconds);
    metrics = lac_tracker_get_rows(f->tracker, LAC_TRACK_ONCE, &n);
  }
  g_assert_cmpint(metrics[0].cpu_delta, >=, (gint64) (LOADED * MIB / 2));
  g_assert_cmpint(metrics[0].cpu_peak, >=, metrics[0].cpu_delta);
  g_assert_cmpint(metrics[2].gpu_delta, ==, 1250300000);
  g_assert_cmpint(metrics[2].gpu_peak, ==, 2880500000);
  g_assert_cmpfloat(lac_tracker_get_sum(f->tracker, "unheard of").total_seconds, ==, 0);

  lac_tracker_clear(f->tracker);
  lac_tracker_get_rows(f->tracker, LAC_TRACK_ONCE, &n);
  g_assert_cmpuint(n, ==, 0);
  g_assert_cmpfloat(lac_tracker_get_total_time(f->tracker), ==, 0);
  g_autofree char *text = track_dup_summary(f->tracker);
  g_assert_cmpstr(text, ==, "");
}

/* A nested scope is indented and counted once in TOTAL; without a device its memory is unknown. */
static void
test_nested(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
  size_t                n;

  {
    LAC_TRACK(tracker, "outer");
    {
      LAC_TRACK(tracker, "inner, of a name that is longer than its column");
      work_for(MS);
    }
    work_for(MS);
  }
  g_autofree char *text = track_dup_summary(tracker);
  work_assert_matches(text, SUMMARY_HEAD
                      "outer {25}.{11} +[+-]\\d+\\.\\d {14}- {11}-\n"
                      "  inner, of a name that is \\.\\.\\..{11} +[+-]\\d+\\.\\d {14}- {11}-\n" LINE
                      "TOTAL {25}.{11}s\n" DOUBLE_LINE);
  const LacTrackRow *metrics = lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n);
  g_assert_cmpstr(metrics[0].operation, ==, "outer");
  g_assert_cmpuint(metrics[1].depth, ==, 1);
  g_assert_cmpint(metrics[0].gpu_peak, ==, LAC_TRACK_UNKNOWN);
  g_assert_cmpint(metrics[0].cpu_peak, >=, metrics[1].cpu_peak);
  double total = metrics[0].total_seconds;
  g_assert_cmpfloat(lac_tracker_get_total_time(tracker), ==, total);
}

/* ---- 2: repeated operations ---- */

static void
test_repeated(void)
{
  enum { N = 3000 }; /* more than the tracker's pending limit */
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
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
  const LacTrackRow *s = lac_tracker_get_rows(tracker, LAC_TRACK_REPEATED, &n);
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
  double total = s[0].total_seconds + s[1].total_seconds;
  g_assert_cmpfloat(fabs(lac_tracker_get_total_time(tracker) - total), <, 1e-9);
  g_autofree char *text = track_dup_summary(tracker);
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
  lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n_metrics);
  g_assert_cmpuint(n_metrics, ==, 0);
}

/* A name tracked in both modes has a row in each table, and one sum. */
static void
test_both_ways(void)
{
  LacTracker *tracker = lac_tracker_new(true);
  size_t      n;

  for (int i = 0; i < 3; i++) {
    LAC_TRACK(tracker, "step");
    work_for(MS);
  }
  for (int i = 0; i < 5; i++) {
    LAC_TRACK_REPEATED(tracker, "step");
    work_for(MS);
  }
  const LacTrackRow *rows = lac_tracker_get_rows(tracker, LAC_TRACK_REPEATED, &n);
  g_assert_cmpuint(n, ==, 1);
  g_assert_cmpuint(rows->count, ==, 5);
  double repeated = rows->total_seconds, once = 0;
  rows = lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n);
  g_assert_cmpuint(n, ==, 3);
  for (size_t i = 0; i < n; i++)
    once += rows[i].total_seconds;
  LacTrackRow sum = lac_tracker_get_sum(tracker, "step");
  g_assert_cmpuint(sum.count, ==, 8);
  g_assert_cmpfloat(fabs(sum.total_seconds - (once + repeated)), <, 1e-9);
  g_assert_cmpfloat(fabs(lac_tracker_get_total_time(tracker) - sum.total_seconds), <, 1e-9);
  lac_tracker_free(tracker);
}

/* ---- 3 and 4: one scope, one function ---- */

static void
test_printed(void)
{
  WorkDevice     device = {.used = 1000000};
  LacTrackDevice probe = track_device(&device);
  WorkSink       sink;

  work_sink_open(&sink);
  {
    LAC_TRACK_PRINTED("critical_operation", sink.file, &probe);
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

/* Trackers of one device share its peak: a nested block that resets it does not reduce the enclosing block's. */
static void
test_shared_peak(void)
{
  WorkDevice     device = {.used = 1000000};
  LacTrackDevice probe = track_device(&device);
  LacTracker    *tracker = lac_tracker_new(true);
  WorkSink       sink;
  size_t         n;

  work_sink_open(&sink);
  lac_tracker_set_device(tracker, &probe);
  {
    LAC_TRACK(tracker, "outer");
    work_device_take(&device, 5000000);
    work_device_take(&device, -5000000);
    LAC_TRACK_PRINTED("inner", sink.file, &probe);
    work_device_take(&device, 2000000);
  }
  g_autofree char *text = work_sink_close(&sink);
  work_assert_matches(text, "(?s).*GPU peak: 3\\.0MB\n");
  g_assert_cmpint(lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n)->gpu_peak, ==, 6000000);
  lac_tracker_free(tracker);
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
  LAC_TRACK_PRINTED("early", sink, NULL);
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

/* The file has every block, with the memory of those tracked once. */
static void
test_csv(Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp("lacuna-tracker-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "tracker.csv", NULL);
  g_autofree char *csv = NULL;

  run_phases(f);
  for (int i = 0; i < 4; i++) {
    LAC_TRACK_REPEATED(f->tracker, "a \"name\", quoted");
  }
  g_assert_null(lac_tracker_write(f->tracker, path));
  g_assert_true(g_file_get_contents(path, &csv, NULL, NULL));
#define BLOCK(name, memory)                            \
  "span," name ",tracker,0,\\d+,\\d+,,,,1,0,0,,,,,,\n" \
  "memory," name ",tracker,0,\\d+,\\d+,,,,,,,,,-?\\d+,\\d+," memory "\n"
  work_assert_matches(csv, "kind,name,lane,depth,start.*\n" BLOCK("data loading", "0,0")
                             BLOCK("preprocessing", "0,0")
                               BLOCK("model forward", "1250300000,2880500000") "(span,\"a "
                                                                               "\"\"name\"\", "
                                                                               "quoted\",.*\n){4}");
  g_assert_cmpint(g_unlink(path), ==, 0);
  g_assert_cmpint(g_rmdir(folder), ==, 0);
  char *problem = lac_tracker_write(f->tracker, path);
  g_assert_nonnull(strstr(problem, path));
  free(problem);
  problem = lac_tracker_write(f->tracker, "tracker.doc");
  g_assert_nonnull(strstr(problem, ".json"));
  free(problem);
}

/* A Chrome trace, with events equal to the rows. */
static void
test_json(Fixture *f, gconstpointer data)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autofree char      *folder = g_dir_make_tmp("lacuna-tracker-XXXXXX", NULL);
  g_autofree char      *path = g_build_filename(folder, "tracker.json", NULL);
  double                total = 0;
  guint                 n_blocks = 0;

  run_phases(f);
  {
    LAC_TRACK_REPEATED(f->tracker, "batch");
  }
  g_assert_null(lac_tracker_write(f->tracker, path));
  g_assert_true(json_parser_load_from_file(parser, path, &error));
  JsonObject *root = json_node_get_object(json_parser_get_root(parser));
  JsonArray  *events = json_object_get_array_member(root, "traceEvents");
  for (guint i = 0; i < json_array_get_length(events); i++) {
    JsonObject *event = json_array_get_object_element(events, i);
    if (g_str_equal(json_object_get_string_member(event, "ph"), "X")) {
      total += json_object_get_double_member(event, "dur") * 1e-6;
      n_blocks++;
    }
  }
  g_assert_cmpuint(n_blocks, ==, 4);
  g_assert_cmpfloat(fabs(total - lac_tracker_get_total_time(f->tracker)), <, 1e-9);
  g_assert_cmpint(g_unlink(path), ==, 0);
  g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* Tables and files never use a decimal comma. */
static void
test_locale(Fixture *f, gconstpointer data)
{
  g_autofree char *before = g_strdup(setlocale(LC_ALL, NULL));

  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
    test_missing("locales");
    return;
  }
  run_phases(f);
  g_autofree char *text = track_dup_summary(f->tracker);
  setlocale(LC_ALL, before);
  g_assert_null(strchr(text, ','));
}

/* A NULL tracker is disabled too. */
static void
test_disabled(void)
{
  LacTracker *tracker = lac_tracker_new(false);
  size_t      n_metrics, n_statistics;

  for (int i = 0; i < 10; i++) {
    LAC_TRACK(tracker, "once");
    LAC_TRACK_REPEATED(tracker, "often");
    LAC_TRACK(NULL, "nowhere");
  }
  lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n_metrics);
  lac_tracker_get_rows(tracker, LAC_TRACK_REPEATED, &n_statistics);
  g_assert_cmpuint(n_metrics + n_statistics, ==, 0);
  lac_tracker_free(tracker);
}

/* Beyond the maximum depth blocks are not recorded, and every end matches its own begin. */
static void
test_deep(void)
{
  enum { DEEPER = 300 };
  LacTracker *tracker = lac_tracker_new(true), *blocks[DEEPER];
  size_t      n;

  for (int i = 0; i < DEEPER; i++)
    blocks[i] = lac_tracker_begin(tracker, "deep", LAC_TRACK_REPEATED);
  g_assert_null(blocks[DEEPER - 1]);
  for (int i = DEEPER; i-- > 0;)
    lac_tracker_end(&blocks[i]);
  {
    LAC_TRACK(tracker, "outermost again");
  }
  g_assert_cmpuint(lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n)->depth, ==, 0);
  g_assert_cmpuint(n, ==, 1);
  lac_tracker_free(tracker);
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
  g_test_add_func("/perf/tracker/once-and-repeated-are-told-apart", test_both_ways);
  g_test_add_func("/perf/tracker/trackers-of-a-device-share-its-peak", test_shared_peak);
  g_test_add_func("/perf/tracker/too-deep-is-not-recorded", test_deep);
  g_test_add_func("/perf/tracker/one-scope-says-what-it-took", test_printed);
  g_test_add_func("/perf/tracker/one-function-says-what-it-took", test_function);
  ADD("csv-has-every-block", test_csv);
  ADD("json-is-a-trace-of-every-block", test_json);
  ADD("decimal-point-in-every-locale", test_locale);
  g_test_add_func("/perf/tracker/disabled-leaves-nothing", test_disabled);
  return g_test_run();
}
