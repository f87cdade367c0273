/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline: spans by lane, folded where they are narrower than a few pixels, and its table twin. */
#pragma once

#include "perf/analysis/aggregate.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/timeline/row.h"

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

void lac_timeline_get_extent(const LacTimeline *timeline, gint64 *begin_ns, gint64 *end_ns);

/* ---- drawing ---- */

typedef struct {
  gint64          begin_ns, end_ns; /* what is visible */
  double          width, height;
  double          font_size;
  double          offset; /* of the lanes, scrolled up by so much */
  const LacMatch *match;  /* (nullable): everything else is dimmed */
} LacTimelineView;

/* Draws a ruler (0 at the first record) and the lanes below it: spans by depth, then, where a lane has aggregates, the
 * operations of each step one after the other, as long as they took, shortened to the step where several threads
 * worked. Time is linear over the whole width. What is folded has the colour of the name with the largest share, stronger the
 * busier it is, is hatched and counted. Returns: the height used. */
double lac_timeline_draw(const LacTimeline     *timeline,
                         LacDrawing            *drawing,
                         const LacTimelineView *view,
                         const LacPalette      *palette);
/* Its two parts, each from 0 down; of the lanes only those that are visible. Return: the height of all. */
double lac_timeline_draw_ruler(const LacTimeline     *timeline,
                               LacDrawing            *drawing,
                               const LacTimelineView *view,
                               const LacPalette      *palette);
double lac_timeline_draw_lanes(const LacTimeline     *timeline,
                               LacDrawing            *drawing,
                               const LacTimelineView *view,
                               const LacPalette      *palette);

/* The height of all lanes. */
double lac_timeline_get_height(const LacTimeline *timeline, double font_size);

/* "1.25 ms" for a ruler whose ticks are @step apart and whose numbers go to @largest. */
void lac_timeline_format_time(char *text, gsize size, double seconds, double step, double largest);

/* ---- finding ---- */

typedef struct {
  gsize  record;           /* of the capture */
  gint64 begin_ns, end_ns; /* where it is drawn: of an operation, where it was placed in its step */
  guint32 name;
  guint16 lane;
  guint   row;    /* of its lane */
  gsize   n_near; /* bars within a pixel or two of it in its row, where it was picked; else 1 */
} LacTimelineBar;

/* What lies under a point of the lanes. Each of these returns: FALSE where there is none. */
gboolean lac_timeline_pick(const LacTimeline     *timeline,
                           const LacTimelineView *view,
                           double                 x,
                           double                 y,
                           LacTimelineBar        *bar);
/* The bar of a record. */
gboolean lac_timeline_find(const LacTimeline *timeline, gsize record, LacTimelineBar *bar);
/* The one after @from in its row, or, @direction -1, before it. */
gboolean lac_timeline_find_next(const LacTimeline    *timeline,
                                const LacTimelineBar *from,
                                int                   direction,
                                LacTimelineBar       *bar);

/* The names that have @text in them, whatever its case, by name, 0 or 1; (transfer full), of lac_capture_get_n_names() */
GByteArray *lac_timeline_match_names(const LacTimeline *timeline, const char *text);
guint64     lac_timeline_count(const LacTimeline *timeline, const LacMatch *match); /* bars */
/* In order of their beginnings over all lanes; @from: (nullable): from the first, or the last. */
gboolean lac_timeline_find_match(const LacTimeline    *timeline,
                                 const LacMatch       *match,
                                 const LacTimelineBar *from,
                                 int                   direction,
                                 LacTimelineBar       *bar);

/* Where the row of a bar stands in the lanes. */
void lac_timeline_get_box(const LacTimeline    *timeline,
                          const LacTimelineBar *bar,
                          double                font_size,
                          double               *top,
                          double               *height);

/* ---- a range of time ---- */

/* How many bars reach into the range. */
gsize lac_timeline_count_range(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns);
/* Bars of the range in order of their beginnings, from the @first one on. Returns: how many, @most at most. */
gsize lac_timeline_list(const LacTimeline *timeline,
                        gint64             begin_ns,
                        gint64             end_ns,
                        gsize              first,
                        LacTimelineBar    *bars,
                        gsize              most);
/* Sums over the range alone: of what reaches over its ends, the part within. Returns: (transfer full) */
LacAggregates *lac_timeline_sum_range(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns);

G_END_DECLS
