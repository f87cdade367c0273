/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels for one group of walkers, one walker per vector lane: one table for each precision and x86-64 level. The
 * rest of the wavefunction does not depend on lanes or precision. */
#pragma once

#include "experiment/quantum/wavefunction/shape.h"

/* One group of walkers to compute. */
typedef struct {
  const LacElectronShape *shape;
  const LacElectronPlan  *plan;
  const double           *theta;
  const void             *weights;   /* packed */
  void                   *work;      /* the worker's area */
  void                   *tape;      /* (nullable): tape of this group */
  const double           *positions; /* [n][N][3] */
  size_t                  n;         /* number of walkers, at most n_lanes */
} LacElectronTask;

/* to[i to_row + j] = scale sum over walkers of weight sum over repeats of left[i] right[j], i in [first, last). The
 * weights are the seeds on the tape, or 1. */
typedef struct {
  const LacElectronPlan *plan;
  const char            *tape; /* of the first group */
  size_t                 tape_bytes, n_groups, repeats;
  LacTapePart            left, right;
  int                    seeded;
  double                 scale, *to;
  size_t                 to_row;
} LacOuter;

typedef struct {
  size_t n_lanes, n_columns /* of a packed panel */, element;
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
  void (*local)(const LacElectronTask *task, const LacLocal *out);
  /* phi, phi_bar: [n][K][N][N] */
  void (*orbitals)(const LacElectronTask *task, double *phi);
  /* @phi_bar: (nullable): NULL: that of log |psi|; log_abs, sign: [n], nullable */
  void (*tape)(const LacElectronTask *task, const double *phi_bar, double *log_abs, gint8 *sign);

  /* The functions below read only the tape. @seed: [n] of a group, written to its tape. */
  void (*seed)(const LacElectronTask *task, const double *seed);
  void (*outer)(const LacOuter *outer, size_t first, size_t last);
  /* to[i] = scale sum over walkers of left[i]^2 */
  void (*squares)(const LacOuter *outer);
  /* Forms O explicitly for the blocks marked so. */
  void (*form)(const LacElectronTask *task);
  /* y: [n] = O v of one group, @task->weights packed from @v */
  void (*apply)(const LacElectronTask *task, const double *v, double *y);
  /* k: [n of a][n of b], rows @row apart: O O^T of two groups whose O is formed */
  void (*gram)(const LacElectronTask *a, const LacElectronTask *b, double *k, size_t row);
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
