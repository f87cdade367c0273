/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole layers of convolutional networks over planes in device memory, forwards and in reverse: a part of the backend's table.
 * Plain C, read by nvcc too.
 *
 * Planes lie as planes.h says. A vector that holds planes, or is scratch, is filled with zeros before it is first used; of the
 * planes that a layer reads, what lies between them has stayed zero. What a product leaves there is nothing to be read.
 * Nothing is allocated; sums run in an order that depends on the shape alone. One thread asks at a time. */
#pragma once

#include "backend/backend.h"
#include "backend/planes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first layer: y[j] = sum over i of z[i] weights[i n_out + j]. What its weights say of a loss, z[i] y_bar[j], is never
 * written down: latent_adam makes a step of Adam by it, as of `numbers` below, and z_bar[i] = sum over j of
 * y_bar[j] weights[i n_out + j] of the weights before the step. */
typedef struct {
  LacType type;
  struct _LacPool
               *pool; /* of the processor, which shares the work out over it; others do without */
  size_t        n_latent, n_out;
  const void   *z;
  void         *weights; /* [n_latent][n_out]; forwards they are only read */
  void         *y;
  const void   *y_bar; /* what follows: latent_adam alone */
  void         *z_bar, *m, *v;
  double        rate, beta1, beta2, epsilon, correction1, correction2;
  const double *numbers;
} LacLatent;

/* A convolution from n_in planes to n_out (fewer than LAC_PLANE_BLOCK, or a multiple of it), of the same side or, transposed with stride 2, to the four phases of planes of twice
 * the side:
 *   same side, 3 x 3 taps, padding 1:  y[o](r, c) = sum over i, k, l of w[k][l][i][o] x[i](r + k - 1, c + l - 1)
 *   doubling, 4 x 4 taps, padding 1:   output row 2 r + p sees input row r + s through tap row k, where for
 *     k = 0: p = 1, s = 1;  k = 1: p = 0, s = 0;  k = 2: p = 1, s = 0;  k = 3: p = 0, s = -1;  and likewise columns. */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  size_t           n_in, n_out, side;
  int              doubles;
  const void      *weights; /* [tap][n_in][n_out] */
  const void      *x;       /* [n_in] planes */
  void            *y;       /* [phase][n_out] planes */
  const void      *y_bar;   /* likewise */
  void            *x_bar;
  void            *weights_bar;
  void            *scratch; /* of the reverse of the weights: convolve_scratch() numbers */
} LacConvolve;

/* image = max(0, scale (y - mean) / sqrt(variance + 1e-5) + offset), mean and biased variance of a channel over its pixels.
 * Of a doubled layer y is the four phases of the image, [y & 1][x & 1]. The reverse leaves y_bar as image_bar says; every
 * pixel moves every other:  y_bar = scale / sigma (g - mean(g) - d mean(g d) / sigma^2),  d = y - mean(y). */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  size_t           n, n_phases;         /* channels; 1 or 4 */
  size_t           side, pitch, stride; /* of y: numbers from row to row, from channel to channel */
  size_t image_pitch, image_stride; /* likewise; the image's side is twice that of four phases */
  const void *y;                    /* [phase][n] */
  void       *image;                /* [n] */
  const void *scales;               /* [n] scales, [n] offsets */
  const void *image_bar;
  void       *y_bar;
  void       *scales_bar; /* [n] and [n] */
  double *sums; /* normalise_sums() numbers: what the forward leaves for the reverse, and scratch */
} LacNormalise;

/* What stands for the picture's number (i, j), i, j < n: that of the plane at (i + offset, j + offset) where first <= i, j < end, else
 * nothing. */
typedef struct {
  size_t    n;
  size_t    first, end;
  ptrdiff_t offset;
} LacPlaneWindow;

/* The last step: picture = f(plane + bias) within the window and 0 beside it, and what of it the reverse needs;
 *   plane_bar = picture_bar f'(plane + bias) within the window,  bias_bar = sum of plane_bar. */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  LacBound         bound;
  size_t           side; /* of the plane */
  LacPlaneWindow   window;
  const void      *bias; /* one number */
  const void      *plane;
  void   *slope, *map; /* like the plane: the one is kept for the reverse, the other scratch */
  double *picture;     /* [n * n] */
  const double *picture_bar;
  void         *plane_bar;
  void         *bias_bar;
  double       *sums; /* of the reverse: picture_sums() numbers */
} LacPlanePicture;

/* Adam over a vector; see LacAdam, of which `numbers`. */
typedef struct {
  LacType          type;
  struct _LacPool *pool;
  size_t           n;
  double           rate, beta1, beta2, epsilon, correction1, correction2;
  const void      *gradient;
  void            *m, *v, *theta;
  const double    *numbers;
} LacPlaneStep;

/* Every entry of the form LacStatus name(self, const Args *). */
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
  /* Of the shape alone: numbers of the element type, and doubles. */
  size_t (*convolve_scratch)(const LacConvolve *args);
  size_t (*normalise_sums)(const LacNormalise *args);
  size_t (*picture_sums)(const LacPlanePicture *args);
};

#ifdef __cplusplus
}
#endif
