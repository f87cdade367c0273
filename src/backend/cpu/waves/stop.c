/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over the box of a stop. A row of the box is at most two runs of columns of the detector, whose transform repeats
 * after d pixels, and may be cut by the edge of the grid. */
#include "backend/cpu/waves/real.h"

#include <math.h>
#include <string.h>

/* A run of pixels of a stop: the same pixels in the box, in the field and in the detector. */
typedef struct {
  size_t in_box, in_field, in_fields, n;
} Run;

static size_t
fold(ptrdiff_t k, size_t n)
{
  const ptrdiff_t rest = k % (ptrdiff_t) n;

  return (size_t) (rest < 0 ? rest + (ptrdiff_t) n : rest);
}

/* Finds the runs of row @y of the box. Returns: their number */
static size_t
find_runs(const LacWaveStop *stop, size_t y, Run runs[2])
{
  const ptrdiff_t half = (ptrdiff_t) (stop->grid / 2), n = (ptrdiff_t) stop->grid;
  const ptrdiff_t row = stop->corner[0] + (ptrdiff_t) y + half, column = stop->corner[1] + half;
  const ptrdiff_t first = column < 0 ? -column : 0;
  const ptrdiff_t end = column + (ptrdiff_t) stop->box > n ? n - column : (ptrdiff_t) stop->box;
  size_t          n_runs = 0;

  if (row < 0 || row >= n)
    return 0;
  for (ptrdiff_t x = first; x < end;) {
    const size_t at = fold(stop->corner[1] + x, stop->detector), left = stop->detector - at;
    const size_t length = (size_t) (end - x) < left ? (size_t) (end - x) : left;

    runs[n_runs++] = (Run){
      .in_box = y * stop->box + (size_t) x,
      .in_field = (size_t) (row * n + column + x),
      .in_fields = fold(stop->corner[0] + (ptrdiff_t) y, stop->detector) * stop->detector + at,
      .n = length,
    };
    x += (ptrdiff_t) length;
  }
  return n_runs;
}

static void
spread_run(const LacWaveStop *stop, const Run *run)
{
  const Pair *restrict from = (const Pair *) stop->field + run->in_field;
  Pair *restrict to = (Pair *) stop->fields + run->in_fields;
  const uint8_t *restrict passes = stop->passes + run->in_box;
  const DoublePair *restrict pupil =
    stop->pupil ? (const DoublePair *) stop->pupil + run->in_box : NULL;
  const Real factor = R(stop->factor);

  if (!pupil) {
    LAC_SIMD for (size_t i = 0; i < run->n; i++)
    {
      const Real scale = passes[i] ? factor : 0;

      to[i] = (Pair){scale * from[i].re, scale * from[i].im};
    }
    return;
  }
  LAC_SIMD for (size_t i = 0; i < run->n; i++)
  {
    const Real scale = passes[i] ? factor : 0, re = R(pupil[i].re), im = R(pupil[i].im);

    to[i] = (Pair){scale * (re * from[i].re - im * from[i].im),
                   scale * (re * from[i].im + im * from[i].re)};
  }
}

void
LAC_WAVE(spread)(const LacWaveStop *stop)
{
  Run runs[2];

  memset(stop->fields, 0, stop->detector * stop->detector * sizeof(Pair));
  for (size_t y = 0; y < stop->box; y++)
    for (size_t i = 0, n = find_runs(stop, y, runs); i < n; i++)
      spread_run(stop, &runs[i]);
}

static void
gather_run(const LacWaveStop *stop, const Run *run)
{
  const Pair *restrict from = (const Pair *) stop->fields + run->in_fields;
  Pair *restrict to = (Pair *) stop->field + run->in_field;
  const uint8_t *restrict passes = stop->passes + run->in_box;
  const DoublePair *restrict pupil =
    stop->pupil ? (const DoublePair *) stop->pupil + run->in_box : NULL;
  const Real factor = R(stop->factor);

  LAC_SIMD for (size_t i = 0; i < run->n; i++)
  {
    const Real scale = passes[i] ? factor : 0;
    const Real re = pupil ? R(pupil[i].re) : 1, im = pupil ? R(pupil[i].im) : 0;

    to[i].re += scale * (re * from[i].re + im * from[i].im);
    to[i].im += scale * (re * from[i].im - im * from[i].re);
  }
}

void
LAC_WAVE(gather)(const LacWaveStop *stop)
{
  Run runs[2];

  for (size_t y = 0; y < stop->box; y++)
    for (size_t i = 0, n = find_runs(stop, y, runs); i < n; i++)
      gather_run(stop, &runs[i]);
}

/* Returns the largest |field|^2 that the stop passes. */
static double
find_brightest(const LacWaveStop *stop)
{
  Real largest = 0;
  Run  runs[2];

  for (size_t y = 0; y < stop->box; y++)
    for (size_t k = 0, n = find_runs(stop, y, runs); k < n; k++) {
      const Pair *restrict field = (const Pair *) stop->field + runs[k].in_field;
      const uint8_t *restrict passes = stop->passes + runs[k].in_box;

      LAC_PRAGMA(omp simd reduction(max : largest))
      for (size_t i = 0; i < runs[k].n; i++) {
        const Real square = field[i].re * field[i].re + field[i].im * field[i].im;
        const Real passed = passes[i] ? square : 0;

        largest = passed > largest ? passed : largest;
      }
    }
  return (double) largest;
}

/* Updates the pupil, and replaces D by conj(P) D with P before that. The field is N O and the detector's transform d D. */
static void
follow_pupil(const LacWaveStop *stop, const LacWaveFollow *follow, const Run *run, double brightest)
{
  const Pair *restrict field = (const Pair *) stop->field + run->in_field;
  const uint8_t *restrict passes = stop->passes + run->in_box;
  Pair *restrict fields = (Pair *) stop->fields + run->in_fields;
  DoublePair *restrict pupil = (DoublePair *) stop->pupil + run->in_box;
  const double own = 1 - follow->share, common = follow->share * brightest;
  const double length = follow->pupil_length * (double) stop->grid / (double) stop->detector;

  LAC_SIMD for (size_t i = 0; i < run->n; i++)
  {
    const double p = pupil[i].re, q = pupil[i].im, re = (double) fields[i].re,
                 im = (double) fields[i].im;
    const double x = (double) field[i].re, y = (double) field[i].im;
    const double scale = own * (x * x + y * y) + common, step = scale > 0 ? length / scale : 0;
    const double moved = p + step * (x * re + y * im), turned = q + step * (x * im - y * re);
    const double size = sqrt(moved * moved + turned * turned), unit = size > 0 ? 1 / size : 0;

    pupil[i].re = !passes[i] ? p : size > 0 ? unit * moved : 1;
    pupil[i].im = !passes[i] ? q : unit * turned;
    fields[i].re = R(p * re + q * im);
    fields[i].im = R(p * im - q * re);
  }
}

void
LAC_WAVE(follow)(const LacWaveStop *stop, const LacWaveFollow *follow)
{
  LacWaveStop updated = *stop;
  Run         runs[2];

  updated.factor = follow->length * (double) stop->grid / (double) stop->detector;
  if (stop->pupil && follow->pupil_length > 0) {
    const double brightest = find_brightest(stop);

    for (size_t y = 0; y < stop->box; y++)
      for (size_t i = 0, n = find_runs(stop, y, runs); i < n; i++)
        follow_pupil(stop, follow, &runs[i], brightest);
    updated.pupil = NULL;
  }
  if (follow->change)
    updated.field = follow->change;
  LAC_WAVE(gather)(&updated);
}

/* ---- the box of a slot ---- */

/* The object's transform is orthonormal with the origin of the object in its middle; the field is neither. */
void
LAC_WAVE(put)(const LacWaveBox *box)
{
  for (size_t y = 0; y < box->height; y++) {
    const DoublePair *restrict from = (const DoublePair *) box->numbers + y * box->width;
    Pair *restrict to = (Pair *) box->field + (box->row + y) * box->grid + box->column;
    const double even = (double) box->grid * ((box->row + y + box->column) % 2 ? -1 : 1);

    LAC_SIMD for (size_t x = 0; x < box->width; x++)
    {
      const double scale = x % 2 ? -even : even;

      to[x] = (Pair){R(scale * from[x].re), R(scale * from[x].im)};
    }
  }
}

void
LAC_WAVE(take)(const LacWaveBox *box)
{
  for (size_t y = 0; y < box->height; y++) {
    DoublePair *restrict to = (DoublePair *) box->numbers + y * box->width;
    Pair *restrict from = (Pair *) box->field + (box->row + y) * box->grid + box->column;
    const double even = ((box->row + y + box->column) % 2 ? -1 : 1) / (double) box->grid;

    LAC_SIMD for (size_t x = 0; x < box->width; x++)
    {
      const double scale = x % 2 ? -even : even;

      to[x] = (DoublePair){scale * (double) from[x].re, scale * (double) from[x].im};
      from[x] = (Pair){0, 0};
    }
  }
}

void
LAC_WAVE(count)(const LacWaveStop *stop, double *weights)
{
  Run runs[2];

  for (size_t y = 0; y < stop->box; y++)
    for (size_t k = 0, n = find_runs(stop, y, runs); k < n; k++) {
      const uint8_t *restrict passes = stop->passes + runs[k].in_box;
      double *restrict to = weights + runs[k].in_field;

      LAC_SIMD for (size_t i = 0; i < runs[k].n; i++) to[i] += passes[i] ? 1 : 0;
    }
}

/* In units of the object's transform the sum is N change, and the object field / N. */
void
LAC_WAVE(average)(const LacWaveSweep *args, const LacWaveBox *box)
{
  const double n = (double) box->grid;

  for (size_t y = 0; y < box->height; y++) {
    const size_t first = (box->row + y) * box->grid + box->column;
    const Pair *restrict sum = (const Pair *) box->field + first;
    const Pair *restrict field = (const Pair *) args->field + first;
    const double *restrict weights = args->weights + first;
    DoublePair *restrict to = (DoublePair *) box->numbers + y * box->width;
    const double even = (box->row + y + box->column) % 2 ? -1 : 1;

    LAC_SIMD for (size_t x = 0; x < box->width; x++)
    {
      const double sign = x % 2 ? -even : even, weight = weights[x] > 0 ? weights[x] : 1;
      const double counts = weights[x] > 0 ? sign : 0;

      to[x].re = counts * (n * (double) sum[x].re / weight - (double) field[x].re / n);
      to[x].im = counts * (n * (double) sum[x].im / weight - (double) field[x].im / n);
    }
  }
}

void
LAC_WAVE(divide)(const LacWaveSweep *args, const LacWaveBox *box)
{
  const double n = (double) box->grid;

  for (size_t y = 0; y < box->height; y++) {
    const size_t first = (box->row + y) * box->grid + box->column;
    const Pair *restrict change = (const Pair *) box->field + first;
    const double *restrict weights = args->weights ? args->weights + first : NULL;
    DoublePair *restrict to = (DoublePair *) box->numbers + y * box->width;
    const double even = (box->row + y + box->column) % 2 ? -n : n;

    LAC_SIMD for (size_t x = 0; x < box->width; x++)
    {
      const double weight = weights ? weights[x] : 1, sign = x % 2 ? -even : even;
      const double scale = weight > 0 ? sign / weight : 0;

      to[x] = (DoublePair){scale * (double) change[x].re, scale * (double) change[x].im};
    }
  }
}
