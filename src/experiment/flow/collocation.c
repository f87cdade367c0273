/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The race: candidate i arrives after an exponential time with rate its weight; the first n are chosen. */
#include "experiment/flow/collocation.h"

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
lac_collocation_choose(LacRng       *rng,
                       const double *residuals,
                       double       *keys,
                       gsize         n_pool,
                       gsize        *chosen,
                       gsize         n)
{
  const LacRng start = *rng;
  double       mean = 0, last;
  gsize        n_chosen = 0;

  g_return_if_fail(n <= n_pool);
  for (gsize i = 0; i < n_pool; i++)
    mean += fabs(residuals[i]);
  mean /= (double) n_pool;
  for (gsize i = 0; i < n_pool; i++) {
    const double weight = mean > 0 ? fabs(residuals[i]) / mean + 1 : 1;

    keys[i] = -log(1 - lac_rng_uniform(rng)) / weight;
  }
  last = nth_smallest(keys, n_pool, n - 1);
  *rng = start; /* the same times again, in the order of the candidates */
  for (gsize i = 0; i < n_pool; i++) {
    const double weight = mean > 0 ? fabs(residuals[i]) / mean + 1 : 1;
    const double time = -log(1 - lac_rng_uniform(rng)) / weight;

    if (time <= last && n_chosen < n)
      chosen[n_chosen++] = i;
  }
}
