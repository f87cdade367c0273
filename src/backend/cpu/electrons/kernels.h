/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of kernels for one group of walkers, one walker per vector lane. There is one table for each combination of
 * precision and x86-64 level; the rest of the wavefunction depends on neither lanes nor precision. */
#pragma once

#include "backend/cpu/electrons/plan.h"

/* Input of the kernels: one group of walkers. */
typedef struct {
  const LacElectronShape *shape;
  const LacElectronPlan  *plan;
  const double           *theta;
  const void             *weights;   /* packed parameters */
  void                   *work;      /* work area of the worker */
  void                   *tape;      /* (nullable): tape of this group */
  const double           *positions; /* [n][N][3] */
  size_t                  n;         /* number of walkers, at most n_lanes */
  int                     apart;     /* activations in a pass of their own after the products */
} LacElectronTask;

/* Settings of outer(): to[i to_row + j] = scale * sum over walkers of weight * sum over repeats of left[i] right[j],
 * for i in [first, last). The weights are the seeds on the tape, or 1. */
typedef struct {
  const LacElectronPlan *plan;
  const char            *tape; /* tape of the first group */
  size_t                 tape_bytes, n_groups, repeats;
  LacTapePart            left, right;
  int                    seeded;
  double                 scale, *to;
  size_t                 to_row;
} LacOuter;

/* Settings of gram(): the pairs of groups a <= b with a in [first_a, first_a + n_a) and b in [first_b, first_b + n_b),
 * which share the cache. k: (out) [n_walkers][n_walkers] = O O^T, with the mirror images of these pairs. */
enum { LAC_GRAM_MOST = 4 }; /* of n_a and n_b */

typedef struct {
  const LacElectronPlan *plan;
  const char            *tape; /* tape of group 0 */
  size_t                 tape_bytes, n_walkers;
  size_t                 first_a, n_a, first_b, n_b;
  double                *k;
} LacGramSquare;

typedef struct {
  size_t n_lanes, n_columns /* per packed panel */, element;
  /* Packs the part of theta that the forward pass needs; pack_turned() adds the part for the backward pass. */
  void (*pack)(const LacElectronShape *shape,
               const LacElectronPlan  *plan,
               const double           *theta,
               void                   *weights);
  void (*pack_turned)(const LacElectronShape *shape,
                      const LacElectronPlan  *plan,
                      const double           *theta,
                      void                   *weights);
  /* log_abs, sign: [n] */
  void (*value)(const LacElectronTask *task, double *log_abs, gint8 *sign);
  void (*local)(const LacElectronTask *task, const LacElectronAnswer *out);
  /* The same as local() by nested differentiation, coordinate by coordinate. */
  void (*nested)(const LacElectronTask *task, const LacElectronAnswer *out);
  /* phi, phi_bar: [n][K][N][N] */
  void (*orbitals)(const LacElectronTask *task, double *phi);
  /* @phi_bar: (nullable): NULL: the derivative of log |psi|; log_abs, sign: (nullable) [n] */
  void (*tape)(const LacElectronTask *task, const double *phi_bar, double *log_abs, gint8 *sign);

  /* The functions below read only the tape. seed() writes @seed, [n] of one group, to the tape of that group. */
  void (*seed)(const LacElectronTask *task, const double *seed);
  void (*outer)(const LacOuter *outer, size_t first, size_t last);
  /* Computes to[i] = scale * sum over walkers of left[i]^2. */
  void (*squares)(const LacOuter *outer);
  /* Forms O explicitly for the blocks whose plan has `formed` set. */
  void (*form)(const LacElectronTask *task);
  /* Computes y, [n], = O v of one group; @task->weights is packed from @v. */
  void (*apply)(const LacElectronTask *task, const double *v, double *y);
  void (*gram)(const LacGramSquare *square);
} LacElectronKernels;

#ifdef __x86_64__
#  define LAC_ELECTRON_LEVELS(L) L(baseline) L(v3) L(v4)
#else
#  define LAC_ELECTRON_LEVELS(L) L(baseline)
#endif

#define L(level)                                                      \
  extern const LacElectronKernels lac_electron_kernels_##level##_f32, \
    lac_electron_kernels_##level##_f64;
LAC_ELECTRON_LEVELS(L)
#undef L
