/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the orbitals of a walker to log |psi|, its gradient and its Laplacian, in double precision. Determinants up to
 * three rows in closed form, one thread each; larger ones by elimination with partial pivoting, one warp each. A
 * determinant is det exp(scale); its cofactors and derivatives have the same scale. Index of matrix s of determinant
 * k: 2 k + s. */
#pragma once

#include "cuda/electrons.cuh"

#define D          double
#define d_set(x)   ((double) (x))
#define LAC_INLINE __device__ static inline
#include "backend/electron-determinants.inc"
#undef D
#undef d_set
#undef LAC_INLINE

__device__ static inline Index
n_matrices(const WalkerShape &shape)
{
  return shape.full_determinant ? 1 : shape.n_channels;
}

/* Returns TRUE when all determinants are closed-form, with scales 0; otherwise a vanishing determinant has no scale,
 * and its derivatives are omitted. */
__device__ static inline bool
all_closed(const WalkerShape &shape)
{
  if (shape.full_determinant)
    return shape.n_electrons <= CLOSED;
  for (Index s = 0; s < shape.n_channels; s++)
    if (shape.n[s] > CLOSED)
      return false;
  return true;
}

/* A matrix of orbitals in one row of phi: entry (i, m) is phi[i row + m]. */
template <typename Real> struct Orbitals {
  const Real *phi;
  Index       n, row;

  __device__ double at(Index i, Index m) const
  {
    return (double) phi[i * row + m];
  }

  __device__ void load(double *to) const
  {
    for (Index i = 0; i < n; i++)
      for (Index m = 0; m < n; m++)
        to[i * n + m] = at(i, m);
  }
};

template <typename Real>
__device__ static inline Orbitals<Real>
orbitals_of(const Walker<Real> &w, Index row, Index matrix)
{
  const WalkerShape &shape = *w.shape;
  const Index        k = matrix / 2, s = matrix % 2;
  const Index        n = shape.full_determinant ? shape.n_electrons : shape.n[s];
  const Index        first = shape.full_determinant ? 0 : shape.first[s];
  const Real        *phi = w.numbers + w.plan->phi + row * shape.n_electrons * shape.most_columns;

  return {phi + first * shape.most_columns + k * n, n, shape.most_columns};
}

__device__ static inline double *
cofactors_of(const WalkerShape &shape, const WalkerPlan &plan, double *doubles, Index matrix)
{
  return doubles + plan.cofactor + matrix * shape.n_electrons * shape.n_electrons;
}

/* ---- elimination by one warp ---- */

/* Returns the row, from k on, with the largest entry of column k; the same in every lane. */
__device__ static inline Index
find_pivot(const double *a, Index n, Index width, Index k)
{
  Index best = k;

  for (Index i = k + 1; i < n; i++)
    if (fabs(a[i * width + k]) > fabs(a[best * width + k]))
      best = i;
  return best;
}

struct Pivots {
  double sign,
    scale; /* sign: 0 for a zero pivot; scale: log of the product of their absolute values */
};

/* Destroys a: [n][width]; with `both` also eliminates above the diagonal and divides the rows by their pivots. */
__device__ static inline Pivots
eliminate(double *a, Index n, Index width, bool both)
{
  const Index lane = threadIdx.x % 32;
  Pivots      total = {1, 0};

  for (Index k = 0; k < n; k++) {
    const Index  best = find_pivot(a, n, width, k);
    const double found = a[best * width + k], pivot = found == 0 ? 1 : found;

    total.sign *= found == 0 ? 0 : (found < 0 ? -1 : 1) * (best == k ? 1 : -1);
    total.scale += log(fabs(pivot));
    __syncwarp();
    for (Index m = k + lane; m < width; m += 32) {
      const double upper = a[best * width + m];

      a[best * width + m] = a[k * width + m];
      a[k * width + m] = both ? upper / pivot : upper;
    }
    __syncwarp();
    for (Index q = lane; q < n * (width - k - 1); q += 32) {
      const Index i = q / (width - k - 1), m = k + 1 + q % (width - k - 1);

      if (i == k || (!both && i < k))
        continue;
      a[i * width + m] -= a[i * width + k] * (both ? 1 : 1 / pivot) * a[k * width + m];
    }
    __syncwarp();
  }
  return total;
}

/* Eliminates one matrix per warp: det is +-1 or 0. */
template <typename Real>
__device__ static inline void
eliminate_matrix(const Walker<Real> &w, Index matrix, double *scratch, bool keep)
{
  const Orbitals<Real> a = orbitals_of(w, 0, matrix);
  const Index          n = a.n, width = keep ? 2 * n : n, lane = threadIdx.x % 32;
  double              *c = cofactors_of(*w.shape, *w.plan, w.doubles, matrix);

  for (Index q = lane; q < n * width; q += 32) {
    const Index i = q / width, m = q % width;

    scratch[q] = m < n ? a.at(i, m) : m - n == i;
  }
  __syncwarp();
  const Pivots total = eliminate(scratch, n, width, keep);

  if (lane == 0) {
    w.doubles[w.plan->det + matrix] = total.sign;
    w.doubles[w.plan->scale + matrix] = total.scale;
  }
  for (Index q = lane; keep && q < n * n; q += 32)
    c[q] = total.sign * scratch[q % n * width + n + q / n];
  __syncwarp();
}

/* ---- all determinants ---- */

/* Computes det and scale of every matrix, and with `keep` their cofactors. */
template <typename Real>
LAC_STAGE void
find_determinants(const Walker<Real> &w, bool keep)
{
  const WalkerShape &shape = *w.shape;
  const Index        count = n_matrices(shape), n = shape.n_electrons;
  double            *scratch = w.doubles + w.plan->elimination + threadIdx.x / 32 * 2 * n * n;

  for (Index q = threadIdx.x; q < 2 * shape.n_determinants; q += blockDim.x) {
    double a[CLOSED * CLOSED] = {}, c[CLOSED * CLOSED];

    w.doubles[w.plan->det + q] = 1;
    w.doubles[w.plan->scale + q] = 0;
    if (q % 2 >= count || orbitals_of(w, 0, q).n > CLOSED)
      continue;
    const Orbitals<Real> matrix = orbitals_of(w, 0, q);
    double              *to = cofactors_of(shape, *w.plan, w.doubles, q);

    matrix.load(a);
    cofactors(a, matrix.n, c);
    w.doubles[w.plan->det + q] = sum_products(a, c, matrix.n);
    for (Index i = 0; keep && i < matrix.n * matrix.n; i++)
      to[i] = c[i];
  }
  __syncthreads();
  for (Index q = threadIdx.x / 32; q < 2 * shape.n_determinants; q += blockDim.x / 32)
    if (q % 2 < count && orbitals_of(w, 0, q).n > CLOSED)
      eliminate_matrix(w, q, scratch, keep);
  __syncthreads();
}

/* psi = total exp(scale) */
struct Total {
  double total, scale;
};

/* Returns the product of determinant k over the spins. */
__device__ static inline double
product_of(const double *det, Index k)
{
  return det[2 * k] * det[2 * k + 1];
}

__device__ static inline double
scale_of(const double *scale, Index k)
{
  return scale[2 * k] + scale[2 * k + 1];
}

/* Returns the sum of all determinants; the same in every thread. */
template <typename Real>
__device__ static inline Total
sum_determinants(const Walker<Real> &w)
{
  const double *det = w.doubles + w.plan->det, *scale = w.doubles + w.plan->scale;
  Total         sum = {0, -HUGE_VAL};

  for (Index k = 0; k < w.shape->n_determinants; k++)
    if (product_of(det, k) != 0 && scale_of(scale, k) > sum.scale)
      sum.scale = scale_of(scale, k);
  for (Index k = 0; k < w.shape->n_determinants; k++)
    if (product_of(det, k) != 0)
      sum.total += product_of(det, k) * exp(scale_of(scale, k) - sum.scale);
  return sum;
}

/* Returns the Jastrow factor's J; the same in every thread. */
template <typename Real>
__device__ static inline double
sum_jastrow(const Walker<Real> &w)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons;
  const double      *distance = w.doubles + w.plan->pair_distance;
  double             sum = 0;

  for (Index i = 0; shape.jastrow && i < n; i++)
    for (Index j = i + 1; j < n; j++) {
      const Index unlike = spin_of(shape, i) != spin_of(shape, j);

      sum += lac_jastrow(lac_jastrow_cusp((int) unlike), w.theta[shape.alpha + unlike],
                         distance[i * n + j]);
    }
  return sum;
}

template <typename Real>
__device__ static inline double
log_of(const Walker<Real> &w, const Total &sum)
{
  return sum.total == 0 ? -HUGE_VAL : log(fabs(sum.total)) + sum.scale + sum_jastrow(w);
}

/* ---- derivatives ---- */

/* Computes tr M and tr M M, where M = a^-1 tangent, by one warp; c holds det a^-T, det = +-1. */
template <typename Real>
__device__ static inline void
trace_by_warp(const double         *c,
              double                det,
              const Orbitals<Real> &tangent,
              double               *first,
              double               *second)
{
  const Index n = tangent.n;
  double      trace = 0, squares = 0, slope = 0;

  for (Index q = threadIdx.x % 32; q < n * n; q += 32) {
    const Index i = q / n, m = q % n;
    double      forth = 0, back = 0;

    slope += c[q] * tangent.at(i, m);
    if (m > i)
      continue;
    for (Index k = 0; k < n; k++) {
      forth += c[k * n + i] * tangent.at(k, m);
      back += c[k * n + m] * tangent.at(k, i);
    }
    trace += i == m ? forth * det : 0;
    squares += (i == m ? 1 : 2) * forth * back;
  }
  for (int reach = 16; reach > 0; reach /= 2) {
    slope += __shfl_xor_sync(0xffffffffu, slope, reach);
    trace += __shfl_xor_sync(0xffffffffu, trace, reach);
    squares += __shfl_xor_sync(0xffffffffu, squares, reach);
  }
  *first = slope;
  *second = det * (trace * trace - squares);
}

/* Processes the rows of phi after the value: row 1 adds <c, Laplacian> as second derivative 3 N. */
template <typename Real>
LAC_STAGE void
find_derivatives(const Walker<Real> &w)
{
  const WalkerShape &shape = *w.shape;
  const Index        count = n_matrices(shape), n = 3 * shape.n_electrons;
  double            *first = w.doubles + w.plan->first, *second = w.doubles + w.plan->second;

  for (Index q = threadIdx.x; q < 2 * shape.n_determinants * (n + 1); q += blockDim.x) {
    const Index matrix = q / (n + 1), t = q % (n + 1);
    double      a[CLOSED * CLOSED] = {}, x[CLOSED * CLOSED] = {}, scratch[CLOSED * CLOSED];

    if (matrix % 2 >= count || orbitals_of(w, 0, matrix).n > CLOSED)
      continue;
    const Orbitals<Real> value = orbitals_of(w, 0, matrix);
    const double        *c = cofactors_of(shape, *w.plan, w.doubles, matrix);

    orbitals_of(w, t < n ? FIRST_TANGENT + t : 1, matrix).load(x);
    value.load(a);
    const double slope = sum_products(c, x, value.n * value.n);

    if (t < n)
      first[matrix * n + t] = slope;
    second[q] = t < n ? closed_second(a, x, value.n, scratch) : slope;
  }
  for (Index q = threadIdx.x / 32; q < 2 * shape.n_determinants * (n + 1); q += blockDim.x / 32) {
    const Index matrix = q / (n + 1), t = q % (n + 1);
    double      slope, bend;

    if (matrix % 2 >= count || orbitals_of(w, 0, matrix).n <= CLOSED)
      continue;
    trace_by_warp(cofactors_of(shape, *w.plan, w.doubles, matrix), w.doubles[w.plan->det + matrix],
                  orbitals_of(w, t < n ? FIRST_TANGENT + t : 1, matrix), &slope, &bend);
    if (threadIdx.x % 32)
      continue;
    if (t < n)
      first[matrix * n + t] = slope;
    second[q] = t < n ? bend : slope;
  }
  __syncthreads();
}

/* partial[t] = contribution of coordinate t (or the Laplacian row, 3 N) to the Laplacian of psi over psi; gradient[t]
 * of log |psi|, without the Jastrow factor. */
template <typename Real>
LAC_STAGE void
combine_derivatives(const Walker<Real> &w, const Total &sum)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = 3 * shape.n_electrons;
  const bool         split = n_matrices(shape) == 2, plain = all_closed(shape);
  const double      *det = w.doubles + w.plan->det, *scale = w.doubles + w.plan->scale;
  const double      *first = w.doubles + w.plan->first, *second = w.doubles + w.plan->second;

  for (Index t = threadIdx.x; t <= n; t += blockDim.x) {
    double slope = 0, bend = 0;

    for (Index k = 0; k < shape.n_determinants; k++) {
      const Index a = 2 * k, b = a + 1;
      double      one, two = second[a * (n + 1) + t] * det[b];

      if (split)
        two += second[b * (n + 1) + t] * det[a];
      if (t < n) {
        one = first[a * n + t] * det[b];
        if (split) {
          one += first[b * n + t] * det[a];
          two += 2 * first[a * n + t] * first[b * n + t];
        }
      } else
        one = 0;
      const double weight =
        product_of(det, k) == 0 && !plain ? 0 : exp(scale_of(scale, k) - sum.scale);

      slope += one * weight;
      bend += two * weight;
    }
    if (t < n)
      w.doubles[w.plan->gradient + t] = slope / sum.total;
    w.doubles[w.plan->partial + t] = bend / sum.total;
  }
  __syncthreads();
}

/* Adds the slope of J by each electron; the pairs' contribution to the Laplacian is added to the first component of
 * the lower electron. */
template <typename Real>
LAC_STAGE void
add_jastrow(const Walker<Real> &w, const double *position)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons;
  const double      *distance = w.doubles + w.plan->pair_distance;
  double            *gradient = w.doubles + w.plan->gradient;
  double            *partial = w.doubles + w.plan->partial;

  for (Index i = threadIdx.x; i < n; i += blockDim.x) {
    double slope[3] = {0, 0, 0}, laplacian = 0;

    for (Index j = 0; j < n; j++) {
      const Index  unlike = spin_of(shape, i) != spin_of(shape, j);
      const double alpha = w.theta[shape.alpha + unlike], r = distance[i * n + j];

      if (i == j)
        continue;
      const double first = lac_jastrow_slope(lac_jastrow_cusp((int) unlike), alpha, r);

      if (i < j)
        laplacian += lac_jastrow_laplacian(first, alpha, r);
      for (Index c = 0; c < 3; c++)
        slope[c] += first * (position[3 * i + c] - position[3 * j + c]) / r;
    }
    for (Index c = 0; c < 3; c++) {
      laplacian += slope[c] * (2 * gradient[3 * i + c] + slope[c]);
      gradient[3 * i + c] += slope[c];
    }
    partial[3 * i] += laplacian;
  }
  __syncthreads();
}

/* Computes psi from the orbitals; with JET also its gradient, and in `partial` the terms of its Laplacian over psi. */
template <bool JET, typename Real>
__device__ static inline Total
find_sum(const Walker<Real> &w, const double *position)
{
  find_determinants(w, JET);
  const Total sum = sum_determinants(w);

  if (JET) {
    find_derivatives(w);
    combine_derivatives(w, sum);
    if (w.shape->jastrow)
      add_jastrow(w, position);
  }
  return sum;
}
