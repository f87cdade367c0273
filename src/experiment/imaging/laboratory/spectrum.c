/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Displayed planes of k-space. */
#include "experiment/imaging/laboratory/spectrum.h"

#include <math.h>
#include <string.h>

#define LEAST_DECADES -6.0 /* lower limit relative to the peak */

void
lac_spectrum_view_init(LacSpectrumView *view, LacOptics *optics, gsize window)
{
  const LacBand band = lac_optics_get_band(optics);
  const gsize   n_band = band.height * band.width;

  *view = (LacSpectrumView){
    .optics = optics,
    .band = band,
    .window = window,
    .spectrum = g_new0(double complex, n_band),
    .counts = g_new0(guint16, n_band),
    .seen = g_new0(guint8, n_band),
  };
}

void
lac_spectrum_view_clear(LacSpectrumView *view)
{
  g_clear_pointer(&view->spectrum, g_free);
  g_clear_pointer(&view->truth, g_free);
  g_clear_pointer(&view->counts, g_free);
  g_clear_pointer(&view->seen, g_free);
}

/* Finds pixel @row, @column of the window in the band. Returns: FALSE outside. */
static gboolean
find_in_band(const LacSpectrumView *view, gsize row, gsize column, gsize *at)
{
  const LacBand *band = &view->band;
  const gint64   half = (gint64) view->window / 2;
  const gint64   y = (gint64) row - half - band->y, x = (gint64) column - half - band->x;

  if (y < 0 || x < 0 || y >= (gint64) band->height || x >= (gint64) band->width)
    return FALSE;
  *at = (gsize) y * band->width + (gsize) x;
  return TRUE;
}

static double
square(double complex value)
{
  return creal(value) * creal(value) + cimag(value) * cimag(value);
}

static double
find_peak(const LacSpectrumView *view)
{
  double peak = 0;

  for (gsize i = 0; i < view->band.height * view->band.width; i++)
    peak = MAX(peak, square(view->spectrum[i]));
  return sqrt(peak);
}

/* Fills the plane from the spectrum in the scratch memory. */
static void
fill_decades(const LacSpectrumView *view, double peak, float *data)
{
  const gsize  n = view->window;
  const double scale = peak > 0 ? 1 / (peak * peak) : 0;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      float decades = LEAST_DECADES;
      gsize at;

      if (find_in_band(view, y, x, &at))
        decades = MAX(decades, 0.5F * log10f((float) (scale * square(view->spectrum[at]))));
      data[(n - 1 - y) * n + x] = decades;
    }
}

void
lac_spectrum_view_set_truth(LacSpectrumView *view, const double complex *object)
{
  g_return_if_fail(view->truth == NULL);
  lac_optics_spectrum(view->optics, object, view->spectrum);
  view->peak = find_peak(view);
  view->truth = g_new(float, view->window * view->window);
  fill_decades(view, view->peak, view->truth);
}

void
lac_spectrum_view_fill(LacSpectrumView *view, const double complex *object, float *data)
{
  lac_optics_spectrum(view->optics, object, view->spectrum);
  fill_decades(view, view->truth != NULL ? view->peak : find_peak(view), data);
}

static void
count_scan(LacSpectrumView *view, gsize n)
{
  const gsize n_band = view->band.height * view->band.width;

  if (n < view->n_counted) {
    memset(view->counts, 0, n_band * sizeof *view->counts);
    view->n_counted = 0;
  }
  for (; view->n_counted < n; view->n_counted++) {
    memset(view->seen, 0, n_band);
    lac_optics_mark(view->optics, view->n_counted, view->seen);
    for (gsize i = 0; i < n_band; i++)
      view->counts[i] = (guint16) (view->counts[i] + view->seen[i]);
  }
}

void
lac_spectrum_view_fill_coverage(LacSpectrumView *view, gsize n_positions, float *data)
{
  const gsize n = view->window;

  count_scan(view, n_positions);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      gsize at;

      data[(n - 1 - y) * n + x] = find_in_band(view, y, x, &at) ? (float) view->counts[at] : 0;
    }
}
