/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural dissimilarity of two images of amplitudes: (1 - S) / 2, where S is the mean structural similarity of windows of 11
 * x 11, mirrored at the edge, at range 1; or MS-SSIM, the same at as many of five scales as the image size allows. Sources
 * in experiment/imaging/metrics/metrics.h. The formulas are those of all backends. Plain C, also compiled by nvcc. */
#pragma once

#include "base/formula.h"

#include <math.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_STRUCTURE_REACH  5 /* of the window */
#define LAC_STRUCTURE_WINDOW (2 * LAC_STRUCTURE_REACH + 1)
#define LAC_STRUCTURE_SCALES 5
#define LAC_STRUCTURE_MAPS   12 /* scratch of an image */

LAC_FORMULA void
lac_structure_make_window(double window[LAC_STRUCTURE_WINDOW])
{
  const double sigma = 1.5;
  double       sum = 0;

  for (int k = -LAC_STRUCTURE_REACH; k <= LAC_STRUCTURE_REACH; k++)
    sum += window[k + LAC_STRUCTURE_REACH] = exp(-k * k / (2 * sigma * sigma));
  for (int k = 0; k < LAC_STRUCTURE_WINDOW; k++)
    window[k] /= sum;
}

/* Mirrors an index at the edge without repeating it. */
LAC_FORMULA size_t
lac_structure_mirror(ptrdiff_t i, size_t n)
{
  const ptrdiff_t last = (ptrdiff_t) n - 1;

  i = i < 0 ? -i : i;
  return (size_t) (i > last ? 2 * last - i : i);
}

/* Similarity of one window, and its derivatives with respect to the windowed x, x^2 and x y. */
typedef struct {
  double value, by_x, by_xx, by_xy;
} LacSimilarity;

/* Computes S = A1 A2 / (B1 B2), or A2 / B2. */
LAC_FORMULA LacSimilarity
lac_similarity_find(double x, double y, double xx, double yy, double xy, int has_luminance)
{
  const double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  const double a2 = 2 * (xy - x * y) + c2, b2 = xx - x * x + yy - y * y + c2;
  const double a1 = 2 * x * y + c1, b1 = x * x + y * y + c1;
  const double s = a2 / b2;

  if (!has_luminance) {
    const LacSimilarity structure = {s, (2 * x * s - 2 * y) / b2, -s / b2, 2 / b2};

    return structure;
  }
  const LacSimilarity whole = {
    s * a1 / b1, 2 * y * (a2 - a1) / (b1 * b2) + 2 * x * s * a1 / b1 * (1 / b2 - 1 / b1),
    -s * a1 / (b1 * b2), 2 * a1 / (b1 * b2)};

  return whole;
}

/* The scales of an image, which lie one behind the other, each with half the side of the one before. */
typedef struct {
  int      is_plain; /* one scale */
  unsigned n;
  size_t   side[LAC_STRUCTURE_SCALES], at[LAC_STRUCTURE_SCALES];
} LacStructureScales;

LAC_FORMULA LacStructureScales
lac_structure_find_scales(size_t side, int is_plain)
{
  LacStructureScales scales = {is_plain, 0, {0}, {0}};
  size_t             at = 0;

  while (scales.n < (is_plain ? 1 : LAC_STRUCTURE_SCALES) &&
         (scales.n == 0 || side >= LAC_STRUCTURE_WINDOW)) {
    scales.side[scales.n] = side;
    scales.at[scales.n++] = at;
    at += side * side;
    side /= 2;
  }
  return scales;
}

/* Returns true for structure and luminance, false for structure alone. */
LAC_FORMULA int
lac_structure_has_luminance(const LacStructureScales *scales, unsigned scale)
{
  return scales->is_plain || scale == LAC_STRUCTURE_SCALES - 1;
}

/* Returns the similarity by the means of the scales: their weighted geometric mean. @slopes: (out): derivatives with respect to
 * the means */
LAC_FORMULA double
lac_structure_combine(const LacStructureScales *scales, const double *means, double *slopes)
{
  const double weights[LAC_STRUCTURE_SCALES] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  const double least = 1e-10;
  double       sum = 0, exponent = 0, product;

  slopes[0] = 1;
  if (scales->is_plain)
    return means[0];
  for (unsigned i = 0; i < scales->n; i++) {
    sum += weights[i];
    exponent += weights[i] * log(means[i] < least ? least : means[i] > 1 ? 1 : means[i]);
  }
  product = exp(exponent / sum);
  for (unsigned i = 0; i < scales->n; i++)
    slopes[i] = means[i] > least && means[i] <= 1 ? product * weights[i] / (sum * means[i]) : 0;
  return product;
}

typedef struct {
  size_t        side;                 /* 6 or more */
  const double *predicted, *measured; /* [side * side]; measured < 0: not measured, excluded */
  double        scale;                /* maps the amplitudes to the range 1 */
  double       *scratch;              /* [LAC_STRUCTURE_MAPS][side * side] */
} LacStructure;

/* cpu/waves/structure.c. Returns the dissimilarity. @bar: (out) (nullable): its derivatives times @weight */
double lac_structure_find(const LacStructure *args, int is_plain, double weight, double *bar);

#ifdef __cplusplus
}
#endif
