/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing the lanes of a timeline. */
#include "report/timeline/timeline-private.h"
#include "report/timeline/words.h"

#include <math.h>

#define FOLD_PIXELS   3.0
#define CELL_PIXELS   4.0
#define MOST_LABELS   300
#define LABEL_SHARE   0.75 /* a label is drawn where at least this share of it fits */
#define LEAST_SHORT   4.0  /* minimum truncated width, relative to the font size */
#define HATCH_WIDTH   8.0  /* minimum width of a hatched fold */
#define ROW_HEIGHT    1.6  /* relative to the font size */
#define HEAD_HEIGHT   1.7
#define LANE_DISTANCE 0.5
#define DIMMED        0.22F /* opacity of bars that do not match the search */
#define FAINTEST      0.30  /* opacity of a nearly empty cell */
#define N_STRENGTHS   6     /* adjacent cells of equal strength are one rectangle */

typedef struct {
  const LacTimeline     *timeline;
  LacDrawing            *drawing;
  const LacTimelineView *view;
  const LacPalette      *palette;
  gint64                 least_ns, cell_ns; /* durations of FOLD_PIXELS and CELL_PIXELS */
  double                 pixels_per_ns;
  guint                  n_labels;
  LacStepTimes           step_times; /* of the timeline */
  GHashTable            *widths;     /* record name -> double, width of its text */
} Painter;

/* Row being drawn. */
typedef struct {
  const LacRow *bars;
  double        top, height;
} Band;

/* Adjacent cells of one colour. */
typedef struct {
  guint32 name; /* LAC_ROW_NO_NAME: none yet */
  guint   strength;
  double  left, right;
} Cell;

static gint64
pixels_ns(const LacTimelineView *view, double pixels)
{
  double span = (double) (view->end_ns - view->begin_ns);
  return MAX(1, (gint64) ceil(span / MAX(view->width, 1) * pixels));
}

static double
place(const Painter *painter, gint64 time_ns)
{
  return (double) (time_ns - painter->view->begin_ns) * painter->pixels_per_ns;
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
  if (painter->n_labels >= MOST_LABELS ||
      (room < needed && room < MAX(LABEL_SHARE * needed, LEAST_SHORT * size)))
    return;
  painter->n_labels++;
  g_autofree char *fitted = room < needed ? lac_text_dup_fitted(text, size, FALSE, room) : NULL;
  lac_draw_text(painter->drawing, at.x, at.y, LAC_ALIGN_LEFT, size, colour,
                fitted != NULL ? fitted : text);
}

static gboolean
is_dimmed(const Painter *painter, guint32 name)
{
  const LacMatch *match = painter->view->match;
  return match != NULL && (name >= match->n || !match->names[name]);
}

static LacColour
colour_of(const Painter *painter, guint32 name)
{
  const LacPalette *palette = painter->palette;
  if (name == LAC_ROW_NO_NAME)
    return palette->faint;
  return painter->view->looks != NULL
           ? lac_span_looks_get_colour(painter->view->looks, name, palette)
           : palette->series[name % G_N_ELEMENTS(palette->series)];
}

static void
draw_bar(Painter *painter, const Band *band, const LacBar *bar)
{
  double           size = painter->view->font_size, padding = size * 0.3;
  double           left = MAX(place(painter, bar->begin_ns), 0);
  double           right = MIN(place(painter, bar->end_ns), painter->view->width);
  double           width = MAX(right - left, 1), room = width - 2 * padding;
  gboolean         dimmed = is_dimmed(painter, bar->name);
  LacColour        colour = colour_of(painter, bar->name);
  const LacColour *label = dimmed ? &painter->palette->faint : NULL;
  LacColour        on = label != NULL ? *label : lac_palette_text_on(colour);
  colour.alpha = dimmed ? DIMMED : 1;
  /* gap between neighbours */
  lac_draw_rectangle(painter->drawing, left, band->top, width > 3 ? width - 0.7 : width,
                     band->height, colour);
  if (room <= size)
    return;
  const char *name = painter->view->looks != NULL
                       ? lac_span_looks_get_label(painter->view->looks, bar->name)
                       : lac_capture_get_name(painter->timeline->capture, bar->name);
  LacPoint    at = {left + padding, band->top + band->height / 2 + size * 0.36};
  draw_bar_label(painter, at, room, name_width(painter, bar->name, name), name, on);
}

static void
draw_cell(Painter *painter, const Band *band, const Cell *cell)
{
  LacColour colour = colour_of(painter, cell->name);
  double    share = (double) cell->strength / N_STRENGTHS;
  colour.alpha = (float) (FAINTEST + (1 - FAINTEST) * share);
  if (cell->name == LAC_ROW_NO_NAME)
    colour.alpha *= DIMMED;
  lac_draw_rectangle(painter->drawing, cell->left, band->top, MAX(cell->right - cell->left, 1),
                     band->height, colour);
}

/* Summarises @n bars from @first on: the name with the largest time, and the occupancy. */
static Cell
look_at(Painter *painter, const Band *band, gsize first, gsize n, guint32 favoured)
{
  const LacBar *bars = (const LacBar *) (gconstpointer) band->bars->bars->data;
  LacStretch    stretch =
    lac_row_sum(band->bars, first, n, &painter->step_times, painter->view->match, favoured);
  Cell cell = {
    .name = stretch.name,
    .left = MAX(place(painter, bars[first].begin_ns), 0),
    .right = MIN(place(painter, bars[first + n - 1].end_ns), painter->view->width),
  };
  double extent = MAX((double) (bars[first + n - 1].end_ns - bars[first].begin_ns), 1);
  double busy = (double) (stretch.name == LAC_ROW_NO_NAME ? stretch.busy_ns : stretch.matched_ns);
  cell.strength = (guint) (CLAMP(busy / extent, 0, 1) * N_STRENGTHS + 0.5);
  return cell;
}

static void
draw_count(Painter *painter, const Band *band, const LacFold *fold, double left, double right)
{
  double           size = painter->view->font_size, padding = size * 0.3;
  g_autofree char *count = g_strdup_printf("×%" G_GSIZE_FORMAT, fold->n);
  double           room = right - left - 2 * padding;
  if (room < size || painter->n_labels >= MOST_LABELS)
    return;
  double needed = lac_text_width(count, size, FALSE);
  if (room < needed)
    return;
  lac_draw_rectangle(painter->drawing, left + 1, band->top + 1, needed + 2 * padding - 2,
                     band->height - 2, painter->palette->background);
  LacPoint at = {left + padding, band->top + band->height / 2 + size * 0.36};
  draw_bar_label(painter, at, room, needed, count, painter->palette->foreground);
}

static void
draw_fold(Painter *painter, const Band *band, const LacFold *fold)
{
  const LacBar *bars = (const LacBar *) (gconstpointer) band->bars->bars->data;
  Cell          cell = {.name = LAC_ROW_NO_NAME, .left = NAN};
  double        left = MAX(place(painter, fold->begin_ns), 0);
  double        right = MIN(place(painter, fold->end_ns), painter->view->width);
  if (fold->n == 1) {
    draw_bar(painter, band, &bars[fold->first]);
    return;
  }
  for (gsize i = fold->first, n; i < fold->first + fold->n; i += n) {
    n = lac_row_cell(band->bars, fold, i, painter->cell_ns);
    Cell next = look_at(painter, band, i, n, cell.name);
    if (!isnan(cell.left) && next.name == cell.name && next.strength == cell.strength) {
      cell.right = next.right;
      continue;
    }
    if (!isnan(cell.left)) {
      cell.right = MAX(cell.right, next.left); /* no gaps within a fold */
      draw_cell(painter, band, &cell);
    }
    cell = next;
  }
  draw_cell(painter, band, &cell);
  if (right - left < HATCH_WIDTH)
    return;
  LacColour lines = painter->palette->background;
  lines.alpha = 0.45F;
  lac_draw_hatched(painter->drawing, left, band->top, right - left, band->height, lines);
  draw_count(painter, band, fold, left, right);
}

static void
draw_row(Painter *painter, const LacRow *row, double top)
{
  Band  band = {row, top, lac_timeline_row_height(painter->view->font_size)};
  gsize i = lac_row_find(row, painter->view->begin_ns);
  while (i < row->bars->len) {
    LacFold fold = lac_row_fold(row, i, painter->view->end_ns, painter->least_ns);
    if (fold.begin_ns >= painter->view->end_ns)
      break;
    draw_fold(painter, &band, &fold);
    i += fold.n;
  }
}

/* Draws marks as lines over all lanes. */
static void
draw_marks(Painter *painter, double height)
{
  const LacTimelineView *view = painter->view;
  double                 last = -G_MAXDOUBLE;
  for (guint i = 0; i < painter->timeline->marks->len; i++) {
    gsize  record = g_array_index(painter->timeline->marks, gsize, i);
    double x = place(painter, lac_capture_at(painter->timeline->capture, record)->start_ns);
    if (x < 0 || x > view->width || x - last < FOLD_PIXELS)
      continue;
    last = x;
    LacPoint line[] = {{x, 0}, {x, height}};
    lac_draw_lines(painter->drawing, line, 2, 1, painter->palette->series[1]);
  }
}

double
lac_timeline_row_height(double size)
{
  return size * ROW_HEIGHT - 1;
}

static double
head_height(const LacTimelineLane *lane)
{
  return lane != NULL && lane->is_named_beside ? 0 : HEAD_HEIGHT;
}

double
lac_timeline_row_top(const LacTimelineLane *lane, double size, guint row)
{
  return size * (head_height(lane) + row * ROW_HEIGHT);
}

double
lac_timeline_lane_height(const LacTimelineLane *lane, double size)
{
  guint rows = lane->depths->len + (lane->operations != NULL ? 1 : 0);
  return rows == 0 ? 0 : size * (head_height(lane) + rows * ROW_HEIGHT + LANE_DISTANCE);
}

double
lac_timeline_get_height(const LacTimeline *timeline, double font_size)
{
  g_return_val_if_fail(timeline != NULL, 0);
  double height = 0;
  for (guint i = 0; i < timeline->lanes->len; i++)
    height += lac_timeline_lane_height(g_ptr_array_index(timeline->lanes, i), font_size);
  return height;
}

static const char *
name_of(const LacTimeline *timeline, const LacTimelineLane *lane)
{
  return lac_timeline_word(lac_capture_get_lane(timeline->capture, lane->id));
}

void
lac_timeline_draw_names(const LacTimeline     *timeline,
                        LacDrawing            *drawing,
                        const LacTimelineView *view,
                        const LacPalette      *palette)
{
  g_return_if_fail(timeline != NULL && drawing != NULL && view != NULL && palette != NULL);
  const double size = view->font_size;
  double       top = -view->offset;
  for (guint i = 0; i < timeline->lanes->len && top < view->height; i++) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    double                 height = lac_timeline_lane_height(lane, size);
    g_autofree char       *fitted =
      lac_text_dup_fitted(name_of(timeline, lane), size, FALSE, view->width);
    if (height > 0 && top + height > 0)
      lac_draw_text(drawing, 0, top + lac_timeline_row_height(size) / 2 + size * 0.36,
                    LAC_ALIGN_LEFT, size, palette->foreground, fitted);
    top += height;
  }
}

static void
draw_lane(Painter *painter, const LacTimelineLane *lane, double top)
{
  double        size = painter->view->font_size;
  const LacRow *row;
  if (!lane->is_named_beside)
    lac_draw_text_bold(painter->drawing, 0, top + size * 1.25, LAC_ALIGN_LEFT, size,
                       painter->palette->foreground, name_of(painter->timeline, lane));
  for (guint i = 0; (row = lac_timeline_lane_row(lane, i)) != NULL; i++) {
    double y = top + lac_timeline_row_top(lane, size, i);
    if (y < painter->view->height && y + size * ROW_HEIGHT > 0)
      draw_row(painter, row, y);
  }
}

double
lac_timeline_draw_lanes(const LacTimeline     *timeline,
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
                  .least_ns = pixels_ns(view, FOLD_PIXELS),
                  .cell_ns = pixels_ns(view, CELL_PIXELS),
                  .pixels_per_ns = view->width / (double) (view->end_ns - view->begin_ns),
                  .step_times = timeline->step_times,
                  .widths = widths,
  };
  double top = -view->offset;
  for (guint i = 0; i < timeline->lanes->len; i++) {
    const LacTimelineLane *lane = g_ptr_array_index(timeline->lanes, i);
    double                 height = lac_timeline_lane_height(lane, view->font_size);
    if (height > 0 && top < view->height && top + height > 0)
      draw_lane(&painter, lane, top);
    top += height;
  }
  draw_marks(&painter, MIN(top, view->height));
  return top + view->offset;
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
  LacTimelineView       below = *view;
  g_autoptr(LacDrawing) lanes = lac_drawing_new();
  double                ruler = lac_timeline_draw_ruler(timeline, drawing, view, palette);
  below.height = G_MAXDOUBLE;
  below.height = lac_timeline_draw_lanes(timeline, lanes, &below, palette);
  lac_drawing_append(drawing, lanes, 0, ruler);
  return ruler + below.height;
}
