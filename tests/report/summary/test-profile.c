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
  g_autofree char      *text = lac_profile_text(capture, 0);
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
  g_autofree char      *text = lac_profile_text(capture, 2);
  g_assert_nonnull(strstr(text, "and 1 more\n"));
  g_assert_null(strstr(text, "\n  load"));
}

static void
test_json_has_the_same(void)
{
  g_autoptr(LacCapture) capture = make_planted();
  g_autofree char      *text = lac_profile_json(capture);
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
  g_autofree char      *text = lac_profile_text(capture, 0);
  g_assert_nonnull(strstr(text, "No findings."));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/profile/words-name-what-was-planted", test_words_name_what_was_planted);
  g_test_add_func("/report/profile/short-table-says-what-it-leaves-out",
                  test_a_short_table_says_what_it_leaves_out);
  g_test_add_func("/report/profile/json-has-the-same", test_json_has_the_same);
  g_test_add_func("/report/profile/nothing-recorded-is-said", test_nothing_recorded_is_said);
  return g_test_run();
}
