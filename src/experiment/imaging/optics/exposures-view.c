/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resampling of an exposure to the pixels of the object. */
#include "experiment/imaging/optics/exposures.h"

#include <math.h>

/* Returns Dirichlet's kernel of period 1 for an even number @d of samples: 1 at 0, 0 at the others. */
static double
dirichlet(double x, gsize d)
{
  const double n = (double) d, angle = G_PI * x;

  if (fabs(x - round(x)) < 1e-12)
    return 1;
  return sin(n * angle) / (n * tan(angle));
}

/* @weights: [s][d]: weights of the detector's samples for pixel i of the object */
static void
fill_weights(const LacExposures *exposures, double *weights)
{
  const gsize  d = exposures->d, s = exposures->support;
  const double grid = (double) exposures->grid;
  const double first = (double) ((exposures->grid - s) / 2) - grid / 2;

  for (gsize i = 0; i < s; i++)
    for (gsize j = 0; j < d; j++)
      weights[i * d + j] =
        dirichlet((first + (double) i) / grid - ((double) j - (double) (d / 2)) / (double) d, d);
}

/* Uses trigonometric interpolation, which is exact because the detector fully samples the intensity that an aperture
 * passes. */
void
lac_exposures_view(const LacExposures *exposures, gsize position, double *image)
{
  const gsize        d = exposures->d, s = exposures->support;
  const double      *from = lac_exposures_image(exposures, position);
  const double       scale = (double) d / (double) exposures->grid;
  const gboolean     is_amplitude = exposures->unit == LAC_DETECTOR_AMPLITUDE;
  g_autofree double *weights = g_new(double, s *d);
  g_autofree double *rows = g_new0(double, s *d);

  fill_weights(exposures, weights);
  for (gsize i = 0; i < s; i++)
    for (gsize j = 0; j < d; j++)
      for (gsize k = 0; k < d; k++)
        rows[i * d + k] +=
          weights[i * d + j] * (is_amplitude ? from[j * d + k] * from[j * d + k] : from[j * d + k]);
  for (gsize i = 0; i < s; i++)
    for (gsize k = 0; k < s; k++) {
      double intensity = 0;

      for (gsize j = 0; j < d; j++)
        intensity += rows[i * d + j] * weights[k * d + j];
      image[i * s + k] = scale * sqrt(MAX(0, intensity));
    }
}
