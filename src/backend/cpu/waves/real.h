/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Macros for the loops over waves: `Real` and pairs of it. The build defines LAC_LEVEL, and LAC_REAL_F32 or
 * LAC_REAL_F64. */
#pragma once

#include "backend/cpu/waves/loops.h"

#ifdef LAC_REAL_F32
typedef float Real;
#  define LAC_REAL_SUFFIX f32
#  define SQUARE_ROOT     sqrtf
#else
typedef double Real;
#  define LAC_REAL_SUFFIX f64
#  define SQUARE_ROOT     sqrt
#endif

typedef struct {
  Real re, im;
} Pair;

typedef struct {
  double re, im;
} DoublePair;

#define R(c)               ((Real) (c))
#define LAC_SIMD           _Pragma("omp simd")
#define LAC_PRAGMA(t)      _Pragma(#t)
#define LAC_SIMD_SUM(...)  LAC_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#define LAC_JOIN_(a, b, c) lac_wave_##a##_##b##_##c
#define LAC_JOIN(a, b, c)  LAC_JOIN_(a, b, c)
#define LAC_WAVE(name)     LAC_JOIN(name, LAC_LEVEL, LAC_REAL_SUFFIX)

void          LAC_WAVE(spread)(const LacWaveStop *stop);
void          LAC_WAVE(gather)(const LacWaveStop *stop);
void          LAC_WAVE(follow)(const LacWaveStop *stop, const LacWaveFollow *follow);
void          LAC_WAVE(put)(const LacWaveBox *box);
void          LAC_WAVE(take)(const LacWaveBox *box);
void          LAC_WAVE(count)(const LacWaveStop *stop, double *weights);
void          LAC_WAVE(average)(const LacWaveSweep *args, const LacWaveBox *box);
void          LAC_WAVE(divide)(const LacWaveSweep *args, const LacWaveBox *box);
double        LAC_WAVE(score)(const LacWaveSweep *args, LacWaveSlot slot, void *fields);
LacWaveSlopes LAC_WAVE(slopes)(const LacWaveSweep *args, LacWaveSlot slot);
void          LAC_WAVE(tangent)(const LacWaveSweep *args,
                       LacWaveSlot         slot,
                       const void         *fields,
                       const void         *changes,
                       double             *tangent);
void          LAC_WAVE(normals)(const double *tangents, size_t n_terms, size_t n, double *normals);
void          LAC_WAVE(combine)(size_t n, double a, const void *x, double b, void *y);
void          LAC_WAVE(look)(const LacWaveSweep *args, const LacWaveLook *look);
void          LAC_WAVE(compare)(const LacWaves *args, size_t slot);
void          LAC_WAVE(object)(const LacWaves *args, size_t row);
void          LAC_WAVE(bars)(const LacWaves *args, size_t row);
