/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse pass of one walker in its block: from log |psi|, or given derivatives of its orbitals, to its row of O, the
 * derivatives with respect to all parameters. The forward pass has saved every layer's outputs and slopes; these are
 * overwritten by deltas, the derivatives with respect to the tanh's argument. */
#pragma once

#include "cuda/electron-plan.cuh"
#include "cuda/electron-sum.cuh"

/* Forward pass that saves everything for the reverse. */
template <typename Real>
__device__ static inline void
run_network_kept(const Walker<Real> &w, const double *position)
{
  const WalkerPlan &plan = *w.plan;

  find_inputs<false>(w, position, w.numbers + plan.kept_one[0], w.numbers + plan.kept_pair[0]);
  for (Index l = 0; l < w.shape->n_layers; l++) {
    const bool last = l + 1 == w.shape->n_layers;

    run_layer<false>(w, l, w.numbers + plan.kept_one[l], w.numbers + plan.kept_pair[l],
                     w.numbers + plan.back_mean, w.numbers + plan.among,
                     w.numbers + plan.kept_one[l + 1],
                     last ? NULL : w.numbers + plan.kept_pair[l + 1],
                     {w.numbers + plan.slope_one[l], last ? NULL : w.numbers + plan.slope_pair[l]});
  }
  find_orbitals<false>(w, w.numbers + plan.kept_one[w.shape->n_layers], w.numbers + plan.linear);
}

/* ---- from psi to the orbitals ---- */

/* phi_bar = d log |psi| / d phi: each determinant's share of the sum times phi^-T, without dividing by the
 * determinant. */
template <typename Real>
LAC_STAGE void
pull_determinants(const Walker<Real> &w, const Total &sum)
{
  const WalkerShape &shape = *w.shape;
  const double      *det = w.doubles + w.plan->det, *scale = w.doubles + w.plan->scale;
  const Index        n = shape.n_electrons, most = shape.most_columns;
  const bool         full = shape.full_determinant;

  for (Index q = threadIdx.x; q < n * most; q += blockDim.x) {
    const Index i = q / most, o = q % most, s = spin_of(shape, i);

    if (o >= shape.n_columns[s])
      continue;
    const Index   width = shape.n_orbitals[s], k = o / width, matrix = 2 * k + (full ? 0 : s);
    const Index   row = full ? i : i - shape.first[s];
    const double *c = cofactors_of(shape, *w.plan, w.doubles, matrix);
    const double  factor = sum.total == 0 ? 0 : exp(scale_of(scale, k) - sum.scale) / sum.total;

    w.numbers[w.plan->phi_bar + q] =
      (Real) (c[row * width + o % width] * factor * det[2 * k + (full ? 1 : 1 - s)]);
  }
  __syncthreads();
}

/* Loads given derivatives: [K][N][N]. */
template <typename Real>
__device__ static inline void
load_phi_bar(const Walker<Real> &w, const double *from)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons, most = shape.most_columns;

  for (Index q = threadIdx.x; q < n * most; q += blockDim.x) {
    const Index i = q / most, o = q % most, s = spin_of(shape, i), width = shape.n_orbitals[s];
    const Index first = shape.full_determinant ? 0 : shape.first[s];

    if (o < shape.n_columns[s])
      w.numbers[w.plan->phi_bar + q] = (Real) from[(o / width * n + i) * n + first + o % width];
  }
  __syncthreads();
}

/* ---- envelopes and orbitals ---- */

#define R(c) ((Real) (c))

/* Computes the orbitals' delta, and O of the envelopes. */
template <typename Real>
LAC_STAGE void
pull_envelopes(const Walker<Real> &w, Real *o_row)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons, most = shape.most_columns;
  const Real        *phi_bar = w.numbers + w.plan->phi_bar, *linear = w.numbers + w.plan->linear;

  for (Index q = threadIdx.x; q < n * most; q += blockDim.x) {
    const Index i = q / most, s = spin_of(shape, i);
    Real        envelope[PAIR_JET];

    if (q % most >= shape.n_columns[s])
      continue;
    envelope_of<false>(w, i, s, q % most, envelope);
    w.numbers[w.plan->orbital + q] = phi_bar[q] * envelope[0];
  }
  for (Index s = 0; s < shape.n_channels; s++)
    for (Index q = threadIdx.x; q < shape.n_nuclei * shape.n_columns[s]; q += blockDim.x) {
      const Index a = q / shape.n_columns[s], o = q % shape.n_columns[s];
      const Real  decay = w.weights[shape.decay[s] + q];
      const Real  amplitude = w.weights[shape.amplitude[s] + q];
      Real        by_amplitude = 0, by_decay = 0;

      for (Index i = shape.first[s]; i < shape.first[s] + shape.n[s]; i++) {
        const Real r = w.numbers[w.plan->distance + i * shape.n_nuclei + a];
        const Real pull = phi_bar[i * most + o] * linear[i * most + o] * exp(r * -fabs(decay));

        by_amplitude += pull;
        by_decay -= pull * r * (decay < 0 ? -amplitude : amplitude);
      }
      o_row[shape.amplitude[s] + q] = by_amplitude;
      o_row[shape.decay[s] + q] = by_decay;
    }
  __syncthreads();
}

/* to[k][o] = sum over rows of left[row][k] right[row][o]; a left_row of 0: `right` is already summed over rows. */
template <typename Real> struct Outer {
  const Real *left, *right;
  Index       n_rows, left_row, right_row, n_left, n_right;
};

template <typename Real>
__device__ static inline void
put_outer(const Outer<Real> &q, Real *to)
{
  for (Index p = threadIdx.x; p < q.n_left * q.n_right; p += blockDim.x) {
    const Index k = p / q.n_right, o = p % q.n_right;
    Real        sum = 0;

    for (Index r = 0; r < q.n_rows; r++)
      sum += q.left[r * q.left_row + k] * q.right[r * q.right_row + o];
    to[p] = sum;
  }
}

/* Writes the sum of x over its rows to `to`. */
template <typename Real>
__device__ static inline void
put_total(const Real *x, Index n_rows, Index n, Real *to)
{
  for (Index o = threadIdx.x; o < n; o += blockDim.x) {
    Real sum = 0;

    for (Index r = 0; r < n_rows; r++)
      sum += x[r * n + o];
    to[o] = sum;
  }
}

template <typename Real>
__device__ static inline Real
dot_of(const Real *x, const Real *w, Index n)
{
  Real sum = 0;

  for (Index o = 0; o < n; o++)
    sum += x[o] * w[o];
  return sum;
}

/* Computes O of the orbitals' matrices, and the bar of the last layer: back, [N][d]. */
template <typename Real>
LAC_STAGE void
pull_orbitals(const Walker<Real> &w, Real *o_row, Real *back)
{
  const WalkerShape &shape = *w.shape;
  const Index        most = shape.most_columns, d = shape.one[shape.n_layers];
  const Real        *one = w.numbers + w.plan->kept_one[shape.n_layers],
             *delta = w.numbers + w.plan->orbital;

  for (Index s = 0; s < shape.n_channels; s++)
    put_outer<Real>({one + shape.first[s] * d, delta + shape.first[s] * most, shape.n[s], d, most,
                     d, shape.n_columns[s]},
                    o_row + shape.orbital[s]);
  for (Index q = threadIdx.x; q < shape.n_electrons * d; q += blockDim.x) {
    const Index i = q / d, s = spin_of(shape, i);

    back[q] = dot_of(delta + i * most, w.weights + shape.orbital[s] + q % d * shape.n_columns[s],
                     shape.n_columns[s]);
  }
  __syncthreads();
}

/* Computes O of the Jastrow parameters, du / d alpha: one kind of pairs per thread; 0 for given derivatives of
 * orbitals. */
template <typename Real>
__device__ static inline void
pull_jastrow(const Walker<Real> &w, bool given, Real *o_row)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons, kind = threadIdx.x;
  const double      *distance = w.doubles + w.plan->pair_distance;
  double             sum = 0;

  if (!shape.jastrow || kind > 1)
    return;
  for (Index i = 0; !given && i < n; i++)
    for (Index j = i + 1; j < n; j++)
      if ((spin_of(shape, i) != spin_of(shape, j)) == kind)
        sum += lac_jastrow_pull(lac_jastrow_cusp((int) kind), w.theta[shape.alpha + kind],
                                distance[i * n + j]);
  o_row[shape.alpha + kind] = (Real) sum;
}

/* ---- layers ---- */

/* Overwrites the slopes by delta = y_bar f', scaled by the residual factor; with a residual y_bar is also scaled. */
template <typename Real>
__device__ static inline void
take_delta(Real *y_bar, Real *slope, Index n, bool residual)
{
  for (Index q = threadIdx.x; q < n; q += blockDim.x) {
    if (residual)
      y_bar[q] *= LAC_SQRT_HALF;
    slope[q] *= y_bar[q];
  }
}

/* Begins O of one layer of electrons: recomputes its inputs' means and the total of the deltas, and writes what needs these
 * alone. */
template <typename Real>
LAC_STAGE void
pull_totals(const Walker<Real> &w, Index l, Real *o_row)
{
  const WalkerShape &shape = *w.shape;
  const WalkerPlan  &plan = *w.plan;
  const Index        n = shape.n_electrons, d = shape.one[l], f = shape.one[l + 1];
  const Index        channels = shape.n_channels, width = channels * shape.pair[l];
  const Real        *delta = w.numbers + plan.slope_one[l], *one = w.numbers + plan.kept_one[l];
  Real              *mean = w.numbers + plan.back_mean, *among = w.numbers + plan.among;
  Real              *total = w.numbers + plan.shared, *to = o_row + shape.layer[l];

  find_means(w, l, one, mean);
  find_among<false>(w, l, w.numbers + plan.kept_pair[l], among);
  put_total(delta, n, f, total);
  __syncthreads();
  put_outer<Real>({mean, total, 1, 0, 0, channels * d, f}, to + d * f);
  for (Index o = threadIdx.x; o < f; o += blockDim.x)
    to[((channels + 1) * d + width) * f + o] = total[o];
  __syncthreads();
}

/* Computes the rest of O of the layer. */
template <typename Real>
LAC_STAGE void
pull_layer(const Walker<Real> &w, Index l, Real *o_row)
{
  const WalkerShape &shape = *w.shape;
  const WalkerPlan  &plan = *w.plan;
  const Index        n = shape.n_electrons, d = shape.one[l], f = shape.one[l + 1];
  const Index        channels = shape.n_channels, width = channels * shape.pair[l];
  const Real        *delta = w.numbers + plan.slope_one[l];
  Real              *to = o_row + shape.layer[l];

  put_outer<Real>({w.numbers + plan.kept_one[l], delta, n, d, f, d, f}, to);
  put_outer<Real>({w.numbers + plan.among, delta, n, width, f, width, f},
                  to + (channels + 1) * d * f);
  __syncthreads();
}

/* Computes the bars of layer l for the means of pairs and of h: [N][C e] in among, [C][d] in back_mean. */
template <typename Real>
LAC_STAGE void
pull_means(const Walker<Real> &w, Index l)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], channels = shape.n_channels;
  const Index        width = channels * shape.pair[l];
  const Real *weights = w.weights + shape.layer[l], *delta = w.numbers + w.plan->slope_one[l];

  for (Index q = threadIdx.x; q < channels * d; q += blockDim.x)
    w.numbers[w.plan->back_mean + q] = dot_of(w.numbers + w.plan->shared, weights + (d + q) * f, f);
  for (Index q = threadIdx.x; q < shape.n_electrons * width; q += blockDim.x)
    w.numbers[w.plan->among + q] =
      dot_of(delta + q / width * f, weights + ((channels + 1) * d + q % width) * f, f);
  __syncthreads();
}

/* Adds to the bars of layer l for the electrons' inputs what comes by the residual and by the means. */
template <typename Real>
__device__ static inline void
finish_electrons(const Walker<Real> &w, Index l, const Real *back, Real *next)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1];

  for (Index q = threadIdx.x; q < shape.n_electrons * d; q += blockDim.x) {
    const Index i = q / d, c = q % d, s = spin_of(shape, i);
    const Real  sum = next[q] + (d == f ? back[q] : 0);

    next[q] = sum + w.numbers[w.plan->back_mean + s * d + c] * (R(1) / (Real) shape.n[s]);
  }
}

/* Computes those bars. */
template <typename Real>
LAC_STAGE void
pull_electrons(const Walker<Real> &w, Index l, const Real *back, Real *next)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1];
  const Real *weights = w.weights + shape.layer[l], *delta = w.numbers + w.plan->slope_one[l];

  for (Index q = threadIdx.x; q < shape.n_electrons * d; q += blockDim.x)
    next[q] = dot_of(delta + q / d * f, weights + q % d * f, f);
  finish_electrons(w, l, back, next); /* of the same thread's q */
}

/* Computes the bars of layer l for the pairs. @back: bars of this layer's pair outputs; NULL: it has none. */
template <typename Real>
LAC_STAGE void
pull_pairs(const Walker<Real> &w, Index l, const Real *back, Real *next)
{
  const WalkerShape &shape = *w.shape;
  const Index        n = shape.n_electrons, e = shape.pair[l], g = shape.pair[l + 1];
  const Real *delta = w.numbers + w.plan->slope_pair[l], *weights = w.weights + shape.pairs[l];

  for (Index q = threadIdx.x; q < n * n * e; q += blockDim.x) {
    const Index ij = q / e, c = q % e, s = spin_of(shape, ij / n), j = ij % n;
    Real        sum = 0;

    if (back)
      sum = (e == g ? back[q] : 0) + dot_of(delta + ij * g, weights + c * g, g);
    next[q] = sum + w.numbers[w.plan->among + (j * shape.n_channels + s) * e + c] *
                      (R(1) / (Real) shape.n[s]);
  }
  __syncthreads();
}

/* Begins the reverse of layer l: deltas from the bars of its outputs, in back_one[now] and back_pair[now]; and all of O but that of
 * pull_layer(). */
template <typename Real>
__device__ static inline void
begin_layer(const Walker<Real> &w, Index l, Index now, Real *o_row)
{
  const WalkerShape &shape = *w.shape;
  const WalkerPlan  &plan = *w.plan;
  const Index        n = shape.n_electrons, e = shape.pair[l], g = shape.pair[l + 1];
  const bool         pairs = l + 1 < shape.n_layers;
  Real              *delta = w.numbers + plan.slope_pair[l];

  take_delta(w.numbers + plan.back_one[now], w.numbers + plan.slope_one[l], n * shape.one[l + 1],
             shape.one[l] == shape.one[l + 1]);
  if (pairs)
    take_delta(w.numbers + plan.back_pair[now], delta, n * n * g, e == g);
  __syncthreads();
  pull_totals(w, l, o_row);
  if (!pairs)
    return;
  put_outer<Real>({w.numbers + plan.kept_pair[l], delta, n * n, e, g, e, g},
                  o_row + shape.pairs[l]);
  put_total(delta, n * n, g, o_row + shape.pairs[l] + e * g);
}

/* Runs the reverse pass of all layers before the orbitals; back_one[0] holds the bars of the last layer's outputs. */
template <typename Real>
__device__ static inline void
pull_layers(const Walker<Real> &w, Real *o_row)
{
  const WalkerPlan &plan = *w.plan;
  Index             now = 0;

  for (Index l = w.shape->n_layers; l-- > 0; now = 1 - now) {
    const bool pairs = l + 1 < w.shape->n_layers;

    begin_layer(w, l, now, o_row);
    pull_layer(w, l, o_row);
    if (l == 0)
      return;
    pull_means(w, l);
    pull_electrons(w, l, w.numbers + plan.back_one[now], w.numbers + plan.back_one[1 - now]);
    pull_pairs(w, l, pairs ? w.numbers + plan.back_pair[now] : NULL,
               w.numbers + plan.back_pair[1 - now]);
  }
}

/* Computes O of what follows the layers, and the bars of their outputs in back_one[0], from the orbitals of walker b. */
template <typename Real>
__device__ static inline void
pull_psi(const Walker<Real> &w, const LacElectronTape &tape, size_t b, Real *o_row)
{
  const size_t n = w.shape->n_electrons, entries = w.shape->n_determinants * n * n;
  const bool   given = tape.phi_bar != NULL;
  Total        sum = {1, 0};

  if (given)
    load_phi_bar(w, tape.phi_bar + b * entries);
  else {
    find_determinants(w, true);
    sum = sum_determinants(w);
    pull_determinants(w, sum);
  }
  pull_envelopes(w, o_row);
  pull_orbitals(w, o_row, w.numbers + w.plan->back_one[0]);
  pull_jastrow(w, given || sum.total == 0, o_row);
  if (threadIdx.x == 0 && tape.log_abs && !given)
    tape.log_abs[b] = log_of(w, sum);
  if (threadIdx.x == 0 && tape.sign && !given)
    tape.sign[b] = (int8_t) ((sum.total > 0) - (sum.total < 0));
}

#undef R
