/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One lane of the recorder: a chain of lock-free rings, of which the consumer recycles those that it has emptied. Private to
 * perf. */
#pragma once

#include "perf/recorder/perf.h"
#include "perf/recorder/sink.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint16     id;
  const char *name;
  gboolean    muted;    /* nothing is recorded */
  gsize       capacity; /* capacity of each ring, a power of two, 2 or more */
  guint64     start;    /* initial value of the ring's counters: nonzero only in tests */
  LacSink    *sink;     /* (nullable): notified of every pushed record */
} LacLaneSettings;

LacLane *lac_lane_new(const LacLaneSettings *settings);
void     lac_lane_free(LacLane *lane);

gboolean lac_lane_is_recording(const LacLane *lane); /* @lane: (nullable) */

/* Producer: does the same as lac_span_end(), for callers that push more records about the span. Returns: the pushed
 * record. */
LacRecord lac_lane_end_span(LacLane *lane, LacSpan span, gint64 step);

const char *lac_lane_get_name(const LacLane *lane);
guint64     lac_lane_get_n_pushed(LacLane *lane);  /* any thread */
guint64     lac_lane_get_n_drained(LacLane *lane); /* any thread */
guint64
lac_lane_get_n_spilled(LacLane *lane); /* any thread: rings that the producer had to allocate */

/* Consumer: delivers, in order, the records pushed before the call. Returns: their number. */
gsize lac_lane_drain(LacLane *lane, LacRecordFunc func, gpointer user_data);

G_END_DECLS
