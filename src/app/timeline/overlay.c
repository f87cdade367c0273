/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlay of ruler, lanes and tracks: the range, the selected bar and its resulting frame, the time at the pointer. */
#include "app/timeline/part.h"
#include "app/toolkit/style.h"

#include <math.h>

#define RANGE_ALPHA  0.14F
#define FLOW_POINTS  24
#define SCROLL_WIDTH 4

typedef struct {
  LacTimelineScope *scope;
  LacDrawing       *drawing;
  LacTimelineView   view;
  double            height;
  const LacPalette *palette;
} Over;

static double
place(const Over *over, gint64 time_ns)
{
  return (double) (time_ns - over->view.begin_ns) * over->view.width /
         (double) (over->view.end_ns - over->view.begin_ns);
}

static void
draw_range(const Over *over)
{
  gint64 begin, end;
  if (!lac_timeline_scope_get_range(over->scope, &begin, &end))
    return;
  double    left = MAX(place(over, begin), -2), right = MIN(place(over, end), over->view.width + 2);
  LacColour fill = over->palette->foreground;
  if (right < 0 || left > over->view.width)
    return;
  fill.alpha = RANGE_ALPHA;
  lac_draw_rectangle(over->drawing, left, 0, right - left, over->height, fill);
  fill.alpha = 0.8F;
  lac_draw_rectangle(over->drawing, left - 0.5, 0, 1, over->height, fill);
  lac_draw_rectangle(over->drawing, right - 0.5, 0, 1, over->height, fill);
}

static void
draw_box(const Over *over, double left, double top, double right, double bottom)
{
  LacColour colour = over->palette->foreground;
  lac_draw_rectangle(over->drawing, left - 1.5, top - 1.5, right - left + 3, 2, colour);
  lac_draw_rectangle(over->drawing, left - 1.5, bottom - 0.5, right - left + 3, 2, colour);
  lac_draw_rectangle(over->drawing, left - 1.5, top - 1.5, 2, bottom - top + 3, colour);
  lac_draw_rectangle(over->drawing, right - 0.5, top - 1.5, 2, bottom - top + 3, colour);
}

/* Draws a curve from the end of the bar to the diamond of the frame on the ruler. */
static void
draw_flow(const Over *over, double x, double y, gint64 frame_ns)
{
  double   to_x = place(over, frame_ns), to_y = LAC_TIMELINE_RULER_HEIGHT - 4.0;
  LacPoint points[FLOW_POINTS + 1];
  if (fabs(to_x) > 20 * over->view.width || fabs(x) > 20 * over->view.width)
    return;
  for (int i = 0; i <= FLOW_POINTS; i++) { /* starts to the right, ends from below */
    double t = (double) i / FLOW_POINTS, s = 1 - t, bend = MAX(fabs(to_x - x) / 2, 20);
    points[i].x =
      s * s * s * x + 3 * s * s * t * (x + bend) + 3 * s * t * t * to_x + t * t * t * to_x;
    points[i].y = s * s * s * y + 3 * s * s * t * y + 3 * s * t * t * (to_y + (y - to_y) / 2) +
                  t * t * t * to_y;
  }
  lac_draw_lines(over->drawing, points, FLOW_POINTS + 1, 1.5, over->palette->series[2]);
}

/* Returns where the lanes begin. */
static double
lanes_top(const Over *over)
{
  return LAC_TIMELINE_RULER_HEIGHT + lac_timeline_strip_look.measure(over->scope);
}

static void
draw_selected(const Over *over)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(over->scope);
  LacRecording         *recording = lac_timeline_scope_get_recording(over->scope);
  double top, height, bottom = over->height - lac_timeline_tracks_look.measure(over->scope);
  gint64 frame;
  if (bar == NULL)
    return;
  lac_timeline_get_box(lac_recording_get_timeline(recording), bar, LAC_TIMELINE_FONT, &top,
                       &height);
  top += lanes_top(over) - over->view.offset;
  double left = place(over, bar->begin_ns), right = MAX(place(over, bar->end_ns), left + 1);
  lac_draw_clip(over->drawing, 0, LAC_TIMELINE_RULER_HEIGHT - 8, over->view.width,
                bottom - LAC_TIMELINE_RULER_HEIGHT + 8);
  if (right >= 0 && left <= over->view.width && top + height > lanes_top(over) && top < bottom)
    draw_box(over, MAX(left, -4), top, MIN(right, over->view.width + 4), top + height);
  if (lac_timeline_scope_get_led_to(over->scope, &frame))
    draw_flow(over, right, top + height / 2, frame);
  lac_draw_unclip(over->drawing);
}

static void
draw_cursor(const Over *over)
{
  gint64    cursor = lac_timeline_scope_get_cursor(over->scope);
  LacColour colour = over->palette->foreground;
  colour.alpha = 0.45F;
  if (cursor != LAC_NO_TIME)
    lac_draw_rectangle(over->drawing, floor(place(over, cursor)), 0, 1, over->height, colour);
}

/* Marks the frame shown. */
static void
draw_shown(const Over *over)
{
  gint64 time;
  if (!lac_timeline_scope_get_shown(over->scope, &time))
    return;
  LacColour colour = over->palette->series[2];
  double    x = floor(place(over, time));
  LacPoint  grip[] = {{x - 4.5, 0}, {x + 5.5, 0}, {x + 0.5, 7}};
  colour.alpha = 0.9F;
  if (x < -6 || x > over->view.width + 6)
    return;
  lac_draw_rectangle(over->drawing, x, 0, 1, over->height, colour);
  lac_draw_polygon(over->drawing, grip, 3, colour);
}

/* Draws a scroll thumb if the lanes need more room than there is. */
static void
draw_scroll(const Over *over)
{
  LacRecording *recording = lac_timeline_scope_get_recording(over->scope);
  double whole = lac_timeline_get_height(lac_recording_get_timeline(recording), LAC_TIMELINE_FONT);
  double room = over->height - lanes_top(over) - lac_timeline_tracks_look.measure(over->scope);
  LacColour colour = over->palette->foreground;
  if (whole <= room || room <= 0)
    return;
  colour.alpha = 0.35F;
  lac_draw_rectangle(over->drawing, over->view.width - SCROLL_WIDTH,
                     lanes_top(over) + over->view.offset / whole * room, SCROLL_WIDTH,
                     room / whole * room, colour);
}

/* Draws a dashed line through the rows for each change of a setting. */
static void
draw_changes(const Over *over)
{
  gsize                    n;
  const LacTimelineChange *changes = lac_timeline_scope_get_changes(over->scope, &n);
  for (gsize i = 0; i < n; i++) {
    const double   x = floor(place(over, changes[i].time_ns)) + 0.5;
    const LacPoint line[] = {{x, LAC_TIMELINE_RULER_HEIGHT}, {x, over->height}};
    if (x >= 0 && x <= over->view.width)
      lac_draw_dashed(over->drawing, line, 2, 1, over->palette->series[1], LAC_DASH_DASHED);
  }
}

static int
measure_overlay(LacTimelineScope *scope)
{
  return 0;
}

static void
draw_overlay(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  Over over = {scope, drawing, lac_timeline_part_view(scope, width, height), height,
               lac_style_palette()};
  draw_scroll(&over);
  draw_changes(&over);
  draw_range(&over);
  draw_selected(&over);
  draw_shown(&over);
  draw_cursor(&over);
}

const LacTimelineLook lac_timeline_overlay_look = {
  LAC_SCOPE_VIEW | LAC_SCOPE_DATA | LAC_SCOPE_RANGE | LAC_SCOPE_SELECTED | LAC_SCOPE_CURSOR |
    LAC_SCOPE_SHOWN | LAC_SCOPE_CHANGES,
  measure_overlay,
  draw_overlay,
};
