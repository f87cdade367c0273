/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of planes and their transposed derivatives, strip by strip, so that the sums stay in the first cache. */
#include "backend/cpu/loops/real.h"

#define STRIP 512 /* points */

/* Adds coefficient times the product of n arrays, at most LAC_MOST_FACTORS. */
static void
add_product(Real coefficient, int n, const Real *const *x, size_t count, Real *sum)
{
  const Real *a = x[0], *b = x[1], *c = x[2];

  switch (n) {
  case 0: LAC_SIMD for (size_t i = 0; i < count; i++) sum[i] += coefficient; break;
  case 1: LAC_SIMD for (size_t i = 0; i < count; i++) sum[i] += coefficient * a[i]; break;
  case 2: LAC_SIMD for (size_t i = 0; i < count; i++) sum[i] += coefficient * a[i] * b[i]; break;
  default: LAC_SIMD for (size_t i = 0; i < count; i++) sum[i] += coefficient * a[i] * b[i] * c[i];
  }
}

static Real
get_coefficient(const LacPolynomial *args, size_t monomial)
{
  return R(args->coefficients ? args->coefficients[monomial]
                              : args->monomials[monomial].coefficient);
}

static void
clear(void *planes, size_t n_planes, size_t n_points, size_t first, size_t count)
{
  for (size_t p = 0; p < n_planes; p++)
    for (size_t i = 0; i < count; i++)
      ((Real *) planes)[p * n_points + first + i] = 0;
}

void
LAC_LOOP(polynomial)(const LacPolynomial *args)
{
  const size_t n = args->n_points;

  for (size_t first = 0; first < n; first += STRIP) {
    const size_t count = LAC_MIN(STRIP, n - first);

    clear(args->out, args->n_out, n, first, count);
    for (size_t m = 0; m < args->n_monomials; m++) {
      const LacMonomial *monomial = &args->monomials[m];
      const Real        *x[LAC_MOST_FACTORS] = {0};

      for (int k = 0; k < monomial->n_factors; k++)
        x[k] = (const Real *) args->planes + monomial->factors[k] * n + first;
      add_product(get_coefficient(args, m), monomial->n_factors, x, count,
                  (Real *) args->out + monomial->out * n + first);
    }
  }
}

/* The derivative along a factor is the product of the others. */
void
LAC_LOOP(polynomial_reverse)(const LacPolynomial *args)
{
  const size_t n = args->n_points;

  for (size_t first = 0; first < n; first += STRIP) {
    const size_t count = LAC_MIN(STRIP, n - first);

    clear(args->planes_bar, args->n_planes, n, first, count);
    for (size_t m = 0; m < args->n_monomials; m++) {
      const LacMonomial *monomial = &args->monomials[m];
      const Real        *x[LAC_MOST_FACTORS] = {0};

      for (int along = 0; along < monomial->n_factors; along++) {
        for (int k = 0; k < monomial->n_factors; k++)
          x[k] = k == along ? (const Real *) args->out_bar + monomial->out * n + first
                            : (const Real *) args->planes + monomial->factors[k] * n + first;
        add_product(get_coefficient(args, m), monomial->n_factors, x, count,
                    (Real *) args->planes_bar + monomial->factors[along] * n + first);
      }
    }
  }
}
