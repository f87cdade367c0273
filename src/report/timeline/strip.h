/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterations of a recording as a strip of bars, each as long as it took and as high. */
#pragma once

#include "perf/analysis/iterations.h"
#include "report/timeline/timeline.h"

G_BEGIN_DECLS

/* Draws into (0, 0, view->width, @height): bars up to four times the median, a line at the median, a triangle over each outlier.
 * @target_ns: a line too, and what is longer has another colour; 0: none, and outliers have it.
 * Of iterations that fall on one pixel the longest is drawn pale and the shortest strong. */
void lac_timeline_draw_strip(const LacIterations   *iterations,
                             LacDrawing            *drawing,
                             const LacTimelineView *view,
                             double                 height,
                             gint64                 target_ns,
                             const LacPalette      *palette);

/* Index of the longest iteration within a pixel of @x; without one of the nearest within eight, as bars may have room between them;
 * -1: none. */
gssize
lac_timeline_pick_strip(const LacIterations *iterations, const LacTimelineView *view, double x);

/* Index of the iteration that begins last at or before @time_ns; -1 before the first. */
gssize lac_timeline_find_iteration(const LacIterations *iterations, gint64 time_ns);

G_END_DECLS
