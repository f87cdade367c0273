/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves over a common axis, decimated to pixel columns. */
#include "base/unit.h"
#include "report/plot/plot-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define BAND_OPACITY 0.22F
#define DOT          2.4  /* radius */
#define NAMES_MOST   0.35 /* of the width, for names at the ends of curves */
#define STRIPE       2.6  /* width of the stripe, relative to the font size */
#define STRIPE_ALPHA 0.12F

typedef struct {
  LacBox   box;
  double   right; /* edge of the space right of the box */
  LacScale across, up;
} Frame;

LacColour
lac_look_colour(const LacPalette *palette, guint look)
{
  if (look == LAC_LOOK_TRUTH)
    return palette->foreground;
  return palette->series[(MAX(look, 1) - 1) % G_N_ELEMENTS(palette->series)];
}

LacDash
lac_look_dash(guint look)
{
  if (look == LAC_LOOK_TRUTH)
    return LAC_DASH_SOLID;
  return (LacDash) ((MAX(look, 1) - 1) / G_N_ELEMENTS(((LacPalette *) NULL)->series) % 3);
}

static guint
look_of(const LacSeries *series, gsize position)
{
  return series->look > 0 ? series->look : (guint) position + 1;
}

static LacDash
dash_of(const LacSeries *series, gsize position)
{
  return series->dashed ? LAC_DASH_DASHED : lac_look_dash(look_of(series, position));
}

static gboolean
can_be_drawn(double x, double y, const LacPlotStyle *style)
{
  return isfinite(x) && isfinite(y) && (!style->log_x || x > 0) && (!style->log_y || y > 0);
}

static void
widen(double range[2], double value, gboolean logarithmic)
{
  if (!isfinite(value) || (logarithmic && !(value > 0)))
    return;
  range[0] = MIN(range[0], value);
  range[1] = MAX(range[1], value);
}

/* @range: x from, to; y from, to */
static gboolean
find_ranges(const LacSeries *series, gsize n_series, const LacPlotStyle *style, double range[4])
{
  range[0] = range[2] = INFINITY;
  range[1] = range[3] = -INFINITY;
  for (gsize s = 0; s < n_series; s++)
    for (gsize i = 0; i < series[s].n; i++) {
      double x = series[s].x[i], y = series[s].y[i];
      if (!can_be_drawn(x, y, style))
        continue;
      widen(range, x, style->log_x);
      widen(range + 2, y, style->log_y);
      if (series[s].low != NULL && series[s].high != NULL) {
        widen(range + 2, series[s].low[i], style->log_y);
        widen(range + 2, series[s].high[i], style->log_y);
      }
    }
  if (range[0] > range[1])
    return FALSE;
  if (style->x_from != 0 || style->x_to != 0) {
    widen(range, style->x_from, style->log_x);
    widen(range, style->x_to, style->log_x);
  }
  return TRUE;
}

/* Adds a margin, so that no curve touches the frame. */
static LacScale
scale_with_margin(double low, double high, gboolean logarithmic)
{
  LacScale scale = lac_scale_make(low, high, logarithmic);
  double   margin = 0.05 * (scale.high - scale.low);
  scale.low -= margin;
  scale.high += margin;
  return scale;
}

/* Returns the number of rows of labels in @width; draws them when @drawing is not NULL. */
static gsize
lay_legend(LacDrawing       *drawing,
           LacBox            box,
           const LacSeries  *series,
           gsize             n_series,
           double            size,
           const LacPalette *palette)
{
  gsize  rows = 0;
  double x = 0, key = size * 1.6;
  for (gsize s = 0; s < n_series; s++) {
    if (series[s].label == NULL)
      continue;
    g_autofree char *label =
      lac_text_dup_fitted(series[s].label, size, FALSE, box.width - key - size);
    double width = key + size * 1.6 + lac_text_width(label, size, FALSE);
    if (rows == 0 || x + width - size > box.width) {
      rows++;
      x = 0;
    }
    if (drawing != NULL) {
      double   y = box.y + (double) rows * size * 1.5 - size * 0.5;
      LacPoint line[] = {{box.x + x, y - size * 0.35}, {box.x + x + key, y - size * 0.35}};
      lac_draw_dashed(drawing, line, 2, 1.6, lac_look_colour(palette, look_of(&series[s], s)),
                      dash_of(&series[s], s));
      lac_draw_text(drawing, box.x + x + key + size * 0.4, y, LAC_ALIGN_LEFT, size,
                    palette->foreground, label);
    }
    x += width;
  }
  return rows;
}

double
lac_plot_legend_height(const LacSeries *series, gsize n_series, double width, double size)
{
  return 1.5 * size *
         (double) lay_legend(NULL, (LacBox){0, 0, width, 0}, series, n_series, size, NULL);
}

/* Returns the width of the names at the ends of the curves, with their distance from the frame. */
static double
find_names_width(const LacSeries *series, gsize n_series, double width, double size)
{
  double widest = 0;
  for (gsize s = 0; s < n_series; s++)
    if (series[s].label != NULL && series[s].n > 0)
      widest = MAX(widest, lac_text_width(series[s].label, size, TRUE) + size);
  return MIN(widest, NAMES_MOST * width);
}

static void
fit_y(LacScale *scale, double height, const LacPlotStyle *style)
{
  lac_scale_fit_y(scale, height, style->font_size);
  if (style->percent_y)
    lac_scale_label_percent(scale);
}

/* Returns how far the number of the last tick extends beyond the box. */
static double
overhang(const Frame *frame, double size)
{
  const LacScale *scale = &frame->across;
  gsize           last = scale->n_ticks - 1;

  if (scale->n_ticks == 0)
    return 0;
  return lac_text_width(scale->labels[last], size, FALSE) / 2 -
         (scale->high - scale->ticks[last]) / (scale->high - scale->low) * frame->box.width;
}

static Frame
lay_out(LacBox              outer,
        const LacSeries    *series,
        gsize               n_series,
        const double        range[4],
        const LacPlotStyle *style)
{
  double size = style->font_size;
  Frame  frame = {
     .across = style->x_ticks != NULL ? scale_with_margin(range[0], range[1], style->log_x)
                                      : lac_scale_make(range[0], range[1], style->log_x),
     .up = scale_with_margin(range[2], range[3], style->log_y),
  };
  double bottom = size * (style->x_label != NULL ? 2.9 : 1.6);
  double beside = size * (style->y_label != NULL ? 2.0 : 0.6), left = 0;
  double names =
    style->names_at_ends ? find_names_width(series, n_series, outer.width, size) : size * 1.6;
  frame.box = outer;
  frame.right = outer.x + outer.width;
  frame.box.height = outer.height - bottom;
  for (int pass = 0; pass < 2; pass++) { /* margin, legend rows and ticks depend on each other */
    fit_y(&frame.up, frame.box.height, style);
    left = MAX(left, lac_scale_label_width(&frame.up, size) + beside);
    frame.box.width = MAX(outer.width - left - names, 1);
    double rows =
      style->names_at_ends ? 0 : (double) lay_legend(NULL, frame.box, series, n_series, size, NULL);
    frame.box.y = outer.y + size * (0.6 + 1.5 * rows);
    frame.box.height = MAX(outer.y + outer.height - bottom - frame.box.y, 1);
  }
  fit_y(&frame.up, frame.box.height, style);
  left = MAX(left, lac_scale_label_width(&frame.up, size) + beside);
  frame.box.x = outer.x + left;
  frame.box.width = MAX(outer.width - left - names, 1);
  lac_scale_fit_x(&frame.across, frame.box.width, size);
  if (style->x_ticks != NULL)
    lac_scale_put_ticks(&frame.across, style->x_ticks, style->n_x_ticks, frame.box.width, size);
  frame.box.width -= MAX(overhang(&frame, size) - names, 0);
  return frame;
}

static void
draw_grid(LacDrawing *drawing, const Frame *frame, LacColour colour)
{
  for (gsize i = 0; i < frame->up.n_ticks; i++) {
    double   place = (frame->up.ticks[i] - frame->up.low) / (frame->up.high - frame->up.low);
    double   y = frame->box.y + (1 - place) * frame->box.height;
    LacPoint line[] = {{frame->box.x, y}, {frame->box.x + frame->box.width, y}};
    lac_draw_lines(drawing, line, 2, 0.5, colour);
  }
}

typedef struct {
  LacDrawing *drawing;
  GArray     *points;
  LacColour   colour;
  LacDash     dash;
} Pen;

static void
flush_line(Pen *pen)
{
  GArray *points = pen->points;
  if (points->len == 1) { /* a single value is a dot */
    LacPoint only = g_array_index(points, LacPoint, 0);
    lac_draw_rectangle(pen->drawing, only.x - 1.5, only.y - 1.5, 3, 3, pen->colour);
  }
  lac_draw_dashed(pen->drawing, (const LacPoint *) (gconstpointer) points->data, points->len, 1.2,
                  pen->colour, pen->dash);
  g_array_set_size(points, 0);
}

/* Appends the lowest and highest point of a pixel column, in their original order. */
static void
flush_column(GArray *points, const LacPoint *low, const LacPoint *high, gboolean low_first)
{
  const LacPoint *first = low_first ? low : high, *second = low_first ? high : low;
  g_array_append_val(points, *first);
  if (low->y != high->y)
    g_array_append_val(points, *second);
}

static LacPoint
place_at(const Frame *frame, double x, double y)
{
  return (LacPoint){
    frame->box.x + lac_scale_place(&frame->across, x) * frame->box.width,
    frame->box.y + (1 - lac_scale_place(&frame->up, y)) * frame->box.height,
  };
}

static void
draw_series(const Frame *frame, const LacSeries *series, const LacPlotStyle *style, Pen *pen)
{
  GArray  *points = pen->points;
  gboolean open = FALSE, low_first = TRUE;
  double   column = 0;
  LacPoint low = {0, 0}, high = {0, 0};
  for (gsize i = 0; i < series->n; i++) {
    if (!can_be_drawn(series->x[i], series->y[i], style)) {
      if (open)
        flush_column(points, &low, &high, low_first);
      flush_line(pen);
      open = FALSE;
      continue;
    }
    LacPoint at = place_at(frame, series->x[i], series->y[i]);
    if (open && floor(at.x) == column) {
      if (at.y < low.y) {
        low = at;
        low_first = FALSE;
      }
      if (at.y > high.y) {
        high = at;
        low_first = TRUE;
      }
      continue;
    }
    if (open)
      flush_column(points, &low, &high, low_first);
    open = TRUE;
    column = floor(at.x);
    low = high = at;
  }
  if (open)
    flush_column(points, &low, &high, low_first);
  flush_line(pen);
}

/* Draws the band behind the lines; a value outside the domain of the axis clips it at the frame. */
static void
draw_band(LacDrawing         *drawing,
          const Frame        *frame,
          const LacSeries    *series,
          const LacPlotStyle *style,
          LacColour           colour)
{
  g_autoptr(GArray) rim = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  double            floor_y = style->log_y ? pow(10, frame->up.low) : frame->up.low;
  for (gsize k = 0; k < 2 * series->n; k++) {
    gsize  i = k < series->n ? k : 2 * series->n - 1 - k;
    double y = k < series->n ? series->low[i] : series->high[i];
    if (!isfinite(y) || !isfinite(series->x[i]) || (style->log_x && !(series->x[i] > 0)))
      continue;
    LacPoint at = place_at(frame, series->x[i], style->log_y && !(y > 0) ? floor_y : y);
    g_array_append_val(rim, at);
  }
  colour.alpha *= BAND_OPACITY;
  if (rim->len > 2)
    lac_draw_polygon(drawing, (const LacPoint *) (gconstpointer) rim->data, rim->len, colour);
  else /* single value: as wide as its dot */
    lac_draw_lines(drawing, (const LacPoint *) (gconstpointer) rim->data, rim->len, 2 * DOT,
                   colour);
}

/* Draws dots above the frame, so that those at its edge are complete. */
static void
draw_dots(LacDrawing         *drawing,
          const Frame        *frame,
          const LacSeries    *series,
          const LacPlotStyle *style,
          LacColour           colour)
{
  for (gsize i = 0; i < series->n; i++) {
    if (!can_be_drawn(series->x[i], series->y[i], style))
      continue;
    LacPoint rim[12], at = place_at(frame, series->x[i], series->y[i]);
    for (gsize k = 0; k < G_N_ELEMENTS(rim); k++) {
      double angle = 2 * G_PI * (double) k / G_N_ELEMENTS(rim);
      rim[k] = (LacPoint){at.x + DOT * cos(angle), at.y + DOT * sin(angle)};
    }
    lac_draw_polygon(drawing, rim, G_N_ELEMENTS(rim), colour);
  }
}

static void
draw_all(LacDrawing         *drawing,
         const Frame        *frame,
         const LacSeries    *series,
         gsize               n_series,
         const LacPlotStyle *style,
         const LacPalette   *palette)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  lac_draw_clip(drawing, frame->box.x, frame->box.y, frame->box.width, frame->box.height);
  for (gsize s = 0; s < n_series; s++)
    if (series[s].low != NULL && series[s].high != NULL)
      draw_band(drawing, frame, &series[s], style,
                lac_look_colour(palette, look_of(&series[s], s)));
  for (gsize s = 0; s < n_series; s++) {
    Pen pen = {drawing, points, lac_look_colour(palette, look_of(&series[s], s)),
               dash_of(&series[s], s)};
    draw_series(frame, &series[s], style, &pen);
  }
  lac_draw_unclip(drawing);
  for (gsize s = 0; s < n_series; s++)
    if (series[s].dots)
      draw_dots(drawing, frame, &series[s], style,
                lac_look_colour(palette, look_of(&series[s], s)));
}

static void
draw_stripe(LacDrawing *drawing, const Frame *frame, const LacPlotStyle *style, LacColour colour)
{
  double width = STRIPE * style->font_size;
  double x = frame->box.x + lac_scale_place(&frame->across, style->stripe) * frame->box.width;
  colour.alpha *= STRIPE_ALPHA;
  if (style->has_stripe && isfinite(x))
    lac_draw_rectangle(drawing, x - width / 2, frame->box.y, width, frame->box.height, colour);
}

/* Draws the names of the curves beside their last points. */
static void
draw_names(LacDrawing         *drawing,
           const Frame        *frame,
           const LacSeries    *series,
           gsize               n_series,
           const LacPlotStyle *style,
           const LacPalette   *palette)
{
  g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(LacPlotName));
  for (gsize s = 0; s < n_series; s++) {
    gsize last = series[s].n;
    while (last > 0 && !can_be_drawn(series[s].x[last - 1], series[s].y[last - 1], style))
      last--;
    if (series[s].label == NULL || last == 0)
      continue;
    LacPlotName name = {place_at(frame, series[s].x[last - 1], series[s].y[last - 1]).y,
                        series[s].label, lac_look_colour(palette, look_of(&series[s], s))};
    g_array_append_val(names, name);
  }
  lac_plot_names(drawing, frame->box, frame->right, (LacPlotName *) (gpointer) names->data,
                 names->len, style->font_size);
}

/* ---- display units ---- */

static const double *
convert(const double *values, gsize n, const LacShown *shown, GPtrArray *owned)
{
  if (values == NULL || (shown->factor == 1 && shown->offset == 0))
    return values;
  double *converted = g_new(double, n + 1);
  g_ptr_array_add(owned, converted);
  for (gsize i = 0; i < n; i++)
    converted[i] = lac_shown_value(shown, values[i]);
  return converted;
}

/* Returns: (transfer full): @series converted to display units; @owned owns the values. */
static LacSeries *
convert_all(const LacSeries *series, gsize n_series, const LacPlotStyle *style, GPtrArray *owned)
{
  const LacShown x = lac_shown(style->x_unit);
  LacSeries     *converted = g_new(LacSeries, n_series + 1);
  for (gsize s = 0; s < n_series; s++) {
    const LacShown y = lac_shown(series[s].unit);
    gsize          n = series[s].n;
    converted[s] = series[s];
    converted[s].x = convert(series[s].x, n, &x, owned);
    converted[s].y = convert(series[s].y, n, &y, owned);
    converted[s].low = convert(series[s].low, n, &y, owned);
    converted[s].high = convert(series[s].high, n, &y, owned);
  }
  return converted;
}

void
lac_plot_curves(LacDrawing         *drawing,
                double              x,
                double              y,
                double              width,
                double              height,
                const LacSeries    *kept,
                gsize               n_series,
                const LacPlotStyle *style,
                const LacPalette   *palette)
{
  g_return_if_fail(drawing != NULL && style != NULL && palette != NULL);
  g_autoptr(GPtrArray)  owned = g_ptr_array_new_with_free_func(g_free);
  g_autofree LacSeries *series = convert_all(kept, n_series, style, owned);
  LacBox                outer = {x, y, width, height};
  double                range[4];
  gboolean              any = find_ranges(series, n_series, style, range);
  if (!any) {
    range[0] = style->log_x ? 0.1 : 0;
    range[1] = range[3] = 1;
    range[2] = style->log_y ? 0.1 : 0;
  }
  Frame frame = lay_out(outer, series, n_series, range, style);
  draw_grid(drawing, &frame, palette->grid);
  draw_stripe(drawing, &frame, style, palette->foreground);
  lac_plot_frame(drawing, frame.box, 0.6, palette->faint);
  if (!any) {
    lac_draw_text(drawing, frame.box.x + frame.box.width / 2, frame.box.y + frame.box.height / 2,
                  LAC_ALIGN_CENTRE, style->font_size, palette->faint, _("no values yet"));
    return;
  }

  draw_all(drawing, &frame, series, n_series, style, palette);
  lac_plot_axis_x(drawing, frame.box, &frame.across, style->x_label, style->font_size, palette);
  lac_plot_axis_y(drawing, frame.box, &frame.up, style->y_label, style->font_size, palette);
  LacBox legend = {frame.box.x, outer.y, frame.box.width, 0};
  if (style->names_at_ends)
    draw_names(drawing, &frame, series, n_series, style, palette);
  else
    lay_legend(drawing, legend, series, n_series, style->font_size, palette);
}

gboolean
lac_plot_find_axis(const double        size[2],
                   const LacSeries    *kept,
                   gsize               n_series,
                   const LacPlotStyle *style,
                   LacPlotAxis        *axis)
{
  double range[4];
  g_return_val_if_fail(style != NULL && !style->log_x && axis != NULL, FALSE);
  g_autoptr(GPtrArray)  owned = g_ptr_array_new_with_free_func(g_free);
  g_autofree LacSeries *series = convert_all(kept, n_series, style, owned);
  if (!find_ranges(series, n_series, style, range))
    return FALSE;
  Frame frame = lay_out((LacBox){0, 0, size[0], size[1]}, series, n_series, range, style);
  *axis = (LacPlotAxis){.left = frame.box.x,
                        .right = frame.box.x + frame.box.width,
                        .top = frame.box.y,
                        .bottom = frame.box.y + frame.box.height,
                        .from = frame.across.low,
                        .to = frame.across.high};
  return TRUE;
}
