/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas of jets at one point and column, for all kernels that apply them: Faa di Bruno's formula along each
 * direction, the collapsed sum yL = f'' sum_d c_d x_d1^2 + f' xL, and their reverse. */
#pragma once

#include "cuda/device.cuh"

#include <math.h>

/* Computes f and its first ORDER derivatives at x; `known`: d[0] already holds the value. */
template <typename Real, int ORDER>
__device__ static inline void
derivatives(LacScalar scalar, Real x, bool known, Real d[6])
{
#define R(c) ((Real) (c))
#define LAC_SCALAR(ID, name, f, e1, e2, e3, e4, e5)                   \
  case LAC_SCALAR_##ID: {                                             \
    const Real y = known ? d[0] : (f);                                \
    const Real d1 = (e1), d2 = (e2), d3 = (e3), d4 = (e4), d5 = (e5); \
    (void) d1, (void) d2, (void) d3, (void) d4, (void) d5;            \
    d[0] = y;                                                         \
    d[1] = d1;                                                        \
    d[2] = d2;                                                        \
    d[3] = ORDER >= 3 ? d3 : 0;                                       \
    d[4] = ORDER >= 4 ? d4 : 0;                                       \
    d[5] = ORDER >= 5 ? d5 : 0;                                       \
    break;                                                            \
  }
  switch (scalar) {
#include "backend/scalar-ops.def"
  default: break;
  }
#undef LAC_SCALAR
#undef R
}

/* Returns the highest derivative of f needed; low orders of the reverse also read f'''. */
static int
highest_order(const LacJet *jet, bool reverse)
{
  int order = jet->sum ? 2 : 0;

  for (unsigned k = 0; k < jet->n_directions; k++)
    if (jet->order[k] > order)
      order = jet->order[k];
  return order + reverse;
}

/* Arguments passed to a kernel; the jet is passed by value. */
template <typename Real> struct MapArgs {
  LacScalar   scalar;
  LacJet      jet;
  size_t      n_points, n_columns;
  Real       *x;
  const Real *bias;
  Real       *y;
  const Real *y_bar;
  Real       *x_bar;
  bool        keep; /* accumulate x_bar instead of overwriting it */
};

template <typename Real>
static MapArgs<Real>
args_of(const LacMapJet *args, const void *bias)
{
  return {args->scalar,
          *args->jet,
          args->n_points,
          args->n_columns,
          static_cast<Real *>(const_cast<void *>(args->x)),
          static_cast<const Real *>(bias),
          static_cast<Real *>(args->y),
          static_cast<const Real *>(args->y_bar),
          static_cast<Real *>(args->x_bar),
          args->x_bar != args->y_bar};
}

template <typename Real>
__device__ static inline Real
first_order(const Real *f, Real x1)
{
  return f[1] * x1;
}

/* Returns the second derivative of f(x). squares: the square of x's first derivative, or the collapsed sum sum_d c_d
 * x_d1^2. */
template <typename Real>
__device__ static inline Real
second_order(const Real *f, Real squares, Real x2)
{
  return f[2] * squares + f[1] * x2;
}

/* Everything is read before it is written: y may alias x. */
template <typename Real>
__device__ static inline void
forward_direction(int order, const Real f[6], const Real *x, size_t row, Real *y)
{
  const Real x1 = x[0], x2 = order >= 2 ? x[row] : 0, x3 = order >= 3 ? x[2 * row] : 0,
             x4 = order >= 4 ? x[3 * row] : 0;

  y[0] = first_order(f, x1);
  if (order >= 2)
    y[row] = second_order(f, x1 * x1, x2);
  if (order >= 3)
    y[2 * row] = f[3] * x1 * x1 * x1 + 3 * f[2] * x1 * x2 + f[1] * x3;
  if (order >= 4)
    y[3 * row] = f[4] * x1 * x1 * x1 * x1 + 6 * f[3] * x1 * x1 * x2 +
                 f[2] * (3 * x2 * x2 + 4 * x1 * x3) + f[1] * x4;
}

/* ---- reverse ---- */

/* One direction at one point and column: its streams, its bars, and its contribution to the value's bar. */
template <typename Real> struct Along {
  const Real *x, *y_bar;
  Real       *x_bar;
  size_t      row;
  bool        keep;
  Real sum_bar; /* times the direction's weight: acts on x1 like a bar of the second derivative */

  __device__ void add(int k, Real value) const
  {
    x_bar[k * row] = keep ? x_bar[k * row] + value : value;
  }
};

template <typename Real>
__device__ static inline Real
reverse_low_order(int order, const Real f[6], const Along<Real> &a)
{
  const Real x1 = a.x[0], y1 = a.y_bar[0];
  Real       second = a.sum_bar, to_value = 0;

  if (order == 2) {
    const Real x2 = a.x[a.row], y2 = a.y_bar[a.row];

    second += y2;
    to_value = f[2] * x2 * y2;
    a.add(1, f[1] * y2);
  }
  a.add(0, f[1] * y1 + 2 * f[2] * x1 * second);
  return to_value + x1 * (f[2] * y1 + f[3] * x1 * second);
}

template <typename Real>
__device__ static inline Real
reverse_high_order(int order, const Real f[6], const Along<Real> &a)
{
  const size_t row = a.row;
  const Real   x1 = a.x[0], x2 = a.x[row], x3 = a.x[2 * row];
  const Real   y1 = a.y_bar[0], y2 = a.y_bar[row], y3 = a.y_bar[2 * row];
  const Real   second = y2 + a.sum_bar;
  Real         to_value = f[2] * (x1 * y1 + x2 * y2 + x3 * y3) +
                  f[3] * (x1 * x1 * second + 3 * x1 * x2 * y3) + f[4] * x1 * x1 * x1 * y3;
  Real to_1 = f[1] * y1 + f[2] * (2 * x1 * second + 3 * x2 * y3) + 3 * f[3] * x1 * x1 * y3;
  Real to_2 = f[1] * y2 + 3 * f[2] * x1 * y3;
  Real to_3 = f[1] * y3;

  if (order == 4) {
    const Real x4 = a.x[3 * row], y4 = a.y_bar[3 * row];

    to_value += y4 * (f[5] * x1 * x1 * x1 * x1 + 6 * f[4] * x1 * x1 * x2 +
                      f[3] * (3 * x2 * x2 + 4 * x1 * x3) + f[2] * x4);
    to_1 += y4 * (4 * f[4] * x1 * x1 * x1 + 12 * f[3] * x1 * x2 + 4 * f[2] * x3);
    to_2 += y4 * 6 * (f[3] * x1 * x1 + f[2] * x2);
    to_3 += y4 * 4 * f[2] * x1;
    a.add(3, f[1] * y4);
  }
  a.add(0, to_1);
  a.add(1, to_2);
  a.add(2, to_3);
  return to_value;
}

/* Processes one point and column: its streams of x, y_bar and x_bar, which may alias y_bar. */
template <typename Real, int ORDER>
__device__ static inline void
map_reverse_at(const MapArgs<Real> &a, size_t point, size_t column)
{
  const LacJet &jet = a.jet;
  const size_t  row = a.n_columns, at = point * row * jet.n_streams + column;
  const Real   *x = a.x + at, *y_bar = a.y_bar + at;
  Real         *x_bar = a.x_bar + at;
  const Real    sum_bar = jet.sum ? y_bar[jet.sum * row] : 0;
  Real          f[6] = {a.y ? a.y[at] : 0};
  Along<Real>   along = {NULL, NULL, NULL, row, a.keep, 0};

  derivatives<Real, ORDER>(a.scalar, x[0], a.y != NULL, f);
  Real value_bar = f[1] * y_bar[0];

  for (unsigned k = 0; k < jet.n_directions; k++) {
    along.x = x + jet.first[k] * row;
    along.y_bar = y_bar + jet.first[k] * row;
    along.x_bar = x_bar + jet.first[k] * row;
    along.sum_bar = jet.sum ? (Real) jet.weight[k] * sum_bar : 0;
    if (ORDER <= 3 || jet.order[k] <= 2)
      value_bar += reverse_low_order(jet.order[k], f, along);
    else
      value_bar += reverse_high_order(jet.order[k], f, along);
  }
  if (jet.sum) {
    value_bar += f[2] * x[jet.sum * row] * sum_bar;
    along.x_bar = x_bar + jet.sum * row;
    along.add(0, f[1] * sum_bar);
  }
  along.x_bar = x_bar;
  along.add(0, value_bar);
}
