/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References for reconstructions: a single aperture, and the band-limited truth; and the displayed value of an
 * object. */
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <math.h>

static gsize
nearest_to_middle(const LacExposures *exposures)
{
  gsize  best = 0;
  double least = INFINITY;

  for (gsize v = 0; v < exposures->n_positions; v++) {
    const LacScanBox *position = &exposures->scan[v];
    const double      distance =
      hypot((position->y + position->end_y) / 2, (position->x + position->end_x) / 2);

    if (distance < least) {
      least = distance;
      best = v;
    }
  }
  return best;
}

void
lac_imaging_single_aperture(const LacExposures *exposures, double *image)
{
  lac_exposures_view(exposures, nearest_to_middle(exposures), image);
}

void
lac_imaging_band_limit(LacOptics *optics, double complex *object)
{
  const LacBand              band = lac_optics_get_band(optics);
  const gsize                n = band.height * band.width;
  g_autofree guint8         *mask = g_new0(guint8, n);
  g_autofree double complex *spectrum = g_new(double complex, n);

  for (gsize v = 0; v < lac_optics_get_settings(optics)->n_positions; v++)
    lac_optics_mark(optics, v, mask);
  lac_optics_spectrum(optics, object, spectrum);
  for (gsize i = 0; i < n; i++)
    if (!mask[i])
      spectrum[i] = 0;
  lac_optics_object(optics, spectrum, object);
}

void
lac_imaging_show(gboolean is_real, const double complex *object, gsize n, double *image)
{
  for (gsize i = 0; i < n; i++)
    image[i] = is_real
                 ? creal(object[i])
                 : sqrt(creal(object[i]) * creal(object[i]) + cimag(object[i]) * cimag(object[i]));
}
