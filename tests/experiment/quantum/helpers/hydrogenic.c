/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling of hydrogenic orbitals: the distance is gamma distributed, a sum of three exponential variables;
 * directions are isotropic. */
#include "hydrogenic.h"

#include <math.h>

void
hydrogenic_draw(LacRng *rng, double z, const double centre[3], double position[3])
{
  double product = 1, height = 2 * lac_rng_uniform(rng) - 1,
         angle = 2 * G_PI * lac_rng_uniform(rng);
  double distance, across = sqrt(1 - height * height);

  for (guint i = 0; i < 3; i++)
    product *= 1 - lac_rng_uniform(rng);
  distance = -log(product) / (2 * z);
  position[0] = centre[0] + distance * across * cos(angle);
  position[1] = centre[1] + distance * across * sin(angle);
  position[2] = centre[2] + distance * height;
}
