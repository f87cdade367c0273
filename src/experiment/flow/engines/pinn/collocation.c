/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The race: candidate i arrives after an exponential time with rate its weight; the first n are chosen. */
#include "experiment/flow/engines/pinn/collocation.h"

#include <math.h>

/* keys[n] as if sorted; Hoare (1961), algorithm 65. Reorders @keys. */
static double
nth_smallest(double *keys, gsize n_keys, gsize n)
{
  gssize low = 0, high = (gssize) n_keys - 1, wanted = (gssize) n;

  while (low < high) {
    const double pivot = keys[wanted];
    gssize       i = low, j = high;

    while (i <= j) {
      while (keys[i] < pivot)
        i++;
      while (pivot < keys[j])
        j--;
      if (i <= j) {
        const double kept = keys[i];

        keys[i++] = keys[j];
        keys[j--] = kept;
      }
    }
    if (j < wanted)
      low = i;
    if (wanted < i)
      high = j;
  }
  return keys[wanted];
}

void
lac_collocation_weigh(const double *residuals,
                      gsize         n_pool,
                      double        power,
                      double        offset,
                      double       *weights)
{
  double mean = 0;

  for (gsize i = 0; i < n_pool; i++) {
    weights[i] = power == 1 ? fabs(residuals[i]) : pow(fabs(residuals[i]), power);
    mean += weights[i];
  }
  mean /= (double) n_pool;
  for (gsize i = 0; i < n_pool; i++)
    weights[i] = mean > 0 ? MAX(weights[i] / mean + offset, 1e-12) : 1;
}

void
lac_collocation_race(LacRng       *rng,
                     const double *weights,
                     double       *keys,
                     gsize         n_pool,
                     gsize        *chosen,
                     gsize         n)
{
  const LacRng start = *rng;
  double       last;
  gsize        n_chosen = 0;

  g_return_if_fail(n <= n_pool);
  if (n == 0)
    return;
  for (gsize i = 0; i < n_pool; i++)
    keys[i] = -log(1 - lac_rng_uniform(rng)) / weights[i];
  last = nth_smallest(keys, n_pool, n - 1);
  *rng = start; /* the same times again, in the order of the candidates */
  for (gsize i = 0; i < n_pool; i++) {
    const double time = -log(1 - lac_rng_uniform(rng)) / weights[i];

    if (time <= last && n_chosen < n)
      chosen[n_chosen++] = i;
  }
}

void
lac_collocation_choose(LacRng       *rng,
                       const double *residuals,
                       double       *scratch,
                       gsize         n_pool,
                       gsize        *chosen,
                       gsize         n)
{
  double *weights = scratch + n_pool;

  lac_collocation_weigh(residuals, n_pool, 1, 1, weights);
  lac_collocation_race(rng, weights, scratch, n_pool, chosen, n);
}
