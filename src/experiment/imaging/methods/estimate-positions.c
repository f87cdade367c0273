/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An estimate at its scan positions: fields, measured amplitudes, misfits; at one, then at all. */
#include "experiment/imaging/methods/estimate.h"
#include "experiment/imaging/methods/k-space.h"

#include <math.h>
#include <string.h>

static guint
worker_of(const LacImagingEstimate *h, const LacImagingScratch *bench)
{
  return (guint) (bench - h->benches);
}

/* ---- one scan position ---- */

void
lac_imaging_estimate_see(const LacImagingEstimate *h,
                         gsize                     position,
                         const double complex     *spectrum,
                         LacImagingScratch        *bench)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  lac_optics_measure(h->optics, position, spectrum, bench->fields, bench->amplitude);
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_PROPAGATE, begin);
}

/* Returns (a - m)^2 expected from noise alone at pixel @i of all exposures. */
static double
expect(const LacImagingEstimate *h, gsize i, double amplitude)
{
  const LacExposures *exposures = h->problem.exposures;

  if (!exposures->sigma)
    return lac_noise_level_expect(h->noise, amplitude);
  if (exposures->unit == LAC_DETECTOR_AMPLITUDE)
    return exposures->sigma[i] * exposures->sigma[i];
  return lac_noise_level_expect_of(h->noise, amplitude, exposures->sigma[i]);
}

enum { LANES = 4 }; /* independent sums, which the processor adds at once */

/* The same without noise and without pixels held out. @n: a multiple of LANES, as the side of a detector is even */
static void
measure_plainly(const double *amplitude, const double *measured, gsize n, LacMisfit *misfit)
{
  double distance[LANES] = {0}, energy[LANES] = {0};

  for (gsize i = 0; i < n; i += LANES)
    for (gsize lane = 0; lane < LANES; lane++) {
      const double m = measured[i + lane], off = amplitude[i + lane] - m;

      distance[lane] += m >= 0 ? off * off : 0;
      energy[lane] += m >= 0 ? m * m : 0;
    }
  for (gsize lane = 0; lane < LANES; lane++) {
    misfit->distance += distance[lane];
    misfit->energy += energy[lane];
  }
}

LacMisfit
lac_imaging_estimate_measure(const LacImagingEstimate *h,
                             gsize                     position,
                             const LacImagingScratch  *bench)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;
  LacMisfit     misfit = {0};

  if (!h->is_noisy && h->n_held_out == 0) {
    measure_plainly(bench->amplitude, measured, n, &misfit);
    return misfit;
  }
  for (gsize i = 0; i < n; i++) {
    const double off = bench->amplitude[i] - measured[i];
    double       expected;

    if (measured[i] <= LAC_IMAGING_HELD_OUT)
      misfit.held_out += pow(bench->amplitude[i] - (LAC_IMAGING_HELD_OUT - measured[i]), 2);
    if (measured[i] < 0)
      continue;
    misfit.distance += off * off;
    misfit.energy += measured[i] * measured[i];
    if (!h->is_noisy)
      continue;
    expected = expect(h, position * n + i, bench->amplitude[i]);
    misfit.expected += expected;
    misfit.variance += 2 * expected * expected;
  }
  return misfit;
}

/* ---- all scan positions ---- */

void
lac_imaging_estimate_keep_patches(LacImagingEstimate *h)
{
  const gsize n = h->n_positions * h->n_along * h->box * h->box;

  h->patches = g_new0(double complex, n);
  lac_memory_claim(&h->claim, LAC_MEMORY_STATES, n * sizeof(double complex));
}

void
lac_imaging_estimate_take_patches(LacImagingEstimate *h, gsize position, LacImagingScratch *bench)
{
  const gsize   n_box = h->box * h->box;
  const guint64 begin = lac_call_sums_begin(h->sums);

  for (gsize along = 0; along < h->n_along; along++) {
    double complex *patch = h->patches + (position * h->n_along + along) * n_box;

    if (h->rests[position]) {
      memset(patch, 0, n_box * sizeof *patch);
      continue;
    }
    lac_optics_field_patch(h->optics, position, along, bench->fields + along * h->d * h->d, patch);
    for (gsize i = 0; h->pupil && i < n_box; i++) {
      const double complex p = h->pupil[i], q = patch[i];

      patch[i] =
        CMPLX(creal(p) * creal(q) + cimag(p) * cimag(q), creal(p) * cimag(q) - cimag(p) * creal(q));
    }
  }
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_RETURN, begin);
}

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
