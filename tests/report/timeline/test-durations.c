/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations of an operation against a scan of all records, and their histogram. */
#include "report/timeline/duration-chart.h"

#include <math.h>
#include <stdlib.h>

#define N_STEPS 300

static const char *const names[] = {"step", "forward", "matmul"};
enum { STEP, FORWARD, MATMUL };

static void
add(LacCapture   *capture,
    LacRecordKind kind,
    guint32       name,
    guint16       lane,
    gint64        start,
    gint64        duration,
    guint64       count)
{
  LacRecord record = {
    .kind = (guint8) kind,
    .name = name,
    .lane = lane,
    .start_ns = start,
    .duration_ns = duration,
    .count = count,
    .depth = name == STEP ? 0 : 1,
    .memory = -1,
  };
  lac_capture_append(capture, &record, 1);
}

/* Makes steps with nested spans on two lanes, and an operation with aggregates only. */
static LacCapture *
make_capture(void)
{
  LacCapture *capture = lac_capture_new("a run");
  gint64      time = 1000;
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, "pool");
  for (int i = 0; i < N_STEPS; i++) {
    gint64 a = g_test_rand_int_range(100, 100000), b = g_test_rand_int_range(100, 5000);
    add(capture, LAC_RECORD_SPAN, FORWARD, 0, time, a, 1);
    add(capture, LAC_RECORD_SPAN, FORWARD, 1, time + 3, b, 1);
    add(capture, LAC_RECORD_AGGREGATE, MATMUL, 0, time + a, 7 * b, 7);
    add(capture, LAC_RECORD_SPAN, STEP, 0, time, a + 8 * b, 1);
    time += a + 8 * b + 50;
  }
  return capture;
}

static int
compare_numbers(const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static void
test_quantiles(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  lac_timeline_close(timeline);
  g_autoptr(LacDurations) durations =
    lac_durations_of_range(timeline, FORWARD, G_MININT64, G_MAXINT64);
  g_autoptr(LacDurations) of_capture = lac_durations_of_capture(capture, FORWARD);
  double                  exact[2 * N_STEPS];
  gsize                   n = 0;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++)
    if (lac_capture_at(capture, i)->name == FORWARD)
      exact[n++] = (double) lac_capture_at(capture, i)->duration_ns;
  qsort(exact, n, sizeof exact[0], compare_numbers);
  g_assert_cmpuint(lac_durations_get_n(durations), ==, n);
  g_assert_cmpuint(lac_durations_get_n(of_capture), ==, n);
  for (guint percent = 1; percent <= 100; percent += 11) {
    double share = percent / 100.0, q = lac_durations_get_quantile(durations, share);
    double wanted = exact[(gsize) ceil(share * (double) n) - 1];
    g_assert_cmpfloat(fabs(q / wanted - 1), <=, 0.016);
    g_assert_cmpfloat(q, ==, lac_durations_get_quantile(of_capture, share));
  }
}

/* The mean of a step counts as often as the step called it. */
static void
test_aggregates(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  lac_timeline_close(timeline);
  g_autoptr(LacDurations) durations =
    lac_durations_of_range(timeline, MATMUL, G_MININT64, G_MAXINT64);
  LacDurationSum all =
    lac_durations_sum(durations, &(LacDurationChoice){0, INFINITY, G_MININT64, G_MAXINT64});
  double total = 0;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++)
    if (lac_capture_at(capture, i)->name == MATMUL)
      total += (double) lac_capture_at(capture, i)->duration_ns;
  g_assert_cmpuint(lac_durations_get_n(durations), ==, N_STEPS);
  g_assert_cmpuint(lac_durations_get_n_calls(durations), ==, 7 * N_STEPS);
  g_assert_cmpuint(all.n_calls, ==, 7 * N_STEPS);
  g_assert_cmpfloat_with_epsilon(all.total_ns, total, 1e-9 * total);
}

static void
test_choice(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  gint64                 first, last;
  lac_timeline_close(timeline);
  lac_timeline_get_extent(timeline, &first, &last);
  for (int round = 0; round < 20; round++) {
    gint64            begin = first + g_test_rand_int_range(0, (int) (last - first));
    gint64            end = begin + g_test_rand_int_range(1, (int) (last - first));
    LacDurationChoice choice = {g_test_rand_int_range(50, 20000), 0, begin, end};
    choice.high_ns = choice.low_ns * 3;
    g_autoptr(LacDurations) durations = lac_durations_of_range(timeline, FORWARD, begin, end);
    LacTimelineBar          bars[2 * N_STEPS], later[5];
    gsize                   wanted = 0;
    for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
      const LacRecord *record = lac_capture_at(capture, i);
      wanted += record->name == FORWARD && (double) record->duration_ns >= choice.low_ns &&
                (double) record->duration_ns <= choice.high_ns && record->start_ns < end &&
                record->start_ns + record->duration_ns >= begin;
    }
    gsize n = lac_durations_list(durations, &choice, 0, bars, G_N_ELEMENTS(bars));
    g_assert_cmpuint(n, ==, wanted);
    g_assert_cmpuint(lac_durations_sum(durations, &choice).n, ==, wanted);
    for (gsize i = 1; i < n; i++)
      g_assert_cmpint(bars[i - 1].begin_ns, <=, bars[i].begin_ns);
    gsize m = lac_durations_list(durations, &choice, 2, later, G_N_ELEMENTS(later));
    g_assert_cmpuint(m, ==, MIN(wanted > 2 ? wanted - 2 : 0, G_N_ELEMENTS(later)));
    for (gsize i = 0; i < m; i++)
      g_assert_cmpuint(later[i].record, ==, bars[i + 2].record);
  }
}

static void
test_bins(void)
{
  g_autoptr(LacCapture) capture = make_capture();
  LacDurations         *of[] = {lac_durations_of_capture(capture, FORWARD),
                                lac_durations_of_capture(capture, MATMUL)};
  LacDurationChart      chart = {.width = 640, .height = 160, .font_size = 10};
  g_assert_true(lac_duration_chart_take(&chart, of, 2));
  for (gsize k = 0; k < 2; k++) {
    const LacDurationBins *bins = &chart.series[k].bins;
    guint64                n = 0;
    for (gsize i = 0; i < LAC_DURATION_BINS; i++) {
      LacDurationChoice within = {lac_duration_bins_get_edge(bins, i),
                                  lac_duration_bins_get_edge(bins, i + 1), G_MININT64, G_MAXINT64};
      /* a call on an edge may be counted on either side */
      g_assert_cmpuint(lac_durations_sum(of[k], &within).n_calls + 7, >=, bins->counts[i]);
      n += bins->counts[i];
    }
    g_assert_cmpuint(n, ==, lac_durations_get_n_calls(of[k]));
  }
  g_assert_cmpfloat(chart.series[0].bins.low_ns, ==, chart.series[1].bins.low_ns);
  for (double x = 10; x < 630; x += 31) {
    double ns = lac_duration_chart_get_ns(&chart, x);
    g_assert_cmpfloat_with_epsilon(lac_duration_chart_get_x(&chart, ns), x, 1e-6);
  }
  lac_durations_free(of[0]);
  lac_durations_free(of[1]);
}

/* Returns the number of percentile labels, checking that each is at its duration. */
static guint
count_drawn(LacDurations *of, double width)
{
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacDurationChart      chart = {.width = width, .height = 160, .font_size = 10};
  guint                 n = 0;
  g_assert_true(lac_duration_chart_take(&chart, &of, 1));
  lac_duration_chart_draw(&chart, drawing, &lac_palette_paper);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    for (LacPercentile p = 0; item->kind == LAC_DRAW_TEXT && p < LAC_N_PERCENTILES; p++) {
      g_autofree char *name = g_strconcat(lac_percentile_get_name(p), " ", NULL);
      const char      *text = lac_drawing_get_text(drawing, item);
      if (!g_str_has_prefix(text, name))
        continue;
      const double x = lac_duration_chart_get_x(&chart, chart.series[0].percentiles_ns[p]);
      const double width_of_text = lac_text_width(text, chart.font_size, FALSE);
      g_assert_cmpfloat(MIN(fabs(item->x - x), fabs(item->x + width_of_text - x)), <=, 4.01);
      n++;
    }
  }
  return n;
}

/* The three percentiles of the operation table are always drawn; the others where their labels fit. */
static void
test_drawing(void)
{
  g_autoptr(LacCapture)   capture = make_capture();
  g_autoptr(LacDurations) of = lac_durations_of_capture(capture, STEP);
  double                  before = 0;
  for (LacPercentile p = 0; p < LAC_N_PERCENTILES; p++) {
    const double value = lac_durations_get_percentile(of, p);
    g_assert_cmpfloat(value, >=, before);
    before = value;
  }
  g_assert_cmpfloat(lac_durations_get_percentile(of, LAC_PERCENTILE_75), ==,
                    lac_durations_get_quantile(of, 0.75));
  g_assert_cmpuint(count_drawn(of, 160), >=, 3);
  g_assert_cmpuint(count_drawn(of, 20000), ==, LAC_N_PERCENTILES);
}

/* No records, and a single duration. */
static void
test_edges(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("a run");
  LacDurationChart      chart = {.width = 640, .height = 160, .font_size = 10};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  LacDurations *none[] = {lac_durations_of_capture(capture, STEP)};
  g_assert_false(lac_duration_chart_take(&chart, none, 1));
  g_assert_true(isnan(lac_durations_get_quantile(none[0], 0.5)));
  lac_durations_free(none[0]);
  for (int i = 0; i < 3; i++)
    add(capture, LAC_RECORD_SPAN, STEP, 0, 100 * i, i == 0 ? 0 : 40, 1);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacDurations         *few[] = {lac_durations_of_capture(capture, STEP)};
  gsize                 n;
  g_autofree double    *sample = lac_durations_dup_sample(few[0], 2, &n);
  g_assert_cmpuint(n, ==, 2);
  g_assert_cmpfloat(sample[0], ==, 1); /* zero duration, clamped for the logarithm */
  g_assert_true(lac_duration_chart_take(&chart, few, 1));
  lac_duration_chart_draw(&chart, drawing, &lac_palette_dark);
  lac_durations_free(few[0]);
}

/* Separate bars have a frame each; on few pixels they share one. */
static void
test_marks(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  LacTimelineView        view = {.width = 100000, .height = 200, .font_size = 11};
  LacDurationChoice      all = {0, INFINITY, G_MININT64, G_MAXINT64};
  lac_timeline_close(timeline);
  lac_timeline_get_extent(timeline, &view.begin_ns, &view.end_ns);
  g_autoptr(LacDurations) durations =
    lac_durations_of_range(timeline, STEP, G_MININT64, G_MAXINT64);
  gsize n[2];
  for (gsize i = 0; i < 2; i++) {
    g_autoptr(LacDrawing) drawing = lac_drawing_new();
    lac_durations_draw_marks(durations, &all, timeline, drawing, &view,
                             lac_palette_paper.foreground);
    n[i] = lac_drawing_get_n_items(drawing);
    view.width = 60;
  }
  g_assert_cmpuint(n[0], ==, 3 * N_STEPS);
  g_assert_cmpuint(n[1], <=, 3 * 62);
  g_assert_cmpuint(n[1], >, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/durations/quantiles-are-those-of-every-record", test_quantiles);
  g_test_add_func("/report/durations/means-count-as-often-as-they-were-called", test_aggregates);
  g_test_add_func("/report/durations/a-choice-is-what-looking-at-every-record-finds", test_choice);
  g_test_add_func("/report/durations/bins-hold-every-call-once", test_bins);
  g_test_add_func("/report/durations/percentiles-stand-in-words", test_drawing);
  g_test_add_func("/report/durations/nothing-and-one-length", test_edges);
  g_test_add_func("/report/durations/marks-are-no-more-than-pixels", test_marks);
  return g_test_run();
}
