/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of spans and how they fold. */
#pragma once

#include "perf/capture.h"
#include "report/canvas.h"

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns;
  gsize  record; /* of the capture */
} LacBar;

/* Bars that do not overlap, sorted by end. */
typedef struct {
  GArray *bars; /* of LacBar */
} LacRow;

/* Consecutive bars drawn as one: first ... first + n - 1; n is 1 for a bar wide enough to be drawn itself. */
typedef struct {
  gsize  first, n;
  gint64 begin_ns, end_ns;
} LacFold;

void lac_row_add(LacRow *row, LacBar bar);
/* Index of the first bar that ends at or after @time_ns. */
gsize lac_row_find(const LacRow *row, gint64 time_ns);
/* The fold that starts with bar @first: bars narrower than @least_ns and nearer than that to each other join. */
LacFold lac_row_fold(const LacRow *row, gsize first, gint64 view_end_ns, gint64 least_ns);

/* One lane: a row for each depth, and the operations of its steps. */
typedef struct {
  guint16    id;
  GPtrArray *depths;     /* of LacRow, by depth */
  LacRow    *operations; /* NULL where the lane has no aggregates */
  GArray    *waiting;    /* of gsize: aggregates of the step that is not yet known to have ended */
} LacTimelineLane;

struct _LacTimeline {
  LacCapture *capture;
  gsize       n_records; /* of the capture that are in the rows */
  GPtrArray  *lanes;     /* of LacTimelineLane, sorted by id */
  GArray     *marks;     /* of gsize */
  gint64      begin_ns, end_ns;
};

G_END_DECLS
