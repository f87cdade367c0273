/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas of the neural wavefunction, written once: functions of doubles, and macros for operands that may be
 * scalars or vectors of walkers. R(c) is a literal in the element type, as in scalar-ops.def. Plain C, also compiled
 * by nvcc. */
#pragma once

#include "base/formula.h"

#include <math.h>
#include <stddef.h>

/* ---- inputs: a distance r enters as s(r), a component d as d q(r): s = r and q = 1, or log(1 + r) and log(1 + r) / r ---- */

typedef struct {
  double s, s1, s2, q, q1, q2; /* s1, s2, q1, q2: first and second derivatives of s and q */
} LacRadial;

LAC_FORMULA LacRadial
lac_radial(double r, int rescale)
{
  LacRadial f;

  f.s = rescale ? log1p(r) : r;
  f.s1 = rescale ? 1 / (1 + r) : 1;
  f.s2 = rescale ? -f.s1 * f.s1 : 0;
  f.q = rescale && r > 0 ? f.s / r : 1;
  f.q1 = rescale ? (f.s1 - f.q) / r : 0;
  f.q2 = rescale ? (f.s2 - 2 * f.q1) / r : 0;
  return f;
}

LAC_FORMULA double
lac_distance_laplacian(double s1, double s2, double r)
{
  return s2 + 2 * s1 / r;
}

/* Returns the Laplacian of d q(r), where d is the component. */
LAC_FORMULA double
lac_component_laplacian(double d, double q1, double q2, double r)
{
  return d * (q2 + 4 * q1 / r);
}

/* Returns the derivative of s(r) with respect to component c. */
LAC_FORMULA double
lac_distance_tangent(double s1, double d_c, double r)
{
  return s1 * d_c / r;
}

/* Returns the derivative of the feature of component a with respect to component c. Pass q = 0 if a differs from c. */
LAC_FORMULA double
lac_component_tangent(double q, double q1, double d_a, double d_c, double r)
{
  return q + d_a * d_c * q1 / r;
}

/* ---- a layer: y = tanh(z), e = exp(-2 |z|) and inverse = 1 / (1 + e) ---- */

#define LAC_TANH_SIZE(e, inverse) \
  ((R(1) - (e)) * (inverse)) /* |tanh z|, with an absolute error of one rounding of 1 */
#define LAC_SECH_SQUARE(e, inverse)   (R(4) * (e) * (inverse) * (inverse))
#define LAC_TANH_BEND(y, sech_square) ((y) * (sech_square) *R(-2)) /* second derivative of tanh */
#define LAC_LAPLACIAN_OF(slope, laplacian, bend, squares) \
  ((slope) * (laplacian) + (bend) * (squares))
#define LAC_SQRT_HALF      R(0.70710678118654752440)
#define LAC_RESIDUAL(y, x) (((y) + (x)) * LAC_SQRT_HALF)

/* ---- envelopes: e = amplitude exp(-sigma r), slope = -sigma e ---- */

#define LAC_ENVELOPE_LAPLACIAN(e, slope, sigma, twice_inverse) \
  ((e) * ((sigma) * (sigma)) + (slope) * (twice_inverse))

/* ---- the Jastrow factor: u(r) = -c alpha^2 / (alpha + r), u'(0) = c ---- */

/* Returns c: 1/4 for like spins and 1/2 for unlike ones. */
LAC_FORMULA double
lac_jastrow_cusp(int unlike)
{
  return unlike ? 0.5 : 0.25;
}

LAC_FORMULA double
lac_jastrow(double cusp, double alpha, double r)
{
  return -(cusp * alpha * alpha / (alpha + r));
}

/* Returns u'. */
LAC_FORMULA double
lac_jastrow_slope(double cusp, double alpha, double r)
{
  const double inverse = 1 / (alpha + r);

  return cusp * alpha * alpha * inverse * inverse;
}

/* Returns u'' + 2 u' / r summed over both electrons of the pair; @slope is u'. */
LAC_FORMULA double
lac_jastrow_laplacian(double slope, double alpha, double r)
{
  const double inverse = 1 / (alpha + r);

  return 2 * (-2 * slope * inverse + 2 * slope / r);
}

/* Returns du / d alpha. */
LAC_FORMULA double
lac_jastrow_pull(double cusp, double alpha, double r)
{
  const double span = alpha + r;

  return -(cusp * alpha * (span + r) / (span * span));
}
