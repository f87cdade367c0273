/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels that an aperture passes: row by row, by the inequality of the shape rather than by a computed edge. */
#include "experiment/imaging/optics/aperture.h"

#include "base/error.h"

#include <math.h>

#define N_SPIDERS 4 /* at 0, 45, 90, 135 degrees */

gboolean
lac_aperture_check(const LacAperture *aperture, gsize grid, GError **error)
{
  if (!(aperture->radius > 0 && aperture->radius <= (double) grid / 2)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "an aperture with a radius of %g pixels does not fit on a grid of %" G_GSIZE_FORMAT
                ": more than 0 and at most %g",
                aperture->radius, grid, (double) grid / 2);
    return FALSE;
  }
  if (aperture->shape != LAC_APERTURE_OBSCURED)
    return TRUE;
  if (!(aperture->inner >= 0 && aperture->inner < aperture->radius)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "an obstruction with a radius of %g pixels: 0 or more, and less than the %g of the aperture",
      aperture->inner, aperture->radius);
    return FALSE;
  }
  if (!(aperture->spider >= 0 && aperture->spider < aperture->radius)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "spiders %g pixels wide: 0 or more, and less than the aperture's radius of %g",
                aperture->spider, aperture->radius);
    return FALSE;
  }
  return TRUE;
}

/* Returns the half height: the largest |y| that can pass. */
static double
half_height(const LacAperture *aperture)
{
  return aperture->shape == LAC_APERTURE_HEXAGON ? aperture->radius * 2 / sqrt(3)
                                                 : aperture->radius;
}

gsize
lac_aperture_reach(const LacAperture *aperture)
{
  return (gsize) floor(half_height(aperture) + 0.5);
}

/* An annulus splits a row once, and each spider vane once more. */
gsize
lac_aperture_max_spans(const LacAperture *aperture)
{
  const gsize n_rows = 2 * lac_aperture_reach(aperture) + 1;

  return aperture->shape == LAC_APERTURE_OBSCURED ? n_rows * (2 + N_SPIDERS) : n_rows;
}

static gboolean
is_behind_a_spider(double y, double x, double width)
{
  for (guint i = 0; i < N_SPIDERS; i++) {
    const double angle = i * G_PI / N_SPIDERS;

    if (fabs(x * sin(angle) - y * cos(angle)) <= width / 2)
      return TRUE;
  }
  return FALSE;
}

/* @y, @x: relative to the centre */
static gboolean
passes(const LacAperture *a, double y, double x)
{
  const double r2 = x * x + y * y;

  switch (a->shape) {
  case LAC_APERTURE_CIRCLE: return r2 <= a->radius * a->radius;
  case LAC_APERTURE_HEXAGON: return MAX(fabs(x), fabs(x) / 2 + fabs(y) * sqrt(3) / 2) <= a->radius;
  case LAC_APERTURE_OBSCURED:
    return r2 <= a->radius * a->radius && r2 >= a->inner * a->inner &&
           (a->spider == 0 || !is_behind_a_spider(y, x, a->spider));
  }
  g_return_val_if_reached(FALSE);
}

/* Returns the integer nearest to @k that is on the grid. */
static gint64
nearest(double k, gint64 low, gint64 high)
{
  return (gint64) CLAMP(round(k), (double) low, (double) high);
}

gsize
lac_aperture_trace(const LacAperture *aperture,
                   double             y,
                   double             x,
                   gsize              grid,
                   LacApertureRow    *spans)
{
  const gint64 low = -(gint64) (grid / 2), high = (gint64) grid + low - 1;
  const double reach = (double) lac_aperture_reach(aperture);
  const gint64 y_to = nearest(y + reach, low, high), x_to = nearest(x + reach, low, high);
  gsize        n_spans = 0;

  for (gint64 ky = nearest(y - reach, low, high); ky <= y_to; ky++) {
    gboolean open = FALSE;

    for (gint64 kx = nearest(x - reach, low, high); kx <= x_to; kx++) {
      const gboolean clear = passes(aperture, (double) ky - y, (double) kx - x);

      if (clear && open)
        spans[n_spans - 1].n++;
      else if (clear)
        spans[n_spans++] = (LacApertureRow){(gint32) ky, (gint32) kx, 1};
      open = clear;
    }
  }
  return n_spans;
}

gsize
lac_aperture_count(const LacAperture *aperture, double y, double x, gsize grid)
{
  g_autofree LacApertureRow *spans = g_new(LacApertureRow, lac_aperture_max_spans(aperture));
  const gsize                n_spans = lac_aperture_trace(aperture, y, x, grid, spans);
  gsize                      n_pixels = 0;

  for (gsize i = 0; i < n_spans; i++)
    n_pixels += (gsize) spans[i].n;
  return n_pixels;
}
