/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals of a timeline: lanes of rows. */
#pragma once

#include "report/timeline/timeline.h"

G_BEGIN_DECLS

/* One lane: a row per depth, and the operations of its steps. */
typedef struct {
  guint16    id;
  GPtrArray *depths;          /* of LacRow, by depth */
  LacRow    *operations;      /* NULL where the lane has no aggregates */
  GArray    *waiting;         /* of gsize: aggregates of a step without a recorded end */
  gboolean   is_named_beside; /* no heading */
} LacTimelineLane;

struct _LacTimeline {
  LacCapture  *capture;
  gsize        n_records; /* records of the capture already in the rows */
  GPtrArray   *lanes;     /* of LacTimelineLane, from top to bottom */
  GArray      *marks;     /* of gsize */
  GArray      *counts;    /* of guint64, indexed by name: number of bars */
  LacStepTimes step_times;
  gint64       begin_ns, end_ns;
  gboolean     names_beside;
};

/* Returns row @row of a lane: its depths, then its operations; NULL past the last. */
const LacRow *lac_timeline_lane_row(const LacTimelineLane *lane, guint row);
/* Returns the lane with @id; NULL without one. */
const LacTimelineLane *lac_timeline_lane(const LacTimeline *timeline, guint16 id);
/* Returns bar @i of a row with all its members. */
LacTimelineBar
lac_timeline_bar(const LacTimelineLane *lane, guint row, const LacRow *bars, gsize i);

/* Geometry for a font of @size: lanes below the ruler, rows within a lane. */
double lac_timeline_lane_height(const LacTimelineLane *lane, double size);
double lac_timeline_row_top(const LacTimelineLane *lane,
                            double                 size,
                            guint                  row);      /* relative to its lane */
double lac_timeline_row_height(double size); /* of a bar: one pixel less than the row spacing */

G_END_DECLS
