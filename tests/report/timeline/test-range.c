/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search, lists and sums over a time range against a scan of all records. */
#include "report/timeline/timeline.h"

#include <math.h>
#include <string.h>

#define N_STEPS 400

static const char *const names[] = {"step", "forward", "reverse", "Update", "rare forward"};
enum { STEP, FORWARD, REVERSE, UPDATE, RARE };

static void
add(LacCapture *capture, gint64 start, gint64 duration, guint32 name, int place)
{
  LacRecord record = {
    .start_ns = start,
    .duration_ns = duration,
    .count = 1,
    .flops = (double) duration * 2,
    .memory = -1,
    .name = name,
    .depth = (guint8) (place % 10),
    .lane = (guint16) (place / 10),
  };
  lac_capture_append(capture, &record, 1);
}

/* Makes steps of two spans each on one lane, and a third kind on another; children precede their parents. */
static LacCapture *
make_capture(void)
{
  LacCapture *capture = lac_capture_new("a run");
  gint64      time = 100;
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, "pool");
  for (int i = 0; i < N_STEPS; i++) {
    gint64 a = g_test_rand_int_range(0, 500), b = g_test_rand_int_range(1, 800);
    add(capture, time, a, i % 50 == 17 ? RARE : FORWARD, 1);
    add(capture, time + a, b, REVERSE, 1);
    add(capture, time, a + b + 10, STEP, 0);
    add(capture, time + 5, a + b, UPDATE, 10);
    time += a + b + 10 + g_test_rand_int_range(0, 100);
  }
  return capture;
}

static gint64
end_of(const LacRecord *record)
{
  return record->start_ns + record->duration_ns;
}

static int
compare_starts(gconstpointer a, gconstpointer b)
{
  const LacRecord *x = *(LacRecord *const *) a, *y = *(LacRecord *const *) b;
  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return x->lane != y->lane ? x->lane - y->lane : x->depth - y->depth;
}

/* Lists the records that overlap the range, in order of start time. */
static GPtrArray *
list_records(const LacCapture *capture, gint64 begin, gint64 end)
{
  GPtrArray *found = g_ptr_array_new();
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (end_of(record) >= begin && record->start_ns < end)
      g_ptr_array_add(found, (gpointer) record);
  }
  g_ptr_array_sort(found, compare_starts);
  return found;
}

static void
test_lists(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  gint64                 first, last;
  lac_timeline_get_extent(timeline, &first, &last);
  for (int round = 0; round < 50; round++) {
    gint64               begin = g_test_rand_int_range((gint32) first, (gint32) last);
    gint64               end = g_test_rand_int_range((gint32) begin, (gint32) last + 1) + 1;
    g_autoptr(GPtrArray) expected = list_records(capture, begin, end);
    gsize                offset = (gsize) g_test_rand_int_range(0, (gint32) expected->len + 2);
    LacTimelineBar       bars[40];
    g_assert_cmpuint(lac_timeline_count_range(timeline, begin, end), ==, expected->len);
    gsize n = lac_timeline_list(timeline, begin, end, offset, bars, G_N_ELEMENTS(bars));
    gsize left = expected->len > offset ? expected->len - offset : 0;
    g_assert_cmpuint(n, ==, MIN(left, G_N_ELEMENTS(bars)));
    for (gsize i = 0; i < n; i++)
      g_assert_true(lac_capture_at(capture, bars[i].record) ==
                    g_ptr_array_index(expected, offset + i));
  }
}

/* Totals of the range are those of the parts within; sums over the whole time equal those of all records. */
static void
test_sums(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  gint64                 first, last;
  lac_timeline_get_extent(timeline, &first, &last);
  for (int round = 0; round < 30; round++) {
    gint64 begin = round == 0 ? first : g_test_rand_int_range((gint32) first, (gint32) last - 10);
    gint64 end = round == 0 ? last : g_test_rand_int_range((gint32) begin + 1, (gint32) last);
    double total[G_N_ELEMENTS(names)] = {0}, flops[G_N_ELEMENTS(names)] = {0};
    gsize  count[G_N_ELEMENTS(names)] = {0}, n_rows, n_seen = 0;
    for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
      const LacRecord *record = lac_capture_at(capture, i);
      if (end_of(record) < begin || record->start_ns >= end)
        continue;
      gint64 within = MIN(end_of(record), end) - MAX(record->start_ns, begin);
      total[record->name] += (double) within;
      flops[record->name] += 2 * (double) within;
      count[record->name]++;
    }
    g_autoptr(LacAggregates) sums = lac_timeline_sum_range(timeline, begin, end);
    const LacAggregate      *rows = lac_aggregates_get(sums, &n_rows);
    for (gsize i = 0; i < n_rows; i++) {
      g_assert_cmpuint(rows[i].count, ==, count[rows[i].name]);
      g_assert_cmpfloat(rows[i].total_ns, ==, total[rows[i].name]);
      g_assert_cmpfloat(fabs(rows[i].flops - flops[rows[i].name]), <=, 1e-9 * flops[rows[i].name]);
      n_seen += count[rows[i].name];
    }
    g_assert_cmpuint(n_seen, ==, lac_timeline_count_range(timeline, begin, end));
  }
}

static void
test_search(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  g_autoptr(GByteArray)  matched = lac_timeline_match_names(timeline, "FORward");
  LacMatch               match = {matched->data, matched->len};
  LacTimelineBar         bar = {0}, before = {0}, back;
  gsize                  n = 0;
  g_assert_cmpuint(matched->len, ==, G_N_ELEMENTS(names));
  g_assert_true(!matched->data[STEP] && matched->data[FORWARD] && matched->data[RARE]);
  g_assert_cmpuint(lac_timeline_count(timeline, &match), ==, N_STEPS);
  matched->data[FORWARD] = FALSE;
  g_assert_cmpuint(lac_timeline_count(timeline, &match), ==, N_STEPS / 50);
  while (lac_timeline_find_match(timeline, &match, n == 0 ? NULL : &bar, 1, &bar)) {
    g_assert_cmpuint(bar.name, ==, RARE);
    if (n > 0) {
      g_assert_cmpint(bar.begin_ns, >, before.begin_ns);
      g_assert_true(lac_timeline_find_match(timeline, &match, &bar, -1, &back));
      g_assert_cmpuint(back.record, ==, before.record);
    }
    before = bar;
    n++;
  }
  g_assert_cmpuint(n, ==, N_STEPS / 50);
  g_assert_true(lac_timeline_find_match(timeline, &match, NULL, -1, &back));
  g_assert_cmpuint(back.record, ==, before.record);
}

static void
test_neighbours(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  LacTimelineBar         bar, next, found;
  gsize                  n = 1;
  g_assert_true(lac_timeline_find(timeline, 2, &bar)); /* the first step */
  g_assert_false(lac_timeline_find_next(timeline, &bar, -1, &next));
  for (; lac_timeline_find_next(timeline, &bar, 1, &next); n++) {
    g_assert_cmpuint(next.name, ==, STEP);
    g_assert_cmpint(next.begin_ns, >=, bar.end_ns);
    g_assert_true(lac_timeline_find(timeline, next.record, &found));
    g_assert_cmpint(found.begin_ns, ==, next.begin_ns);
    bar = next;
  }
  g_assert_cmpuint(n, ==, N_STEPS);
  g_assert_false(lac_timeline_find(timeline, lac_capture_get_n_records(capture), &found));
}

/* Bars that do not match the search are dimmed. */
static void
test_dimming(void)
{
  g_autoptr(LacCapture)  capture = make_capture();
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  g_autoptr(LacDrawing)  drawing = lac_drawing_new();
  g_autoptr(GByteArray)  matched = lac_timeline_match_names(timeline, "reverse");
  LacMatch               match = {matched->data, matched->len};
  LacTimelineView        view = {
           .begin_ns = 0, .end_ns = 6000, .width = 1200, .height = 300, .font_size = 10, .match = &match};
  gsize n_strong = 0, n_dim = 0;
  lac_timeline_draw_lanes(timeline, drawing, &view, &lac_palette_light);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    LacTimelineBar     bar;
    if (item->kind != LAC_DRAW_RECTANGLE || item->width < 5 ||
        !lac_timeline_pick(timeline, &view, item->x + item->width / 2, item->y + 5, &bar))
      continue;
    g_assert_true((item->colour.alpha > 0.9F) == (bar.name == REVERSE));
    *(bar.name == REVERSE ? &n_strong : &n_dim) += 1;
  }
  g_assert_cmpuint(n_strong, >, 2);
  g_assert_cmpuint(n_dim, >, n_strong);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/timeline-range/lists-are-in-order-from-any-place", test_lists);
  g_test_add_func("/report/timeline-range/sums-are-of-the-parts-within", test_sums);
  g_test_add_func("/report/timeline-range/search-visits-every-match-both-ways", test_search);
  g_test_add_func("/report/timeline-range/neighbours-are-of-the-same-row", test_neighbours);
  g_test_add_func("/report/timeline-range/what-is-not-searched-for-is-dimmed", test_dimming);
  return g_test_run();
}
