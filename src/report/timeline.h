/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline: spans by lane, folded where they are narrower than a few pixels, and its table twin. */
#pragma once

#include "perf/aggregate.h"
#include "report/plot.h"

G_BEGIN_DECLS

/* Spans by lane and depth, sorted by end; append-only. Fed from records in order. One thread. */
typedef struct _LacTimeline LacTimeline;

LacTimeline *lac_timeline_new(void);
void         lac_timeline_free(LacTimeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTimeline, lac_timeline_free)

void lac_timeline_add(LacTimeline *timeline, const LacRecord *records, gsize n);
/* Places the operations of a step whose end has not been seen; call when no more records come. */
void lac_timeline_close(LacTimeline *timeline);

void lac_timeline_get_extent(const LacTimeline *timeline, gint64 *begin_ns, gint64 *end_ns);

typedef struct {
  gint64 begin_ns, end_ns; /* what is visible */
  double width, height;
  double font_size;
  const char *(*name)(guint32 name, gpointer user_data);
  const char *(*lane)(guint16 lane, gpointer user_data);
  gpointer user_data;
} LacTimelineView;

/* Draws a ruler (0 at the first record) and the lanes below it: spans by depth, then, where a lane has aggregates, the
 * operations of each step one after the other, as long as they took, shortened to the step where several threads
 * worked. Time is linear over the whole width. Returns: the height used. */
double lac_timeline_draw(const LacTimeline     *timeline,
                         LacDrawing            *drawing,
                         const LacTimelineView *view,
                         const LacPalette      *palette);

/* What lies under a point: (transfer none) (nullable). */
const LacRecord *
lac_timeline_pick(const LacTimeline *timeline, const LacTimelineView *view, double x, double y);

G_END_DECLS
