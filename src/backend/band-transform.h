/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fourier transforms between an object in the middle of a grid and a box of k-space, in host memory and double precision.
 * Of the whole grid only the object and the box are computed:
 *
 *   O[k] = sum_x o[x] exp(-2 pi i k x / N) / N,   x from the middle of the grid, k from DC, in both directions of an image.
 *
 * The adjoint of that is also the part of the inverse that the object holds. Allocation happens when a transform is made; a
 * transform serves one call at a time, never from within its pool. */
#pragma once

#include "base/pool.h"

#include <complex.h>

G_BEGIN_DECLS

/* A rectangle of k-space: rows y ... y + height - 1, columns x ... x + width - 1, counted from DC. */
typedef struct {
  gint64 y, x;
  gsize  height, width;
} LacBand;

typedef struct {
  gsize    grid;    /* N: even */
  gsize    support; /* s: the object is s x s and begins at (N - s)/2 */
  LacBand  band;    /* contains every box */
  gsize    box;     /* side of the smallest box */
  gsize    n_part;  /* pixels of the largest box that lac_band_transform_get_part() has room for */
  gboolean plans_every_call; /* see lac_fourier_prepare_plain() */
  LacPool *pool;             /* (nullable): shares large transforms; borrowed */
} LacBandTransformSettings;

typedef struct _LacBandTransform LacBandTransform;

/* Returns: (nullable): NULL when the grid cannot be transformed. */
LacBandTransform *lac_band_transform_new(const LacBandTransformSettings *settings);
void              lac_band_transform_free(LacBandTransform *transform);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBandTransform, lac_band_transform_free)

LacBand lac_band_transform_get_band(const LacBandTransform *transform);

/* Returns scratch memory for the caller, [n_part]. */
double complex *lac_band_transform_get_part(const LacBandTransform *transform);

/* Returns the floating-point operations of one transform of a box with @width columns. */
double lac_band_transform_get_flops(const LacBandTransform *transform, gsize width);

/* Numbers of a box, whose rows are @stride apart. */
typedef struct {
  LacBand         box;
  double complex *numbers;
  gsize           stride;
} LacBandPart;

/* Compute O = F o, o = F^-1 O and o += factor F^-1 O; @object: [s][s]. The same bits for any number of threads. */
void lac_band_transform_forward(LacBandTransform     *transform,
                                const double complex *object,
                                const LacBandPart    *part);
void lac_band_transform_inverse(LacBandTransform  *transform,
                                const LacBandPart *part,
                                double complex    *object);
void lac_band_transform_add_inverse(LacBandTransform  *transform,
                                    const LacBandPart *part,
                                    double             factor,
                                    double complex    *object);

G_END_DECLS
