/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole layers of convolutional networks over planes in device memory, forward and reverse: a part of the backend's
 * table. Plain C, also compiled by nvcc.
 *
 * Layout of planes: see planes.h. Vectors that hold planes or scratch must be zeroed before first use; gaps between
 * the planes that a layer reads must stay zero. Products leave undefined values in the gaps. Nothing is allocated;
 * the order of summation depends only on the shape. One calling thread at a time. */
#pragma once

#include "backend/backend.h"
#include "backend/planes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first layer: y[j] = sum over i of z[i] weights[i n_out + j]. The gradient of its weights, z[i] y_bar[j], is
 * never stored: latent_adam applies it in an Adam step on the weights (`numbers` as in LacAdam) and returns z_bar[i]
 * = sum over j of y_bar[j] weights[i n_out + j], with the weights before the step. */
typedef struct {
  LacType          type;
  struct _LacPool *pool; /* CPU only: thread pool that runs the kernel; ignored by devices */
  size_t           n_latent, n_out;
  const void      *z;
  void            *weights; /* [n_latent][n_out]; read-only in the forward pass */
  void            *y;
  const void      *y_bar; /* members below: latent_adam only */
  void            *z_bar, *m, *v;
  double           rate, beta1, beta2, epsilon, correction1, correction2;
  const double    *numbers;
} LacLatent;

/* A convolution from n_in planes to n_out planes (n_out: fewer than LAC_PLANE_BLOCK, or a multiple of it). The output
 * planes have the same side or, for a transposed convolution with stride 2, are the four phases of planes of twice
 * the side:
 *   same side, 3 x 3 taps, padding 1:  y[o](r, c) = sum over i, k, l of w[k][l][i][o] x[i](r + k - 1, c + l - 1)
 *   doubling, 4 x 4 taps, padding 1:   output row 2 r + p reads input row r + s through tap row k, where for
 *     k = 0: p = 1, s = 1;  k = 1: p = 0, s = 0;  k = 2: p = 1, s = 0;  k = 3: p = 0, s = -1;  the same for columns. */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  size_t           n_in, n_out, side;
  int              doubles;
  const void      *weights; /* [tap][n_in][n_out] */
  const void      *x;       /* [n_in] planes */
  void            *y;       /* [phase][n_out] planes */
  const void      *y_bar;   /* [phase][n_out] planes */
  void            *x_bar;
  void            *weights_bar;
  void            *scratch; /* reverse of the weights: convolve_scratch() elements */
} LacConvolve;

/* image = max(0, scale (y - mean) / sqrt(variance + 1e-5) + offset), with the mean and biased variance of each
 * channel over its pixels. For a doubled layer y holds the four phases of the image, [y & 1][x & 1]. The reverse
 * writes y_bar in the layout of y; every pixel depends on every other:
 *   y_bar = scale / sigma (g - mean(g) - d mean(g d) / sigma^2),  d = y - mean(y). */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  size_t           n, n_phases;         /* channels; 1 or 4 */
  size_t           side, pitch, stride; /* layout of y: elements between rows, between channels */
  size_t           image_pitch,
    image_stride;     /* the same for the image; with four phases its side is doubled */
  const void *y;      /* [phase][n] */
  void       *image;  /* [n] */
  const void *scales; /* [n] scales, [n] offsets */
  const void *image_bar;
  void       *y_bar;
  void       *scales_bar; /* [n] and [n] */
  double *sums; /* normalise_sums() doubles: saved by the forward for the reverse, and scratch */
} LacNormalise;

/* Position of the n x n picture in a plane: pixel (i, j) has the plane's value at (i + offset, j + offset) for first
 * <= i, j < end, else 0. */
typedef struct {
  size_t    n;
  size_t    first, end;
  ptrdiff_t offset;
} LacPlaneWindow;

/* The last layer: picture = f(plane + bias) within the window and 0 outside. The forward pass saves the slope for the
 * reverse pass:
 *   plane_bar = picture_bar f'(plane + bias) within the window,  bias_bar = sum of plane_bar. */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  LacBound         bound;
  size_t           side; /* side of the plane */
  LacPlaneWindow   window;
  const void      *bias; /* one value */
  const void      *plane;
  void   *slope, *map; /* shaped like the plane: slope is saved for the reverse, map is scratch */
  double *picture;     /* [n * n] */
  const double *picture_bar;
  void         *plane_bar;
  void         *bias_bar;
  double       *sums; /* reverse: picture_sums() doubles */
} LacPlanePicture;

/* Adam over a vector; `numbers` as in LacAdam. */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  size_t           n;
  double           rate, beta1, beta2, epsilon, correction1, correction2;
  const void      *gradient;
  void            *m, *v, *theta;
  const double    *numbers;
} LacPlaneStep;

/* Entries of the form LacStatus name(self, const Args *). */
#define LAC_PLANE_LAYERS(K)                \
  K(latent, LacLatent)                     \
  K(latent_adam, LacLatent)                \
  K(convolve, LacConvolve)                 \
  K(convolve_reverse_image, LacConvolve)   \
  K(convolve_reverse_weights, LacConvolve) \
  K(normalise, LacNormalise)               \
  K(normalise_reverse, LacNormalise)       \
  K(picture, LacPlanePicture)              \
  K(picture_reverse, LacPlanePicture)      \
  K(step, LacPlaneStep)

struct LacPlaneLayers {
#define K(name, Args) LacStatus (*name)(void *self, const Args *args);
  LAC_PLANE_LAYERS(K)
#undef K
  /* Return scratch sizes, which depend only on the shape: the first in elements, the other two in doubles. */
  size_t (*convolve_scratch)(const LacConvolve *args);
  size_t (*normalise_sums)(const LacNormalise *args);
  size_t (*picture_sums)(const LacPlanePicture *args);
};

#ifdef __cplusplus
}
#endif
