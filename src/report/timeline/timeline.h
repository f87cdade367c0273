/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timeline: spans by lane, folded where narrower than a few pixels, and the same data as a table. */
#pragma once

#include "perf/analysis/aggregate.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/timeline/row.h"
#include "report/timeline/span-looks.h"

G_BEGIN_DECLS

/* Spans of a capture by lane and depth, sorted by end; append-only. One thread. */
typedef struct _LacTimeline LacTimeline;

/* Takes a reference to @capture and reads its records. */
LacTimeline *lac_timeline_new(LacCapture *capture);
void         lac_timeline_free(LacTimeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTimeline, lac_timeline_free)

/* Reads the records added since the last call. */
void lac_timeline_update(LacTimeline *timeline);
/* Places the operations of a step without a recorded end; call after the last record. */
void lac_timeline_close(LacTimeline *timeline);

void lac_timeline_get_extent(const LacTimeline *timeline, gint64 *begin_ns, gint64 *end_ns);

/* ---- drawing ---- */

typedef struct {
  gint64              begin_ns, end_ns; /* visible range */
  double              width, height;
  double              font_size;
  double              offset; /* vertical scroll position of the lanes */
  const LacMatch     *match;  /* (nullable): dims everything else */
  const LacSpanLooks *looks;  /* (nullable): colours of the names */
} LacTimelineView;

/* Draws a ruler (0 at the first record) and the lanes below it: spans by depth, then, in a lane with aggregates, the
 * operations of each step one after the other. Where several threads worked, the operations' times may add up to more
 * than the step; they are then scaled down to fit. Time is linear over the whole width. Folds are hatched, show a
 * count and have the colour of the name with the largest share, more saturated the busier they are. Returns: the
 * height used. */
double lac_timeline_draw(const LacTimeline     *timeline,
                         LacDrawing            *drawing,
                         const LacTimelineView *view,
                         const LacPalette      *palette);
/* Draw the ruler and the lanes separately, each from y = 0 down; only visible lanes are drawn. Return: the total
 * height of the ruler or of all lanes. */
double lac_timeline_draw_ruler(const LacTimeline     *timeline,
                               LacDrawing            *drawing,
                               const LacTimelineView *view,
                               const LacPalette      *palette);
double lac_timeline_draw_lanes(const LacTimeline     *timeline,
                               LacDrawing            *drawing,
                               const LacTimelineView *view,
                               const LacPalette      *palette);

/* Leaves out the headings of the lanes: lac_timeline_draw_names() draws their names beside them. */
void lac_timeline_set_names_beside(LacTimeline *timeline);
/* Draws the name of each lane beside its first row, from x = 0, shortened to view->width. */
void lac_timeline_draw_names(const LacTimeline     *timeline,
                             LacDrawing            *drawing,
                             const LacTimelineView *view,
                             const LacPalette      *palette);

/* Returns the total height of the lanes. */
double lac_timeline_get_height(const LacTimeline *timeline, double font_size);

/* Formats a time, as "1.25 ms", for a ruler with tick distance @step and largest number @largest. */
void lac_timeline_format_time(char *text, gsize size, double seconds, double step, double largest);

/* ---- finding ---- */

typedef struct {
  gsize  record;           /* index in the capture */
  gint64 begin_ns, end_ns; /* as drawn: for an aggregated operation, its position within the step */
  guint32 name;
  guint16 lane;
  guint   row;    /* row within its lane */
  gsize   n_near; /* bars within two pixels in the row when picked; else 1 */
} LacTimelineBar;

/* Finds the bar under a point of the lanes. This and the next two functions return FALSE if there is no such bar. */
gboolean lac_timeline_pick(const LacTimeline     *timeline,
                           const LacTimelineView *view,
                           double                 x,
                           double                 y,
                           LacTimelineBar        *bar);
/* Finds the bar of a record. */
gboolean lac_timeline_find(const LacTimeline *timeline, gsize record, LacTimelineBar *bar);
/* Finds the bar after @from in its row or, with @direction -1, before it. */
gboolean lac_timeline_find_next(const LacTimeline    *timeline,
                                const LacTimelineBar *from,
                                int                   direction,
                                LacTimelineBar       *bar);

/* Returns: (transfer full), [lac_capture_get_n_names()]: one flag per name, 1 where the name contains @text
 * (case-insensitive). */
GByteArray *lac_timeline_match_names(const LacTimeline *timeline, const char *text);
guint64 lac_timeline_count(const LacTimeline *timeline, const LacMatch *match); /* matching bars */
/* Finds the next match in order of start time over all lanes; @from: (nullable): NULL: start at the first or the last
 * bar. */
gboolean lac_timeline_find_match(const LacTimeline    *timeline,
                                 const LacMatch       *match,
                                 const LacTimelineBar *from,
                                 int                   direction,
                                 LacTimelineBar       *bar);

/* Computes the vertical extent, within the lanes, of the row that contains @bar. */
void lac_timeline_get_box(const LacTimeline    *timeline,
                          const LacTimelineBar *bar,
                          double                font_size,
                          double               *top,
                          double               *height);

/* ---- a range of time ---- */

/* Counts bars that overlap the range. */
gsize lac_timeline_count_range(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns);
/* Lists bars of the range in order of start time, from index @first on. Returns: their number, at most @most. */
gsize lac_timeline_list(const LacTimeline *timeline,
                        gint64             begin_ns,
                        gint64             end_ns,
                        gsize              first,
                        LacTimelineBar    *bars,
                        gsize              most);
/* Sums over the range only; bars that cross its ends count in part. Returns: (transfer full) */
LacAggregates *lac_timeline_sum_range(const LacTimeline *timeline, gint64 begin_ns, gint64 end_ns);

G_END_DECLS
