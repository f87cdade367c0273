/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares of a line through logarithms. */
#include "perf/analysis/power-law.h"

#include <math.h>

/* Returns FALSE for values without a finite logarithm. */
static gboolean
find_means(const double *sizes, const double *values, gsize n, double *x, double *y)
{
  *x = *y = 0;
  for (gsize i = 0; i < n; i++) {
    *x += log(sizes[i]) / (double) n;
    *y += log(values[i]) / (double) n;
  }
  return isfinite(*x) && isfinite(*y);
}

LacPowerLaw
lac_power_law_fit(const double *sizes, const double *values, gsize n)
{
  LacPowerLaw law = {(double) NAN, (double) NAN, (double) NAN};
  double      x, y, xx = 0, xy = 0, left = 0;

  if (n < 2 || !find_means(sizes, values, n, &x, &y))
    return law;
  for (gsize i = 0; i < n; i++) {
    xx += (log(sizes[i]) - x) * (log(sizes[i]) - x);
    xy += (log(sizes[i]) - x) * (log(values[i]) - y);
  }
  if (xx == 0)
    return law;
  law.exponent = xy / xx;
  law.factor = exp(y - law.exponent * x);
  for (gsize i = 0; i < n; i++) {
    const double apart = log(values[i]) - y - law.exponent * (log(sizes[i]) - x);

    left += apart * apart;
  }
  if (n > 2)
    law.deviation = sqrt(left / (double) (n - 2) / xx);
  return law;
}
