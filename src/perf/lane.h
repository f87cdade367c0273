/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One producing thread's records: a ring, and behind it a list that takes what the ring has no room for. */
#pragma once

#include "perf/perf.h"

G_BEGIN_DECLS

typedef struct {
  guint16     id;
  const char *name;
  gsize       capacity; /* of the ring; a power of two */
  guint64     start;    /* as lac_ring_new() */
  gboolean    muted;    /* recording is off: whatever is pushed is ignored */
} LacLaneSettings;

LacLane    *lac_lane_new(const LacLaneSettings *settings);
void        lac_lane_free(LacLane *lane);
const char *lac_lane_get_name(const LacLane *lane);

/* Producer: nesting of spans. Leaving returns the depth that was entered. */
void   lac_lane_enter(LacLane *lane);
guint8 lac_lane_leave(LacLane *lane);

/* Consumer: hands over all there is, in order. */
gsize lac_lane_drain(LacLane *lane, LacRecordFunc func, gpointer user_data);

/* Consumer's view; exact once the producer rests. */
guint64 lac_lane_get_n_pushed(const LacLane *lane);

G_END_DECLS
