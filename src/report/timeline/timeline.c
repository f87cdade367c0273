/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records sorted by lane, depth and end time. */
#include "perf/recorder/gauges.h"
#include "report/timeline/timeline-private.h"

static void
row_free(gpointer data)
{
  lac_row_free(data);
}

static void
lane_free(gpointer data)
{
  LacTimelineLane *lane = data;
  g_ptr_array_unref(lane->depths);
  if (lane->operations != NULL)
    lac_row_free(lane->operations);
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
  timeline->counts = g_array_new(FALSE, TRUE, sizeof(guint64));
  lac_step_times_init(&timeline->step_times);
  lac_timeline_update(timeline);
  return timeline;
}

void
lac_timeline_set_names_beside(LacTimeline *timeline)
{
  g_return_if_fail(timeline != NULL);
  timeline->names_beside = TRUE;
  for (guint i = 0; i < timeline->lanes->len; i++)
    ((LacTimelineLane *) g_ptr_array_index(timeline->lanes, i))->is_named_beside = TRUE;
}

void
lac_timeline_free(LacTimeline *timeline)
{
  if (timeline == NULL)
    return;
  lac_capture_unref(timeline->capture);
  g_ptr_array_unref(timeline->lanes);
  g_array_unref(timeline->marks);
  g_array_unref(timeline->counts);
  lac_step_times_clear(&timeline->step_times);
  g_free(timeline);
}

static const LacRecord *
record_at(const LacTimeline *timeline, gsize i)
{
  return lac_capture_at(timeline->capture, i);
}

/* Returns the sort key of a lane: creation order, with the device lane below the lane that submits its work, which is
 * created first. */
static guint
find_place(const LacTimeline *timeline, guint16 id)
{
  const char *name = lac_capture_get_lane(timeline->capture, id);
  return g_str_equal(name, LAC_LANE_DEVICE) ? 1 : 2 * (guint) id;
}

static LacTimelineLane *
find_lane(LacTimeline *timeline, guint16 id)
{
  guint at = 0;
  for (guint i = 0; i < timeline->lanes->len; i++) {
    LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    if (lane->id == id)
      return lane;
  }
  while (at < timeline->lanes->len) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, at);
    if (find_place(timeline, lane->id) > find_place(timeline, id))
      break;
    at++;
  }
  LacTimelineLane *lane = g_new0(LacTimelineLane, 1);
  lane->id = id;
  lane->depths = g_ptr_array_new_with_free_func(row_free);
  lane->waiting = g_array_new(FALSE, FALSE, sizeof(gsize));
  lane->is_named_beside = timeline->names_beside;
  g_ptr_array_insert(timeline->lanes, (gint) at, lane);
  return lane;
}

static void
add_bar(LacTimeline *timeline, LacRow *row, LacBar bar)
{
  if (bar.name >= timeline->counts->len)
    g_array_set_size(timeline->counts, bar.name + 1);
  g_array_index(timeline->counts, guint64, bar.name)++;
  lac_row_add(row, bar);
}

/* Places the operations of one step one after the other from the start of the first, scaled down to end at
 * @limit_ns. */
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
    lane->operations = lac_row_new();
  GArray *bars = lane->operations->bars;
  if (bars->len > 0)
    begin = MAX(begin, g_array_index(bars, LacBar, bars->len - 1).end_ns);
  double shrink = 1;
  if (limit_ns > begin && total > limit_ns - begin)
    shrink = (double) (limit_ns - begin) / (double) total;

  gint64 sum = 0;
  for (guint i = 0; i < lane->waiting->len; i++) {
    gsize            index = g_array_index(lane->waiting, gsize, i);
    const LacRecord *record = record_at(timeline, index);
    LacBar           bar = {.begin_ns = begin + (gint64) ((double) sum * shrink),
                            .record = (guint32) index,
                            .name = record->name};
    sum += record->duration_ns;
    bar.end_ns = begin + (gint64) ((double) sum * shrink);
    add_bar(timeline, lane->operations, bar);
    timeline->end_ns = MAX(timeline->end_ns, bar.end_ns);
  }
  g_array_set_size(lane->waiting, 0);
}

/* Adds an aggregate; outside of steps, operations with one start time form a group. */
static void
add_aggregate(LacTimeline *timeline, LacTimelineLane *lane, gsize index)
{
  const LacRecord *record = record_at(timeline, index);
  if (lane->waiting->len > 0) {
    const LacRecord *first = record_at(timeline, g_array_index(lane->waiting, gsize, 0));
    if (first->step != record->step || (record->step < 0 && first->start_ns != record->start_ns))
      place_operations(timeline, lane, record->start_ns);
  }
  g_array_append_val(lane->waiting, index);
}

static void
add_span(LacTimeline *timeline, LacTimelineLane *lane, gsize index)
{
  const LacRecord *record = record_at(timeline, index);
  while (lane->depths->len <= record->depth)
    g_ptr_array_add(lane->depths, lac_row_new());
  LacBar bar = {record->start_ns, record->start_ns + record->duration_ns, (guint32) index,
                record->name};
  add_bar(timeline, g_ptr_array_index(lane->depths, record->depth), bar);

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
  case LAC_RECORD_SPAN:
  case LAC_RECORD_KERNEL: add_span(timeline, find_lane(timeline, record->lane), index); break;
  case LAC_RECORD_AGGREGATE:
    add_aggregate(timeline, find_lane(timeline, record->lane), index);
    break;
  case LAC_RECORD_MARK: g_array_append_val(timeline->marks, index); break;
  case LAC_RECORD_COUNTER:
  case LAC_RECORD_MEMORY:
  case LAC_RECORD_SPANS_DROPPED:
  case LAC_RECORD_CALLS_DROPPED: break;
  }
}

static void
summarise(LacTimeline *timeline)
{
  for (guint i = 0; i < timeline->lanes->len; i++) {
    LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    for (guint k = 0; k < lane->depths->len; k++)
      lac_row_summarise(g_ptr_array_index(lane->depths, k), &timeline->step_times);
    if (lane->operations != NULL)
      lac_row_summarise(lane->operations, &timeline->step_times);
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
  summarise(timeline);
}

void
lac_timeline_close(LacTimeline *timeline)
{
  g_return_if_fail(timeline != NULL);
  for (guint i = 0; i < timeline->lanes->len; i++)
    place_operations(timeline, g_ptr_array_index(timeline->lanes, i), G_MAXINT64);
  summarise(timeline);
}

void
lac_timeline_get_extent(const LacTimeline *timeline, gint64 *begin_ns, gint64 *end_ns)
{
  g_return_if_fail(timeline != NULL && begin_ns != NULL && end_ns != NULL);
  *begin_ns = timeline->begin_ns;
  *end_ns = timeline->end_ns;
}

const LacRow *
lac_timeline_lane_row(const LacTimelineLane *lane, guint row)
{
  if (row < lane->depths->len)
    return g_ptr_array_index(lane->depths, row);
  return row == lane->depths->len ? lane->operations : NULL;
}

const LacTimelineLane *
lac_timeline_lane(const LacTimeline *timeline, guint16 id)
{
  for (guint i = 0; i < timeline->lanes->len; i++) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    if (lane->id == id)
      return lane;
  }
  return NULL;
}
