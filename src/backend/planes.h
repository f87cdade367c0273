/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of convolutional networks over planes: one table of typed functions for each element type. Plain C.
 *
 * A plane is an image of `height` rows that are `pitch` = width + 1 elements apart: the one column between rows,
 * always zero, is the border of both adjacent rows, so that a shift by a pixel is a shift of the pointer, and a
 * plane is processed as one long vector. A set of planes has at least pitch + 1 zeros before its first element and
 * pitch + 1 + LAC_PLANE_BLOCK after its last. Ranges of a plane are whole blocks: elements between the end of the
 * range and the end of its block may be read and written. */
#pragma once

#include "tensor/type.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_PLANE_BLOCK 16 /* elements; a multiple of every vector width */

static inline size_t
lac_plane_blocks(size_t n)
{
  return (n + LAC_PLANE_BLOCK - 1) / LAC_PLANE_BLOCK * LAC_PLANE_BLOCK;
}

/* Layout of consecutive planes: side rows, pitch apart. */
typedef struct {
  size_t side, pitch;
  size_t lead;   /* zeros before the first element */
  size_t stride; /* elements between planes */
} LacPlaneShape;

static inline LacPlaneShape
lac_plane_shape(size_t side)
{
  const size_t        pitch = side + 1;
  const LacPlaneShape shape = {side, pitch, lac_plane_blocks(pitch + 1),
                               lac_plane_blocks(side * pitch + pitch + 1)};

  return shape;
}

/* Returns the number of elements that n planes occupy, including the zeros before and after them. */
static inline size_t
lac_plane_room(const LacPlaneShape *shape, size_t n)
{
  return shape->lead + lac_plane_blocks(n * shape->stride + shape->pitch + 1 + LAC_PLANE_BLOCK);
}

/* A tap of a convolution: the output phase it contributes to, and the input index relative to the output index. */
typedef struct {
  size_t    phase;
  ptrdiff_t shift;
} LacPlaneSight;

#define LAC_PLANE_MOST_TAPS 16

static inline size_t
lac_plane_taps(int doubles)
{
  return doubles ? 16 : 9;
}

static inline LacPlaneSight
lac_plane_sight(int doubles, size_t tap, size_t pitch)
{
  static const LacPlaneSight doubling[4] = {{1, 1}, {0, 0}, {1, 0}, {0, -1}};
  LacPlaneSight              sight = {0, 0};

  if (doubles) {
    sight.phase = 2 * doubling[tap / 4].phase + doubling[tap % 4].phase;
    sight.shift = doubling[tap / 4].shift * (ptrdiff_t) pitch + doubling[tap % 4].shift;
  } else {
    sight.shift = ((ptrdiff_t) (tap / 3) - 1) * (ptrdiff_t) pitch + (ptrdiff_t) (tap % 3) - 1;
  }
  return sight;
}

/* One tap of a product: a matrix, and the (already shifted) planes to which it is applied. */
typedef struct {
  const void *a, *b;
} LacPlaneTap;

/* c[r c_stride + j] (+)= sum over taps t and k < depth of a_t[r a_row + k a_depth] b_t[k b_stride + j], r < n_rows, j
 * < n. Each element is summed over t, then k, in order: rows and columns may be split in any way. n: whole blocks. */
typedef struct {
  const LacPlaneTap *taps;
  size_t             n_taps, n_rows, depth, n;
  size_t             a_row, a_depth, b_stride, c_stride;
  void              *c;
  int                add;
} LacPlaneProduct;

/* c[r n_columns + s] = sum over j < n of p[r p_stride + j] (q[s])[j]; n: whole blocks. */
typedef struct {
  const void        *p;
  const void *const *q; /* [n_columns] */
  size_t             p_stride, n_rows, n_columns, n;
  void              *c;
} LacPlaneDots;

/* y[j y_stride + c] = x[c x_stride + j], c < n_channels, j < n */
typedef struct {
  const void *x;
  void       *y;
  size_t      x_stride, y_stride, n_channels, n;
} LacPlaneTranspose;

/* Count, mean and sum of squared deviations from the mean. */
typedef struct {
  double n, mean, squares;
} LacPlaneMoments;

/* Rows of the planes of one channel. With n_phases = 4 (a doubled layer) the planes are the phases [y & 1][x & 1] of
 * one image of twice the height and width, and `image` has rows of 2 width elements, image_pitch apart. With n_phases
 * = 1 `image` is a plane like the others. */
typedef struct {
  void       *phases[4]; /* the first row of each */
  void       *image;     /* its first row */
  const void *image_bar;
  void       *phases_bar[4];
  size_t      n_phases; /* 1 or 4 */
  size_t      n_rows, width, pitch, image_pitch;
  double      mean, scale, offset; /* image = max(0, scale (phase - mean) + offset) */
  double
    slope; /* second pass of the reverse: phase_bar = scale (g - shift - slope (phase - mean)) */
  double shift;
} LacPlaneRows;

/* Sums of the first pass of the reverse: g = image_bar where the image is positive, else 0. */
typedef struct {
  double g, g_times_distance; /* sums of g and of g (phase - mean) */
} LacPlaneSums;

/* Adam over n elements (Kingma and Ba 2015): m and v are its moments. */
typedef struct {
  size_t      n;
  double      rate, beta1, beta2, epsilon, correction1, correction2;
  const void *gradient;
  void       *m, *v, *theta;
} LacPlaneAdam;

/* Output bound of the last layer. */
typedef enum {
  LAC_BOUND_NONE,
  LAC_BOUND_SIGMOID,
  LAC_BOUND_SCALED_SIGMOID, /* 1.02 sigmoid - 0.01 */
  LAC_BOUND_HARD_SIGMOID,   /* x / 6 + 1/2 within [0, 1] */
  LAC_BOUND_SOFTPLUS,
  LAC_BOUND_TANH,
  LAC_BOUND_RELU,
  LAC_BOUND_LEAKY_RELU, /* 0.2 x below zero */
} LacBound;

/* y = f(x + bias), slope = f'(x + bias); n: whole blocks. */
typedef struct {
  LacBound    bound;
  size_t      n;
  double      bias;
  const void *x;
  void       *y, *slope;
} LacPlaneBound;

typedef struct {
  void (*product)(const LacPlaneProduct *args);
  void (*dots)(const LacPlaneDots *args);
  void (*transpose)(const LacPlaneTranspose *args);
  LacPlaneMoments (*moments)(const LacPlaneRows *args);
  void (*normalise)(const LacPlaneRows *args);
  /* Sets phases_bar = g, leaving elements outside the rows unchanged, and returns the sums of g. */
  LacPlaneSums (*normalise_sums)(const LacPlaneRows *args);
  void (*normalise_reverse)(const LacPlaneRows *args);
  void (*bound)(const LacPlaneBound *args);
  /* y[j] += a x[j], j < n */
  void (*accumulate)(double a, const void *x, void *y, size_t n);
  void (*adam)(const LacPlaneAdam *args);
  /* Performs the same Adam step with factor * gradient as the gradient. Returns: gradient . theta, with theta before
   * the step. */
  double (*adam_rank_one)(const LacPlaneAdam *args, double factor);
} LacPlaneKernels;

/* Returns the kernels for `type` and the processor's instruction set; the table is the same at every call. */
const LacPlaneKernels *lac_plane_kernels(LacType type);

#ifdef __cplusplus
}
#endif
