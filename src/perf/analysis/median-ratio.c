/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block bootstrap of medians. */
#include "perf/analysis/median-ratio.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#define SEED \
  0x6d656469616eU /* seed of the resamples: the same samples always give the same result */

typedef struct {
  double samples[LAC_RATIO_MOST], drawn[LAC_RATIO_MOST];
  gsize  n, block;
  LacRng rng;
} Set;

/* Returns: FALSE for an empty set or a sample that is not positive. */
static gboolean
take(Set *set, const double *samples, gsize n, guint64 stream)
{
  set->n = MIN(n, LAC_RATIO_MOST);
  for (gsize i = 0; i < set->n; i++) {
    set->samples[i] = samples[i * n / set->n];
    if (!(set->samples[i] > 0) || !isfinite(set->samples[i]))
      return FALSE;
  }
  set->block = (gsize) ceil(cbrt((double) set->n));
  set->rng = lac_rng(SEED, stream);
  return set->n > 0;
}

/* Returns the median of one resample of the same size, drawn in blocks with random starts. */
static double
draw(Set *set)
{
  for (gsize at = 0; at < set->n;) {
    gsize first = (gsize) lac_rng_below(&set->rng, set->n - set->block + 1);
    for (gsize i = 0; i < set->block && at < set->n; i++)
      set->drawn[at++] = set->samples[first + i];
  }
  return lac_median(set->drawn, set->n);
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

LacRatio
lac_ratio_of_medians(const double *before, gsize n_before, const double *after, gsize n_after)
{
  g_autofree Set    *sets = g_new(Set, 2);
  g_autofree double *ratios = g_new(double, LAC_MEDIAN_RATIO_DRAWS);
  if (!take(&sets[0], before, n_before, 0) || !take(&sets[1], after, n_after, 1))
    return (LacRatio){NAN, NAN, NAN};
  LacRatio ratio = {lac_median(sets[1].samples, sets[1].n) / lac_median(sets[0].samples, sets[0].n),
                    0, INFINITY};
  if (MIN(sets[0].n, sets[1].n) < LAC_MEDIAN_RATIO_LEAST)
    return ratio;
  for (gsize i = 0; i < LAC_MEDIAN_RATIO_DRAWS; i++) {
    double first = draw(&sets[0]);
    ratios[i] = draw(&sets[1]) / first;
  }
  qsort(ratios, LAC_MEDIAN_RATIO_DRAWS, sizeof *ratios, compare);
  ratio.low = MIN(ratios[(LAC_MEDIAN_RATIO_DRAWS + 1) / 40 - 1], ratio.estimate);
  ratio.high =
    MAX(ratios[LAC_MEDIAN_RATIO_DRAWS - (LAC_MEDIAN_RATIO_DRAWS + 1) / 40], ratio.estimate);
  return ratio;
}
