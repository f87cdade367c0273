/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walker of electrons per block: memory layout, and the network from positions to orbitals. With JET every
 * quantity has its forward Laplacian: rows 0 the value, 1 the Laplacian, 2 + 3 k + c the derivative with respect to
 * component c of electron k; else it is a value alone. A thread computes all rows of one electron and one output at a
 * time, so that a layer's output is written once. A block processes one walker after another; all its threads call
 * every function here. */
#pragma once

#include "backend/electron-formulas.h"
#include "backend/electrons.h"
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

/* A stage of the work, compiled once for all kernels that use it. */
#ifdef __CUDACC__
#  define LAC_STAGE __device__ static __noinline__
#else
#  define LAC_STAGE static
#endif

static const unsigned walker_threads = 128, walker_warps = walker_threads / 32;
/* Minimum blocks per multiprocessor: limits a thread to 128 registers. */
static const unsigned walker_blocks = 4;

enum { PAIR_JET = 5 /* rows of a pair: value, Laplacian, three tangents */, FIRST_TANGENT = 2 };

using Index =
  uint32_t; /* indices within one walker: 32-bit division takes a fifth of the time of 64-bit */

/* LacElectronShape in the form used by kernels. */
struct WalkerShape {
  Index n_electrons, n_nuclei, n_layers, n_determinants, n_channels, most_columns, alpha, n_params;
  Index first[LAC_N_SPINS], n[LAC_N_SPINS], n_orbitals[LAC_N_SPINS], n_columns[LAC_N_SPINS];
  Index one[LAC_ANSATZ_MAX_LAYERS + 1], pair[LAC_ANSATZ_MAX_LAYERS + 1];
  Index layer[LAC_ANSATZ_MAX_LAYERS], pairs[LAC_ANSATZ_MAX_LAYERS];
  Index orbital[LAC_N_SPINS], amplitude[LAC_N_SPINS], decay[LAC_N_SPINS];
  bool  full_determinant, jastrow, rescale;
};

/* Offsets in the work area of a block, in doubles and in elements of the network's type; n_bytes of both. */
struct WalkerPlan {
  Index n_rows;                                     /* S: 3 N + 2, or 1 */
  Index position, pair_distance, gradient, partial; /* [3 N], [N][N], [3 N], [3 N + 1] */
  Index det, scale;                                 /* [K][2] */
  Index cofactor;                                   /* [K][2][N][N] */
  Index first, second; /* [K][2][3 N], [K][2][3 N + 1]: derivatives of determinants */
  Index elimination;   /* [warps][N][2 N] */
  Index held, proposed, noise, cost, state; /* moves: [3 N], [3 N], [3 N + 1], [N], [2] */
  Index n_doubles;
  Index distance, direction; /* [N][A], [N][A][3] */
  Index one[2], pair[2];     /* [N][S][d], [N][N][PAIR_JET or 1][e]: input and output of a layer */
  Index shared, among;       /* [S][f], [N][S][C e] */
  Index phi;                 /* [S][N][most_columns] */
  /* reverse: inputs of each layer, slopes of its outputs, h W, deltas of orbitals, bars */
  Index  kept_one[LAC_ANSATZ_MAX_LAYERS + 1], kept_pair[LAC_ANSATZ_MAX_LAYERS];
  Index  slope_one[LAC_ANSATZ_MAX_LAYERS], slope_pair[LAC_ANSATZ_MAX_LAYERS];
  Index  linear, phi_bar, orbital;             /* [N][most_columns] each */
  Index  back_one[2], back_pair[2], back_mean; /* [N][d], [N][N][e], [C][d] */
  Index  n_numbers;
  size_t n_bytes;
};

/* Arguments of the network functions. */
template <typename Real> struct Walker {
  const WalkerShape *shape;
  const WalkerPlan  *plan;
  const double      *nuclei, *theta;
  const Real        *weights;
  double            *doubles;
  Real              *numbers;
};

__device__ static inline Index
spin_of(const WalkerShape &shape, Index electron)
{
  return shape.n_channels > 1 && electron >= shape.first[1] ? 1 : 0;
}

/* Four elements loaded at once. */
template <typename Real> struct alignas(16) Four {
  Real v[4];
};

/* sum[r][c] += sum_k x[r x_row + k] w[k w_row + c beside], r < ROWS, k in order: each x loaded serves all columns. */
template <int ROWS, int COLUMNS, typename Real>
__device__ static inline void
add_product(Real (&sum)[ROWS][COLUMNS],
            const Real *x,
            Index       x_row,
            const Real *w,
            Index       w_row,
            Index       beside,
            Index       depth)
{
  Index k = 0;

  if (x_row % 4 == 0 && reinterpret_cast<size_t>(x) % alignof(Four<Real>) == 0)
    for (; k + 4 <= depth; k += 4) {
      Real weight[4][COLUMNS];

      for (int i = 0; i < 4; i++)
        for (int c = 0; c < COLUMNS; c++)
          weight[i][c] = w[(k + i) * w_row + c * beside];
      for (int r = 0; r < ROWS; r++) {
        const Four<Real> four = *reinterpret_cast<const Four<Real> *>(x + r * x_row + k);

        for (int i = 0; i < 4; i++)
          for (int c = 0; c < COLUMNS; c++)
            sum[r][c] += four.v[i] * weight[i][c];
      }
    }
  for (; k < depth; k++)
    for (int c = 0; c < COLUMNS; c++) {
      const Real weight = w[k * w_row + c * beside];

      for (int r = 0; r < ROWS; r++)
        sum[r][c] += x[r * x_row + k] * weight;
    }
}

/* Columns computed by one thread: `first`, and a second one `beside` further on, half the number of columns. */
struct Columns {
  Index first, beside; /* beside: 0 without a second one */
};

__device__ static inline Index
half_of(Index n_columns)
{
  return (n_columns + 1) / 2;
}

__device__ static inline Columns
columns_of(Index job, Index n_columns)
{
  const Index half = half_of(n_columns);

  return {job, job + half < n_columns ? half : 0};
}

/* ---- inputs ---- */

/* Writes the rows of a distance and its three components, `row` apart; tangents with respect to d. */
template <bool JET, typename Real>
__device__ static inline void
write_features(const double d[3], double r, int rescale, Real *to, Index row, Index tangents)
{
  const LacRadial f = lac_radial(r, rescale);

  to[0] = (Real) f.s;
  for (Index a = 0; a < 3; a++)
    to[1 + a] = (Real) (d[a] * f.q);
  if (!JET)
    return;
  to[row] = (Real) lac_distance_laplacian(f.s1, f.s2, r);
  for (Index a = 0; a < 3; a++)
    to[row + 1 + a] = (Real) lac_component_laplacian(d[a], f.q1, f.q2, r);
  for (Index c = 0; c < 3; c++) {
    Real *tangent = to + (tangents + c) * row;

    tangent[0] = (Real) lac_distance_tangent(f.s1, d[c], r);
    for (Index a = 0; a < 3; a++)
      tangent[1 + a] = (Real) lac_component_tangent(a == c ? f.q : 0, f.q1, d[a], d[c], r);
  }
}

__device__ static inline double
length_of(const double d[3])
{
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* position: [3 N] of this walker, visible to all threads. */
template <bool JET, typename Real>
LAC_STAGE void
find_inputs(const Walker<Real> &w, const double *position, Real *one, Real *pair)
{
  const WalkerShape &shape = *w.shape;
  const WalkerPlan  &plan = *w.plan;
  const Index        n = shape.n_electrons, n_nuclei = shape.n_nuclei, row = shape.one[0];
  const Index        n_rows = plan.n_rows, pair_rows = JET ? PAIR_JET : 1;

  if (JET)
    for (Index q = threadIdx.x; q < n * n_rows * row; q += blockDim.x)
      one[q] = 0;
  __syncthreads();
  for (Index q = threadIdx.x; q < n * n_nuclei; q += blockDim.x) {
    const Index i = q / n_nuclei, a = q % n_nuclei;
    double      d[3];

    for (Index c = 0; c < 3; c++)
      d[c] = position[3 * i + c] - w.nuclei[3 * a + c];
    const double r = length_of(d);
    write_features<JET>(d, r, shape.rescale, one + i * n_rows * row + a * LAC_ELECTRON_FEATURES,
                        row, FIRST_TANGENT + 3 * i);
    w.numbers[plan.distance + q] = (Real) r;
    for (Index c = 0; JET && c < 3; c++)
      w.numbers[plan.direction + 3 * q + c] = (Real) (d[c] / r);
  }
  for (Index q = threadIdx.x; q < n * n; q += blockDim.x) {
    const Index i = q / n, j = q % n;
    Real       *to = pair + q * pair_rows * LAC_ELECTRON_FEATURES;
    double      d[3];

    if (i == j) {
      for (Index k = 0; k < pair_rows * LAC_ELECTRON_FEATURES; k++)
        to[k] = 0;
      w.doubles[plan.pair_distance + q] = 0;
      continue;
    }
    for (Index c = 0; c < 3; c++)
      d[c] = position[3 * j + c] - position[3 * i + c];
    const double r = length_of(d);
    write_features<JET>(d, r, shape.rescale, to, LAC_ELECTRON_FEATURES, FIRST_TANGENT);
    w.doubles[plan.pair_distance + q] = r;
  }
  __syncthreads();
}

/* ---- layers ---- */

/* Computes the means of h over each spin, [S][C][d]. */
template <typename Real>
LAC_STAGE void
find_means(const Walker<Real> &w, Index l, const Real *one, Real *mean)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], n_rows = w.plan->n_rows, channels = shape.n_channels;

  for (Index q = threadIdx.x; q < n_rows * channels * d; q += blockDim.x) {
    const Index row = q / (channels * d), s = q / d % channels, c = q % d;
    Real        sum = 0;

    for (Index i = shape.first[s]; i < shape.first[s] + shape.n[s]; i++)
      sum += one[(i * n_rows + row) * d + c];
    mean[q] = sum * ((Real) 1 / (Real) shape.n[s]);
  }
}

/* Computes the means over i of the pairs (i, j), [N][S][C][e]: a pair depends only on r_j - r_i. */
template <bool JET, typename Real>
LAC_STAGE void
find_among(const Walker<Real> &w, Index l, const Real *pair, Real *among)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons, e = shape.pair[l], n_rows = w.plan->n_rows;
  const Index        channels = shape.n_channels, pair_rows = JET ? PAIR_JET : 1;

  for (Index q = threadIdx.x; q < n * n_rows * channels * e; q += blockDim.x) {
    const Index j = q / (n_rows * channels * e), row = q / (channels * e) % n_rows;
    const Index s = q / e % channels, c = q % e, last = shape.first[s] + shape.n[s];
    const Real  scale = (Real) 1 / (Real) shape.n[s];
    const Index k =
      row < FIRST_TANGENT ? j : (row - FIRST_TANGENT) / 3; /* the electron that moves */
    const Index from = row < FIRST_TANGENT ? row : FIRST_TANGENT + (row - FIRST_TANGENT) % 3;
    Real        sum = 0;

    if (k == j)
      for (Index i = shape.first[s]; i < last; i++)
        sum += pair[((i * n + j) * pair_rows + from) * e + c];
    else if (k >= shape.first[s] && k < last)
      sum = -pair[((k * n + j) * pair_rows + from) * e + c];
    /* both electrons of a pair move: its Laplacian counts twice */
    among[q] = sum * (row == 1 ? 2 * scale : scale);
  }
}

template <int ROWS, typename Real>
__device__ static inline void
share_chunk(const Walker<Real> &w, Index l, const Real *mean, Index row, Columns at, Real *shared)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], all = shape.n_channels * d;
  const Real        *weights = w.weights + shape.layer[l] + at.first;
  const Real        *bias = weights + (all + d + shape.n_channels * shape.pair[l]) * f;
  Real               sum[ROWS][2];

  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < 2; c++)
      sum[r][c] = row + r == 0 ? bias[c * at.beside] : 0;
  add_product(sum, mean + row * all, all, weights + d * f, f, at.beside, all);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < 2; c++)
      shared[(row + r) * f + at.first + c * at.beside] = sum[r][c];
}

/* Computes the layer's part common to all electrons, from the bias and the means: [S][f]. */
template <bool JET, typename Real>
LAC_STAGE void
find_shared(const Walker<Real> &w, Index l, const Real *mean, Real *shared)
{
  const Index f = w.shape->one[l + 1], half = half_of(f), n_rows = w.plan->n_rows;
  const Index chunk = JET ? 4 : 1, n_chunks = (n_rows + chunk - 1) / chunk;

  for (Index q = threadIdx.x; q < n_chunks * half; q += blockDim.x) {
    const Index   row = q / half * chunk;
    const Columns at = columns_of(q % half, f);

    if (JET && row + 4 <= n_rows)
      share_chunk<4>(w, l, mean, row, at, shared);
    else
      for (Index r = row; r < n_rows; r++)
        share_chunk<1>(w, l, mean, r, at, shared);
  }
}

#define R(c) ((Real) (c))

/* Returns tanh z; writes sech^2 z to @slope. */
template <typename Real>
__device__ static inline Real
tanh_of(Real z, Real *slope)
{
  const Real e = exp(R(-2) * fabs(z)), inverse = R(1) / (e + R(1)),
             size = LAC_TANH_SIZE(e, inverse);

  *slope = LAC_SECH_SQUARE(e, inverse);
  return z < 0 ? -size : size;
}

/* Inputs and destinations of the rows of an output; those of a second output are `beside` further in every array. */
template <typename Real> struct Rows {
  const Real *shared; /* [rows], `shared_row` apart */
  Index       shared_row;
  const Real *x[2], *w[2]; /* the second may be NULL */
  Index       depth[2];    /* depth of x, and its row stride */
  Index       w_row, beside;
  Real       *y;
  Index       y_row;
  const Real *kept;       /* residual, rows like x[0]; NULL: none */
  Real       *kept_slope; /* sech^2 of the value; NULL: not saved */
};

template <int ROWS, int COLUMNS, typename Real>
__device__ static inline void
sum_rows_of(const Rows<Real> &q, Index row, Real (&sum)[ROWS][COLUMNS])
{
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++)
      sum[r][c] = q.shared[(row + r) * q.shared_row + c * q.beside];
  add_product(sum, q.x[0] + row * q.depth[0], q.depth[0], q.w[0], q.w_row, q.beside, q.depth[0]);
  if (q.x[1])
    add_product(sum, q.x[1] + row * q.depth[1], q.depth[1], q.w[1], q.w_row, q.beside, q.depth[1]);
}

/* Writes y in column c. Without a second column, `beside` is 0 and c = 1 writes the first column again. */
template <typename Real>
__device__ static inline void
put(const Rows<Real> &q, Index row, int c, Real y)
{
  const Index at = c * q.beside;

  q.y[row * q.y_row + at] = q.kept ? LAC_RESIDUAL(y, q.kept[row * q.depth[0] + at]) : y;
}

/* Writes the tangents from `row` on; squares: accumulates the squares of the tanh argument's tangents. */
template <int ROWS, int COLUMNS, typename Real>
__device__ static inline void
put_tangents(const Rows<Real> &q, Index row, const Real slope[COLUMNS], Real squares[COLUMNS])
{
  Real sum[ROWS][COLUMNS];

  sum_rows_of(q, row, sum);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) {
      squares[c] += sum[r][c] * sum[r][c];
      put(q, row + r, c, slope[c] * sum[r][c]);
    }
}

/* Computes y = tanh of all rows. */
template <bool JET, int COLUMNS, typename Real>
__device__ static inline void
put_rows(const Rows<Real> &q, Index n_rows)
{
  Real  head[JET ? 2 : 1][COLUMNS], value[COLUMNS], slope[COLUMNS], squares[COLUMNS];
  Index row = FIRST_TANGENT;

  sum_rows_of(q, 0, head);
  for (int c = 0; c < COLUMNS; c++) {
    squares[c] = 0;
    value[c] = tanh_of(head[0][c], &slope[c]);
    put(q, 0, c, value[c]);
    if (q.kept_slope)
      q.kept_slope[c * q.beside] = slope[c];
  }
  if constexpr (JET) {
    for (; row + 6 <= n_rows; row += 6)
      put_tangents<6, COLUMNS>(q, row, slope, squares);
    if (row < n_rows)
      put_tangents<3, COLUMNS>(q, row, slope, squares);
    for (int c = 0; c < COLUMNS; c++) {
      const Real bend = LAC_TANH_BEND(value[c], slope[c]);

      put(q, 1, c, LAC_LAPLACIAN_OF(slope[c], head[1][c], bend, squares[c]));
    }
  }
}

/* Destination of a layer's slopes, saved for the reverse; NULL: not saved. */
template <typename Real> struct Slopes {
  Real *one, *pair; /* [N][f], [N][N][g] */
};

template <bool JET, typename Real>
LAC_STAGE void
electron_layer(const Walker<Real> &w,
               Index               l,
               const Real         *x,
               const Real         *among,
               const Real         *shared,
               Real               *y,
               Real               *slopes)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], n_rows = w.plan->n_rows;
  const Index        width = shape.n_channels * shape.pair[l], half = half_of(f);
  const Real        *weights = w.weights + shape.layer[l];

  for (Index q = threadIdx.x; q < shape.n_electrons * half; q += blockDim.x) {
    const Index      j = q / half;
    const Columns    at = columns_of(q % half, f);
    const Real      *own = x + j * n_rows * d;
    const Rows<Real> rows = {
      shared + at.first,
      f,
      {own, among + j * n_rows * width},
      {weights + at.first, weights + (shape.n_channels + 1) * d * f + at.first},
      {d, width},
      f,
      at.beside,
      y + j * n_rows * f + at.first,
      f,
      d == f ? own + at.first : NULL,
      slopes ? slopes + j * f + at.first : NULL};

    put_rows<JET, 2>(rows, n_rows);
  }
}

template <bool JET, typename Real>
LAC_STAGE void
pair_layer(const Walker<Real> &w, Index l, const Real *x, Real *y, Real *slopes)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons, e = shape.pair[l], g = shape.pair[l + 1];
  const Index        n_rows = JET ? PAIR_JET : 1;
  const Real        *weights = w.weights + shape.pairs[l];

  for (Index q = threadIdx.x; q < n * n * g; q += blockDim.x) {
    const Index      ij = q / g, o = q % g;
    const Real      *own = x + ij * n_rows * e;
    const Real       bias[PAIR_JET] = {weights[e * g + o]};
    const Rows<Real> rows = {bias,
                             1,
                             {own, NULL},
                             {weights + o, NULL},
                             {e, 0},
                             g,
                             0,
                             y + ij * n_rows * g + o,
                             g,
                             e == g ? own + o : NULL,
                             slopes ? slopes + q : NULL};

    put_rows<JET, 1>(rows, n_rows);
  }
}

/* Computes one layer from `from` to `to`; until used the means occupy the memory of its output. */
template <bool JET, typename Real>
LAC_STAGE void
run_layer(const Walker<Real> &w,
          Index               l,
          const Real         *one,
          const Real         *pair,
          Real               *mean,
          Real               *among,
          Real               *next_one,
          Real               *next_pair,
          const Slopes<Real> &slopes)
{
  Real *shared = w.numbers + w.plan->shared;

  find_means(w, l, one, mean);
  find_among<JET>(w, l, pair, among);
  __syncthreads();
  find_shared<JET>(w, l, mean, shared);
  __syncthreads();
  electron_layer<JET>(w, l, one, among, shared, next_one, slopes.one);
  if (l + 1 < w.shape->n_layers)
    pair_layer<JET>(w, l, pair, next_pair, slopes.pair);
  __syncthreads();
}

/* ---- orbitals ---- */

/* Computes the envelope of an orbital and its derivatives with respect to its own electron. */
template <bool JET, typename Real>
__device__ static inline void
envelope_of(const Walker<Real> &w, Index i, Index s, Index o, Real envelope[PAIR_JET])
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_columns[s];

  for (int r = 0; r < (JET ? PAIR_JET : 1); r++)
    envelope[r] = 0;
  for (Index a = 0; a < shape.n_nuclei; a++) {
    const Real r = w.numbers[w.plan->distance + i * shape.n_nuclei + a];
    const Real sigma = fabs(w.weights[shape.decay[s] + a * n + o]);
    const Real e = exp(r * -sigma) * w.weights[shape.amplitude[s] + a * n + o], slope = e * -sigma;

    envelope[0] += e;
    if (!JET)
      continue;
    envelope[1] += LAC_ENVELOPE_LAPLACIAN(e, slope, sigma, R(2) / r);
    for (int c = 0; c < 3; c++)
      envelope[FIRST_TANGENT + c] +=
        slope * w.numbers[w.plan->direction + 3 * (i * shape.n_nuclei + a) + c];
  }
}

/* Computes phi = (h W) envelope, all rows of one orbital of electron i; phi already holds h W. */
template <typename Real>
__device__ static inline void
apply_envelope(Index i, Index n_rows, Index step, const Real envelope[PAIR_JET], Real *phi)
{
  const Real value = phi[0], e = envelope[0];
  Real      *own = phi + (FIRST_TANGENT + 3 * i) * step, cross = 0;

  for (int c = 0; c < 3; c++)
    cross += own[c * step] * envelope[FIRST_TANGENT + c];
  phi[step] = phi[step] * e + value * envelope[1] + R(2) * cross;
  for (Index k = FIRST_TANGENT; k < n_rows; k++)
    phi[k * step] *= e;
  for (int c = 0; c < 3; c++)
    own[c * step] += value * envelope[FIRST_TANGENT + c];
  phi[0] = value * e;
}

template <int ROWS, typename Real>
__device__ static inline void
put_orbital(const Real *h, Index d, const Real *weights, Index n, Index step, Real *phi)
{
  Real sum[ROWS][1];

  for (int r = 0; r < ROWS; r++)
    sum[r][0] = 0;
  add_product(sum, h, d, weights, n, 0, d);
  for (int r = 0; r < ROWS; r++)
    phi[r * step] = sum[r][0];
}

/* Computes the orbitals from the last layer's output. linear: (nullable) [N][most_columns]: receives h W. */
template <bool JET, typename Real>
LAC_STAGE void
find_orbitals(const Walker<Real> &w, const Real *one, Real *linear)
{
  const WalkerShape &shape = *w.shape;
  const Index n = shape.n_electrons, most = shape.most_columns, d = shape.one[shape.n_layers];
  const Index n_rows = w.plan->n_rows, step = n * most;

  for (Index q = threadIdx.x; q < n * most; q += blockDim.x) {
    const Index i = q / most, o = q % most, s = spin_of(shape, i);
    const Real *h = one + i * n_rows * d, *weights = w.weights + shape.orbital[s] + o;
    Real       *phi = w.numbers + w.plan->phi + q;
    Real        envelope[PAIR_JET];
    Index       row = 0;

    if (o >= shape.n_columns[s])
      continue;
    for (; JET && row + 4 <= n_rows; row += 4)
      put_orbital<4>(h + row * d, d, weights, shape.n_columns[s], step, phi + row * step);
    for (; row < n_rows; row++)
      put_orbital<1>(h + row * d, d, weights, shape.n_columns[s], step, phi + row * step);
    envelope_of<JET>(w, i, s, o, envelope);
    if (linear)
      linear[q] = phi[0];
    if (JET)
      apply_envelope(i, n_rows, step, envelope, phi);
    else
      phi[0] *= envelope[0];
  }
  __syncthreads();
}

#undef R
