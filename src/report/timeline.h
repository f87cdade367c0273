/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline: spans by lane, folded where they are narrower than a few pixels, and its table twin. */
#pragma once

#include "perf/capture.h"
#include "report/plot.h"

G_BEGIN_DECLS

/* Spans of a capture by lane and depth, sorted by end; append-only. One thread. */
typedef struct _LacTimeline LacTimeline;

/* Takes a reference to @capture, and what it holds so far. */
LacTimeline *lac_timeline_new(LacCapture *capture);
void         lac_timeline_free(LacTimeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTimeline, lac_timeline_free)

/* Takes what the capture has more than at the last call. */
void lac_timeline_update(LacTimeline *timeline);
/* Places the operations of a step whose end has not been seen; call when no more records come. */
void lac_timeline_close(LacTimeline *timeline);

LacCapture *lac_timeline_get_capture(const LacTimeline *timeline); /* (transfer none) */

void lac_timeline_get_extent(const LacTimeline *timeline, gint64 *begin_ns, gint64 *end_ns);

typedef struct {
  gint64 begin_ns, end_ns; /* what is visible */
  double width, height;
  double font_size;
} LacTimelineView;

/* Draws a ruler (0 at the first record) and the lanes below it: spans by depth, then, where a lane has aggregates, the
 * operations of each step one after the other, as long as they took, shortened to the step where several threads
 * worked. Time is linear over the whole width. Returns: the height used. */
double lac_timeline_draw(const LacTimeline     *timeline,
                         LacDrawing            *drawing,
                         const LacTimelineView *view,
                         const LacPalette      *palette);

/* What lies under a point: (transfer none) (nullable), valid until the capture grows. */
const LacRecord *
lac_timeline_pick(const LacTimeline *timeline, const LacTimelineView *view, double x, double y);

G_END_DECLS
