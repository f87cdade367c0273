/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture returns its input: records in order, names and lanes by id, the overall extent. */
#include "perf/recorder/capture.h"

enum { MANY = 100000 };

static LacRecord
make_span(gint64 start, gint64 duration)
{
  return (LacRecord){
    .kind = LAC_RECORD_SPAN, .start_ns = start, .duration_ns = duration, .count = 1};
}

static void
check_many(const LacCapture *capture)
{
  gsize            n, first = 0;
  const LacRecord *records;
  g_assert_cmpuint(lac_capture_get_n_records(capture), ==, MANY);
  for (; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++) {
      g_assert_cmpint(records[i].start_ns, ==, 1000 + 7 * (gint64) (first + i));
      g_assert_true(lac_capture_at(capture, first + i) == &records[i]);
    }
  g_assert_cmpuint(first, ==, MANY);
  g_assert_cmpuint(n, ==, 0);
  gint64 begin, end;
  lac_capture_get_extent(capture, &begin, &end);
  g_assert_cmpint(begin, ==, 1000);
  g_assert_cmpint(end, ==, 1000 + 7 * (MANY - 1) + 5);
}

static void
test_what_is_appended_comes_back(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("run");
  g_assert_cmpstr(lac_capture_get_title(capture), ==, "run");
  for (gint64 i = 0; i < MANY; i++) {
    LacRecord record = make_span(1000 + 7 * i, 5);
    lac_capture_append(capture, &record, 1);
  }
  check_many(capture);
}

static void
test_what_is_adopted_comes_back(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  LacRecord            *records = g_new(LacRecord, MANY);
  for (gint64 i = 0; i < MANY; i++)
    records[i] = make_span(1000 + 7 * i, 5);
  lac_capture_adopt(capture, records, MANY);
  g_assert_true(lac_capture_at(capture, 0) == records);
  check_many(capture);
}

static void
test_the_extent_ends_with_the_last_span(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  LacRecord             records[] = {
                make_span(500, 1000),
                {.kind = LAC_RECORD_AGGREGATE, .start_ns = 600, .duration_ns = 100000, .count = 3},
                {.kind = LAC_RECORD_COUNTER, .start_ns = 450, .value = 1},
  };
  gint64 begin, end;
  lac_capture_append(capture, records, G_N_ELEMENTS(records));
  lac_capture_get_extent(capture, &begin, &end);
  g_assert_cmpint(begin, ==, 450);
  g_assert_cmpint(end, ==, 1500);
}

static void
test_an_empty_one_has_nothing(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  gint64                begin = 1, end = 1;
  gsize                 n = 1;
  g_assert_null(lac_capture_get(capture, 0, &n));
  g_assert_cmpuint(n, ==, 0);
  lac_capture_get_extent(capture, &begin, &end);
  g_assert_cmpint(begin, ==, 0);
  g_assert_cmpint(end, ==, 0);
  g_assert_cmpstr(lac_capture_get_title(capture), ==, "");
}

static void
test_names_follow_the_recorder(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  g_autoptr(LacPerf)    perf = lac_perf_new(LAC_PERF_COARSE);
  guint32               step = lac_perf_name(perf, "step");
  lac_perf_lane(perf, "compute");
  lac_capture_follow(capture, perf);
  guint32 later = lac_perf_name(perf, "later");
  lac_perf_lane(perf, "pool 1");
  lac_capture_follow(capture, perf);
  lac_capture_follow(capture, perf);
  g_assert_cmpuint(lac_capture_get_n_names(capture), ==, 2);
  g_assert_cmpuint(lac_capture_get_n_lanes(capture), ==, 2);
  g_assert_cmpstr(lac_capture_get_name(capture, step), ==, "step");
  g_assert_cmpstr(lac_capture_get_name(capture, later), ==, "later");
  g_assert_cmpstr(lac_capture_get_lane(capture, 1), ==, "pool 1");
  g_assert_cmpint(lac_capture_find_name(capture, "later"), ==, later);
  g_assert_cmpint(lac_capture_find_name(capture, "never"), ==, -1);
  g_assert_cmpstr(lac_capture_get_name(capture, 99), ==, "?");
  g_assert_cmpstr(lac_capture_get_lane(capture, 99), ==, "?");
}

static void
test_what_is_shared_stays_as_it_was(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("run");
  LacRecord             record = make_span(1000, 5);
  gint64                begin, end;
  lac_capture_add_name(capture, "step");
  lac_capture_append(capture, &record, 1);
  g_autoptr(LacCapture) shared = lac_capture_share(capture);
  record.start_ns = 2000;
  lac_capture_append(capture, &record, 1);
  lac_capture_add_name(capture, "later");
  g_assert_cmpuint(lac_capture_get_n_records(shared), ==, 1);
  g_assert_cmpuint(lac_capture_get_n_names(shared), ==, 1);
  g_assert_cmpstr(lac_capture_get_name(shared, 0), ==, "step");
  lac_capture_get_extent(shared, &begin, &end);
  g_assert_cmpint(end, ==, 1005);
}

/* Spans across an end are clipped, with a proportional share of the work and no step. */
static void
test_a_range_has_what_lies_within(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("run");
  LacRecord             records[] = {
                make_span(0, 90),    make_span(100, 100),
                make_span(210, 80),  {.kind = LAC_RECORD_COUNTER, .start_ns = 240, .value = 7},
                make_span(300, 100), {.kind = LAC_RECORD_COUNTER, .start_ns = 351, .value = 8},
                make_span(400, 10),
  };
  lac_capture_add_name(capture, "step");
  for (gsize i = 0; i < G_N_ELEMENTS(records); i++) {
    records[i].step = (gint64) i;
    if (records[i].kind == LAC_RECORD_SPAN)
      records[i].flops = 1000;
  }
  lac_capture_append(capture, records, G_N_ELEMENTS(records));
  g_autoptr(LacCapture) range = lac_capture_dup_range(capture, 180, 350);
  g_assert_cmpstr(lac_capture_get_name(range, 0), ==, "step");
  g_assert_cmpuint(lac_capture_get_n_records(range), ==, 4);
  const LacRecord *cut = lac_capture_at(range, 0), *whole = lac_capture_at(range, 1);
  g_assert_cmpint(cut->start_ns, ==, 180);
  g_assert_cmpint(cut->duration_ns, ==, 20);
  g_assert_cmpint(cut->step, ==, -1);
  g_assert_cmpfloat(cut->flops, ==, 200);
  g_assert_cmpint(whole->duration_ns, ==, 80);
  g_assert_cmpint(whole->step, ==, 2);
  g_assert_cmpfloat(lac_capture_at(range, 2)->value, ==, 7);
  g_assert_cmpint(lac_capture_at(range, 3)->duration_ns, ==, 50);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/capture/what-is-appended-comes-back", test_what_is_appended_comes_back);
  g_test_add_func("/perf/capture/what-is-adopted-comes-back", test_what_is_adopted_comes_back);
  g_test_add_func("/perf/capture/the-extent-ends-with-the-last-span",
                  test_the_extent_ends_with_the_last_span);
  g_test_add_func("/perf/capture/an-empty-one-has-nothing", test_an_empty_one_has_nothing);
  g_test_add_func("/perf/capture/names-follow-the-recorder", test_names_follow_the_recorder);
  g_test_add_func("/perf/capture/what-is-shared-stays-as-it-was",
                  test_what_is_shared_stays_as_it_was);
  g_test_add_func("/perf/capture/a-range-has-what-lies-within", test_a_range_has_what_lies_within);
  return g_test_run();
}
