/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner loops of pivoted selection, one table per x86-64 level. */
#pragma once

#include <stddef.h>

#define LAC_PIVOT_CHUNK 64 /* points stored together: [n_modes][LAC_PIVOT_CHUNK] */
#define LAC_PIVOT_BATCH 4  /* number of directions applied at once */

typedef struct {
  /* Projects directions out of the squared norms: left[j] -= sum over directions of (direction . row j)^2. @rows:
   * [n_modes] of LAC_PIVOT_CHUNK; @directions: [n_directions][n_modes], n_directions a multiple of LAC_PIVOT_BATCH */
  void (*remove)(const float *rows,
                 size_t       n_modes,
                 const float *directions,
                 size_t       n_directions,
                 float       *left);

  /* Adds up squared norms: squares[j] += sum of squares of row j. @from: [n_modes] of LAC_PIVOT_CHUNK, @stride apart */
  void (*measure)(const double *from, size_t n_modes, size_t stride, double *squares);

  /* Converts to single precision. @rows: (out): the values of @from times @scale */
  void (*pack)(const double *from, size_t n_modes, size_t stride, double scale, float *rows);
} LacPivotLoops;

#ifdef __x86_64__
#  define LAC_PIVOT_LEVELS(L) L(baseline) L(v3) L(v4)
#else
#  define LAC_PIVOT_LEVELS(L) L(baseline)
#endif

#define L(level) extern const LacPivotLoops lac_pivot_loops_##level;
LAC_PIVOT_LEVELS(L)
#undef L
