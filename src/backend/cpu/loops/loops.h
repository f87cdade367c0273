/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of the cpu backend: one table for each element type and instruction set. The arguments' own `type` must match
 * the table. Arguments, shapes and sources: see backend/backend.h. */
#pragma once

#include "backend/backend.h"

typedef struct {
  void (*fill)(void *y, double value, size_t n);
  void (*strided)(const LacStrided *args);
  void (*map_jet)(const LacMapJet *args);
  /* y == NULL: the value is recomputed. x_bar == y_bar: overwritten instead of accumulated. */
  void (*map_jet_reverse)(const LacMapJet *args);
  void (*mul_jet)(const LacMulJet *args);
  void (*mul_jet_reverse)(const LacMulJet *args);
  void (*linear)(const LacLinear *args);
  void (*linear_reverse)(const LacLinear *args);
  void (*dot)(const LacDot *args);
  void (*matvec)(const LacMatvec *args);
  void (*rank_update)(const LacRankUpdate *args);
  void (*adam)(const LacAdam *args);
  void (*scale)(void *y, double factor, size_t n);
  void (*vorticity_derive)(const LacVorticity *args);
  void (*vorticity_advect)(const LacVorticity *args);
  void (*rk4_stage)(const LacRk4Stage *args);
  void (*combine)(const LacCombine *args);
  void (*correlate)(const LacCorrelate *args);
  void (*polynomial)(const LacPolynomial *args);
  void (*polynomial_reverse)(const LacPolynomial *args);
} LacCpuLoops;

/* x86-64 levels for which the loops are compiled, lowest first; other architectures have only the baseline. */
#ifdef __x86_64__
#  define LAC_CPU_LEVELS(L) L(baseline) L(v3) L(v4)
#else
#  define LAC_CPU_LEVELS(L) L(baseline)
#endif

#define L(level)                                        \
  extern const LacCpuLoops lac_cpu_loops_##level##_f32; \
  extern const LacCpuLoops lac_cpu_loops_##level##_f64;
LAC_CPU_LEVELS(L)
#undef L
