/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram counting, and quantiles by selection without a full sort. */
#include "field/distribution.h"

#include <math.h>

LacDistribution *
lac_distribution_new(const LacWarp *warp, gsize n_bins)
{
  g_return_val_if_fail(warp != NULL && n_bins > 0, NULL);
  LacDistribution *counted = g_new0(LacDistribution, 1);
  counted->warp = *warp;
  counted->n_bins = n_bins;
  counted->counts = g_new0(guint64, n_bins);
  return counted;
}

void
lac_distribution_free(LacDistribution *counted)
{
  if (counted == NULL)
    return;
  g_free(counted->counts);
  g_free(counted);
}

void
lac_distribution_add(LacDistribution *counted,
                     const float     *values,
                     const float     *minus,
                     gsize            n_values)
{
  g_return_if_fail(counted != NULL && (values != NULL || n_values == 0));
  const double bins = (double) counted->n_bins;
  counted->n += n_values;
  for (gsize i = 0; i < n_values; i++) {
    double value = (double) values[i] - (minus != NULL ? (double) minus[i] : 0);
    if (!isfinite(value)) {
      counted->n_not_finite++;
    } else if (value < counted->warp.low) {
      counted->n_below++;
    } else if (value > counted->warp.high) {
      counted->n_above++;
    } else {
      double bin = floor(lac_warp_at(&counted->warp, value) * bins);
      counted->counts[(gsize) CLAMP(bin, 0, bins - 1)]++;
    }
  }
}

guint64
lac_distribution_get_most(const LacDistribution *counted)
{
  guint64 most = 0;
  for (gsize i = 0; i < counted->n_bins; i++)
    most = MAX(most, counted->counts[i]);
  return most;
}

/* Hoare's selection algorithm: partitions @values, [n], so that entry @k is at its sorted position with smaller ones
 * before it. */
static double
nth(double *values, gsize n, gsize k)
{
  gssize low = 0, high = (gssize) n - 1, at = (gssize) k;
  while (low < high) {
    double pivot = values[(low + high) / 2];
    gssize i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (values[j] > pivot)
        j--;
      if (i <= j) {
        double held = values[i];
        values[i++] = values[j];
        values[j--] = held;
      }
    }
    if (at <= j)
      high = j;
    else if (at >= i)
      low = i;
    else
      break;
  }
  return values[at];
}

gboolean
lac_quantiles(const float  *values,
              const float  *minus,
              gsize         n_values,
              const double *shares,
              gsize         n_shares,
              double       *found)
{
  g_autofree double *finite = g_new(double, n_values + 1);
  gsize              n = 0;
  for (gsize i = 0; i < n_values; i++) {
    double value = (double) values[i] - (minus != NULL ? (double) minus[i] : 0);
    if (isfinite(value))
      finite[n++] = value;
  }
  if (n == 0)
    return FALSE;
  for (gsize s = 0; s < n_shares; s++) {
    double place = CLAMP(shares[s], 0, 1) * (double) (n - 1);
    gsize  below = (gsize) floor(place);
    double left = nth(finite, n, below), part = place - (double) below;
    double right = part > 0 ? nth(finite, n, below + 1) : left;
    found[s] = left + part * (right - left);
  }
  return TRUE;
}
