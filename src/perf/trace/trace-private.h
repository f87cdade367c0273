/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writers of traces share: the file, and the events of a recording as a viewer draws them. Used by perf alone. */
#pragma once

#include "perf/trace/keys.h"
#include "perf/trace/trace.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Of one record. A lane has two tracks, for a viewer wants what is on one to nest: its spans, and beside them the aggregates
 * of each step. These have a duration and no place, so they are laid one after the other; where that is longer than the step
 * took, for several threads worked, all are drawn narrower by one factor. */
typedef struct {
  const LacRecord *record;             /* span, aggregate, counter or mark; of the capture */
  const LacRecord *memory;             /* of a span: what it changed; (nullable) */
  gint64           start_ns, width_ns; /* where it is drawn, from the first record on */
  guint            track;              /* lac_trace_track() */
} LacTraceEvent;

static inline guint
lac_trace_track(guint lane, gboolean aggregates)
{
  return 2 * lane + (aggregates ? 1 : 0);
}

typedef void (*LacTraceEventFunc)(const LacTraceEvent *event, gpointer user_data);

/* Every event once; those of a track in the order of their records. */
void lac_trace_walk(const LacCapture *capture, LacTraceEventFunc func, gpointer user_data);

typedef struct {
  guint track;
  char *name; /* of the lane; "NAME: operations" of its aggregates */
} LacTraceTrack;

/* Returns: (transfer full): of LacTraceTrack: every lane that has a name or records, and its aggregates where it has any. */
GArray *lac_trace_dup_tracks(const LacCapture *capture);

/* The numbers of an event besides where it is drawn. */
typedef struct {
  LacTraceKey key;
  gboolean    is_whole;
  gint64      whole;
  double      real;
} LacTraceNumber;

/* Returns: how many were put into @numbers. */
guint lac_trace_numbers(const LacTraceEvent *event,
                        gint64               origin_ns,
                        LacTraceNumber       numbers[LAC_TRACE_N_KEYS]);

/* The iteration after which a frame was kept. */
typedef struct {
  gint64           begin_ns, end_ns;
  guint16          lane;
  const LacRecord *frame; /* of the capture: the span in which it was written */
} LacTraceFlow;

/* Returns: (transfer full): of LacTraceFlow, in the order of time. */
GArray *lac_trace_dup_flows(const LacCapture *capture);

/* Of an operation: the frame that it led to, which an arrow points at. Returns: (nullable) */
const LacRecord *lac_trace_find_frame(const GArray *flows, const LacTraceEvent *event);

void lac_trace_put_perfetto(const LacCapture *capture, FILE *file);

G_END_DECLS
