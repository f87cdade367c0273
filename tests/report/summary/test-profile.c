/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile of a recording with a planted outlier: the text names it, the JSON agrees. */
#include "report/summary/findings.h"
#include "report/summary/profile.h"

#include <json-glib/json-glib.h>
#include <string.h>

enum { STEP, LOAD, SOLVE };

static LacRecord
make_span(guint32 name, guint8 depth, gint64 start, gint64 duration, gint64 step)
{
  return (LacRecord){.kind = LAC_RECORD_SPAN,
                     .name = name,
                     .depth = depth,
                     .start_ns = start,
                     .duration_ns = duration,
                     .step = step,
                     .count = 1,
                     .memory = -1};
}

/* Twenty steps of 10 ms, of which SOLVE takes 8 ms; in step 12 LOAD takes 50 ms more. */
static LacCapture *
make_planted(void)
{
  static const char *const names[] = {"step", "load", "solve"};
  LacCapture              *capture = lac_capture_new("planted");
  gint64                   time = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  for (gint64 step = 0; step < 20; step++) {
    gint64    late = step == 12 ? 50000000 : 0;
    LacRecord records[] = {
      make_span(LOAD, 1, time, 2000000 + late, step),
      make_span(SOLVE, 1, time + 2000000 + late, 8000000, step),
      make_span(STEP, 0, time, 10000000 + late, step),
    };
    lac_capture_append(capture, records, G_N_ELEMENTS(records));
    time += 10000000 + late;
  }
  return capture;
}

static void
test_words_name_what_was_planted(void)
{
  g_autoptr(LacCapture) capture = make_planted();
  g_autofree char      *text = lac_profile_text(capture, 0, NULL, NULL);
  g_assert_nonnull(strstr(text, "20 iterations (step), median 10.0 ms"));
  g_assert_nonnull(
    strstr(text, "Bottleneck: solve takes 64.0 % of the time (160 ms in 20 calls)."));
  g_assert_nonnull(strstr(text, "Optimisation candidate: load takes 36.0 %"));
  g_assert_nonnull(strstr(
    text, "Iteration 12 took 60.0 ms, 6.0 times the median: load took 50.0 ms longer than usual."));
}

static void
test_a_short_table_says_what_it_leaves_out(void)
{
  g_autoptr(LacCapture) capture = make_planted();
  g_autofree char      *text = lac_profile_text(capture, 2, NULL, NULL);
  g_assert_nonnull(strstr(text, "and 1 more\n"));
  g_assert_null(strstr(text, "\n  load"));
}

static void
test_json_has_the_same(void)
{
  g_autoptr(LacCapture) capture = make_planted();
  g_autofree char      *text = lac_profile_json(capture, NULL);
  g_autoptr(JsonNode)   root = json_from_string(text, NULL);
  g_assert_nonnull(root);
  JsonObject *object = json_node_get_object(root);
  g_assert_cmpfloat_with_epsilon(json_object_get_double_member(object, "seconds"), 0.25, 1e-9);
  JsonArray *operations = json_object_get_array_member(object, "operations");
  g_assert_cmpuint(json_array_get_length(operations), ==, 3);
  double self = 0;
  for (guint i = 0; i < 3; i++)
    self +=
      json_object_get_double_member(json_array_get_object_element(operations, i), "self_seconds");
  g_assert_cmpfloat_with_epsilon(self, 0.25, 1e-9);
  JsonArray  *findings = json_object_get_array_member(object, "findings");
  JsonObject *outlier = NULL;
  for (guint i = 0; i < json_array_get_length(findings); i++) {
    JsonObject *finding = json_array_get_object_element(findings, i);
    if (g_str_equal(json_object_get_string_member(finding, "kind"),
                    lac_finding_key(LAC_FINDING_OUTLIER)))
      outlier = finding;
  }
  g_assert_nonnull(outlier);
  g_assert_cmpstr(json_object_get_string_member(outlier, "operation"), ==, "load");
  g_assert_cmpint(json_object_get_int_member(outlier, "step"), ==, 12);
}

static void
test_nothing_recorded_is_said(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  g_autofree char      *text = lac_profile_text(capture, 0, NULL, NULL);
  g_assert_nonnull(strstr(text, "No findings."));
}

/* Adds a memory record to each step: a growth of 18.4 MB in all, and a device's if there is one. */
static LacCapture *
make_with_memory(gboolean has_device)
{
  g_autoptr(LacCapture) planted = make_planted();
  LacCapture           *capture = lac_capture_new("memory");
  for (guint32 i = 0; i < lac_capture_get_n_names(planted); i++)
    lac_capture_add_name(capture, lac_capture_get_name(planted, i));
  lac_capture_add_lane(capture, "compute");
  for (gsize i = 0; i < lac_capture_get_n_records(planted); i++) {
    LacRecord record = *lac_capture_at(planted, i);
    lac_capture_append(capture, &record, 1);
    if (record.name != SOLVE)
      continue;
    record.kind = LAC_RECORD_MEMORY;
    record.cpu_delta = 920000;
    record.cpu_peak = 64000000;
    record.gpu_delta = has_device ? -100000 : LAC_RECORD_UNKNOWN;
    record.gpu_peak = has_device ? 3000000 : LAC_RECORD_UNKNOWN;
    lac_capture_append(capture, &record, 1);
  }
  return capture;
}

/* Returns the line that begins with @name. */
static char *
dup_line(const char *text, const char *name)
{
  g_autofree char *start = g_strdup_printf("\n  %s ", name);
  const char      *line = strstr(text, start);
  g_assert_nonnull(line);
  return g_strndup(line + 1, strcspn(line + 1, "\n"));
}

static void
test_memory_has_columns(void)
{
  for (int device = 0; device < 2; device++) {
    g_autoptr(LacCapture) capture = make_with_memory(device);
    g_autofree char      *text = lac_profile_text(capture, 0, NULL, NULL);
    g_autofree char      *solve = dup_line(text, "solve"), *load = dup_line(text, "load");
    g_assert_nonnull(strstr(text, "CPU Δ, MB"));
    g_assert_cmpint(strstr(text, "GPU Δ, MB") != NULL, ==, device);
    g_assert_nonnull(strstr(solve, "+18.4"));
    g_assert_nonnull(strstr(solve, "64.0"));
    g_assert_cmpint(strstr(solve, "−2.00") != NULL, ==, device);
    g_assert_true(g_str_has_suffix(load, "–"));
  }
}

/* Sorted by memory, what was measured comes first; the CSV has one line a row and only known numbers. */
static void
test_sorting_and_csv(void)
{
  g_autoptr(LacCapture) capture = make_with_memory(FALSE);
  g_autofree char      *csv = lac_profile_csv(capture, lac_operation_column_find("memory"));
  g_auto(GStrv)         lines = g_strsplit(csv, "\n", -1);
  g_assert_cmpuint(g_strv_length(lines), ==, 5); /* heading, three rows, the end */
  g_assert_true(g_str_has_prefix(lines[0], "name,kind,count,total_seconds,"));
  g_assert_true(g_str_has_prefix(lines[1], "\"solve\",phase,20,0.16,"));
  g_assert_true(g_str_has_suffix(lines[1], ",18400000,64000000"));
  g_assert_true(g_str_has_suffix(lines[2], ",,"));
  g_assert_null(strstr(csv, "nan"));
  g_assert_true(lac_operation_column_find("p99") == lac_operation_column_find("p99_seconds"));
  g_assert_nonnull(lac_operation_column_find("cpu_delta"));
  g_assert_null(lac_operation_column_find("no such column"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/profile/words-name-what-was-planted", test_words_name_what_was_planted);
  g_test_add_func("/report/profile/short-table-says-what-it-leaves-out",
                  test_a_short_table_says_what_it_leaves_out);
  g_test_add_func("/report/profile/memory-has-columns", test_memory_has_columns);
  g_test_add_func("/report/profile/rows-are-sorted-and-written-as-csv", test_sorting_and_csv);
  g_test_add_func("/report/profile/json-has-the-same", test_json_has_the_same);
  g_test_add_func("/report/profile/nothing-recorded-is-said", test_nothing_recorded_is_said);
  return g_test_run();
}
