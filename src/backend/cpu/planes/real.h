/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Macros for the plane kernels: `Real`, and `Vector` with the width of the level being compiled. The build defines
 * LAC_LEVEL, and LAC_REAL_F32 or LAC_REAL_F64. */
#pragma once

#include "backend/planes.h"

#include <string.h>

#ifdef LAC_REAL_F32
typedef float Real;
#  define LAC_REAL_SUFFIX f32
#else
typedef double Real;
#  define LAC_REAL_SUFFIX f64
#endif

#ifdef __AVX512F__
#  define VECTOR_BYTES 64
#elif defined __AVX2__
#  define VECTOR_BYTES 32
#else
#  define VECTOR_BYTES 16
#endif

/* Unaligned compiler vectors: one source serves every level, including scalar ones. */
typedef Real Vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(Real)), may_alias));
typedef Real Register __attribute__((vector_size(VECTOR_BYTES)));

#define R(c)               ((Real) (c))
#define LANES              (VECTOR_BYTES / sizeof(Real))
#define LAC_INLINE         static inline __attribute__((always_inline))
#define LAC_SIMD           _Pragma("omp simd")
#define LAC_PRAGMA(t)      _Pragma(#t)
#define LAC_SIMD_SUM(...)  LAC_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#define LAC_JOIN_(a, b, c) lac_plane_##a##_##b##_##c
#define LAC_JOIN(a, b, c)  LAC_JOIN_(a, b, c)
#define LAC_PLANE(name)    LAC_JOIN(name, LAC_LEVEL, LAC_REAL_SUFFIX)

LAC_INLINE Register
load(const Real *p)
{
  return *(const Vector *) p;
}

LAC_INLINE void
store(Real *p, Register x)
{
  *(Vector *) p = x;
}

void            LAC_PLANE(product)(const LacPlaneProduct *args);
void            LAC_PLANE(dots)(const LacPlaneDots *args);
void            LAC_PLANE(transpose)(const LacPlaneTranspose *args);
LacPlaneMoments LAC_PLANE(moments)(const LacPlaneRows *args);
void            LAC_PLANE(normalise)(const LacPlaneRows *args);
LacPlaneSums    LAC_PLANE(normalise_sums)(const LacPlaneRows *args);
void            LAC_PLANE(normalise_reverse)(const LacPlaneRows *args);
void            LAC_PLANE(bound)(const LacPlaneBound *args);
void            LAC_PLANE(accumulate)(double a, const void *x, void *y, size_t n);
void            LAC_PLANE(adam)(const LacPlaneAdam *args);
double          LAC_PLANE(adam_rank_one)(const LacPlaneAdam *args, double factor);
