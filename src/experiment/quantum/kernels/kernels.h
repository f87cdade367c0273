/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with one group of walkers, as many as fit side by side into a vector: one table for each precision and level of
 * x86-64. The rest of the wavefunction knows neither lanes nor precision. */
#pragma once

#include "experiment/quantum/wavefunction-plan.h"

/* One group at work. */
typedef struct {
  const LacElectronShape *shape;
  const LacElectronPlan  *plan;
  const double           *theta;
  const void             *weights;   /* packed */
  void                   *work;      /* of this worker */
  void                   *tape;      /* of this group; NULL: none is kept */
  const double           *positions; /* [n][N][3] */
  size_t                  n;         /* walkers, at most n_lanes */
} LacElectronTask;

typedef struct {
  size_t n_lanes, n_columns /* of a packed panel */, element;
  void (*pack)(const LacElectronShape *shape,
               const LacElectronPlan  *plan,
               const double           *theta,
               void                   *weights);
  /* log_abs, sign: [n] */
  void (*value)(const LacElectronTask *task, double *log_abs, gint8 *sign);
  void (*local)(const LacElectronTask *task, const LacLocal *out);
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
