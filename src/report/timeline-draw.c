/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing a timeline, and finding what lies under a point of it. */
#include "report/timeline-private.h"
#include "report/timeline.h"

#include <math.h>

#define FOLD_PIXELS   3.0
#define MOST_LABELS   300
#define LABEL_SHARE   0.75 /* a label is set where at least this much of it fits */
#define ROW_HEIGHT    1.6  /* of the font size */
#define HEAD_HEIGHT   1.7
#define RULER_HEIGHT  2.0
#define LANE_DISTANCE 0.5

typedef struct {
  const LacTimeline     *timeline;
  LacDrawing            *drawing;
  const LacTimelineView *view;
  const LacPalette      *palette;
  gint64                 least_ns; /* what FOLD_PIXELS stand for */
  double                 pixels_per_ns;
  guint                  n_labels;
  GHashTable            *widths; /* record name -> double, of its text */
} Painter;

static const LacRecord *
record_at(const LacTimeline *timeline, gsize i)
{
  return lac_capture_at(timeline->capture, i);
}

static gint64
fold_ns(const LacTimelineView *view)
{
  double span = (double) (view->end_ns - view->begin_ns);
  return MAX(1, (gint64) ceil(span / MAX(view->width, 1) * FOLD_PIXELS));
}

static double
place(const Painter *painter, gint64 time_ns)
{
  return (double) (time_ns - painter->view->begin_ns) * painter->pixels_per_ns;
}

static LacColour
text_on(LacColour colour)
{
  static const LacColour white = {1, 1, 1, 1}, black = {0, 0, 0, 1};
  return 0.299F * colour.red + 0.587F * colour.green + 0.114F * colour.blue < 0.55F ? white : black;
}

static double
name_width(Painter *painter, guint32 name, const char *text)
{
  double *width = g_hash_table_lookup(painter->widths, GUINT_TO_POINTER(name));
  if (width == NULL) {
    width = g_new(double, 1);
    *width = lac_text_width(text, painter->view->font_size, FALSE);
    g_hash_table_insert(painter->widths, GUINT_TO_POINTER(name), width);
  }
  return *width;
}

static void
draw_bar_label(Painter    *painter,
               LacPoint    at,
               double      room,
               double      needed,
               const char *text,
               LacColour   colour)
{
  double size = painter->view->font_size;
  if (painter->n_labels >= MOST_LABELS || room < LABEL_SHARE * needed)
    return;
  painter->n_labels++;
  g_autofree char *fitted = room < needed ? lac_text_dup_fitted(text, size, FALSE, room) : NULL;
  lac_draw_text(painter->drawing, at.x, at.y, LAC_ALIGN_LEFT, size, colour,
                fitted != NULL ? fitted : text);
}

static void
draw_fold(Painter *painter, const LacRow *row, const LacFold *fold, double top, double height)
{
  const LacBar    *bar = &g_array_index(row->bars, LacBar, fold->first);
  const LacRecord *record = record_at(painter->timeline, bar->record);
  double           size = painter->view->font_size, padding = size * 0.3;
  double           left = MAX(place(painter, fold->begin_ns), 0);
  double           right = MIN(place(painter, fold->end_ns), painter->view->width);
  double           width = MAX(right - left, 1);
  LacPoint         text_at = {left + padding, top + height / 2 + size * 0.36};
  double           room = width - 2 * padding;
  if (fold->n > 1) {
    g_autofree char *count = g_strdup_printf("×%" G_GSIZE_FORMAT, fold->n);
    double           needed = lac_text_width(count, size, FALSE);
    lac_draw_hatched(painter->drawing, left, top, width, height, painter->palette->faint);
    if (room >= needed && painter->n_labels < MOST_LABELS) {
      lac_draw_rectangle(painter->drawing, left + 1, top + 1, needed + 2 * padding - 2, height - 2,
                         painter->palette->background);
      draw_bar_label(painter, text_at, room, needed, count, painter->palette->foreground);
    }
    return;
  }

  LacColour colour =
    painter->palette->series[record->name % G_N_ELEMENTS(painter->palette->series)];
  /* neighbours keep a hair between them */
  lac_draw_rectangle(painter->drawing, left, top, width > 3 ? width - 0.7 : width, height, colour);
  const char *name = lac_capture_get_name(painter->timeline->capture, record->name);
  if (room > size)
    draw_bar_label(painter, text_at, room, name_width(painter, record->name, name), name,
                   text_on(colour));
}

static void
draw_row(Painter *painter, const LacRow *row, double top)
{
  double height = painter->view->font_size * ROW_HEIGHT - 1;
  gsize  i = lac_row_find(row, painter->view->begin_ns);
  while (i < row->bars->len) {
    LacFold fold = lac_row_fold(row, i, painter->view->end_ns, painter->least_ns);
    if (fold.begin_ns >= painter->view->end_ns)
      break;
    draw_fold(painter, row, &fold, top, height);
    i += fold.n;
  }
}

static void
format_time(char *text, gsize size, double seconds, double step, double largest)
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
  g_snprintf(text, size, "%s %s", number, units[u].unit);
}

static void
draw_ruler(Painter *painter, double height)
{
  const LacTimelineView *view = painter->view;
  gint64                 zero = painter->timeline->begin_ns;
  double                 begin = (double) (view->begin_ns - zero) * 1e-9;
  double                 end = (double) (view->end_ns - zero) * 1e-9;
  double                 size = view->font_size, ticks[16];
  gsize  n = lac_ticks(begin, end, (gsize) CLAMP(view->width / (size * 8), 2, 12), ticks);
  double step = n > 1 ? ticks[1] - ticks[0] : end - begin;
  double room = -G_MAXDOUBLE;
  for (gsize i = 0; i < n; i++) {
    char   text[64];
    double x = (ticks[i] - begin) / (end - begin) * view->width;
    format_time(text, sizeof text, ticks[i], step, MAX(fabs(end), fabs(begin)));
    LacPoint line[] = {{x, size * 1.3}, {x, height}};
    lac_draw_lines(painter->drawing, line, 2, 0.6, painter->palette->grid);
    double width = lac_text_width(text, size, FALSE);
    double left = CLAMP(x - width / 2, 0, view->width - width);
    if (left < room)
      continue;
    room = left + width + size * 0.5;
    lac_draw_text(painter->drawing, left, size * 1.05, LAC_ALIGN_LEFT, size,
                  painter->palette->faint, text);
  }
}

/* Marks: a line over all lanes, named where there is room. */
static void
draw_marks(Painter *painter, double height)
{
  const LacTimelineView *view = painter->view;
  double                 size = view->font_size, last = -G_MAXDOUBLE, room = -G_MAXDOUBLE;
  for (guint i = 0; i < painter->timeline->marks->len; i++) {
    const LacRecord *record =
      record_at(painter->timeline, g_array_index(painter->timeline->marks, gsize, i));
    double x = place(painter, record->start_ns);
    if (x < 0 || x > view->width || x - last < FOLD_PIXELS)
      continue;
    last = x;
    LacPoint line[] = {{x, size * 1.3}, {x, height}};
    lac_draw_lines(painter->drawing, line, 2, 1, painter->palette->series[1]);
    const char *name = lac_capture_get_name(painter->timeline->capture, record->name);
    double      width = name_width(painter, record->name, name);
    if (x < room || x + size * 0.3 + width > view->width)
      continue;
    room = x + width + size;
    lac_draw_text(painter->drawing, x + size * 0.3, size * (RULER_HEIGHT + 0.2), LAC_ALIGN_LEFT,
                  size, painter->palette->series[1], name);
  }
}

static double
lane_height(const LacTimelineLane *lane, double font_size)
{
  guint rows = lane->depths->len + (lane->operations != NULL ? 1 : 0);
  return rows == 0 ? 0 : font_size * (HEAD_HEIGHT + rows * ROW_HEIGHT + LANE_DISTANCE);
}

static double
first_lane_top(const LacTimeline *timeline, double font_size)
{
  return font_size * (RULER_HEIGHT + (timeline->marks->len > 0 ? 0.6 : 0));
}

static double
draw_lane(Painter *painter, const LacTimelineLane *lane, double top)
{
  const LacTimelineView *view = painter->view;
  double                 size = view->font_size, height = lane_height(lane, size);
  if (height == 0)
    return 0;
  const char *name = lac_capture_get_lane(painter->timeline->capture, lane->id);
  lac_draw_text_bold(painter->drawing, 0, top + size * 1.25, LAC_ALIGN_LEFT, size,
                     painter->palette->foreground, name);
  double y = top + size * HEAD_HEIGHT;
  for (guint i = 0; i < lane->depths->len; i++, y += size * ROW_HEIGHT)
    draw_row(painter, g_ptr_array_index(lane->depths, i), y);
  if (lane->operations != NULL)
    draw_row(painter, lane->operations, y);
  return height;
}

double
lac_timeline_draw(const LacTimeline     *timeline,
                  LacDrawing            *drawing,
                  const LacTimelineView *view,
                  const LacPalette      *palette)
{
  g_return_val_if_fail(timeline != NULL && drawing != NULL && view != NULL && palette != NULL, 0);
  if (view->end_ns <= view->begin_ns || view->width <= 0)
    return 0;
  g_autoptr(GHashTable) widths = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  Painter               painter = {
                  .timeline = timeline,
                  .drawing = drawing,
                  .view = view,
                  .palette = palette,
                  .least_ns = fold_ns(view),
                  .pixels_per_ns = view->width / (double) (view->end_ns - view->begin_ns),
                  .widths = widths,
  };
  double height = first_lane_top(timeline, view->font_size);
  for (guint i = 0; i < timeline->lanes->len; i++)
    height += lane_height(g_ptr_array_index(timeline->lanes, i), view->font_size);

  draw_ruler(&painter, height);
  double top = first_lane_top(timeline, view->font_size);
  for (guint i = 0; i < timeline->lanes->len; i++)
    top += draw_lane(&painter, g_ptr_array_index(timeline->lanes, i), top);
  draw_marks(&painter, height);
  return height;
}

static const LacRow *
row_at(const LacTimeline *timeline, const LacTimelineView *view, double y)
{
  double size = view->font_size, top = first_lane_top(timeline, size);
  for (guint i = 0; i < timeline->lanes->len; i++) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    double                 height = lane_height(lane, size);
    if (y < top + height) {
      double row = floor((y - top - size * HEAD_HEIGHT) / (size * ROW_HEIGHT));
      if (row < 0)
        return NULL;
      if (row < lane->depths->len)
        return g_ptr_array_index(lane->depths, (guint) row);
      return row < lane->depths->len + 1 ? lane->operations : NULL;
    }
    top += height;
  }
  return NULL;
}

const LacRecord *
lac_timeline_pick(const LacTimeline *timeline, const LacTimelineView *view, double x, double y)
{
  g_return_val_if_fail(timeline != NULL && view != NULL, NULL);
  if (view->end_ns <= view->begin_ns || view->width <= 0 || x < 0 || x > view->width)
    return NULL;
  const LacRow *row = row_at(timeline, view, y);
  if (row == NULL)
    return NULL;

  double        ns_per_pixel = (double) (view->end_ns - view->begin_ns) / view->width;
  gint64        time = view->begin_ns + (gint64) (x * ns_per_pixel);
  gint64        slack = (gint64) ceil(ns_per_pixel); /* a bar is drawn at least a pixel wide */
  gsize         i = lac_row_find(row, time - slack);
  const LacBar *best = NULL;
  for (; i < row->bars->len; i++) { /* what contains the time, else what is a pixel away */
    const LacBar *bar = &g_array_index(row->bars, LacBar, i);
    if (bar->begin_ns > time + slack)
      break;
    if (best == NULL || bar->begin_ns <= time)
      best = bar;
    if (bar->end_ns >= time)
      break;
  }
  return best == NULL ? NULL : record_at(timeline, best->record);
}
