/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One lane of the recorder: a ring, and a list of chunks for when the consumer is late. Used by perf alone. */
#pragma once

#include "perf/recorder/perf.h"
#include "perf/recorder/sink.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint16     id;
  const char *name;
  gboolean    muted;    /* nothing is recorded */
  gsize       capacity; /* of the ring, a power of two, 2 or more */
  guint64     start;    /* of the ring's counters: 0 but in tests */
  LacSink    *sink;     /* told of everything that is pushed; (nullable) */
} LacLaneSettings;

LacLane *lac_lane_new(const LacLaneSettings *settings);
void     lac_lane_free(LacLane *lane);

gboolean lac_lane_is_recording(const LacLane *lane); /* @lane: (nullable) */

/* Producer: lac_span_end(), for who pushes more about the same span. Returns: what was pushed. */
LacRecord lac_lane_end_span(LacLane *lane, LacSpan span, gint64 step);

const char *lac_lane_get_name(const LacLane *lane);
guint64     lac_lane_get_n_pushed(LacLane *lane);     /* any thread */
guint64     lac_lane_get_n_drained(LacLane *lane);    /* any thread */
guint64     lac_lane_get_n_overflowed(LacLane *lane); /* any thread: how many took the list */

/* Consumer: hands over, in order, what was pushed before the call. Returns: how many. */
gsize lac_lane_drain(LacLane *lane, LacRecordFunc func, gpointer user_data);

G_END_DECLS
