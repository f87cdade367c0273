/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Misfits of an estimate at its scan positions. */
#include "experiment/imaging/methods/estimate.h"
#include "experiment/imaging/methods/k-space.h"

#include <math.h>
#include <string.h>

void
lac_imaging_estimate_compare(LacImagingEstimate *h)
{
  LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.compare);

  h->has_misfits = TRUE;
  lac_k_space_compare(h->k_space);
  span.flops += (double) h->n_positions * lac_imaging_estimate_get_flops(h, 1);
  lac_imaging_estimate_end_phase(h, span, h->step);
}

double
lac_imaging_estimate_residual(LacImagingEstimate *h)
{
  double residual = 0, scale = 0;

  if (!h->has_misfits)
    lac_imaging_estimate_compare(h);
  for (gsize v = 0; v < h->n_positions; v++)
    if (!h->rests[v]) {
      residual += h->misfits[v].residual;
      scale += h->misfits[v].scale;
    }
  return scale > 0 ? sqrt(residual / scale) : 0;
}

/* ---- scan positions that are left out ---- */

/* Shell sort in place: the library's sort may allocate. */
static void
sort_numbers(double *x, gsize n)
{
  for (gsize gap = n / 2; gap > 0; gap /= 2)
    for (gsize i = gap; i < n; i++) {
      const double value = x[i];
      gsize        at = i;

      for (; at >= gap && x[at - gap] > value; at -= gap)
        x[at] = x[at - gap];
      x[at] = value;
    }
}

void
lac_imaging_estimate_leave_out(LacImagingEstimate *h,
                               const double       *excesses,
                               gsize               first,
                               double              outlier,
                               double              as_bad,
                               double              least)
{
  double *sorted = h->sorted, median, worst;

  memcpy(sorted, excesses, h->n_positions * sizeof *sorted);
  sort_numbers(sorted, h->n_positions);
  median = sorted[h->n_positions / 2];
  worst = 0;
  for (gsize position = 0; position < h->n_positions; position++)
    if (!h->rests[position])
      worst = fmax(worst, excesses[position]);
  for (gsize position = first; position < h->n_positions; position++) {
    const LacMisfit *misfit = &h->misfits[position];
    const gboolean   is_bad = h->rests[position] || excesses[position] > as_bad * worst;

    h->rests[position] = h->are_empty[position] ||
                         (is_bad && excesses[position] > outlier * median &&
                          excesses[position] > least * fmax(misfit->energy, misfit->distance));
  }
}
