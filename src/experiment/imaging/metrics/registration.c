/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shift, global phase and twin image of an object against the truth, by the peak of their cross-correlation. */
#include "experiment/imaging/metrics/registration.h"

#include "backend/fourier.h"

#include <math.h>
#include <string.h>

#define REACH 10 /* samples searched on each side of the previous peak */

typedef struct {
  double         y, x;
  double complex value;
} Peak;

/* Returns the height of a peak, ignoring the global phase if it may be removed. */
static double
rate(double complex value, LacAlignParts parts)
{
  return parts & LAC_ALIGN_PHASE ? cabs(value) : creal(value);
}

static double
get_frequency(gsize i, gsize side)
{
  return i < (side + 1) / 2 ? (double) i : (double) i - (double) side;
}

/* Returns exp(-2 pi i turns). */
static double complex
turn_by(double turns)
{
  return CMPLX(cos(2 * G_PI * turns), -sin(2 * G_PI * turns));
}

static void
copy_turned(const double complex *object, gsize side, double complex *turned)
{
  const gsize n = side * side;

  for (gsize i = 0; i < n; i++)
    turned[i] = conj(object[n - 1 - i]);
}

/* Computes the correlation at (2 REACH + 1)^2 shifts about @peak: exp(-2 pi i k_y y) P exp(-2 pi i k_x x), rows
 * first. */
static Peak
look_closer(const double complex *product,
            gsize                 side,
            Peak                  peak,
            double                step,
            LacAlignParts         parts,
            LacScratch           *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const int            n = 2 * REACH + 1;
  double complex      *rows = lac_scratch_take(scratch, (gsize) n * side * sizeof *rows);
  double complex      *turns = lac_scratch_take(scratch, side * sizeof *turns);
  Peak                 best = peak;

  memset(rows, 0, (gsize) n * side * sizeof *rows);
  best.value = 0;
  for (int j = 0; j < n; j++)
    for (gsize ky = 0; ky < side; ky++) {
      const double         y = peak.y + (j - REACH) * step;
      const double complex turn = turn_by(get_frequency(ky, side) * y / (double) side);

      for (gsize kx = 0; kx < side; kx++)
        rows[(gsize) j * side + kx] += turn * product[ky * side + kx];
    }
  for (int i = 0; i < n; i++) {
    const double x = peak.x + (i - REACH) * step;

    for (gsize kx = 0; kx < side; kx++)
      turns[kx] = turn_by(get_frequency(kx, side) * x / (double) side);
    for (int j = 0; j < n; j++) {
      double complex value = 0;

      for (gsize kx = 0; kx < side; kx++)
        value += rows[(gsize) j * side + kx] * turns[kx];
      if ((i == 0 && j == 0) || rate(value, parts) > rate(best.value, parts))
        best = (Peak){peak.y + (j - REACH) * step, x, value};
    }
  }
  lac_scratch_release(scratch, mark);
  return best;
}

static double complex *
take_copy(LacScratch *scratch, const double complex *values, gsize n)
{
  double complex *copy = lac_scratch_take(scratch, n * sizeof *copy);

  memcpy(copy, values, n * sizeof *copy);
  return copy;
}

/* Finds the whole-pixel shift with the highest correlation. */
static Peak
find_whole(const double complex *product, gsize side, LacAlignParts parts, LacScratch *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          n = side * side;
  double complex      *correlation = take_copy(scratch, product, n);
  gsize                best = 0;

  lac_fourier_forward(lac_fourier_prepare(side, side), correlation);
  for (gsize i = 1; i < n; i++)
    if (rate(correlation[i], parts) > rate(correlation[best], parts))
      best = i;
  const Peak peak = {get_frequency(best / side, side), get_frequency(best % side, side),
                     correlation[best]};
  lac_scratch_release(scratch, mark);
  return peak;
}

/* Finds the peak of sum conj(truth(r)) object(r - d) over d. */
static Peak
find_peak(const double complex *object,
          const double complex *truth,
          gsize                 side,
          LacAlignParts         parts,
          LacScratch           *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          n = side * side;
  const LacFourier    *fourier = lac_fourier_prepare(side, side);
  double complex      *product, *other;
  Peak                 peak = {0};

  if (!(parts & LAC_ALIGN_SHIFT)) {
    for (gsize i = 0; i < n; i++)
      peak.value += conj(truth[i]) * object[i];
    return peak;
  }
  product = take_copy(scratch, object, n);
  other = take_copy(scratch, truth, n);
  lac_fourier_forward(fourier, product);
  lac_fourier_forward(fourier, other);
  for (gsize i = 0; i < n; i++)
    product[i] *= conj(other[i]) / (double) n;
  peak = find_whole(product, side, parts, scratch);
  peak = look_closer(product, side, peak, 0.1, parts, scratch);
  peak = look_closer(product, side, peak, 0.01, parts, scratch);
  lac_scratch_release(scratch, mark);
  return peak;
}

LacAlignment
lac_alignment_find(const double complex *object,
                   const double complex *truth,
                   gsize                 side,
                   LacAlignParts         parts,
                   LacScratch           *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  LacAlignment         alignment = {.factor = 1};
  Peak                 peak = find_peak(object, truth, side, parts, scratch);

  if (parts & LAC_ALIGN_TWIN) {
    double complex *turned = lac_scratch_take(scratch, side * side * sizeof *turned);

    copy_turned(object, side, turned);
    const Peak twin = find_peak(turned, truth, side, parts, scratch);
    if (rate(twin.value, parts) > rate(peak.value, parts)) {
      alignment.is_twin = TRUE;
      peak = twin;
    }
  }
  alignment.y = peak.y;
  alignment.x = peak.x;
  if (parts & LAC_ALIGN_PHASE && cabs(peak.value) > 0)
    alignment.factor = conj(peak.value) / cabs(peak.value);
  lac_scratch_release(scratch, mark);
  return alignment;
}

/* ---- moving ---- */

static void
roll(const double complex *from, gsize side, gssize y, gssize x, double complex *to)
{
  const gssize n = (gssize) side;

  for (gssize j = 0; j < n; j++)
    for (gssize i = 0; i < n; i++)
      to[(((j + y) % n + n) % n) * n + ((i + x) % n + n) % n] = from[j * n + i];
}

static void
shift_smoothly(double complex *data, gsize side, double y, double x)
{
  const LacFourier *fourier = lac_fourier_prepare(side, side);
  const double      n = (double) side;

  lac_fourier_forward(fourier, data);
  for (gsize j = 0; j < side; j++)
    for (gsize i = 0; i < side; i++)
      data[j * side + i] *=
        turn_by((get_frequency(j, side) * y + get_frequency(i, side) * x) / n) / (n * n);
  lac_fourier_inverse(fourier, data);
}

void
lac_alignment_apply(const LacAlignment   *alignment,
                    const double complex *object,
                    gsize                 side,
                    LacScratch           *scratch,
                    double complex       *aligned)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          n = side * side;
  double complex      *from = take_copy(scratch, object, n);
  const double         y = alignment->y, x = alignment->x;

  if (alignment->is_twin)
    copy_turned(object, side, from);
  if (y == round(y) && x == round(x)) {
    roll(from, side, (gssize) y, (gssize) x, aligned);
  } else {
    shift_smoothly(from, side, y, x);
    memcpy(aligned, from, n * sizeof *aligned);
  }
  for (gsize i = 0; i < n; i++)
    aligned[i] *= alignment->factor;
  lac_scratch_release(scratch, mark);
}
