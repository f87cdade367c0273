/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metropolis moves of one walker in its block, by the formulas of backend/electron-moves.h. */
#pragma once

#include "backend/electron-moves.h"
#include "cuda/electron-plan.cuh"
#include "cuda/electron-sum.cuh"

/* Random decisions of a move; the same in every thread. */
struct Draw {
  double threshold;
  bool   exchange;
};

__device__ static inline Draw
draw_move(const LacElectronMoves &m, size_t walker, uint64_t block)
{
  uint32_t words[LAC_PHILOX_BLOCK];

  lac_philox_block(m.seed, m.stream + walker, block, words);
  return {log(1 - lac_philox_uniform(words)), lac_philox_uniform(words + 2) < m.exchange};
}

/* to = from with one spin-up and one spin-down electron exchanged. */
__device__ static inline void
propose_exchange(const LacElectronMoves &m,
                 size_t                  walker,
                 uint64_t                block,
                 size_t                  n,
                 const double           *from,
                 double                 *to)
{
  uint32_t words[LAC_PHILOX_BLOCK];

  lac_philox_block(m.seed, m.stream + walker, block, words);
  const size_t up = (size_t) (lac_philox_uniform(words) * (double) m.n_up);
  const size_t down = m.n_up + (size_t) (lac_philox_uniform(words + 2) * (double) (n - m.n_up));

  for (size_t q = threadIdx.x; q < 3 * n; q += blockDim.x) {
    const size_t i = q / 3, other = i == up ? down : i == down ? up : i;

    to[q] = from[3 * other + q % 3];
  }
}

/* to = proposed positions; cost: [N], each electron's contribution to the correction. */
template <typename Real>
__device__ static inline void
propose_moved(const Walker<Real> &w, const LacElectronMoves &m, size_t walker, uint64_t block)
{
  const size_t  n = w.shape->n_electrons;
  const double *from = w.doubles + w.plan->position, *slope = w.doubles + w.plan->held;
  double       *noise = w.doubles + w.plan->noise, *to = w.doubles + w.plan->proposed;

  for (size_t p = threadIdx.x; p < (3 * n + 1) / 2; p += blockDim.x) {
    uint32_t words[LAC_PHILOX_BLOCK];

    lac_philox_block(m.seed, m.stream + walker, block + p, words);
    lac_philox_normals(words, noise + 2 * p);
  }
  __syncthreads();
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
    const size_t at = 3 * i;
    double       cost = 0;

    if (m.proposal == LAC_PROPOSAL_HARMONIC_MEAN)
      cost =
        lac_move_harmonic(w.nuclei, w.shape->n_nuclei, m.width, from + at, noise + at, to + at);
    else if (m.proposal == LAC_PROPOSAL_LANGEVIN)
      lac_move_drifting(m.width, from + at, slope + at, noise + at, to + at);
    else
      for (size_t c = at; c < at + 3; c++)
        to[c] = from[c] + m.width * noise[c];
    w.doubles[w.plan->cost + i] = cost;
  }
}

/* Sums the electrons' corrections in order; called by thread 0. */
template <typename Real>
__device__ static inline double
correction_of(const Walker<Real> &w, const LacElectronMoves &m, bool exchange)
{
  const double *from = w.doubles + w.plan->position, *to = w.doubles + w.plan->proposed;
  const double *here = w.doubles + w.plan->held, *there = w.doubles + w.plan->gradient;
  double        correction = 0;

  for (size_t i = 0; !exchange && i < w.shape->n_electrons; i++)
    correction +=
      m.proposal == LAC_PROPOSAL_LANGEVIN
        ? lac_correct_drift(m.width, from + 3 * i, to + 3 * i, here + 3 * i, there + 3 * i)
        : w.doubles[w.plan->cost + i];
  return correction;
}

/* Takes width and step from the walk's own numbers, if it has some. */
__device__ static inline void
take_walk(LacElectronMoves *moves)
{
  if (!moves->walk)
    return;
  moves->width = moves->walk[LAC_WALK_WIDTH];
  moves->step = (uint64_t) moves->walk[LAC_WALK_STEP];
}

/* Copies position, gradient and log |psi| of walker b to the area. */
template <bool JET, typename Real>
__device__ static inline void
load_walker(const Walker<Real> &w, const LacElectronMoves &moves, size_t b)
{
  const size_t n = 3 * w.shape->n_electrons;

  for (size_t q = threadIdx.x; q < n; q += blockDim.x) {
    w.doubles[w.plan->position + q] = moves.positions[b * n + q];
    if (JET)
      w.doubles[w.plan->held + q] = moves.gradient[b * n + q];
  }
  if (threadIdx.x == 0)
    w.doubles[w.plan->state] = moves.log_abs[b];
  __syncthreads();
}

/* The reverse. */
template <bool JET, typename Real>
__device__ static inline void
store_walker(const Walker<Real> &w, const LacElectronMoves &moves, size_t b, uint32_t n_accepted)
{
  const size_t n = 3 * w.shape->n_electrons;

  for (size_t q = threadIdx.x; q < n; q += blockDim.x) {
    moves.positions[b * n + q] = w.doubles[w.plan->position + q];
    if (JET)
      moves.gradient[b * n + q] = w.doubles[w.plan->held + q];
  }
  if (threadIdx.x == 0) {
    moves.log_abs[b] = w.doubles[w.plan->state];
    moves.accepted[b] = n_accepted;
  }
  __syncthreads();
}

/* Proposes move `k` of walker b. */
template <typename Real>
__device__ static inline Draw
propose_move(const Walker<Real> &w, const LacElectronMoves &m, size_t b, uint64_t k)
{
  const size_t   n = w.shape->n_electrons;
  const uint64_t block = k * lac_move_blocks(n);
  const Draw     draw = draw_move(m, b, block);

  if (draw.exchange)
    propose_exchange(m, b, block + 1, n, w.doubles + w.plan->position,
                     w.doubles + w.plan->proposed);
  else
    propose_moved(w, m, b, block + 1);
  __syncthreads();
  return draw;
}

/* Decides on the proposed position, whose orbitals are known; position and log |psi| in the area are updated. Returns, in every
 * thread: whether it was accepted. */
template <bool JET, typename Real>
__device__ static bool
decide_move(const Walker<Real> &w, const LacElectronMoves &m, const Draw &draw)
{
  const size_t n = w.shape->n_electrons;
  double      *position = w.doubles + w.plan->position, *proposed = w.doubles + w.plan->proposed;
  double      *slope = w.doubles + w.plan->held, *fresh = w.doubles + w.plan->gradient;
  double      *log_abs = w.doubles + w.plan->state, *decision = log_abs + 1;
  const Total  sum = find_sum<JET>(w, proposed);

  if (threadIdx.x == 0) {
    const double log_there = log_of(w, sum);
    const bool   right =
      lac_move_is_accepted(*log_abs, log_there, correction_of(w, m, draw.exchange), draw.threshold);

    *decision = right;
    if (right)
      *log_abs = log_there;
  }
  __syncthreads();
  const bool accepted = *decision != 0;

  for (size_t q = threadIdx.x; accepted && q < 3 * n; q += blockDim.x) {
    position[q] = proposed[q];
    if (JET)
      slope[q] = fresh[q];
  }
  __syncthreads();
  return accepted;
}
