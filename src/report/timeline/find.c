/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search of bars in a timeline: under a point, of a record, beside another, by name. */
#include "report/timeline/timeline-private.h"

#include <math.h>
#include <string.h>

static const LacBar *
bar_at(const LacRow *row, gsize i)
{
  return &g_array_index(row->bars, LacBar, i);
}

LacTimelineBar
lac_timeline_bar(const LacTimelineLane *lane, guint row, const LacRow *bars, gsize i)
{
  const LacBar *bar = bar_at(bars, i);
  return (LacTimelineBar){
    .record = bar->record,
    .begin_ns = bar->begin_ns,
    .end_ns = bar->end_ns,
    .name = bar->name,
    .lane = lane->id,
    .row = row,
    .n_near = 1,
  };
}

/* ---- under a point ---- */

static const LacRow *
row_at(const LacTimeline *timeline, double size, double y, const LacTimelineLane **lane, guint *row)
{
  double top = 0;
  for (guint i = 0; i < timeline->lanes->len; i++) {
    *lane = g_ptr_array_index(timeline->lanes, i);
    double height = lac_timeline_lane_height(*lane, size);
    if (y < top + height) {
      double at =
        floor((y - top - lac_timeline_row_top(*lane, size, 0)) /
              (lac_timeline_row_top(*lane, size, 1) - lac_timeline_row_top(*lane, size, 0)));
      if (y < top || at < 0)
        return NULL;
      *row = (guint) at;
      return lac_timeline_lane_row(*lane, *row);
    }
    top += height;
  }
  return NULL;
}

/* Finds the bar that contains the time or, since bars are drawn at least a pixel wide, one a pixel away. */
static gboolean
pick_in_row(const LacRow *row, gint64 time, gint64 slack, gsize *found, gsize *n_near)
{
  gboolean any = FALSE;
  gsize    i = lac_row_find(row, time - slack);
  for (gsize first = i; i < row->bars->len; i++) {
    const LacBar *bar = bar_at(row, i);
    if (bar->begin_ns > time + slack)
      break;
    if (!any || bar->begin_ns <= time)
      *found = i;
    any = TRUE;
    *n_near = i - first + 1;
    if (bar->end_ns >= time)
      break;
  }
  if (any) {
    gsize end = lac_row_find_near(row, i, time + slack);
    *n_near +=
      end > i ? end - i - (end >= row->bars->len || bar_at(row, end)->begin_ns > time + slack) : 0;
  }
  return any;
}

gboolean
lac_timeline_pick(const LacTimeline     *timeline,
                  const LacTimelineView *view,
                  double                 x,
                  double                 y,
                  LacTimelineBar        *bar)
{
  g_return_val_if_fail(timeline != NULL && view != NULL && bar != NULL, FALSE);
  if (view->end_ns <= view->begin_ns || view->width <= 0 || x < 0 || x > view->width)
    return FALSE;
  const LacTimelineLane *lane;
  guint                  row;
  const LacRow          *bars = row_at(timeline, view->font_size, y + view->offset, &lane, &row);
  if (bars == NULL)
    return FALSE;

  double ns_per_pixel = (double) (view->end_ns - view->begin_ns) / view->width;
  gint64 time = view->begin_ns + (gint64) (x * ns_per_pixel);
  gsize  i = 0, n_near = 0;
  if (!pick_in_row(bars, time, (gint64) ceil(ns_per_pixel), &i, &n_near))
    return FALSE;
  *bar = lac_timeline_bar(lane, row, bars, i);
  bar->n_near = n_near;
  return TRUE;
}

/* ---- by record ---- */

/* Searches the bars that end from @from_ns to @to_ns. */
static gssize
seek_record(const LacRow *row, gint64 from_ns, gint64 to_ns, gsize record)
{
  for (gsize i = lac_row_find(row, from_ns); i < row->bars->len; i++) {
    const LacBar *bar = bar_at(row, i);
    if (bar->record == record)
      return (gssize) i;
    if (bar->end_ns > to_ns)
      break;
  }
  return -1;
}

gboolean
lac_timeline_find(const LacTimeline *timeline, gsize record, LacTimelineBar *bar)
{
  g_return_val_if_fail(timeline != NULL && bar != NULL, FALSE);
  if (record >= timeline->n_records)
    return FALSE;
  const LacRecord       *found = lac_capture_at(timeline->capture, record);
  const LacTimelineLane *lane = lac_timeline_lane(timeline, found->lane);
  guint                  row =
    found->kind == LAC_RECORD_AGGREGATE && lane != NULL ? lane->depths->len : found->depth;
  const LacRow *bars = lane == NULL ? NULL : lac_timeline_lane_row(lane, row);
  gint64        end = found->start_ns + found->duration_ns;
  gssize        i = -1;
  if (bars != NULL &&
      found->kind == LAC_RECORD_AGGREGATE) /* drawn at its position within the step */
    i = seek_record(bars, G_MININT64, G_MAXINT64, record);
  else if (bars != NULL)
    i = seek_record(bars, end, end, record);
  if (i >= 0)
    *bar = lac_timeline_bar(lane, row, bars, (gsize) i);
  return i >= 0;
}

gboolean
lac_timeline_find_next(const LacTimeline    *timeline,
                       const LacTimelineBar *from,
                       int                   direction,
                       LacTimelineBar       *bar)
{
  g_return_val_if_fail(timeline != NULL && from != NULL && bar != NULL, FALSE);
  const LacTimelineLane *lane = lac_timeline_lane(timeline, from->lane);
  const LacRow          *row = lane == NULL ? NULL : lac_timeline_lane_row(lane, from->row);
  gssize i = row == NULL ? -1 : seek_record(row, from->end_ns, from->end_ns, from->record);
  if (i < 0 || i + direction < 0 || i + direction >= (gssize) row->bars->len)
    return FALSE;
  *bar = lac_timeline_bar(lane, from->row, row, (gsize) (i + direction));
  return TRUE;
}

/* ---- by name ---- */

GByteArray *
lac_timeline_match_names(const LacTimeline *timeline, const char *text)
{
  g_return_val_if_fail(timeline != NULL && text != NULL, NULL);
  guint            n = lac_capture_get_n_names(timeline->capture);
  GByteArray      *matched = g_byte_array_sized_new(n);
  g_autofree char *wanted = g_utf8_casefold(text, -1);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_utf8_casefold(lac_capture_get_name(timeline->capture, i), -1);
    guint8           is = strstr(name, wanted) != NULL;
    g_byte_array_append(matched, &is, 1);
  }
  return matched;
}

guint64
lac_timeline_count(const LacTimeline *timeline, const LacMatch *match)
{
  g_return_val_if_fail(timeline != NULL && match != NULL, 0);
  guint64 n = 0;
  for (gsize i = 0; i < match->n && i < timeline->counts->len; i++)
    n += match->names[i] ? g_array_index(timeline->counts, guint64, i) : 0;
  return n;
}

/* Returns -1, 0 or 1: order by start time, then lane, then row. */
static int
compare_bars(const LacTimelineBar *a, const LacTimelineBar *b)
{
  if (a->begin_ns != b->begin_ns)
    return a->begin_ns < b->begin_ns ? -1 : 1;
  if (a->lane != b->lane)
    return a->lane < b->lane ? -1 : 1;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return (a->record > b->record) - (a->record < b->record);
}

/* Finds the match of one row that follows @from. */
static gboolean
match_in_row(const LacTimelineLane *lane,
             guint                  row,
             const LacMatch        *match,
             const LacTimelineBar  *from,
             int                    direction,
             LacTimelineBar        *bar)
{
  const LacRow *bars = lac_timeline_lane_row(lane, row);
  gssize        n = bars->bars->len, i = direction > 0 ? 0 : n - 1;
  if (from != NULL) {
    i = (gssize) lac_row_find(bars, from->begin_ns);
    if (direction < 0)
      i = MIN(i + 1, n - 1);
  }
  while ((i = lac_row_seek(bars, i, direction, match)) >= 0) {
    *bar = lac_timeline_bar(lane, row, bars, (gsize) i);
    if (from == NULL || compare_bars(bar, from) == direction)
      return TRUE;
    i += direction;
  }
  return FALSE;
}

gboolean
lac_timeline_find_match(const LacTimeline    *timeline,
                        const LacMatch       *match,
                        const LacTimelineBar *from,
                        int                   direction,
                        LacTimelineBar       *bar)
{
  g_return_val_if_fail(timeline != NULL && match != NULL && bar != NULL, FALSE);
  gboolean any = FALSE;
  for (guint i = 0; i < timeline->lanes->len; i++) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    for (guint row = 0; lac_timeline_lane_row(lane, row) != NULL; row++) {
      LacTimelineBar found;
      if (!match_in_row(lane, row, match, from, direction, &found))
        continue;
      if (!any || compare_bars(&found, bar) == -direction)
        *bar = found;
      any = TRUE;
    }
  }
  return any;
}

void
lac_timeline_get_box(const LacTimeline    *timeline,
                     const LacTimelineBar *bar,
                     double                font_size,
                     double               *top,
                     double               *height)
{
  g_return_if_fail(timeline != NULL && bar != NULL && top != NULL && height != NULL);
  *top = lac_timeline_row_top(lac_timeline_lane(timeline, bar->lane), font_size, bar->row);
  *height = lac_timeline_row_height(font_size);
  for (guint i = 0; i < timeline->lanes->len; i++) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    if (lane->id == bar->lane)
      break;
    *top += lac_timeline_lane_height(lane, font_size);
  }
}
