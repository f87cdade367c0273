/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hodges-Lehmann shifts of logarithms, with rank intervals. */
#include "perf/analysis/ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_975 1.959964 /* of the standard normal distribution */

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
middle_of_sorted(const double *sorted, gsize n)
{
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static void
swap(double *a, double *b)
{
  const double kept = *a;

  *a = *b;
  *b = kept;
}

/* Quickselect: moves the @k-th smallest to its position, no larger value before it, no smaller one after (C. A. R.
 * Hoare, Algorithm 65: Find, 1961), with values equal to the pivot grouped. */
static void
place(double *values, gsize n, gsize k)
{
  gsize low = 0, high = n; /* the @k-th is within [low, high) */

  while (high - low > 1) {
    const double pivot = values[low + (high - low) / 2];
    gsize        smaller = low, larger = high;

    for (gsize i = low; i < larger;)
      if (values[i] < pivot)
        swap(&values[i++], &values[smaller++]);
      else if (values[i] > pivot)
        swap(&values[i], &values[--larger]);
      else
        i++;
    if (k >= smaller && k < larger)
      return;
    low = k < smaller ? low : larger;
    high = k < smaller ? smaller : high;
  }
}

double
lac_median(const double *samples, gsize n)
{
  g_autofree double *values = NULL;
  double             below = -INFINITY;

  if (n == 0)
    return NAN;
  values = g_memdup2(samples, n * sizeof *samples);
  place(values, n, n / 2);
  if (n % 2)
    return values[n / 2];
  for (gsize i = 0; i < n / 2; i++)
    below = MAX(below, values[i]);
  return (below + values[n / 2]) / 2;
}

double
lac_median_deviation(const double *samples, gsize n)
{
  const double       middle = lac_median(samples, n);
  g_autofree double *distances = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    distances[i] = fabs(samples[i] - middle);
  return lac_median(distances, n);
}

/* @shifts: sorted in place; @mean, @variance: of the rank statistic, which counts the shifts above the true one. */
static LacRatio
find_ratio(double *shifts, gsize n, double mean, double variance)
{
  const double rank = floor(mean - NORMAL_975 * sqrt(variance));
  LacRatio     ratio = {.low = 0, .high = INFINITY};

  qsort(shifts, n, sizeof *shifts, compare);
  ratio.estimate = exp(middle_of_sorted(shifts, n));
  if (rank >= 1) {
    ratio.low = exp(shifts[(gsize) rank - 1]);
    ratio.high = exp(shifts[n - (gsize) rank]);
  }
  return ratio;
}

/* Returns: the number of logarithms in @logs, [LAC_RATIO_MOST]; 0 when a sample has none. */
static gsize
take_logs(const double *samples, gsize n, double *logs)
{
  const gsize kept = MIN(n, LAC_RATIO_MOST);

  for (gsize i = 0; i < kept; i++) {
    const double sample = samples[i * n / kept];

    if (!(sample > 0) || !isfinite(sample))
      return 0;
    logs[i] = log(sample);
  }
  return kept;
}

LacRatio
lac_ratio_of_sets(const double *before, gsize n_before, const double *after, gsize n_after)
{
  g_autofree double *logs = g_new(double, 2 * LAC_RATIO_MOST);
  const gsize        m = take_logs(before, n_before, logs);
  const gsize        n = take_logs(after, n_after, logs + LAC_RATIO_MOST);
  g_autofree double *shifts = g_new(double, m *n + 1);
  const double       pairs = (double) m * (double) n;

  if (m == 0 || n == 0)
    return (LacRatio){NAN, NAN, NAN};
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < n; j++)
      shifts[i * n + j] = logs[LAC_RATIO_MOST + j] - logs[i];
  return find_ratio(shifts, m * n, pairs / 2, pairs * ((double) m + (double) n + 1) / 12);
}

LacRatio
lac_ratio_of_pairs(const double *before, const double *after, gsize n)
{
  g_autofree double *logs = g_new(double, 2 * LAC_RATIO_MOST);
  const gsize        m = take_logs(before, n, logs);
  g_autofree double *shifts = g_new(double, m *(m + 1) / 2 + 1);
  const double       k = (double) m;
  gsize              at = 0;

  if (m == 0 || take_logs(after, n, logs + LAC_RATIO_MOST) != m)
    return (LacRatio){NAN, NAN, NAN};
  for (gsize i = 0; i < m; i++)
    logs[i] = logs[LAC_RATIO_MOST + i] - logs[i];
  for (gsize i = 0; i < m; i++)
    for (gsize j = i; j < m; j++)
      shifts[at++] = (logs[i] + logs[j]) / 2;
  return find_ratio(shifts, at, k * (k + 1) / 4, k * (k + 1) * (2 * k + 1) / 24);
}

LacVerdict
lac_ratio_compare(LacRatio ratio, double limit)
{
  if (ratio.low > limit || (ratio.estimate > limit && ratio.low > 1))
    return LAC_VERDICT_BROKEN;
  return ratio.high <= limit ? LAC_VERDICT_KEPT : LAC_VERDICT_UNCLEAR;
}
