/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch statistics, and normalisation with ReLU, forward and reverse; phases are interleaved into an image in the
 * same pass. Source: Ioffe and Szegedy (2015), algorithm 1, over one picture: the mean and the biased variance of a
 * channel's pixels. */
#include "backend/cpu/planes/real.h"

LacPlaneMoments
LAC_PLANE(moments)(const LacPlaneRows *args)
{
  const size_t    n = args->width;
  LacPlaneMoments moments = {.n = (double) (args->n_phases * args->n_rows * n)};
  double          sum = 0;

  for (size_t p = 0; p < args->n_phases; p++)
    for (size_t i = 0; i < args->n_rows; i++) {
      const Real *y = (const Real *) args->phases[p] + i * args->pitch;
      Real        row = 0;
      LAC_SIMD_SUM(row) for (size_t j = 0; j < n; j++) row += y[j];
      sum += (double) row;
    }
  moments.mean = sum / moments.n;

  const Real mean = R(moments.mean);
  double     squares = 0, rest = 0;
  for (size_t p = 0; p < args->n_phases; p++)
    for (size_t i = 0; i < args->n_rows; i++) {
      const Real *y = (const Real *) args->phases[p] + i * args->pitch;
      Real        row = 0, away = 0;
      LAC_SIMD_SUM(row, away) for (size_t j = 0; j < n; j++)
      {
        const Real d = y[j] - mean;
        row += d * d;
        away += d;
      }
      squares += (double) row;
      rest += (double) away;
    }
  /* distances are from the rounded mean; corrects its error, Chan, Golub and LeVeque (1983) eq. 1.7 */
  moments.mean = (double) mean + rest / moments.n;
  moments.squares = squares - rest * rest / moments.n;
  return moments;
}

/* Propagates NaN, so that it is noticed. */
LAC_INLINE Real
positive(Real x)
{
  return x <= 0 ? 0 : x;
}

/* Interleaves two phases of a row. */
LAC_INLINE void
weave(const LacPlaneRows *args,
      const Real *restrict even,
      const Real *restrict odd,
      Real *restrict y)
{
  const Real mean = R(args->mean), scale = R(args->scale), offset = R(args->offset);

  LAC_SIMD for (size_t j = 0; j < args->width; j++)
  {
    y[2 * j] = positive(scale * (even[j] - mean) + offset);
    y[2 * j + 1] = positive(scale * (odd[j] - mean) + offset);
  }
}

void
LAC_PLANE(normalise)(const LacPlaneRows *args)
{
  const Real mean = R(args->mean), scale = R(args->scale), offset = R(args->offset);

  for (size_t i = 0; i < args->n_rows; i++) {
    const Real *x[4];
    for (size_t p = 0; p < args->n_phases; p++)
      x[p] = (const Real *) args->phases[p] + i * args->pitch;
    if (args->n_phases == 4) {
      Real *y = (Real *) args->image + 2 * i * args->image_pitch;
      weave(args, x[0], x[1], y);
      weave(args, x[2], x[3], y + args->image_pitch);
    } else {
      Real *y = (Real *) args->image + i * args->image_pitch;
      LAC_SIMD for (size_t j = 0; j < args->width; j++) y[j] =
        positive(scale * (x[0][j] - mean) + offset);
    }
  }
}

/* Gradient sums of a row, in the element type. */
typedef struct {
  Real g, g_times_distance;
} RowSums;

/* @step: distance of the image's elements that belong to this phase */
LAC_INLINE RowSums
mask_row(const LacPlaneRows *args,
         const Real *restrict y,
         const Real *restrict y_bar,
         Real *restrict g,
         const size_t step)
{
  const Real mean = R(args->mean), scale = R(args->scale), offset = R(args->offset);
  Real       sum = 0, product = 0;

  LAC_SIMD_SUM(sum, product) for (size_t j = 0; j < args->width; j++)
  {
    const Real distance = y[j] - mean,
               bar = y_bar[step * j]; /* read unconditionally: avoids a gather */
    const Real masked = scale * distance + offset <= 0 ? 0 : bar;
    g[j] = masked;
    sum += masked;
    product += masked * distance;
  }
  return (RowSums){sum, product};
}

LacPlaneSums
LAC_PLANE(normalise_sums)(const LacPlaneRows *args)
{
  const Real  *image_bar = args->image_bar;
  LacPlaneSums sums = {0};

  for (size_t i = 0; i < args->n_rows; i++)
    for (size_t p = 0; p < args->n_phases; p++) {
      const Real *y = (const Real *) args->phases[p] + i * args->pitch;
      Real       *g = (Real *) args->phases_bar[p] + i * args->pitch;
      RowSums     row;

      if (args->n_phases == 4)
        row = mask_row(args, y, image_bar + (2 * i + p / 2) * args->image_pitch + p % 2, g, 2);
      else
        row = mask_row(args, y, image_bar + i * args->image_pitch, g, 1);
      sums.g += (double) row.g;
      sums.g_times_distance += (double) row.g_times_distance;
    }
  return sums;
}

void
LAC_PLANE(normalise_reverse)(const LacPlaneRows *args)
{
  const Real mean = R(args->mean), scale = R(args->scale), shift = R(args->shift),
             slope = R(args->slope);

  for (size_t i = 0; i < args->n_rows; i++)
    for (size_t p = 0; p < args->n_phases; p++) {
      const Real *y = (const Real *) args->phases[p] + i * args->pitch;
      Real       *g = (Real *) args->phases_bar[p] + i * args->pitch;
      LAC_SIMD for (size_t j = 0; j < args->width; j++) g[j] =
        scale * (g[j] - shift - slope * (y[j] - mean));
    }
}
