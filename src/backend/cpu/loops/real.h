/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Macros for the loops: `Real`, and names suffixed with the level and type being compiled. The build defines
 * LAC_LEVEL, and LAC_REAL_F32 or LAC_REAL_F64. */
#pragma once

#include "backend/cpu/loops/loops.h"

#ifdef LAC_REAL_F32
typedef float Real;
#  define LAC_REAL_SUFFIX f32
#else
typedef double Real;
#  define LAC_REAL_SUFFIX f64
#endif

#define R(c) ((Real) (c))

#define LAC_JOIN_(a, b, c) lac_cpu_##a##_##b##_##c
#define LAC_JOIN(a, b, c)  LAC_JOIN_(a, b, c)
#define LAC_LOOP(name)     LAC_JOIN(name, LAC_LEVEL, LAC_REAL_SUFFIX)
#define LAC_INLINE         static inline __attribute__((always_inline))
#define LAC_SIMD           _Pragma("omp simd")
#define LAC_PRAGMA(text)   _Pragma(#text)
#define LAC_SIMD_SUM(...)  LAC_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#define LAC_MIN(a, b)      ((a) < (b) ? (a) : (b))
#define LAC_MAX(a, b)      ((a) > (b) ? (a) : (b))

/* All loops in the table. */
void LAC_LOOP(fill)(void *y, double value, size_t n);
void LAC_LOOP(strided)(const LacStrided *args);
void LAC_LOOP(map_jet)(const LacMapJet *args);
void LAC_LOOP(map_jet_reverse)(const LacMapJet *args);
void LAC_LOOP(mul_jet)(const LacMulJet *args);
void LAC_LOOP(mul_jet_reverse)(const LacMulJet *args);
void LAC_LOOP(linear)(const LacLinear *args);
void LAC_LOOP(linear_reverse)(const LacLinear *args);
void LAC_LOOP(dot)(const LacDot *args);
void LAC_LOOP(matvec)(const LacMatvec *args);
void LAC_LOOP(rank_update)(const LacRankUpdate *args);
void LAC_LOOP(adam)(const LacAdam *args);
void LAC_LOOP(scale)(void *y, double factor, size_t n);
void LAC_LOOP(vorticity_derive)(const LacVorticity *args);
void LAC_LOOP(vorticity_advect)(const LacVorticity *args);
void LAC_LOOP(rk4_stage)(const LacRk4Stage *args);
void LAC_LOOP(combine)(const LacCombine *args);
void LAC_LOOP(correlate)(const LacCorrelate *args);
void LAC_LOOP(polynomial)(const LacPolynomial *args);
void LAC_LOOP(polynomial_reverse)(const LacPolynomial *args);
