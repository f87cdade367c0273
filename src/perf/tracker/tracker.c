/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tracker: its lane's records become rows. A span with a memory record behind it was tracked once; one without is one of
 * many and is summed. */
#include "perf/tracker/tracker.h"

#include "perf/recorder/lane.h"
#include "perf/recorder/perf.h"

enum { DRAIN_SCOPES = 1024 }; /* well within a ring */

#define NS 1e-9

struct _LacTracker {
  LacPerf       *perf;
  LacLane       *lane;
  LacMemoryProbe probe;
  gboolean       has_probe;
  guint          n_waiting; /* scopes that have ended and are not drained */

  LacCapture    *capture;
  GArray        *metrics; /* LacTrackMetric */
  LacAggregates *repeated;
  GArray        *statistics; /* LacTrackStatistic: what was returned last */
  LacRecord      span;       /* the last one, until what follows it is seen */
  gboolean       has_span;
  gint64         total_ns; /* of outermost scopes */
};

LacTracker *
lac_tracker_new(gboolean enabled)
{
  LacTracker *tracker = g_new0(LacTracker, 1);

  tracker->perf = lac_perf_new(enabled ? LAC_PERF_FULL : LAC_PERF_OFF);
  tracker->lane = lac_perf_lane(tracker->perf, "tracker");
  tracker->capture = lac_capture_new("tracker");
  tracker->metrics = g_array_new(FALSE, FALSE, sizeof(LacTrackMetric));
  tracker->repeated = lac_aggregates_new();
  tracker->statistics = g_array_new(FALSE, FALSE, sizeof(LacTrackStatistic));
  return tracker;
}

void
lac_tracker_free(LacTracker *tracker)
{
  if (tracker == NULL)
    return;
  g_array_unref(tracker->metrics);
  g_array_unref(tracker->statistics);
  lac_aggregates_free(tracker->repeated);
  lac_capture_unref(tracker->capture);
  lac_perf_free(tracker->perf);
  g_free(tracker);
}

void
lac_tracker_set_probe(LacTracker *tracker, const LacMemoryProbe *probe)
{
  g_return_if_fail(tracker != NULL);
  tracker->has_probe = probe != NULL;
  if (probe != NULL)
    tracker->probe = *probe;
}

/* ---- the consumer ---- */

static void
add_metric(LacTracker *tracker, const LacRecord *memory)
{
  LacTrackMetric metric = {
    .operation = lac_perf_get_name(tracker->perf, memory->name),
    .start_ns = memory->start_ns,
    .duration_ns = memory->duration_ns,
    .seconds = (double) memory->duration_ns * NS,
    .depth = memory->depth,
    .memory = {memory->cpu_delta, memory->cpu_peak, memory->gpu_delta, memory->gpu_peak},
  };

  g_array_append_val(tracker->metrics, metric);
}

static void
settle_span(LacTracker *tracker)
{
  if (tracker->has_span)
    lac_aggregates_add(tracker->repeated, &tracker->span, 1);
  tracker->has_span = FALSE;
}

static void
on_records(const LacRecord *records, gsize n, gpointer user_data)
{
  LacTracker *tracker = user_data;

  lac_capture_append(tracker->capture, records, n);
  for (gsize i = 0; i < n; i++) {
    if (records[i].kind == LAC_RECORD_MEMORY) {
      tracker->has_span = FALSE;
      add_metric(tracker, &records[i]);
      continue;
    }
    settle_span(tracker);
    tracker->span = records[i];
    tracker->has_span = TRUE;
    if (records[i].depth == 0)
      tracker->total_ns += records[i].duration_ns;
  }
}

static gint
compare_metrics(gconstpointer a, gconstpointer b)
{
  const LacTrackMetric *x = a, *y = b;

  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void
drain(LacTracker *tracker)
{
  lac_perf_drain(tracker->perf, on_records, tracker);
  lac_capture_follow(tracker->capture, tracker->perf);
  settle_span(tracker); /* nothing follows: producer and consumer are one thread */
  tracker->n_waiting = 0;
}

/* ---- scopes ---- */

void
lac_track_begin(LacTrackScope *scope, LacTracker *tracker, const char *name, LacTrackMode mode)
{
  g_return_if_fail(scope != NULL && tracker != NULL && name != NULL);
  *scope = (LacTrackScope){.mode = mode};
  if (!lac_lane_is_recording(tracker->lane))
    return;
  guint32 id = lac_perf_name(tracker->perf, name);
  scope->tracker = tracker;
  if (mode == LAC_TRACK_ONCE)
    lac_memory_span_begin(&scope->span, tracker->lane, id,
                          tracker->has_probe ? &tracker->probe : NULL);
  else
    scope->span.span = lac_span_begin(tracker->lane, id);
}

void
lac_track_end(LacTrackScope *scope)
{
  LacTracker *tracker = scope->tracker;

  if (tracker == NULL)
    return;
  scope->tracker = NULL;
  if (scope->mode == LAC_TRACK_ONCE)
    lac_memory_span_end(&scope->span, tracker->lane, -1);
  else
    lac_span_end(tracker->lane, scope->span.span, -1);
  if (++tracker->n_waiting >= DRAIN_SCOPES)
    drain(tracker);
}

/* ---- what was measured ---- */

const LacTrackMetric *
lac_tracker_get_metrics(LacTracker *tracker, gsize *n_metrics)
{
  g_return_val_if_fail(tracker != NULL && n_metrics != NULL, NULL);
  drain(tracker);
  g_array_sort(tracker->metrics, compare_metrics);
  *n_metrics = tracker->metrics->len;
  return (const LacTrackMetric *) (gconstpointer) tracker->metrics->data;
}

const LacTrackStatistic *
lac_tracker_get_statistics(LacTracker *tracker, gsize *n_statistics)
{
  gsize n_rows;

  g_return_val_if_fail(tracker != NULL && n_statistics != NULL, NULL);
  drain(tracker);
  const LacAggregate *rows = lac_aggregates_get(tracker->repeated, &n_rows);
  g_array_set_size(tracker->statistics, 0);
  for (gsize i = 0; i < n_rows; i++) {
    LacTrackStatistic statistic = {
      .operation = lac_perf_get_name(tracker->perf, rows[i].name),
      .count = rows[i].count,
      .total_seconds = rows[i].total_ns * NS,
      .mean_seconds = rows[i].mean_ns * NS,
      .min_seconds = rows[i].min_ns * NS,
      .max_seconds = rows[i].max_ns * NS,
    };
    g_array_append_val(tracker->statistics, statistic);
  }
  *n_statistics = n_rows;
  return (const LacTrackStatistic *) (gconstpointer) tracker->statistics->data;
}

double
lac_tracker_get_total_time(LacTracker *tracker)
{
  g_return_val_if_fail(tracker != NULL, 0);
  drain(tracker);
  return (double) tracker->total_ns * NS;
}

double
lac_tracker_get_operation_time(LacTracker *tracker, const char *operation)
{
  gsize  n_metrics, n_statistics;
  double seconds = 0;

  g_return_val_if_fail(tracker != NULL && operation != NULL, 0);
  const LacTrackMetric    *metrics = lac_tracker_get_metrics(tracker, &n_metrics);
  const LacTrackStatistic *statistics = lac_tracker_get_statistics(tracker, &n_statistics);
  for (gsize i = 0; i < n_metrics; i++) {
    if (g_str_equal(metrics[i].operation, operation))
      seconds += metrics[i].seconds;
  }
  for (gsize i = 0; i < n_statistics; i++) {
    if (g_str_equal(statistics[i].operation, operation))
      seconds += statistics[i].total_seconds;
  }
  return seconds;
}

const LacCapture *
lac_tracker_get_capture(LacTracker *tracker)
{
  g_return_val_if_fail(tracker != NULL, NULL);
  drain(tracker);
  return tracker->capture;
}

void
lac_tracker_clear(LacTracker *tracker)
{
  g_return_if_fail(tracker != NULL);
  drain(tracker);
  g_array_set_size(tracker->metrics, 0);
  lac_aggregates_free(tracker->repeated);
  tracker->repeated = lac_aggregates_new();
  lac_capture_unref(tracker->capture);
  tracker->capture = lac_capture_new("tracker");
  tracker->total_ns = 0;
}

/* ---- one scope by itself ---- */

void
lac_track_printed_begin(LacTrackPrinted      *self,
                        const char           *name,
                        FILE                 *sink,
                        const LacMemoryProbe *probe)
{
  g_return_if_fail(self != NULL && sink != NULL);
  self->sink = sink;
  self->tracker = lac_tracker_new(TRUE);
  lac_tracker_set_probe(self->tracker, probe);
  lac_track_begin(&self->scope, self->tracker, name, LAC_TRACK_ONCE);
}

void
lac_track_printed_end(LacTrackPrinted *self)
{
  gsize n = 0;

  if (self->tracker == NULL)
    return;
  lac_track_end(&self->scope);
  const LacTrackMetric *metric = lac_tracker_get_metrics(self->tracker, &n);
  g_autofree char      *text = n > 0 ? lac_track_metric_dup_text(metric) : g_strdup("");
  fputs(text, self->sink);
  g_clear_pointer(&self->tracker, lac_tracker_free);
}
