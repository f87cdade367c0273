/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of one operation and their histogram. */
#include "report/timeline/durations.h"

#include "perf/analysis/histogram.h"
#include "report/timeline/timeline-private.h"

#include <math.h>

#define BEYOND 1.06 /* margin of a histogram at both ends, as a factor */

typedef struct {
  gint64  begin_ns, end_ns; /* of the bar */
  double  ns;               /* of one call */
  guint64 n_calls;
  guint32 record;
  guint16 lane, row;
} Duration;

struct _LacDurations {
  GArray      *items; /* of Duration, in order of start time */
  LacHistogram sizes;
  guint64      n_calls;
  guint32      name;
  gint64       longest_ns; /* longest bar */
  double       least_ns, most_ns;
};

static LacDurations *
new_of(guint32 name)
{
  LacDurations *durations = g_new0(LacDurations, 1);
  durations->items = g_array_new(FALSE, FALSE, sizeof(Duration));
  durations->name = name;
  return durations;
}

void
lac_durations_free(LacDurations *durations)
{
  if (durations == NULL)
    return;
  g_array_unref(durations->items);
  lac_histogram_clear(&durations->sizes);
  g_free(durations);
}

static const Duration *
item_at(const LacDurations *durations, gsize i)
{
  return &g_array_index(durations->items, Duration, i);
}

static void
add(LacDurations *durations, const LacRecord *record, Duration item)
{
  if (record->count == 0)
    return;
  item.n_calls = record->count;
  item.ns = (double) record->duration_ns / (double) record->count;
  durations->least_ns = durations->n_calls == 0 ? item.ns : MIN(durations->least_ns, item.ns);
  durations->most_ns = MAX(durations->most_ns, item.ns);
  durations->n_calls += record->count;
  durations->longest_ns = MAX(durations->longest_ns, item.end_ns - item.begin_ns);
  lac_histogram_add(&durations->sizes, record->duration_ns / (gint64) record->count, record->count);
  g_array_append_val(durations->items, item);
}

/* ---- of a timeline ---- */

/* Bars of one row with the name. */
typedef struct {
  const LacTimelineLane *lane;
  const LacRow          *bars;
  guint16                row;
  gssize                 next; /* -1: end of the row */
} Source;

static const LacBar *
bar_of(const Source *source)
{
  return &g_array_index(source->bars->bars, LacBar, source->next);
}

static void
seek(Source *source, gssize from, const LacMatch *match, gint64 end_ns)
{
  source->next = lac_row_seek(source->bars, from, 1, match);
  if (source->next >= 0 && bar_of(source)->begin_ns >= end_ns)
    source->next = -1;
}

/* Finds the rows of spans with the name or, without any, of operations. */
static GArray *
find_sources(const LacTimeline *timeline, const LacMatch *match, gint64 begin_ns, gint64 end_ns)
{
  g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(Source));
  g_autoptr(GArray) operations = g_array_new(FALSE, FALSE, sizeof(Source));
  gboolean          any = FALSE;
  for (guint i = 0; i < timeline->lanes->len; i++) {
    Source source = {.lane = g_ptr_array_index(timeline->lanes, i)};
    for (; (source.bars = lac_timeline_lane_row(source.lane, source.row)) != NULL; source.row++) {
      gboolean is_span = source.row < source.lane->depths->len;
      any |= is_span && lac_row_seek(source.bars, 0, 1, match) >= 0;
      seek(&source, (gssize) lac_row_find(source.bars, begin_ns), match, end_ns);
      if (source.next >= 0)
        g_array_append_val(is_span ? spans : operations, source);
    }
  }
  return g_array_ref(any ? spans : operations);
}

static Source *
find_first(GArray *sources)
{
  Source *first = NULL;
  for (guint i = 0; i < sources->len; i++) {
    Source *source = &g_array_index(sources, Source, i);
    if (source->next >= 0 && (first == NULL || bar_of(source)->begin_ns < bar_of(first)->begin_ns))
      first = source;
  }
  return first;
}

LacDurations *
lac_durations_of_range(const LacTimeline *timeline, guint32 name, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail(timeline != NULL, NULL);
  LacDurations      *durations = new_of(name);
  g_autofree guint8 *names = g_new0(guint8, (gsize) name + 1);
  const LacMatch     match = {names, (gsize) name + 1};
  names[name] = 1;
  g_autoptr(GArray) sources = find_sources(timeline, &match, begin_ns, end_ns);
  Source           *source;
  while ((source = find_first(sources)) != NULL) {
    const LacBar *bar = bar_of(source);
    add(durations, lac_capture_at(timeline->capture, bar->record),
        (Duration){.begin_ns = bar->begin_ns,
                   .end_ns = bar->end_ns,
                   .record = bar->record,
                   .lane = source->lane->id,
                   .row = source->row});
    seek(source, source->next + 1, &match, end_ns);
  }
  return durations;
}

LacDurations *
lac_durations_of_capture(const LacCapture *capture, guint32 name)
{
  const LacRecord        *records;
  gsize                   first = 0, n;
  g_autoptr(LacDurations) operations = new_of(name);
  g_autoptr(LacDurations) spans = new_of(name);
  g_return_val_if_fail(capture != NULL, NULL);
  for (; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++) {
      const LacRecord *record = &records[i];
      Duration         item = {.begin_ns = record->start_ns,
                               .end_ns = record->start_ns + record->duration_ns,
                               .record = (guint32) (first + i),
                               .lane = record->lane};
      if (record->name != name)
        continue;
      if (record->kind == LAC_RECORD_SPAN)
        add(spans, record, item);
      else if (record->kind == LAC_RECORD_AGGREGATE)
        add(operations, record, item);
    }
  return spans->items->len > 0 ? g_steal_pointer(&spans) : g_steal_pointer(&operations);
}

gsize
lac_durations_get_n(const LacDurations *durations)
{
  g_return_val_if_fail(durations != NULL, 0);
  return durations->items->len;
}

guint64
lac_durations_get_n_calls(const LacDurations *durations)
{
  g_return_val_if_fail(durations != NULL, 0);
  return durations->n_calls;
}

double
lac_durations_get_quantile(const LacDurations *durations, double share)
{
  g_return_val_if_fail(durations != NULL, (double) NAN);
  double quantile = lac_histogram_get_quantile(&durations->sizes, share);
  return CLAMP(quantile, durations->least_ns, durations->most_ns);
}

static const struct {
  const char *name;
  double      share;
} percentiles[LAC_N_PERCENTILES] = {
  [LAC_PERCENTILE_50] = {"p50", 0.5},      [LAC_PERCENTILE_75] = {"p75", 0.75},
  [LAC_PERCENTILE_90] = {"p90", 0.9},      [LAC_PERCENTILE_99] = {"p99", 0.99},
  [LAC_PERCENTILE_999] = {"p99.9", 0.999},
};

const char *
lac_percentile_get_name(LacPercentile percentile)
{
  g_return_val_if_fail(percentile < LAC_N_PERCENTILES, NULL);
  return percentiles[percentile].name;
}

double
lac_durations_get_percentile(const LacDurations *durations, LacPercentile percentile)
{
  g_return_val_if_fail(percentile < LAC_N_PERCENTILES, (double) NAN);
  return lac_durations_get_quantile(durations, percentiles[percentile].share);
}

double *
lac_durations_dup_sample(const LacDurations *durations, gsize most, gsize *n)
{
  g_return_val_if_fail(durations != NULL && most > 0 && n != NULL, NULL);
  gsize all = durations->items->len;
  *n = MIN(all, most);
  double *sample = g_new(double, *n + 1);
  for (gsize i = 0; i < *n; i++)
    sample[i] = MAX(item_at(durations, i * all / *n)->ns, 1);
  return sample;
}

/* ---- calls in a range of durations ---- */

static gboolean
is_chosen(const Duration *item, const LacDurationChoice *choice)
{
  return item->ns >= choice->low_ns && item->ns <= choice->high_ns &&
         item->end_ns >= choice->begin_ns && item->begin_ns < choice->end_ns;
}

/* Returns the first item that may extend beyond @time_ns. */
static gsize
find_item(const LacDurations *durations, gint64 time_ns)
{
  gsize  low = 0, high = durations->items->len;
  gint64 from =
    time_ns < G_MININT64 + durations->longest_ns ? G_MININT64 : time_ns - durations->longest_ns;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (item_at(durations, middle)->begin_ns < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

LacDurationSum
lac_durations_sum(const LacDurations *durations, const LacDurationChoice *choice)
{
  LacDurationSum sum = {0};
  g_return_val_if_fail(durations != NULL && choice != NULL, sum);
  for (gsize i = find_item(durations, choice->begin_ns); i < durations->items->len; i++) {
    const Duration *item = item_at(durations, i);
    if (item->begin_ns >= choice->end_ns)
      break;
    if (!is_chosen(item, choice))
      continue;
    sum.n++;
    sum.n_calls += item->n_calls;
    sum.total_ns += item->ns * (double) item->n_calls;
  }
  return sum;
}

static LacTimelineBar
bar_from(const LacDurations *durations, const Duration *item)
{
  return (LacTimelineBar){
    .record = item->record,
    .begin_ns = item->begin_ns,
    .end_ns = item->end_ns,
    .name = durations->name,
    .lane = item->lane,
    .row = item->row,
    .n_near = 1,
  };
}

gsize
lac_durations_list(const LacDurations      *durations,
                   const LacDurationChoice *choice,
                   gsize                    first,
                   LacTimelineBar          *bars,
                   gsize                    most)
{
  gsize n = 0;
  g_return_val_if_fail(durations != NULL && choice != NULL, 0);
  for (gsize i = find_item(durations, choice->begin_ns); i < durations->items->len && n < most;
       i++) {
    const Duration *item = item_at(durations, i);
    if (item->begin_ns >= choice->end_ns)
      break;
    if (!is_chosen(item, choice))
      continue;
    if (first > 0)
      first--;
    else
      bars[n++] = bar_from(durations, item);
  }
  return n;
}

/* Right end of the last frame drawn in a row. */
typedef struct {
  guint16 lane, row;
  double  right, top, height;
} Framed;

static Framed *
find_framed(GArray *rows, const Duration *item)
{
  for (guint i = 0; i < rows->len; i++) {
    Framed *framed = &g_array_index(rows, Framed, i);
    if (framed->lane == item->lane && framed->row == item->row)
      return framed;
  }
  return NULL;
}

static void
frame(LacDrawing *drawing, const Framed *at, double left, double right, LacColour colour)
{
  LacColour within = colour;
  within.alpha = 0.25F;
  lac_draw_rectangle(drawing, left, at->top, right - left, at->height, within);
  lac_draw_rectangle(drawing, left, at->top - 1, right - left, 2, colour);
  lac_draw_rectangle(drawing, left, at->top + at->height - 1, right - left, 2, colour);
}

void
lac_durations_draw_marks(const LacDurations      *durations,
                         const LacDurationChoice *choice,
                         const LacTimeline       *timeline,
                         LacDrawing              *drawing,
                         const LacTimelineView   *view,
                         LacColour                colour)
{
  g_return_if_fail(durations != NULL && choice != NULL && timeline != NULL && view != NULL);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Framed));
  double            scale = view->width / (double) MAX(view->end_ns - view->begin_ns, 1);
  for (gsize i = find_item(durations, view->begin_ns); i < durations->items->len; i++) {
    const Duration *item = item_at(durations, i);
    if (item->begin_ns >= view->end_ns)
      break;
    if (item->end_ns < view->begin_ns || !is_chosen(item, choice))
      continue;
    Framed *framed = find_framed(rows, item);
    if (framed == NULL) {
      Framed               added = {.lane = item->lane, .row = item->row, .right = -G_MAXDOUBLE};
      const LacTimelineBar bar = bar_from(durations, item);
      lac_timeline_get_box(timeline, &bar, view->font_size, &added.top, &added.height);
      added.top -= view->offset;
      g_array_append_val(rows, added);
      framed = &g_array_index(rows, Framed, rows->len - 1);
    }
    double left = MAX((double) (item->begin_ns - view->begin_ns) * scale, -2);
    double right = MIN((double) (item->end_ns - view->begin_ns) * scale, view->width + 2);
    if (right < framed->right + 1)
      continue;
    left = MAX(floor(left), framed->right);
    framed->right = MAX(ceil(right), left + 2);
    frame(drawing, framed, left, framed->right, colour);
  }
}

/* ---- a histogram ---- */

gboolean
lac_durations_find_ends(LacDurations *const *durations, gsize n, double *low_ns, double *high_ns)
{
  double low = INFINITY, high = 0;
  g_return_val_if_fail(durations != NULL && low_ns != NULL && high_ns != NULL, FALSE);
  for (gsize k = 0; k < n; k++)
    if (durations[k]->n_calls > 0) {
      low = MIN(low, MAX(durations[k]->least_ns, 1));
      high = MAX(high, MAX(durations[k]->most_ns, 1));
    }
  *low_ns = low / BEYOND;
  *high_ns = high * BEYOND;
  return high > 0;
}

LacDurationBins
lac_durations_bin(const LacDurations *durations, double low_ns, double high_ns)
{
  LacDurationBins bins = {.low_ns = low_ns, .high_ns = high_ns};
  g_return_val_if_fail(durations != NULL && low_ns > 0 && high_ns > low_ns, bins);
  double scale = LAC_DURATION_BINS / log(high_ns / low_ns);
  for (gsize i = 0; i < durations->items->len; i++) {
    const Duration *item = item_at(durations, i);
    double          place = floor(log(MAX(item->ns, 1) / low_ns) * scale);
    guint64        *count = &bins.counts[(gsize) CLAMP(place, 0, LAC_DURATION_BINS - 1)];
    *count += item->n_calls;
    bins.most = MAX(bins.most, *count);
    bins.n_calls += item->n_calls;
  }
  return bins;
}

double
lac_duration_bins_get_edge(const LacDurationBins *bins, gsize i)
{
  g_return_val_if_fail(bins != NULL && i <= LAC_DURATION_BINS, (double) NAN);
  if (i == LAC_DURATION_BINS)
    return bins->high_ns;
  return bins->low_ns * pow(bins->high_ns / bins->low_ns, (double) i / LAC_DURATION_BINS);
}
