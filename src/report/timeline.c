/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeping records by lane and depth, in the order they end. */
#include "report/timeline.h"

#include "report/timeline-private.h"

static LacRow *
row_new(void)
{
  LacRow *row = g_new0(LacRow, 1);
  row->bars = g_array_new(FALSE, FALSE, sizeof(LacBar));
  return row;
}

static void
row_free(gpointer data)
{
  LacRow *row = data;
  g_array_unref(row->bars);
  g_free(row);
}

void
lac_row_add(LacRow *row, LacBar bar)
{
  guint at = row->bars->len;
  while (at > 0 && g_array_index(row->bars, LacBar, at - 1).end_ns > bar.end_ns)
    at--;
  g_array_insert_val(row->bars, at, bar);
}

gsize
lac_row_find(const LacRow *row, gint64 time_ns)
{
  const LacBar *bars = (const LacBar *) (gconstpointer) row->bars->data;
  gsize         low = 0, high = row->bars->len;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (bars[middle].end_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* As lac_row_find(), for an answer that is near @from. */
static gsize
gallop(const LacBar *bars, gsize from, gsize n, gint64 time_ns)
{
  gsize step = 1, low = from, high = from;
  while (high < n && bars[high].end_ns < time_ns) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = MIN(high, n);
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (bars[middle].end_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

LacFold
lac_row_fold(const LacRow *row, gsize first, gint64 view_end_ns, gint64 least_ns)
{
  const LacBar *bars = (const LacBar *) (gconstpointer) row->bars->data;
  gsize         n = row->bars->len, next = first + 1;
  if (bars[first].end_ns - bars[first].begin_ns >= least_ns)
    return (LacFold){first, 1, bars[first].begin_ns, bars[first].end_ns};

  for (;;) {
    next = gallop(bars, next, n, bars[next - 1].end_ns + least_ns);
    /* the bar found ends further than least_ns from the one that was looked from, perhaps not from its neighbour */
    if (next >= n || bars[next].begin_ns >= view_end_ns ||
        bars[next].end_ns - bars[next].begin_ns >= least_ns ||
        bars[next].begin_ns - bars[next - 1].end_ns >= least_ns)
      break;
    next++;
  }
  while (next > first + 1 && bars[next - 1].begin_ns >= view_end_ns)
    next--;
  return (LacFold){first, next - first, bars[first].begin_ns, bars[next - 1].end_ns};
}

static void
lane_free(gpointer data)
{
  LacTimelineLane *lane = data;
  g_ptr_array_unref(lane->depths);
  if (lane->operations != NULL)
    row_free(lane->operations);
  g_array_unref(lane->waiting);
  g_free(lane);
}

LacTimeline *
lac_timeline_new(LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, NULL);
  LacTimeline *timeline = g_new0(LacTimeline, 1);
  timeline->capture = lac_capture_ref(capture);
  timeline->lanes = g_ptr_array_new_with_free_func(lane_free);
  timeline->marks = g_array_new(FALSE, FALSE, sizeof(gsize));
  lac_timeline_update(timeline);
  return timeline;
}

void
lac_timeline_free(LacTimeline *timeline)
{
  if (timeline == NULL)
    return;
  lac_capture_unref(timeline->capture);
  g_ptr_array_unref(timeline->lanes);
  g_array_unref(timeline->marks);
  g_free(timeline);
}

static const LacRecord *
record_at(const LacTimeline *timeline, gsize i)
{
  return lac_capture_at(timeline->capture, i);
}

static LacTimelineLane *
find_lane(LacTimeline *timeline, guint16 id)
{
  guint at = 0;
  for (; at < timeline->lanes->len; at++) {
    LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, at);
    if (lane->id == id)
      return lane;
    if (lane->id > id)
      break;
  }
  LacTimelineLane *lane = g_new0(LacTimelineLane, 1);
  lane->id = id;
  lane->depths = g_ptr_array_new_with_free_func(row_free);
  lane->waiting = g_array_new(FALSE, FALSE, sizeof(gsize));
  g_ptr_array_insert(timeline->lanes, (gint) at, lane);
  return lane;
}

/* The operations of one step, one after the other from the first one's start, at most until @limit_ns. */
static void
place_operations(LacTimeline *timeline, LacTimelineLane *lane, gint64 limit_ns)
{
  if (lane->waiting->len == 0)
    return;
  gint64 begin = G_MAXINT64, total = 0;
  for (guint i = 0; i < lane->waiting->len; i++) {
    const LacRecord *record = record_at(timeline, g_array_index(lane->waiting, gsize, i));
    begin = MIN(begin, record->start_ns);
    total += record->duration_ns;
  }
  if (lane->operations == NULL)
    lane->operations = row_new();
  GArray *bars = lane->operations->bars;
  if (bars->len > 0)
    begin = MAX(begin, g_array_index(bars, LacBar, bars->len - 1).end_ns);
  double shrink = 1;
  if (limit_ns > begin && total > limit_ns - begin)
    shrink = (double) (limit_ns - begin) / (double) total;

  gint64 sum = 0;
  for (guint i = 0; i < lane->waiting->len; i++) {
    gsize  index = g_array_index(lane->waiting, gsize, i);
    LacBar bar = {.begin_ns = begin + (gint64) ((double) sum * shrink), .record = index};
    sum += record_at(timeline, index)->duration_ns;
    bar.end_ns = begin + (gint64) ((double) sum * shrink);
    lac_row_add(lane->operations, bar);
    timeline->end_ns = MAX(timeline->end_ns, bar.end_ns);
  }
  g_array_set_size(lane->waiting, 0);
}

static void
add_aggregate(LacTimeline *timeline, LacTimelineLane *lane, gsize index)
{
  const LacRecord *record = record_at(timeline, index);
  if (lane->waiting->len > 0) {
    const LacRecord *first = record_at(timeline, g_array_index(lane->waiting, gsize, 0));
    if (first->step != record->step)
      place_operations(timeline, lane, record->start_ns);
  }
  g_array_append_val(lane->waiting, index);
}

static void
add_span(LacTimeline *timeline, LacTimelineLane *lane, gsize index)
{
  const LacRecord *record = record_at(timeline, index);
  while (lane->depths->len <= record->depth)
    g_ptr_array_add(lane->depths, row_new());
  LacBar bar = {record->start_ns, record->start_ns + record->duration_ns, index};
  lac_row_add(g_ptr_array_index(lane->depths, record->depth), bar);

  if (lane->waiting->len == 0)
    return;
  const LacRecord *first = record_at(timeline, g_array_index(lane->waiting, gsize, 0));
  if (record->step == first->step && bar.begin_ns <= first->start_ns &&
      bar.end_ns > first->start_ns)
    place_operations(timeline, lane, bar.end_ns);
}

static void
add_record(LacTimeline *timeline, const LacRecord *record, gsize index)
{
  switch ((LacRecordKind) record->kind) {
  case LAC_RECORD_SPAN: add_span(timeline, find_lane(timeline, record->lane), index); break;
  case LAC_RECORD_AGGREGATE:
    add_aggregate(timeline, find_lane(timeline, record->lane), index);
    break;
  case LAC_RECORD_MARK: g_array_append_val(timeline->marks, index); break;
  case LAC_RECORD_COUNTER:
  case LAC_RECORD_MEMORY: break;
  }
}

void
lac_timeline_update(LacTimeline *timeline)
{
  g_return_if_fail(timeline != NULL);
  const LacRecord *records;
  gint64           begin_ns, end_ns;
  gsize            n;

  lac_capture_get_extent(timeline->capture, &begin_ns, &end_ns);
  timeline->end_ns = timeline->n_records == 0 ? end_ns : MAX(timeline->end_ns, end_ns);
  timeline->begin_ns = begin_ns;
  while ((records = lac_capture_get(timeline->capture, timeline->n_records, &n)) != NULL) {
    for (gsize i = 0; i < n; i++)
      add_record(timeline, &records[i], timeline->n_records + i);
    timeline->n_records += n;
  }
}

LacCapture *
lac_timeline_get_capture(const LacTimeline *timeline)
{
  g_return_val_if_fail(timeline != NULL, NULL);
  return timeline->capture;
}

void
lac_timeline_close(LacTimeline *timeline)
{
  g_return_if_fail(timeline != NULL);
  for (guint i = 0; i < timeline->lanes->len; i++)
    place_operations(timeline, g_ptr_array_index(timeline->lanes, i), G_MAXINT64);
}

void
lac_timeline_get_extent(const LacTimeline *timeline, gint64 *begin_ns, gint64 *end_ns)
{
  g_return_if_fail(timeline != NULL && begin_ns != NULL && end_ns != NULL);
  *begin_ns = timeline->begin_ns;
  *end_ns = timeline->end_ns;
}
