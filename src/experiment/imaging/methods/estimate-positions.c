/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An estimate at its scan positions: fields, measured amplitudes, misfits; at one, then at all. */
#include "experiment/imaging/methods/estimate.h"

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

void
lac_imaging_estimate_sum(const LacImagingEstimate *h, LacImagingScratch *bench)
{
  const gsize  n = h->d * h->d;
  const double share = 1 / (double) h->n_along;

  for (gsize i = 0; i < n; i++) {
    double intensity = 0;

    for (gsize a = 0; a < h->n_along; a++) {
      const double complex u = bench->fields[a * n + i];

      intensity += creal(u) * creal(u) + cimag(u) * cimag(u);
    }
    bench->amplitude[i] = sqrt(share * intensity);
  }
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

LacMisfit
lac_imaging_estimate_measure(const LacImagingEstimate *h,
                             gsize                     position,
                             const LacImagingScratch  *bench)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;
  LacMisfit     misfit = {0};

  for (gsize i = 0; i < n; i++) {
    const double off = bench->amplitude[i] - measured[i];
    double       expected;

    if (measured[i] <= LAC_IMAGING_HELD_OUT)
      misfit.held_out += pow(bench->amplitude[i] - (LAC_IMAGING_HELD_OUT - measured[i]), 2);
    if (measured[i] < 0)
      continue;
    expected = expect(h, position * n + i, bench->amplitude[i]);
    misfit.distance += off * off;
    misfit.energy += measured[i] * measured[i];
    misfit.expected += expected;
    misfit.variance += 2 * expected * expected;
  }
  return misfit;
}

/* Replaces the amplitudes by the factors that move them by @share towards the measured ones, minus @base. A dark
 * pixel has no phase and is unchanged. */
static void
find_factors(const LacImagingEstimate *h,
             gsize                     position,
             double                    share,
             double                    base,
             LacImagingScratch        *bench)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;

  for (gsize i = 0; i < n; i++) {
    const double a = bench->amplitude[i];

    bench->amplitude[i] = 1 - base;
    if (measured[i] >= 0 && a > 0 && !h->rests[position])
      bench->amplitude[i] += share * (measured[i] / a - 1);
  }
}

static void
multiply(const LacImagingEstimate *h, LacImagingScratch *bench)
{
  const gsize n = h->d * h->d;

  for (gsize along = 0; along < h->n_along; along++) {
    double complex *u = bench->fields + along * n;

    for (gsize i = 0; i < n; i++)
      u[i] = CMPLX(creal(u[i]) * bench->amplitude[i], cimag(u[i]) * bench->amplitude[i]);
  }
}

static void
project(const LacImagingEstimate *h,
        gsize                     position,
        double                    share,
        double                    base,
        LacImagingScratch        *bench)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  find_factors(h, position, share, base, bench);
  multiply(h, bench);
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_PROJECT, begin);
}

void
lac_imaging_estimate_replace(const LacImagingEstimate *h,
                             gsize                     position,
                             double                    share,
                             LacImagingScratch        *bench)
{
  project(h, position, share, 0, bench);
}

void
lac_imaging_estimate_subtract(const LacImagingEstimate *h,
                              gsize                     position,
                              double                    share,
                              LacImagingScratch        *bench)
{
  project(h, position, share, 1, bench);
}

double
lac_misfit_get_share(const LacMisfit *misfit)
{
  return misfit->distance > misfit->expected ? 1 - sqrt(misfit->expected / misfit->distance) : 0;
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
lac_imaging_estimate_add_patches(const LacImagingEstimate *h, double complex *spectrum)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  memset(spectrum, 0, h->n_band * sizeof *spectrum);
  for (gsize i = 0; i < h->n_positions * h->n_along; i++)
    lac_optics_add_patch(h->optics, i / h->n_along, i % h->n_along,
                         h->patches + i * h->box * h->box, spectrum);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_RETURN, begin);
}

static void
compare_position(gsize position, guint worker, gpointer user_data)
{
  LacImagingEstimate *h = user_data;

  lac_imaging_estimate_see(h, position, h->spectrum, &h->benches[worker]);
  h->misfits[position] = lac_imaging_estimate_measure(h, position, &h->benches[worker]);
}

void
lac_imaging_estimate_count_apertures(LacImagingEstimate *h, double complex *counts)
{
  double complex *ones = h->benches[0].patch;

  for (gsize i = 0; i < h->box * h->box; i++)
    ones[i] = 1;
  memset(counts, 0, h->n_band * sizeof *counts);
  for (gsize i = 0; i < h->n_positions * h->n_along; i++)
    if (!h->rests[i / h->n_along])
      lac_optics_add_patch(h->optics, i / h->n_along, i % h->n_along, ones, counts);
}

void
lac_imaging_estimate_compare(LacImagingEstimate *h)
{
  LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.compare);

  lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_positions, compare_position, h);
  lac_imaging_estimate_end_phase(h, span, h->step);
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
