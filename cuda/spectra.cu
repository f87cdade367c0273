/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combinations and correlations of spectra, products of planes and their transposed derivatives: one thread per mode
 * or point of each field or plane. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

static const unsigned block_size = 256;

/* A complex number in memory, read and written at once. */
template <typename Real> struct alignas(2 * sizeof(Real)) Pair {
  Real re, im;
};

template <typename Real>
__device__ static inline Pair<Real>
weigh(const LacModeTerm &term, size_t weight, Pair<Real> x)
{
  const Real        factor = (Real) term.factor;
  const Real       *real = static_cast<const Real *>(term.weights);
  const Pair<Real> *pair = static_cast<const Pair<Real> *>(term.weights);
  Pair<Real>        w = {0, 0};

  switch (term.kind) {
  case LAC_MODE_ONE: w.re = 1; break;
  case LAC_MODE_REAL: w.re = real[weight]; break;
  case LAC_MODE_IMAGINARY: w.im = real[weight]; break;
  case LAC_MODE_COMPLEX: w = pair[weight]; break;
  case LAC_MODE_CONJUGATE: w = {pair[weight].re, -pair[weight].im}; break;
  }
  w = {factor * w.re, factor * w.im};
  return {w.re * x.re - w.im * x.im, w.re * x.im + w.im * x.re};
}

template <typename Real>
__global__ static void
combine_kernel(LacCombine a)
{
  const size_t field = row_of_matrix();

  if (field >= a.n_fields)
    return;
  LAC_EACH_COLUMN(mode, a.n_modes)
  {
    const size_t at = field * a.n_modes + mode;
    Pair<Real>   sum = {0, 0};

    LAC_UNROLLED
    for (int t = 0; t < LAC_MOST_TERMS; t++)
      if (t < a.n_terms) {
        const Pair<Real> term = weigh(a.terms[t], field * a.stride + mode,
                                      static_cast<const Pair<Real> *>(a.terms[t].x)[at]);

        sum = {sum.re + term.re, sum.im + term.im};
      }
    const Real mask = a.mask ? static_cast<const Real *>(a.mask)[mode] : (Real) 1;
    static_cast<Pair<Real> *>(a.y)[at] = {mask * sum.re, mask * sum.im};
  }
}

template <typename Real>
__global__ static void
correlate_kernel(LacCorrelate a)
{
  if (row_of_matrix() > 0) /* a block of few modes has rows to spare */
    return;
  LAC_EACH_COLUMN(mode, a.n_modes)
  {
    Pair<Real> *to = static_cast<Pair<Real> *>(a.sum) + mode, sum = *to;

    for (size_t field = 0; field < a.n_fields; field++) {
      const Pair<Real> x = static_cast<const Pair<Real> *>(a.x)[field * a.n_modes + mode];
      const Pair<Real> y = static_cast<const Pair<Real> *>(a.y)[field * a.n_modes + mode];

      sum = {sum.re + x.re * y.re + x.im * y.im, sum.im + x.im * y.re - x.re * y.im};
    }
    *to = sum;
  }
}

/* Returns the product of the factors of a monomial at a point, other than the one at position `omitted`. */
template <typename Real>
__device__ static inline Real
multiply(const LacPolynomial &a, size_t m, int omitted, size_t point)
{
  const LacMonomial &monomial = a.monomials[m];
  Real               product = (Real) (a.coefficients ? a.coefficients[m] : monomial.coefficient);

  for (int k = 0; k < monomial.n_factors; k++)
    if (k != omitted)
      product *= static_cast<const Real *>(a.planes)[monomial.factors[k] * a.n_points + point];
  return product;
}

template <typename Real>
__global__ static void
polynomial_kernel(LacPolynomial a)
{
  const size_t plane = row_of_matrix();

  if (plane >= a.n_out)
    return;
  LAC_EACH_COLUMN(point, a.n_points)
  {
    Real sum = 0;

    for (size_t m = 0; m < a.n_monomials; m++)
      if (a.monomials[m].out == plane)
        sum += multiply<Real>(a, m, -1, point);
    static_cast<Real *>(a.out)[plane * a.n_points + point] = sum;
  }
}

template <typename Real>
__global__ static void
polynomial_reverse_kernel(LacPolynomial a)
{
  const size_t plane = row_of_matrix();

  if (plane >= a.n_planes)
    return;
  LAC_EACH_COLUMN(point, a.n_points)
  {
    Real sum = 0;

    for (size_t m = 0; m < a.n_monomials; m++) {
      const LacMonomial &monomial = a.monomials[m];
      const Real bar = static_cast<const Real *>(a.out_bar)[monomial.out * a.n_points + point];

      for (int k = 0; k < monomial.n_factors; k++)
        if (monomial.factors[k] == plane)
          sum += bar * multiply<Real>(a, m, k, point);
    }
    static_cast<Real *>(a.planes_bar)[plane * a.n_points + point] = sum;
  }
}

#define ROWS(name, Args, n_rows, n_columns)                                                  \
  LacStatus name##_cuda(void *self, const Args *args)                                        \
  {                                                                                          \
    return launch_rows(args->type == LAC_F32 ? name##_kernel<float> : name##_kernel<double>, \
                       n_rows, n_columns, block_size, stream_of(self), *args);               \
  }
ROWS(combine, LacCombine, args->n_fields, args->n_modes)
ROWS(correlate, LacCorrelate, 1, args->n_modes)
ROWS(polynomial, LacPolynomial, args->n_out, args->n_points)
ROWS(polynomial_reverse, LacPolynomial, args->n_planes, args->n_points)
#undef ROWS
