/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Siemens star, each pixel the mean of many places in its square. */
#include "experiment/imaging/objects/siemens-star.h"

#include <math.h>

#define RIM     0.46 /* of the side */
#define SAMPLES 16   /* each way in a pixel */

double
lac_siemens_star_get_rim(gsize side)
{
  return RIM * (double) side;
}

static double
get_pixel(double y, double x, double rim, double spokes)
{
  guint n = 0;

  for (int j = 0; j < SAMPLES; j++)
    for (int i = 0; i < SAMPLES; i++) {
      const double v = y + (j + 0.5) / SAMPLES, u = x + (i + 0.5) / SAMPLES;
      n += u * u + v * v <= rim * rim && cos(spokes * atan2(v, u)) >= 0;
    }
  return (double) n / (SAMPLES * SAMPLES);
}

void
lac_siemens_star_draw(gsize side, guint n_spokes, double *intensity)
{
  const double middle = (double) side / 2, rim = lac_siemens_star_get_rim(side);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      intensity[y * side + x] =
        get_pixel((double) y - middle, (double) x - middle, rim, (double) n_spokes);
}
