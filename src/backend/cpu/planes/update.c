/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of rows, and Adam: with a given gradient, and with one that is a scalar times a vector and never stored. */
#include "backend/cpu/planes/real.h"

#include <math.h>

void
LAC_PLANE(accumulate)(double a, const void *x, void *y, size_t n)
{
  const Real *from = x;
  Real       *to = y;
  const Real  factor = R(a);

  LAC_SIMD for (size_t j = 0; j < n; j++) to[j] += factor * from[j];
}

LAC_INLINE Real
root(Real x)
{
#ifdef LAC_REAL_F32
  return sqrtf(x);
#else
  return sqrt(x);
#endif
}

#define DOT_BLOCK 4096

/* Same as the loop `adam` of the cpu backend. Returns: factor gradient . theta before the step. */
LAC_INLINE double
step(const LacPlaneAdam *args, const Real factor)
{
  const Real *restrict gradient = args->gradient;
  Real *restrict m = args->m;
  Real *restrict v = args->v;
  Real *restrict theta = args->theta;
  const Real beta1 = R(args->beta1), beta2 = R(args->beta2), epsilon = R(args->epsilon);
  const Real rest1 = R(1 - args->beta1), rest2 = R(1 - args->beta2);
  const Real rate = R(args->rate * args->correction1), correction2 = R(args->correction2);
  double     total = 0;

  for (size_t first = 0; first < args->n; first += DOT_BLOCK) {
    const size_t last = first + DOT_BLOCK < args->n ? first + DOT_BLOCK : args->n;
    Real         sum = 0;

    LAC_SIMD_SUM(sum) for (size_t i = first; i < last; i++)
    {
      const Real g = factor * gradient[i];
      const Real m_new = beta1 * m[i] + rest1 * g;
      const Real v_new = beta2 * v[i] + rest2 * (g * g);
      sum += gradient[i] * theta[i];
      m[i] = m_new;
      v[i] = v_new;
      theta[i] -= rate * m_new / (root(v_new * correction2) + epsilon);
    }
    total += (double) sum;
  }
  return total;
}

void
LAC_PLANE(adam)(const LacPlaneAdam *args)
{
  step(args, 1);
}

double
LAC_PLANE(adam_rank_one)(const LacPlaneAdam *args, double factor)
{
  return step(args, R(factor));
}
