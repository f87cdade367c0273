/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output bounds of a network, with their slopes. */
#include "backend/cpu/planes/real.h"

#include <math.h>

/* Vector variants from libmvec: gcc uses them when it sees these declarations. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#  define LAC_VECTOR __attribute__((simd("notinbranch"), const))
LAC_VECTOR float  expf(float);
LAC_VECTOR double exp(double);
LAC_VECTOR float  logf(float);
LAC_VECTOR double log(double);
#endif

#include <tgmath.h> /* after the declarations, whose names it redefines as macros */

/* Evaluated in whole blocks, so that a value never depends on its position: scalar functions round differently. */
#define BOUND(name, ...)                                        \
  static void name(const LacPlaneBound *args)                   \
  {                                                             \
    const Real *restrict xs = args->x;                          \
    Real *restrict ys = args->y;                                \
    Real *restrict slopes = args->slope;                        \
    const Real bias = R(args->bias);                            \
    for (size_t b = 0; b < args->n; b += LAC_PLANE_BLOCK)       \
      LAC_SIMD for (size_t i = b; i < b + LAC_PLANE_BLOCK; i++) \
      {                                                         \
        const Real x = xs[i] + bias;                            \
        Real       y, slope;                                    \
        __VA_ARGS__                                             \
        ys[i] = y;                                              \
        slopes[i] = slope;                                      \
      }                                                         \
  }

BOUND(none, y = x; slope = 1;)
/* in terms of e = exp(-|x|), which never overflows */
BOUND(sigmoid, const Real e = exp(-fabs(x)), r = 1 / (1 + e); y = x < 0 ? e * r : r;
      slope = e * r * r;)
BOUND(scaled_sigmoid, const Real e = exp(-fabs(x)), r = 1 / (1 + e);
      y = R(1.02) * (x < 0 ? e * r : r) - R(0.01);
      slope = R(1.02) * e * r * r;)
BOUND(hard_sigmoid, const Real z = x / 6 + R(0.5); y = z < 0   ? 0
                                                       : z > 1 ? 1
                                                               : z;
      slope = z > 0 && z < 1 ? R(1.0 / 6) : 0;)
BOUND(softplus, const Real e = exp(-fabs(x)), r = 1 / (1 + e); y = (x > 0 ? x : 0) + log(1 + e);
      slope = x < 0 ? e * r : r;)
BOUND(tangent, const Real e = exp(-2 * fabs(x)), r = 1 / (1 + e);
      y = x < 0 ? (e - 1) * r : (1 - e) * r;
      slope = 4 * e * r * r;)
BOUND(relu, y = x <= 0 ? 0 : x; slope = x > 0;)
BOUND(leaky_relu, y = x < 0 ? R(0.2) * x : x; slope = x > 0 ? 1 : R(0.2);)

void
LAC_PLANE(bound)(const LacPlaneBound *args)
{
  switch (args->bound) {
  case LAC_BOUND_NONE: none(args); break;
  case LAC_BOUND_SIGMOID: sigmoid(args); break;
  case LAC_BOUND_SCALED_SIGMOID: scaled_sigmoid(args); break;
  case LAC_BOUND_HARD_SIGMOID: hard_sigmoid(args); break;
  case LAC_BOUND_SOFTPLUS: softplus(args); break;
  case LAC_BOUND_TANH: tangent(args); break;
  case LAC_BOUND_RELU: relu(args); break;
  case LAC_BOUND_LEAKY_RELU: leaky_relu(args); break;
  }
}
