/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes: one nanosecond each below 64, then 32 per power of two (the scheme of HdrHistogram, G. Tene). */
#include "perf/analysis/histogram.h"

#include <math.h>

enum { BITS = 5, PER_OCTAVE = 1 << BITS, SLACK = 16 };

static guint
class_of(gint64 ns)
{
  guint64 value = ns < 0 ? 0 : (guint64) ns;
  if (value < PER_OCTAVE)
    return (guint) value;
  guint exponent = 63 - (guint) __builtin_clzll(value);
  return (exponent - BITS) * PER_OCTAVE + (guint) (value >> (exponent - BITS));
}

static double
middle_of(guint class)
{
  if (class < 2 * PER_OCTAVE)
    return class;
  guint  exponent = class / PER_OCTAVE - 1;
  double low = ldexp(PER_OCTAVE + class % PER_OCTAVE, (int) exponent);
  return low + (ldexp(1, (int) exponent) - 1) / 2;
}

void
lac_histogram_clear(LacHistogram *histogram)
{
  g_free(histogram->counts);
  *histogram = (LacHistogram){0};
}

static void
make_room(LacHistogram *histogram, guint class)
{
  guint first = class > SLACK ? class - SLACK : 0, end = class + SLACK;
  if (histogram->n > 0) {
    if (class >= histogram->first && class < histogram->first + histogram->n)
      return;
    first = class < histogram->first ? first : histogram->first;
    end = class < histogram->first ? histogram->first + histogram->n : end;
  }
  guint64 *counts = g_new0(guint64, end - first);
  for (guint i = 0; i < histogram->n; i++)
    counts[histogram->first - first + i] = histogram->counts[i];
  g_free(histogram->counts);
  histogram->counts = counts;
  histogram->first = first;
  histogram->n = end - first;
}

void
lac_histogram_add(LacHistogram *histogram, gint64 ns, guint64 count)
{
  g_return_if_fail(histogram != NULL);
  guint class = class_of(ns);
  make_room(histogram, class);
  histogram->counts[class - histogram->first] += count;
  histogram->total += count;
}

double
lac_histogram_get_quantile(const LacHistogram *histogram, double share)
{
  g_return_val_if_fail(histogram != NULL && share >= 0 && share <= 1, (double) NAN);
  if (histogram->total == 0)
    return (double) NAN;
  guint64 rank = (guint64) ceil(share * (double) histogram->total), seen = 0;
  guint   i = 0;
  rank = CLAMP(rank, 1, histogram->total);
  while ((seen += histogram->counts[i]) < rank)
    i++;
  return middle_of(histogram->first + i);
}
