/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of a recording. */
#include "perf/trace/trace-private.h"

#include <math.h>

#define FOREVER G_MAXINT64
#define NO_SPAN G_MAXSIZE

typedef struct {
  gsize span; /* index of the last span until it is known whether a memory record follows */
  GArray      *
    group; /* gsize: indices of aggregates that began together, until the start of the next group is known */
  gint64 end_ns; /* end of the placed aggregates */
  gint64 sum_ns; /* total of the group */
} Lane;

typedef struct {
  const LacCapture *capture;
  LacTraceEventFunc func;
  gpointer          user_data;
  gint64            origin_ns;
  GArray           *lanes; /* Lane */
} Walk;

static void
clear_lane(gpointer data)
{
  Lane *lane = data;
  g_array_unref(lane->group);
}

static Lane *
find_lane(Walk *walk, guint id)
{
  while (walk->lanes->len <= id) {
    Lane lane = {NO_SPAN, g_array_new(FALSE, FALSE, sizeof(gsize)), G_MININT64, 0};
    g_array_append_val(walk->lanes, lane);
  }
  return &g_array_index(walk->lanes, Lane, id);
}

static void
report(Walk *walk, const LacRecord *record, const LacRecord *memory)
{
  const LacTraceEvent event = {
    .record = record,
    .memory = memory,
    .start_ns = record->start_ns - walk->origin_ns,
    .width_ns = lac_record_is_interval(record) ? record->duration_ns : 0,
    .track = lac_trace_track(record->lane, FALSE),
  };
  walk->func(&event, walk->user_data);
}

/* Reports the pending span of @lane, if any, with its memory record. */
static void
report_span(Walk *walk, Lane *lane, const LacRecord *memory)
{
  if (lane->span == NO_SPAN)
    return;
  report(walk, lac_capture_at(walk->capture, lane->span), memory);
  lane->span = NO_SPAN;
}

/* @until_ns: start of the next group, or FOREVER */
static void
report_group(Walk *walk, Lane *lane, gint64 until_ns)
{
  if (lane->group->len == 0)
    return;
  gint64 start_ns = lac_capture_at(walk->capture, g_array_index(lane->group, gsize, 0))->start_ns;
  gint64 at_ns = MAX(start_ns, lane->end_ns);
  gint64 room_ns = until_ns == FOREVER ? lane->sum_ns : MAX(until_ns - at_ns, 0);
  double narrow = 1;
  if (lane->sum_ns > room_ns)
    narrow = (double) room_ns / (double) lane->sum_ns;
  for (guint i = 0; i < lane->group->len; i++) {
    const LacRecord *record = lac_capture_at(walk->capture, g_array_index(lane->group, gsize, i));
    LacTraceEvent    event = {
         .record = record,
         .start_ns = at_ns - walk->origin_ns,
         .width_ns = record->duration_ns,
         .track = lac_trace_track(record->lane, TRUE),
    };
    if (narrow < 1)
      event.width_ns = (gint64) floor(narrow * (double) event.width_ns);
    walk->func(&event, walk->user_data);
    at_ns += event.width_ns;
  }
  lane->end_ns = at_ns;
  lane->sum_ns = 0;
  g_array_set_size(lane->group, 0);
}

static void
take_aggregate(Walk *walk, Lane *lane, gsize place)
{
  const LacRecord *record = lac_capture_at(walk->capture, place);
  if (lane->group->len > 0) {
    gsize first = g_array_index(lane->group, gsize, 0);
    if (lac_capture_at(walk->capture, first)->start_ns != record->start_ns)
      report_group(walk, lane, record->start_ns);
  }
  g_array_append_val(lane->group, place);
  lane->sum_ns += record->duration_ns;
}

static void
take(Walk *walk, gsize place)
{
  const LacRecord *record = lac_capture_at(walk->capture, place);
  Lane            *lane = find_lane(walk, record->lane);
  report_span(walk, lane, record->kind == LAC_RECORD_MEMORY ? record : NULL);
  if (record->kind > LAC_RECORD_KERNEL)
    return; /* kind of a newer file */
  switch ((LacRecordKind) record->kind) {
  case LAC_RECORD_SPAN: lane->span = place; break;
  case LAC_RECORD_AGGREGATE: take_aggregate(walk, lane, place); break;
  case LAC_RECORD_MEMORY: break; /* reported with its span */
  case LAC_RECORD_SPANS_DROPPED:
  case LAC_RECORD_CALLS_DROPPED: break; /* has no position in time */
  case LAC_RECORD_COUNTER:
  case LAC_RECORD_KERNEL:
  case LAC_RECORD_MARK: report(walk, record, NULL); break;
  }
}

void
lac_trace_walk(const LacCapture *capture, LacTraceEventFunc func, gpointer user_data)
{
  gint64 end_ns;
  Walk   walk = {.capture = capture, .func = func, .user_data = user_data};
  walk.lanes = g_array_new(FALSE, FALSE, sizeof(Lane));
  g_array_set_clear_func(walk.lanes, clear_lane);
  lac_capture_get_extent(capture, &walk.origin_ns, &end_ns);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++)
    take(&walk, i);
  for (guint i = 0; i < walk.lanes->len; i++) {
    Lane *lane = &g_array_index(walk.lanes, Lane, i);
    report_span(&walk, lane, NULL);
    report_group(&walk, lane, FOREVER);
  }
  g_array_unref(walk.lanes);
}

static void
clear_track(gpointer data)
{
  LacTraceTrack *track = data;
  g_free(track->name);
}

GArray *
lac_trace_dup_tracks(const LacCapture *capture)
{
  GArray *tracks = g_array_new(FALSE, FALSE, sizeof(LacTraceTrack));
  gsize   n_lanes = lac_capture_get_n_lanes(capture);
  g_array_set_clear_func(tracks, clear_track);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++)
    n_lanes = MAX(n_lanes, lac_capture_at(capture, i)->lane + (gsize) 1);
  g_autofree gboolean *beside = g_new0(gboolean, n_lanes);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    beside[record->lane] |= record->kind == LAC_RECORD_AGGREGATE;
  }
  for (guint lane = 0; lane < n_lanes; lane++) {
    const char   *name = lac_capture_get_lane(capture, (guint16) lane);
    LacTraceTrack track = {lac_trace_track(lane, FALSE), g_strdup(name)};
    g_array_append_val(tracks, track);
    if (!beside[lane])
      continue;
    track = (LacTraceTrack){lac_trace_track(lane, TRUE), g_strdup_printf("%s: operations", name)};
    g_array_append_val(tracks, track);
  }
  return tracks;
}

const char *
lac_trace_key_text(LacTraceKey key)
{
  static const char *const texts[] = {
#define K(key, text) text,
    LAC_TRACE_KEYS(K)
#undef K
  };
  return texts[key];
}

static guint
put_whole(LacTraceNumber *numbers, guint n, LacTraceKey key, gint64 value)
{
  numbers[n] = (LacTraceNumber){.key = key, .is_whole = TRUE, .whole = value};
  return n + 1;
}

static guint
put_real(LacTraceNumber *numbers, guint n, LacTraceKey key, double value)
{
  numbers[n] = (LacTraceNumber){.key = key, .real = value};
  return n + 1;
}

static guint
put_memory(LacTraceNumber *numbers, guint n, const LacRecord *memory)
{
  const struct {
    LacTraceKey key;
    gint64      value;
  } rows[] = {{LAC_TRACE_KEY_CPU_DELTA, memory->cpu_delta},
              {LAC_TRACE_KEY_CPU_PEAK, memory->cpu_peak},
              {LAC_TRACE_KEY_GPU_DELTA, memory->gpu_delta},
              {LAC_TRACE_KEY_GPU_PEAK, memory->gpu_peak}};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    if (rows[i].value != LAC_RECORD_UNKNOWN)
      n = put_whole(numbers, n, rows[i].key, rows[i].value);
  }
  return n;
}

guint
lac_trace_numbers(const LacTraceEvent *event,
                  gint64               origin_ns,
                  LacTraceNumber       numbers[LAC_TRACE_N_KEYS])
{
  const LacRecord *record = event->record;
  guint            n = 0;
  if (record->kind == LAC_RECORD_COUNTER)
    return put_real(numbers, 0, LAC_TRACE_KEY_VALUE, record->value);
  n = put_whole(numbers, n, LAC_TRACE_KEY_STEP, record->step);
  n = put_whole(numbers, n, LAC_TRACE_KEY_COUNT, (gint64) record->count);
  if (record->flops != 0)
    n = put_real(numbers, n, LAC_TRACE_KEY_FLOPS, record->flops);
  if (record->bytes != 0)
    n = put_real(numbers, n, LAC_TRACE_KEY_BYTES, record->bytes);
  if (record->memory >= 0)
    n = put_whole(numbers, n, LAC_TRACE_KEY_MEMORY, record->memory);
  if (record->kind == LAC_RECORD_SPAN && record->epoch != 0)
    n = put_whole(numbers, n, LAC_TRACE_KEY_EPOCH, record->epoch);
  if (record->kind == LAC_RECORD_SPAN && record->batch != 0)
    n = put_whole(numbers, n, LAC_TRACE_KEY_BATCH, record->batch);
  if (event->memory != NULL)
    n = put_memory(numbers, n, event->memory);
  if (record->kind == LAC_RECORD_AGGREGATE) {
    n = put_whole(numbers, n, LAC_TRACE_KEY_BEGIN, record->start_ns - origin_ns);
    n = put_whole(numbers, n, LAC_TRACE_KEY_TOTAL, record->duration_ns);
  }
  return n;
}
