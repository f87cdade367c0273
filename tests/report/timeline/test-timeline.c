/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folding against a scan of every span, layout of operations, and picking. */
#include "report/timeline/timeline-private.h"
#include "report/timeline/timeline.h"

#include <math.h>
#include <string.h>

static LacCapture *
make_capture(void)
{
  static const char *const names[] = {"step", "forward", "reverse", "update"};
  LacCapture              *capture = lac_capture_new("a run");
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  for (guint i = 0; i < 16; i++)
    lac_capture_add_lane(capture, i == 0 ? "compute" : "worker");
  return capture;
}

static LacTimelineView
make_view(gint64 begin, gint64 end, double width)
{
  return (LacTimelineView){
    .begin_ns = begin, .end_ns = end, .width = width, .height = 300, .font_size = 10};
}

static LacRecord
make_span(gint64 start, gint64 duration, guint32 name, guint8 depth)
{
  return (LacRecord){.kind = LAC_RECORD_SPAN,
                     .start_ns = start,
                     .duration_ns = duration,
                     .count = 1,
                     .memory = -1,
                     .name = name,
                     .depth = depth};
}

/* Makes random lengths and gaps, from far below to far above a pixel. */
static LacTimeline *
make_random(gsize n, gint64 *end)
{
  g_autoptr(LacCapture) capture = make_capture();
  gint64                time = 1000;
  for (gsize i = 0; i < n; i++) {
    gint64    duration = (gint64) pow(10, g_test_rand_double_range(0, 5));
    LacRecord record = make_span(time, duration, (guint32) i % 4, 0);
    lac_capture_append(capture, &record, 1);
    time += duration + (g_test_rand_bit() ? 0 : (gint64) pow(10, g_test_rand_double_range(0, 4)));
  }
  *end = time;
  return lac_timeline_new(capture);
}

static void
test_folds_hold_every_span_once(void)
{
  gint64                 end;
  g_autoptr(LacTimeline) timeline = make_random(4000, &end);
  const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, 0);
  const LacRow          *row = g_ptr_array_index(lane->depths, 0);
  const LacBar          *bars = (const LacBar *) (gconstpointer) row->bars->data;
  for (int round = 0; round < 200; round++) {
    gint64 begin = g_test_rand_int_range(0, (gint32) (end / 2));
    gint64 stop = begin + g_test_rand_int_range(1000, (gint32) (end / 2));
    gint64 least = (gint64) pow(10, g_test_rand_double_range(0, 6));
    gsize  first = lac_row_find(row, begin), i = first;
    while (i < row->bars->len && bars[i].begin_ns < stop) {
      LacFold fold = lac_row_fold(row, i, stop, least);
      g_assert_cmpuint(fold.first, ==, i);
      g_assert_cmpuint(fold.n, >=, 1);
      g_assert_cmpint(fold.begin_ns, ==, bars[i].begin_ns);
      g_assert_cmpint(fold.end_ns, ==, bars[i + fold.n - 1].end_ns);
      for (gsize k = i; fold.n > 1 && k < i + fold.n; k++) {
        g_assert_cmpint(bars[k].end_ns - bars[k].begin_ns, <, least);
        g_assert_cmpint(bars[k].begin_ns, <, stop);
        if (k > i)
          g_assert_cmpint(bars[k].begin_ns - bars[k - 1].end_ns, <, least);
      }
      i += fold.n;
    }
    gsize brute_first = 0, brute_last;
    while (brute_first < row->bars->len && bars[brute_first].end_ns < begin)
      brute_first++;
    for (brute_last = brute_first; brute_last < row->bars->len && bars[brute_last].begin_ns < stop;)
      brute_last++;
    g_assert_cmpuint(first, ==, brute_first);
    g_assert_cmpuint(i, ==, brute_last);
  }
}

/* Adjacent spans that can be joined are never drawn separately: the number of items is bounded. */
static void
test_drawing_stays_small(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  g_autoptr(LacDrawing)  drawing = lac_drawing_new();
  for (gint64 i = 0; i < 200000; i++) {
    LacRecord record = make_span(i * 1000, 900, (guint32) (i % 4), 0);
    lac_capture_append(capture, &record, 1);
  }
  lac_timeline_update(timeline);
  gint64 begin, end;
  lac_timeline_get_extent(timeline, &begin, &end);
  g_assert_cmpint(begin, ==, 0);
  g_assert_cmpint(end, ==, 199999 * 1000 + 900);
  LacTimelineView view = make_view(begin, end, 1200);
  lac_timeline_draw(timeline, drawing, &view, &lac_palette_light);
  g_assert_cmpuint(lac_drawing_get_n_items(drawing), <, 60);
  gboolean counted = FALSE;
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    counted |=
      item->kind == LAC_DRAW_TEXT && strcmp(lac_drawing_get_text(drawing, item), "×200000") == 0;
  }
  g_assert_true(counted);
}

static LacRecord
make_aggregate(gint64 start, gint64 duration, gint64 step, guint32 name)
{
  LacRecord record = make_span(start, duration, name, 1);
  record.kind = LAC_RECORD_AGGREGATE;
  record.step = step;
  record.count = 10;
  return record;
}

static void
test_operations_lie_within_their_step(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  for (gint64 step = 0; step < 3; step++) {
    gint64    start = step * 10000;
    LacRecord records[] = {
      make_aggregate(start + 100, 6000, step, 1), /* two threads: 12000 ns of work in 9000 ns */
      make_aggregate(start + 100, 6000, step, 2),
      make_span(start, 9100, 0, 0),
    };
    records[2].step = step;
    lac_capture_append(capture, records, G_N_ELEMENTS(records));
  }
  lac_timeline_update(timeline);
  const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, 0);
  const LacBar          *bars = (const LacBar *) (gconstpointer) lane->operations->bars->data;
  g_assert_cmpuint(lane->operations->bars->len, ==, 6);
  for (gint64 step = 0; step < 3; step++) {
    const LacBar *forward = &bars[2 * step], *reverse = &bars[2 * step + 1];
    g_assert_cmpint(forward->begin_ns, ==, step * 10000 + 100);
    g_assert_cmpint(forward->end_ns, ==, reverse->begin_ns);
    g_assert_cmpint(reverse->end_ns, ==, step * 10000 + 9100);
    g_assert_cmpint(forward->end_ns - forward->begin_ns, ==, 4500);
  }
}

/* Operations navigate in drawing order: one first called late is drawn right after the one that began the step. */
static void
test_operations_are_gone_through_both_ways(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  gsize                  first = lac_capture_get_n_records(capture);
  LacTimelineBar         bar, after, back;
  LacRecord records[] = {make_aggregate(100, 3000, 0, 1), make_aggregate(8000, 500, 0, 2),
                         make_aggregate(8100, 200, 0, 3), make_span(0, 9100, 0, 0)};
  records[3].step = 0;
  lac_capture_append(capture, records, G_N_ELEMENTS(records));
  lac_timeline_update(timeline);
  for (gsize i = 0; i < 2; i++) {
    g_assert_true(lac_timeline_find(timeline, first + i, &bar));
    g_assert_true(lac_timeline_find_next(timeline, &bar, 1, &after));
    g_assert_cmpuint(after.record, ==, first + i + 1);
    g_assert_cmpint(after.begin_ns, ==, bar.end_ns);
    g_assert_true(lac_timeline_find_next(timeline, &after, -1, &back));
    g_assert_cmpuint(back.record, ==, bar.record);
  }
}

static void
test_operations_of_an_open_step_wait_for_the_close(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  LacRecord              record = make_aggregate(100, 50, 7, 1);
  lac_capture_append(capture, &record, 1);
  lac_timeline_update(timeline);
  const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, 0);
  g_assert_null(lane->operations);
  lac_timeline_close(timeline);
  g_assert_cmpuint(lane->operations->bars->len, ==, 1);
  g_assert_cmpint(g_array_index(lane->operations->bars, LacBar, 0).end_ns, ==, 150);
}

/* Every solid bar, picked at its centre, returns its record. */
static void
test_pick_finds_what_is_drawn(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  g_autoptr(LacDrawing)  drawing = lac_drawing_new();
  for (gint64 i = 0; i < 20; i++) {
    LacRecord records[] = {
      make_span(i * 1000 + 100, 300, 1, 1),
      make_span(i * 1000 + 450, 400, 2, 1),
      make_span(i * 1000, 900, 0, 0),
    };
    lac_capture_append(capture, records, 3);
  }
  lac_timeline_update(timeline);
  LacTimelineView view = make_view(0, 20000, 1000);
  lac_timeline_draw_lanes(timeline, drawing, &view, &lac_palette_paper);
  gsize n_bars = 0;
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    if (item->kind != LAC_DRAW_RECTANGLE)
      continue;
    n_bars++;
    double         x = item->x + item->width / 2, y = item->y + item->height / 2;
    LacTimelineBar bar;
    g_assert_true(lac_timeline_pick(timeline, &view, x, y, &bar));
    const LacRecord *record = lac_capture_at(capture, bar.record);
    g_assert_cmpuint(bar.n_near, ==, 1);
    g_assert_cmpfloat(fabs((double) record->start_ns * 0.05 - item->x), <, 1e-6);
    g_assert_true(
      memcmp(&item->colour, &lac_palette_paper.series[record->name % 6], sizeof item->colour) == 0);
  }
  g_assert_cmpuint(n_bars, ==, 60);
  LacTimelineBar none;
  g_assert_false(lac_timeline_pick(timeline, &view, 10, 2, &none));
  g_assert_false(lac_timeline_pick(timeline, &view, 10, 2000, &none));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/timeline/folds-hold-every-span-once", test_folds_hold_every_span_once);
  g_test_add_func("/report/timeline/drawing-stays-small", test_drawing_stays_small);
  g_test_add_func("/report/timeline/operations-lie-within-their-step",
                  test_operations_lie_within_their_step);
  g_test_add_func("/report/timeline/operations-are-gone-through-both-ways",
                  test_operations_are_gone_through_both_ways);
  g_test_add_func("/report/timeline/operations-of-an-open-step-wait-for-the-close",
                  test_operations_of_an_open_step_wait_for_the_close);
  g_test_add_func("/report/timeline/pick-finds-what-is-drawn", test_pick_finds_what_is_drawn);
  return g_test_run();
}
