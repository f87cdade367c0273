/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time ranges: their bars in order, and their sums. */
#include "report/timeline/timeline-private.h"

#include <stdlib.h>

/* One row with its bars that overlap the range. */
typedef struct {
  const LacTimelineLane *lane;
  const LacRow          *bars;
  guint                  row;
  gsize                  first, end, next;
} Part;

static const LacBar *
bar_at(const LacRow *row, gsize i)
{
  return &g_array_index(row->bars, LacBar, i);
}

/* Returns the index of the first bar that begins at or after @time_ns: as bars do not overlap, at most one before it
 * ends later. */
static gsize
find_begin(const LacRow *row, gint64 time_ns)
{
  gsize i = lac_row_find(row, time_ns);
  while (i < row->bars->len && bar_at(row, i)->begin_ns < time_ns)
    i++;
  return i;
}

static GArray *
make_parts(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns)
{
  GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
  for (guint i = 0; i < timeline->lanes->len; i++) {
    Part part = {.lane = g_ptr_array_index(timeline->lanes, i)};
    for (; (part.bars = lac_timeline_lane_row(part.lane, part.row)) != NULL; part.row++) {
      part.first = part.next = lac_row_find(part.bars, begin_ns);
      part.end = MAX(find_begin(part.bars, end_ns), part.first);
      if (part.end > part.first)
        g_array_append_val(parts, part);
    }
  }
  return parts;
}

static gsize
count_parts(const GArray *parts)
{
  gsize n = 0;
  for (guint i = 0; i < parts->len; i++)
    n += g_array_index(parts, Part, i).end - g_array_index(parts, Part, i).first;
  return n;
}

gsize
lac_timeline_count_range(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail(timeline != NULL, 0);
  g_autoptr(GArray) parts = make_parts(timeline, begin_ns, end_ns);
  return count_parts(parts);
}

/* Moves every part to its first bar that begins at or after @time_ns. Returns: the number of bars skipped. */
static gsize
skip_to(GArray *parts, gint64 time_ns)
{
  gsize n = 0;
  for (guint i = 0; i < parts->len; i++) {
    Part *part = &g_array_index(parts, Part, i);
    part->next = CLAMP(find_begin(part->bars, time_ns), part->first, part->end);
    n += part->next - part->first;
  }
  return n;
}

/* Takes the next bar in order of start time over all parts. */
static gboolean
take_next(GArray *parts, LacTimelineBar *bar)
{
  Part *best = NULL;
  for (guint i = 0; i < parts->len; i++) {
    Part *part = &g_array_index(parts, Part, i);
    if (part->next < part->end && (best == NULL || bar_at(part->bars, part->next)->begin_ns <
                                                     bar_at(best->bars, best->next)->begin_ns))
      best = part;
  }
  if (best == NULL)
    return FALSE;
  *bar = lac_timeline_bar(best->lane, best->row, best->bars, best->next++);
  return TRUE;
}

gsize
lac_timeline_list(const LacTimeline *timeline,
                  gint64             begin_ns,
                  gint64             end_ns,
                  gsize              first,
                  LacTimelineBar    *bars,
                  gsize              most)
{
  g_return_val_if_fail(timeline != NULL && (bars != NULL || most == 0), 0);
  g_autoptr(GArray) parts = make_parts(timeline, begin_ns, end_ns);
  gint64            low = timeline->begin_ns, high = MAX(timeline->end_ns, low);
  while (low < high) { /* finds the latest time that skips at most @first bars */
    gint64 middle = low + (high - low + 1) / 2;
    if (skip_to(parts, middle) <= first)
      low = middle;
    else
      high = middle - 1;
  }
  gsize          n = 0;
  LacTimelineBar bar;
  for (gsize i = skip_to(parts, low); i < first && take_next(parts, &bar); i++)
    ;
  while (n < most && take_next(parts, &bar))
    bars[n++] = bar;
  return n;
}

/* ---- sums ---- */

static int
compare_records(gconstpointer a, gconstpointer b)
{
  const LacBar *x = a, *y = b;
  return (x->record > y->record) - (x->record < y->record);
}

/* Returns the record cut to the part of its bar within the range. */
static LacRecord
cut(const LacRecord *record, const LacBar *bar, gint64 begin_ns, gint64 end_ns)
{
  LacRecord part = *record;
  gint64    whole = bar->end_ns - bar->begin_ns;
  gint64    begin = MAX(bar->begin_ns, begin_ns), end = MIN(bar->end_ns, end_ns);
  if (whole <= 0 || end - begin >= whole)
    return part;
  double share = (double) (end - begin) / (double) whole;
  if (lac_record_is_interval(record)) {
    part.start_ns = begin;
    part.duration_ns = end - begin;
  } else {
    part.duration_ns = (gint64) ((double) record->duration_ns * share);
  }
  part.flops *= share;
  part.bytes *= share;
  return part;
}

/* Sums in the order of the records: a nested span precedes the span that contains it. */
LacAggregates *
lac_timeline_sum_range(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail(timeline != NULL, NULL);
  LacAggregates    *sums = lac_aggregates_new();
  g_autoptr(GArray) parts = make_parts(timeline, begin_ns, end_ns);
  g_autoptr(GArray) bars =
    g_array_sized_new(FALSE, FALSE, sizeof(LacBar), (guint) count_parts(parts));
  for (guint i = 0; i < parts->len; i++) {
    const Part *part = &g_array_index(parts, Part, i);
    g_array_append_vals(bars, bar_at(part->bars, part->first), (guint) (part->end - part->first));
  }
  g_array_sort(bars, compare_records);
  for (guint i = 0; i < bars->len; i++) {
    const LacBar *bar = &g_array_index(bars, LacBar, i);
    LacRecord     part = cut(lac_capture_at(timeline->capture, bar->record), bar, begin_ns, end_ns);
    lac_aggregates_add(sums, &part, 1);
  }
  return sums;
}
