/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared parts of the trace writers: the file, and the events of a recording as drawn by a viewer. Private to perf. */
#pragma once

#include "perf/trace/keys.h"
#include "perf/trace/trace.h"

#include <stdio.h>

G_BEGIN_DECLS

/* The event of one record. A lane has two tracks, one for its spans and one for the aggregates of each step, since
 * viewers require events on a track to nest. Aggregates have a duration but no position, so they are laid end to end;
 * when several threads make them longer than their step, all are scaled down by one factor. */
typedef struct {
  const LacRecord *record;             /* span, aggregate, counter or mark in the capture */
  const LacRecord *memory;             /* (nullable): memory record of a span */
  gint64           start_ns, width_ns; /* drawn position, relative to the first record */
  guint            track;              /* lac_trace_track() */
} LacTraceEvent;

static inline guint
lac_trace_track(guint lane, gboolean aggregates)
{
  return 2 * lane + (aggregates ? 1 : 0);
}

typedef void (*LacTraceEventFunc)(const LacTraceEvent *event, gpointer user_data);

/* Calls @func once per event; events of a track come in the order of their records. */
void lac_trace_walk(const LacCapture *capture, LacTraceEventFunc func, gpointer user_data);

typedef struct {
  guint track;
  char *name; /* name of the lane; "NAME: operations" for its aggregates */
} LacTraceTrack;

/* Returns: (transfer full): array of LacTraceTrack: every lane with a name or records, and its aggregates if it has
 * any. */
GArray *lac_trace_dup_tracks(const LacCapture *capture);

/* Numeric attributes of an event besides its drawn position. */
typedef struct {
  LacTraceKey key;
  gboolean    is_whole;
  gint64      whole;
  double      real;
} LacTraceNumber;

/* Fills @numbers with the numeric attributes of the event. Returns: the number of entries written. */
guint lac_trace_numbers(const LacTraceEvent *event,
                        gint64               origin_ns,
                        LacTraceNumber       numbers[LAC_TRACE_N_KEYS]);

/* Link from an iteration to the frame saved after it, drawn as an arrow. */
typedef struct {
  gint64           begin_ns, end_ns;
  guint16          lane;
  const LacRecord *frame; /* in the capture: the span that wrote the frame */
} LacTraceFlow;

/* The arrows of a recording. */
typedef struct {
  GArray *frames; /* LacTraceFlow, ordered by time */
  GHashTable *
    launches; /* span that launched a timed step -> its first kernel, both LacRecord in the capture */
} LacTraceFlows;

void lac_trace_flows_init(LacTraceFlows *flows, const LacCapture *capture);
void lac_trace_flows_clear(LacTraceFlows *flows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTraceFlows, lac_trace_flows_clear)

/* Finds the record to which the arrow of @event points: of an aggregate, the frame saved after the iteration that
 * contains it; of a launch, its first kernel. Returns: (nullable) */
const LacRecord *lac_trace_find_target(const LacTraceFlows *flows, const LacTraceEvent *event);

void lac_trace_put_perfetto(const LacCapture *capture, FILE *file);

G_END_DECLS
