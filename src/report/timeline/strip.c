/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strip of iterations. */
#include "report/timeline/strip.h"

#include <math.h>

#define MOST_MEDIANS 4.0 /* clips longer iterations */
#define MARK_HEIGHT  6.0
#define HEADROOM     1.05 /* factor above a target */
#define PALE         0.4F
#define REACH        8.0 /* pixels; maximum distance to pick a bar */

/* Iterations on one pixel, or a single wider one. */
typedef struct {
  double   left, right;
  gint64   least_ns, most_ns;
  gboolean is_outlier, is_marked; /* is_marked: drawn in the second colour */
} Column;

typedef struct {
  LacDrawing            *drawing;
  const LacTimelineView *view;
  const LacPalette      *palette;
  double                 height, most_ns;
  gint64                 target_ns;
} Strip;

gssize
lac_timeline_find_iteration(const LacIterations *iterations, gint64 time_ns)
{
  g_return_val_if_fail(iterations != NULL, -1);
  gsize low = 0, high = iterations->n;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (iterations->iterations[middle].start_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return (gssize) low - 1;
}

static void
draw_column(const Strip *strip, const Column *column)
{
  double    room = strip->height - MARK_HEIGHT;
  double    most = MIN((double) column->most_ns / strip->most_ns, 1) * room;
  double    least = MIN((double) column->least_ns / strip->most_ns, 1) * room;
  double    width = MAX(column->right - column->left, 1), left = column->left;
  LacColour strong = column->is_marked ? strip->palette->alert : strip->palette->neutral;
  LacColour pale = strong;
  pale.alpha = PALE;
  if (width > 3)
    width -= 0.7; /* gap between neighbours */
  if (most > least)
    lac_draw_rectangle(strip->drawing, left, strip->height - most, width, most - least, pale);
  lac_draw_rectangle(strip->drawing, left, strip->height - MAX(least, 1), width, MAX(least, 1),
                     strong);
  if (!column->is_outlier)
    return;
  double   x = left + width / 2;
  LacPoint mark[] = {{x - MARK_HEIGHT / 2, 0}, {x + MARK_HEIGHT / 2, 0}, {x, MARK_HEIGHT - 1}};
  lac_draw_polygon(strip->drawing, mark, 3, strong);
}

static gboolean
is_marked(const Strip *strip, const LacIteration *iteration)
{
  return strip->target_ns > 0 ? iteration->duration_ns > strip->target_ns : iteration->is_outlier;
}

static void
draw_level(const Strip *strip, double ns, LacColour colour, LacDash dash)
{
  double   y = strip->height - ns / strip->most_ns * (strip->height - MARK_HEIGHT);
  LacPoint line[] = {{0, y}, {strip->view->width, y}};
  lac_draw_dashed(strip->drawing, line, 2, 0.8, colour, dash);
}

void
lac_timeline_draw_strip(const LacIterations   *iterations,
                        LacDrawing            *drawing,
                        const LacTimelineView *view,
                        double                 height,
                        gint64                 target_ns,
                        const LacPalette      *palette)
{
  g_return_if_fail(iterations != NULL && drawing != NULL && view != NULL && palette != NULL);
  double scale = view->width / (double) MAX(view->end_ns - view->begin_ns, 1);
  gint64 longest = 1;
  for (gsize i = 0; i < iterations->n; i++)
    longest = MAX(longest, iterations->iterations[i].duration_ns);
  double most = (double) longest;
  if (iterations->median_ns > 0)
    most = MIN(most, MOST_MEDIANS * iterations->median_ns);
  most = MAX(most, HEADROOM * (double) target_ns);
  Strip    strip = {drawing, view, palette, height, most, target_ns};
  Column   column = {.left = -G_MAXDOUBLE};
  gboolean any = FALSE;
  for (gsize i = 0; i < iterations->n; i++) {
    const LacIteration *iteration = &iterations->iterations[i];
    double              left = (double) (iteration->start_ns - view->begin_ns) * scale;
    double              right = left + (double) iteration->duration_ns * scale;
    if (any && right < column.left + 1) {
      column.right = MAX(column.right, right);
      column.least_ns = MIN(column.least_ns, iteration->duration_ns);
      column.most_ns = MAX(column.most_ns, iteration->duration_ns);
      column.is_outlier |= iteration->is_outlier;
      column.is_marked |= is_marked(&strip, iteration);
      continue;
    }
    if (any)
      draw_column(&strip, &column);
    column = (Column){left,
                      right,
                      iteration->duration_ns,
                      iteration->duration_ns,
                      iteration->is_outlier,
                      is_marked(&strip, iteration)};
    any = TRUE;
  }
  if (any)
    draw_column(&strip, &column);
  if (iterations->median_ns > 0)
    draw_level(&strip, iterations->median_ns, palette->faint, LAC_DASH_DASHED);
  if (target_ns > 0)
    draw_level(&strip, (double) target_ns, palette->foreground, LAC_DASH_SOLID);
}

/* Returns: the iteration that ends or begins nearest to @time, within @reach; -1 without one. */
static gssize
find_nearest(const LacIterations *iterations, gint64 time, gint64 reach)
{
  gssize before = lac_timeline_find_iteration(iterations, time), best = -1;
  for (gssize i = MAX(before, 0); i <= before + 1 && i < (gssize) iterations->n; i++) {
    const LacIteration *iteration = &iterations->iterations[i];
    gint64              end = iteration->start_ns + iteration->duration_ns;
    gint64              distance = i <= before ? MAX(time - end, 0) : iteration->start_ns - time;
    if (distance <= reach) {
      best = i;
      reach = distance - 1;
    }
  }
  return best;
}

gssize
lac_timeline_pick_strip(const LacIterations *iterations, const LacTimelineView *view, double x)
{
  g_return_val_if_fail(iterations != NULL && view != NULL, -1);
  double ns = (double) (view->end_ns - view->begin_ns) / MAX(view->width, 1);
  gint64 time = view->begin_ns + (gint64) (x * ns), slack = (gint64) ceil(ns);
  gssize best = -1;
  for (gssize i = lac_timeline_find_iteration(iterations, time + slack); i >= 0; i--) {
    const LacIteration *iteration = &iterations->iterations[i];
    if (iteration->start_ns + iteration->duration_ns < time - slack)
      break;
    if (best < 0 || iteration->duration_ns > iterations->iterations[best].duration_ns)
      best = i;
  }
  return best >= 0 ? best : find_nearest(iterations, time, (gint64) (REACH * ns));
}
