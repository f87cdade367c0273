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

static void
multiply(double complex *u, const double *factors, gsize n)
{
  for (gsize i = 0; i < n; i++)
    u[i] = CMPLX(creal(u[i]) * factors[i], cimag(u[i]) * factors[i]);
}

void
lac_imaging_estimate_subtract(const LacImagingEstimate *h,
                              gsize                     position,
                              double                    share,
                              LacImagingScratch        *bench)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;
  const double  dark = h->rests[position] ? (double) INFINITY : h->dark;
  const guint64 begin = lac_call_sums_begin(h->sums);

  for (gsize i = 0; i < n; i++) {
    const double a = bench->amplitude[i], moved = share * (measured[i] / a - 1);

    bench->amplitude[i] = (measured[i] >= 0) & (a > dark) ? moved : 0;
  }
  for (gsize along = 0; along < h->n_along; along++)
    multiply(bench->fields + along * n, bench->amplitude, n);
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_PROJECT, begin);
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
find_residual(const LacImagingEstimate *h,
              gsize                     position,
              const LacImagingScratch  *bench,
              LacMisfit                *misfit)
{
  const LacExposures *exposures = h->problem.exposures;
  const double       *measured = lac_exposures_image(exposures, position);
  const guint8       *valid = lac_exposures_valid(exposures, position);
  const gboolean      squares = exposures->unit == LAC_DETECTOR_INTENSITY;
  const gsize         n = h->d * h->d; /* d is even */
  double              residual[LANES] = {0}, scale[LANES] = {0};

  for (gsize i = 0; i < n; i += LANES)
    for (gsize lane = 0; lane < LANES; lane++) {
      const double   a = bench->amplitude[i + lane], m = measured[i + lane];
      const double   off = (squares ? a * a : a) - m;
      const gboolean counts = !valid || valid[i + lane];

      residual[lane] += counts ? off * off : 0;
      scale[lane] += counts ? m * m : 0;
    }
  for (gsize lane = 0; lane < LANES; lane++) {
    misfit->residual += residual[lane];
    misfit->scale += scale[lane];
  }
}

static void
compare_position(gsize position, guint worker, gpointer user_data)
{
  LacImagingEstimate *h = user_data;
  LacImagingScratch  *bench = &h->benches[worker];

  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  h->misfits[position] = lac_imaging_estimate_measure(h, position, bench);
  find_residual(h, position, bench, &h->misfits[position]);
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

  h->has_misfits = TRUE;
  if (h->k_space) {
    lac_k_space_compare(h->k_space);
  } else {
    lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
    h->has_spectrum = TRUE;
    lac_pool_run(h->problem.context->pool, h->n_positions, compare_position, h);
  }
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
