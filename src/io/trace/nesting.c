/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depths and lanes of spans. Programs write spans in order of their begin, outer before inner, or of their end, inner
 * before outer; the second becomes the first when read backwards with time reversed. Any other order is sorted. A
 * capture stores spans in order of their end. */
#include "io/trace/trace-private.h"

#include <stdlib.h>

enum { DEEPEST = 255, MOST_BESIDE = 64 };

/* An interval in the time direction in which outer spans come first. */
typedef struct {
  gint64 begin, end;
} Interval;

typedef struct {
  LacRecord *records;
  guint32   *places; /* indices of one thread's records */
  gsize      n;
} Part;

typedef struct {
  GArray *ends[MOST_BESIDE]; /* gint64: ends of open spans, per additional lane; NULL: unused */
  guint   n_used;
} Nest;

static Interval
interval_of(const LacRecord *record, gboolean backwards)
{
  const gint64 begin = record->start_ns, end = record->start_ns + record->duration_ns;
  return backwards ? (Interval){-end, -begin} : (Interval){begin, end};
}

static gboolean
is_before(Interval a, Interval b)
{
  return a.begin < b.begin || (a.begin == b.begin && a.end >= b.end);
}

static void
watch_span(LacTraceThread *thread, gint64 begin_ns, gint64 end_ns)
{
  const Interval before = {thread->span_begin_ns, thread->span_end_ns}, now = {begin_ns, end_ns};
  const Interval before_back = {-before.end, -before.begin}, now_back = {-now.end, -now.begin};
  if (thread->has_span) {
    thread->is_not_forwards |= !is_before(before, now);
    thread->is_not_backwards |= !is_before(now_back, before_back);
  }
  thread->has_span = TRUE;
  thread->span_begin_ns = begin_ns;
  thread->span_end_ns = end_ns;
}

void
lac_trace_watch(LacTraceThread *thread, const LacRecord *record)
{
  gint64 end_ns = record->start_ns;
  if (record->kind == LAC_RECORD_SPAN) {
    end_ns += record->duration_ns;
    watch_span(thread, record->start_ns, end_ns);
  } else if (record->kind == LAC_RECORD_MEMORY) {
    thread->has_memory = TRUE; /* stays with its span */
  } else {
    thread->is_not_timely |= thread->has_other && record->start_ns < thread->other_ns;
    thread->has_other = TRUE;
    thread->other_ns = record->start_ns;
  }
  thread->last_ns = thread->n_records == 0 ? end_ns : MAX(thread->last_ns, end_ns);
  thread->n_records++;
}

typedef struct {
  Interval interval;
  guint32  place;
  guint8   depth;
} Key;

static int
compare_begins(const void *a, const void *b)
{
  const Key *x = a, *y = b;
  if (x->interval.begin != y->interval.begin)
    return x->interval.begin < y->interval.begin ? -1 : 1;
  if (x->interval.end != y->interval.end)
    return x->interval.end > y->interval.end ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Compares by end, once depths are known. */
static int
compare_ends(const void *a, const void *b)
{
  const Key *x = a, *y = b;
  if (x->interval.end != y->interval.end)
    return x->interval.end < y->interval.end ? -1 : 1;
  if (x->interval.begin != y->interval.begin)
    return x->interval.begin > y->interval.begin ? -1 : 1;
  if (x->depth != y->depth)
    return x->depth > y->depth ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static gsize
index_of(const guint32 *places, gsize n, guint32 place)
{
  gsize low = 0, high = n;
  while (low < high) {
    const gsize middle = (low + high) / 2;
    if (places[middle] < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Sorts the records of a thread, within their positions, by begin with outer first or by end with inner first; a
 * memory record stays after its span, because both have the same time. */
static void
sort(const Part *part, int (*compare)(const void *a, const void *b))
{
  g_autofree Key    *keys = g_new(Key, part->n);
  g_autofree guint8 *is_done = g_malloc0(part->n);
  for (gsize i = 0; i < part->n; i++) {
    const LacRecord *record = &part->records[part->places[i]];
    keys[i] = (Key){interval_of(record, FALSE), part->places[i], record->depth};
    if (record->kind != LAC_RECORD_SPAN && record->kind != LAC_RECORD_MEMORY)
      keys[i].interval.end = record->start_ns;
  }
  qsort(keys, part->n, sizeof *keys, compare);
  for (gsize first = 0; first < part->n; first++) {
    if (is_done[first])
      continue;
    const LacRecord kept = part->records[part->places[first]];
    for (gsize at = first;;) { /* a cycle of the permutation */
      const gsize from = index_of(part->places, part->n, keys[at].place);
      is_done[at] = TRUE;
      if (from == first) {
        part->records[part->places[at]] = kept;
        break;
      }
      part->records[part->places[at]] = part->records[keys[at].place];
      at = from;
    }
  }
}

/* Returns: the depth in an additional lane; -1 when @interval overlaps with an open span there. */
static gint
try_lane(GArray *ends, Interval interval)
{
  while (ends->len > 0 && g_array_index(ends, gint64, ends->len - 1) <= interval.begin)
    g_array_set_size(ends, ends->len - 1);
  if (ends->len > 0 && g_array_index(ends, gint64, ends->len - 1) < interval.end)
    return -1;
  g_array_append_val(ends, interval.end);
  return (gint) ends->len - 1;
}

/* Sets the depth, and the sequence to the additional lane: MOST_BESIDE when there is none. */
static void
place(Nest *nest, LacRecord *record, Interval interval)
{
  gint depth = -1;
  for (guint i = 0; i < MOST_BESIDE; i++) {
    if (i == nest->n_used)
      nest->ends[nest->n_used++] = g_array_new(FALSE, FALSE, sizeof(gint64));
    depth = try_lane(nest->ends[i], interval);
    if (depth >= 0) {
      record->sequence = i;
      record->depth = (guint8) MIN(depth, DEEPEST);
      return;
    }
  }
  record->sequence = MOST_BESIDE;
}

/* Assigns memory records to the lane of their span. */
static void
follow_spans(const Part *part)
{
  for (gsize i = 1; i < part->n; i++) {
    LacRecord       *record = &part->records[part->places[i]];
    const LacRecord *before = &part->records[part->places[i - 1]];
    if (record->kind == LAC_RECORD_MEMORY) {
      record->sequence = before->sequence;
      record->depth = before->depth;
    }
  }
}

/* Returns: the number of lanes needed. */
static guint
nest_thread(const LacTraceThread *thread, const Part *part)
{
  Nest     nest = {.n_used = 0};
  gboolean backwards = thread->is_not_forwards && !thread->is_not_backwards;
  gboolean by_end = !thread->is_not_backwards;
  if (thread->is_not_timely || (thread->is_not_forwards && thread->is_not_backwards)) {
    sort(part, compare_begins);
    backwards = by_end = FALSE;
  }
  for (gsize i = 0; i < part->n; i++) {
    LacRecord *record = &part->records[part->places[backwards ? part->n - 1 - i : i]];
    if (record->kind == LAC_RECORD_SPAN)
      place(&nest, record, interval_of(record, backwards));
    else
      record->sequence = 0;
  }
  if (thread->has_memory)
    follow_spans(part);
  if (!by_end)
    sort(part, compare_ends);
  for (guint i = 0; i < nest.n_used; i++)
    g_array_unref(nest.ends[i]);
  return MAX(nest.n_used, 1);
}

/* Removes records without a lane. */
static gsize
drop_left(LacTraceBuilder *builder)
{
  gsize to = 0;
  for (gsize i = 0; i < builder->n_records; i++) {
    if (builder->records[i].sequence < MOST_BESIDE)
      builder->records[to++] = builder->records[i];
  }
  const gsize n_left = builder->n_records - to;
  builder->n_records = to;
  return n_left;
}

gsize
lac_trace_nest(LacTraceBuilder *builder)
{
  const guint         n_threads = builder->threads->len;
  g_autofree guint32 *places = g_new(guint32, builder->n_records);
  g_autofree gsize   *first = g_new0(gsize, n_threads + 1);
  g_autofree gsize   *next = g_new(gsize, n_threads + 1);
  gboolean            is_full = FALSE;

  for (guint i = 0; i < n_threads; i++)
    first[i + 1] = first[i] + g_array_index(builder->threads, LacTraceThread, i).n_records;
  for (guint i = 0; i < n_threads; i++)
    next[i] = first[i];
  for (gsize i = 0; i < builder->n_records; i++)
    places[next[builder->records[i].lane]++] = (guint32) i;
  for (guint i = 0; i < n_threads; i++) {
    LacTraceThread *thread = &g_array_index(builder->threads, LacTraceThread, i);
    const Part      part = {builder->records, places + first[i], first[i + 1] - first[i]};
    thread->n_lanes = part.n > 0 ? nest_thread(thread, &part) : 0;
    is_full |= thread->n_lanes == MOST_BESIDE;
  }
  return is_full ? drop_left(builder) : 0;
}
