/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline is made of: lanes of rows. */
#pragma once

#include "report/timeline/timeline.h"

G_BEGIN_DECLS

/* One lane: a row for each depth, and the operations of its steps. */
typedef struct {
  guint16    id;
  GPtrArray *depths;     /* of LacRow, by depth */
  LacRow    *operations; /* NULL where the lane has no aggregates */
  GArray    *waiting;    /* of gsize: aggregates of the step that is not yet known to have ended */
} LacTimelineLane;

struct _LacTimeline {
  LacCapture  *capture;
  gsize        n_records; /* of the capture that are in the rows */
  GPtrArray   *lanes;     /* of LacTimelineLane, as they stand below one another */
  GArray      *marks;     /* of gsize */
  GArray      *counts;    /* of guint64: bars by name */
  LacStepTimes step_times;
  gint64       begin_ns, end_ns;
};

/* Row @row of a lane: its depths, then its operations. Returns: NULL past the last. */
const LacRow *lac_timeline_lane_row(const LacTimelineLane *lane, guint row);
/* The lane with @id; NULL without one. */
const LacTimelineLane *lac_timeline_lane(const LacTimeline *timeline, guint16 id);
/* Bar @i of a row, in full. */
LacTimelineBar
lac_timeline_bar(const LacTimelineLane *lane, guint row, const LacRow *bars, gsize i);

/* Where things stand, of a font of @size: the lanes below the ruler, the rows of a lane. */
double lac_timeline_lane_height(const LacTimelineLane *lane, double size);
double lac_timeline_row_top(double size, guint row); /* within its lane */
double lac_timeline_row_height(double size);         /* of a bar: rows stand a pixel apart */

G_END_DECLS
