/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofline chart: limits, points and label placement. */
#include "report/plot/roofline-chart.h"

#include "base/number-display.h"
#include "report/plot/plot-private.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SIZE        7.5
#define LINE_HEIGHT 10.0
#define LABEL_SHARE 0.34 /* maximum share of the width */
#define GAP         3.0  /* between a point and its label */
#define MOST_TAKEN  (LAC_ROOFLINE_MOST * 2 + 2)

typedef struct {
  LacDrawing       *drawing;
  const LacPalette *palette;
  LacBox            box;
  LacScale          across, up;
  LacBox            taken[MOST_TAKEN]; /* occupied by points and labels */
  gsize             n_taken;
  LacPoint          roofs[3]; /* foot, ridge, right end */
} Canvas;

LacRooflineChart
lac_roofline_chart_of(const LacCapture *capture, const LacAggregate *rows, gsize n_rows)
{
  LacRooflineChart chart = {.peak = lac_peak_of_capture(capture)};
  if (!(chart.peak.flops > 0) || !(chart.peak.bytes > 0))
    return chart;
  for (gsize i = 0; i < n_rows && chart.n < LAC_ROOFLINE_MOST; i++) {
    const LacRoofline roofline = lac_roofline_of(&rows[i], chart.peak);
    if (rows[i].is_operation && roofline.attainable > 0)
      chart.points[chart.n++] = (LacRooflinePoint){
        lac_capture_get_name(capture, rows[i].name),
        roofline.intensity,
        roofline.rate,
        rows[i].share,
      };
  }
  return chart;
}

/* ---- the frame ---- */

static void
lay_out(Canvas *canvas, const LacRooflineChart *chart, LacPoint at, double width)
{
  double ridge = chart->peak.flops / chart->peak.bytes, x[2] = {ridge / 8, ridge * 8};
  double y[2] = {chart->peak.flops / 32, chart->peak.flops * 2};
  for (gsize i = 0; i < chart->n; i++) {
    x[0] = MIN(x[0], chart->points[i].intensity / 2);
    x[1] = MAX(x[1], chart->points[i].intensity * 2);
    y[0] = MIN(y[0], chart->points[i].rate / 2);
    y[1] = MAX(y[1], chart->points[i].rate * 2);
  }
  canvas->across = lac_scale_make(x[0], x[1], TRUE);
  canvas->up = lac_scale_make(y[0] * 1e-9, y[1] * 1e-9, TRUE);
  canvas->box.height = LAC_ROOFLINE_HEIGHT - SIZE * 4;
  lac_scale_fit_y(&canvas->up, canvas->box.height, SIZE);
  double left = lac_scale_label_width(&canvas->up, SIZE) + SIZE * 2.2;
  canvas->box.x = at.x + left;
  canvas->box.y = at.y + SIZE;
  canvas->box.width = MAX(width - left - SIZE * 1.6, 1);
  lac_scale_fit_x(&canvas->across, canvas->box.width, SIZE);
}

static LacPoint
place_at(const Canvas *canvas, double intensity, double rate)
{
  return (LacPoint){
    canvas->box.x + lac_scale_place(&canvas->across, intensity) * canvas->box.width,
    canvas->box.y + (1 - lac_scale_place(&canvas->up, rate * 1e-9)) * canvas->box.height,
  };
}

static void
draw_frame(const Canvas *canvas, gboolean of_gpu)
{
  const LacPalette *palette = canvas->palette;
  for (gsize i = 0; i < canvas->up.n_ticks; i++) {
    double   y = place_at(canvas, 1, pow(10, canvas->up.ticks[i]) * 1e9).y;
    LacPoint line[] = {{canvas->box.x, y}, {canvas->box.x + canvas->box.width, y}};
    lac_draw_lines(canvas->drawing, line, 2, 0.5, palette->grid);
  }
  lac_plot_frame(canvas->drawing, canvas->box, 0.6, palette->faint);
  lac_plot_axis_x(canvas->drawing, canvas->box, &canvas->across, _("arithmetic intensity (FLOP/B)"),
                  SIZE, palette);
  lac_plot_axis_y(canvas->drawing, canvas->box, &canvas->up,
                  of_gpu ? _("GFLOP/s of the GPU") : _("GFLOP/s per thread"), SIZE, palette);
}

/* ---- labels ---- */

static gboolean
is_within(LacBox inner, LacBox outer)
{
  return inner.x >= outer.x && inner.y >= outer.y &&
         inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

/* Returns the height of the roofline at @x, within its range. */
static double
roof_at(const Canvas *canvas, double x)
{
  const LacPoint *foot = &canvas->roofs[0], *ridge = &canvas->roofs[1];
  if (x >= ridge->x)
    return ridge->y;
  return ridge->y + (foot->y - ridge->y) * (ridge->x - x) / (ridge->x - foot->x);
}

static gboolean
crosses_roof(const Canvas *canvas, LacBox label)
{
  return roof_at(canvas, label.x + label.width) < label.y + label.height &&
         roof_at(canvas, label.x) > label.y;
}

static gboolean
is_free(const Canvas *canvas, LacBox label)
{
  for (gsize i = 0; i < canvas->n_taken; i++) {
    const LacBox *other = &canvas->taken[i];
    if (label.x < other->x + other->width && other->x < label.x + label.width &&
        label.y < other->y + other->height && other->y < label.y + label.height)
      return FALSE;
  }
  return is_within(label, canvas->box) && !crosses_roof(canvas, label);
}

/* Tries positions right and left of the point, then a line higher or lower, and so on. Returns: FALSE where all
 * overlap. */
static gboolean
find_room(const Canvas *canvas, LacPoint at, double radius, LacBox *label)
{
  gsize n_lines = (gsize) (canvas->box.height / LINE_HEIGHT);
  for (gsize i = 0; i < 4 * n_lines; i++) {
    double rows = (double) ((i / 2 + 1) / 2) * (i / 2 % 2 ? -1 : 1);
    label->x = i % 2 ? at.x - radius - GAP - label->width : at.x + radius + GAP;
    label->y = at.y - LINE_HEIGHT / 2 + rows * LINE_HEIGHT;
    if (is_free(canvas, *label))
      return TRUE;
  }
  return FALSE;
}

static void
draw_label(Canvas *canvas, LacPoint at, double radius, const char *text)
{
  LacBox label = {0, 0, lac_text_width(text, SIZE, FALSE), LINE_HEIGHT};
  if (!find_room(canvas, at, radius, &label))
    return;
  canvas->taken[canvas->n_taken++] = label;
  double middle = label.y + LINE_HEIGHT / 2;
  if (fabs(middle - at.y) > LINE_HEIGHT) {
    LacPoint line[] = {at, {label.x > at.x ? label.x - 1 : label.x + label.width + 1, middle}};
    lac_draw_lines(canvas->drawing, line, 2, 0.5, canvas->palette->faint);
  }
  lac_draw_text(canvas->drawing, label.x, middle + SIZE * 0.36, LAC_ALIGN_LEFT, SIZE,
                canvas->palette->foreground, text);
}

/* ---- limits and points ---- */

/* Draws the bandwidth limits of the caches, dashed, from the foot to the compute limit. */
static void
draw_cache_roofs(Canvas *canvas, const LacPeak *peak)
{
  const double low = pow(10, canvas->across.low), high = pow(10, canvas->across.high);

  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++) {
    const double bytes = peak->caches[i];
    if (!(bytes > peak->bytes))
      continue;
    const double   foot = MAX(low, pow(10, canvas->up.low) * 1e9 / bytes);
    const double   ridge = MIN(peak->flops / bytes, high);
    const LacPoint line[] = {place_at(canvas, foot, foot * bytes),
                             place_at(canvas, ridge, ridge * bytes)};
    if (ridge > foot)
      lac_draw_dashed(canvas->drawing, line, 2, 0.9, canvas->palette->series[1], LAC_DASH_DASHED);
  }
}

/* Draws the roofline; the compute limit is labelled above its flat part, the bandwidth limit beside its foot. */
static void
draw_roofs(Canvas *canvas, const LacPeak *peak)
{
  double   ridge = peak->flops / peak->bytes;
  double   low = pow(10, canvas->across.low), high = pow(10, canvas->across.high);
  double   foot = MAX(low, pow(10, canvas->up.low) * 1e9 / peak->bytes);
  LacPoint roofs[] = {
    place_at(canvas, foot, foot * peak->bytes),
    place_at(canvas, ridge, peak->flops),
    place_at(canvas, high, peak->flops),
  };
  memcpy(canvas->roofs, roofs, sizeof roofs);
  draw_cache_roofs(canvas, peak);
  lac_draw_lines(canvas->drawing, roofs, G_N_ELEMENTS(roofs), 1.4, canvas->palette->series[1]);
  g_autofree char *flops = lac_number_text(peak->flops * 1e-9);
  g_autofree char *bytes = lac_number_text(peak->bytes * 1e-9);
  g_autofree char *flat = g_strdup_printf("%s GFLOP/s", flops);
  g_autofree char *slope = g_strdup_printf("%s GB/s", bytes);
  double           width = lac_text_width(flat, SIZE, FALSE);
  LacBox above = {roofs[2].x - width - GAP, roofs[2].y - LINE_HEIGHT - 1, width, LINE_HEIGHT};
  lac_draw_text(canvas->drawing, above.x, above.y + LINE_HEIGHT * 0.75, LAC_ALIGN_LEFT, SIZE,
                canvas->palette->series[1], flat);
  width = lac_text_width(slope, SIZE, FALSE);
  LacPoint middle = {(roofs[0].x + roofs[1].x) / 2, (roofs[0].y + roofs[1].y) / 2};
  LacBox   beside = {MAX(middle.x - width - 2 * GAP, canvas->box.x + GAP),
                     middle.y - LINE_HEIGHT - GAP, width, LINE_HEIGHT};
  lac_draw_text(canvas->drawing, beside.x, beside.y + LINE_HEIGHT * 0.75, LAC_ALIGN_LEFT, SIZE,
                canvas->palette->series[1], slope);
  canvas->taken[canvas->n_taken++] = above;
  canvas->taken[canvas->n_taken++] = beside;
}

/* Returns a radius whose area is proportional to the share of the time. */
static double
radius_of(const LacRooflinePoint *point)
{
  return 1.8 + 9 * sqrt(point->share);
}

static void
draw_point(Canvas *canvas, LacPoint at, double radius)
{
  LacPoint  rim[24];
  LacColour colour = canvas->palette->series[0];
  for (gsize k = 0; k < G_N_ELEMENTS(rim); k++) {
    double angle = 2 * G_PI * (double) k / G_N_ELEMENTS(rim);
    rim[k] = (LacPoint){at.x + radius * cos(angle), at.y + radius * sin(angle)};
  }
  colour.alpha = 0.75F;
  lac_draw_polygon(canvas->drawing, rim, G_N_ELEMENTS(rim), colour);
  canvas->taken[canvas->n_taken++] = (LacBox){at.x - radius, at.y - radius, 2 * radius, 2 * radius};
}

void
lac_roofline_draw(const LacRooflineChart *chart,
                  LacDrawing             *drawing,
                  LacPoint                at,
                  double                  width,
                  const LacPalette       *palette)
{
  g_return_if_fail(chart != NULL && chart->n > 0 && drawing != NULL && palette != NULL);
  Canvas canvas = {.drawing = drawing, .palette = palette};
  lay_out(&canvas, chart, at, width);
  draw_frame(&canvas, chart->peak.of_gpu);
  draw_roofs(&canvas, &chart->peak);
  for (gsize i = 0; i < chart->n; i++)
    draw_point(&canvas, place_at(&canvas, chart->points[i].intensity, chart->points[i].rate),
               radius_of(&chart->points[i]));
  for (gsize i = 0; i < chart->n; i++) {
    const LacRooflinePoint *point = &chart->points[i];
    g_autofree char        *share = lac_number_dup_fixed(100 * point->share, 1);
    g_autofree char        *name =
      lac_text_dup_fitted(point->name, SIZE, FALSE, canvas.box.width * LABEL_SHARE);
    g_autofree char *text = g_strdup_printf("%s, %s %%", name, share);
    draw_label(&canvas, place_at(&canvas, point->intensity, point->rate), radius_of(point), text);
  }
}

const char *
lac_roofline_explanation(const LacPeak *peak)
{
  if (peak->of_gpu)
    return _("The roofline shows the peak rates of the GPU by its clocks: multiply-adds of its "
             "cores, without tensor cores, and its memory. Times are those of the steps that were "
             "timed. The area of a point is its share of the time.");
  return _("The roofline shows the peak rates of one thread, measured on this machine: "
           "multiply-adds in registers, and memory reads and copies. Dashed: reads and copies of "
           "data within 4 MiB, 256 KiB and 16 KiB, which stay in a cache. The area of a point is "
           "its share of the time.");
}
