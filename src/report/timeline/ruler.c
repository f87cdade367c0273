/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ruler of a timeline: times and named marks. */
#include "base/number-display.h"
#include "report/plot/plot.h"
#include "report/timeline/timeline-private.h"

#include <math.h>

#define RULER_HEIGHT 2.0 /* relative to the font size */
#define MARK_HEIGHT  1.1
#define LEAST_PIXELS 3.0 /* minimum distance between marks */

static double
ruler_height(const LacTimeline *timeline, double size)
{
  return size * (RULER_HEIGHT + (timeline->marks->len > 0 ? MARK_HEIGHT : 0));
}

void
lac_timeline_format_time(char *text, gsize size, double seconds, double step, double largest)
{
  static const struct {
    double      seconds;
    const char *unit;
  } units[] = {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}};
  gsize u = G_N_ELEMENTS(units) - 1;
  while (u > 0 && largest < units[u].seconds)
    u--;
  double           per_unit = step / units[u].seconds;
  int              decimals = CLAMP((int) -floor(log10(per_unit) + 1e-9), 0, 9);
  g_autofree char *format = g_strdup_printf("%%.%df", decimals);
  char             number[48];
  g_ascii_formatd(number, sizeof number, format, seconds / units[u].seconds);
  g_snprintf(text, size, "%s %s", lac_number_localise(number), units[u].unit);
}

static void
draw_ticks(const LacTimeline     *timeline,
           LacDrawing            *drawing,
           const LacTimelineView *view,
           const LacPalette      *palette)
{
  double begin = (double) (view->begin_ns - timeline->begin_ns) * 1e-9;
  double end = (double) (view->end_ns - timeline->begin_ns) * 1e-9;
  double size = view->font_size, ticks[16];
  gsize  n = lac_ticks(begin, end, (gsize) CLAMP(view->width / (size * 8), 2, 12), ticks);
  double step = n > 1 ? ticks[1] - ticks[0] : end - begin;
  double room = -G_MAXDOUBLE;
  for (gsize i = 0; i < n; i++) {
    char   text[64];
    double x = (ticks[i] - begin) / (end - begin) * view->width;
    lac_timeline_format_time(text, sizeof text, ticks[i], step, MAX(fabs(end), fabs(begin)));
    LacPoint line[] = {{x, size * 1.3}, {x, size * RULER_HEIGHT}};
    lac_draw_lines(drawing, line, 2, 0.6, palette->faint);
    double width = lac_text_width(text, size, FALSE);
    double left = CLAMP(x - width / 2, 0, view->width - width);
    if (left < room)
      continue;
    room = left + width + size * 0.5;
    lac_draw_text(drawing, left, size * 1.05, LAC_ALIGN_LEFT, size, palette->faint, text);
  }
  LacPoint base[] = {{0, size * (RULER_HEIGHT - 0.1)}, {view->width, size * (RULER_HEIGHT - 0.1)}};
  lac_draw_lines(drawing, base, 2, 0.6, palette->grid);
}

/* Draws the names of the marks where they fit; their lines are drawn with the lanes. */
static void
draw_names(const LacTimeline     *timeline,
           LacDrawing            *drawing,
           const LacTimelineView *view,
           const LacPalette      *palette)
{
  double scale = view->width / (double) (view->end_ns - view->begin_ns);
  double size = view->font_size, last = -G_MAXDOUBLE, room = -G_MAXDOUBLE;
  for (guint i = 0; i < timeline->marks->len; i++) {
    const LacRecord *record =
      lac_capture_at(timeline->capture, g_array_index(timeline->marks, gsize, i));
    double x = (double) (record->start_ns - view->begin_ns) * scale;
    if (x < 0 || x > view->width || x - last < LEAST_PIXELS)
      continue;
    last = x;
    LacPoint line[] = {{x, size * RULER_HEIGHT}, {x, size * (RULER_HEIGHT + MARK_HEIGHT)}};
    lac_draw_lines(drawing, line, 2, 1, palette->series[1]);
    const char *name = lac_capture_get_name(timeline->capture, record->name);
    double      width = lac_text_width(name, size, FALSE);
    if (x < room || x + size * 0.3 + width > view->width)
      continue;
    room = x + width + size;
    lac_draw_text(drawing, x + size * 0.3, size * (RULER_HEIGHT + 0.85), LAC_ALIGN_LEFT, size,
                  palette->series[1], name);
  }
}

double
lac_timeline_draw_ruler(const LacTimeline     *timeline,
                        LacDrawing            *drawing,
                        const LacTimelineView *view,
                        const LacPalette      *palette)
{
  g_return_val_if_fail(timeline != NULL && drawing != NULL && view != NULL && palette != NULL, 0);
  if (view->end_ns > view->begin_ns && view->width > 0) {
    draw_ticks(timeline, drawing, view, palette);
    draw_names(timeline, drawing, view, palette);
  }
  return ruler_height(timeline, view->font_size);
}
