/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What measurements cannot tell is taken out before objects are compared: a shift, a global phase, the conjugate twin. Never done
 * behind somebody's back: who compares an aligned image says so. */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef struct {
  double         y, x;    /* pixels by which the object is to be moved */
  double complex factor;  /* of modulus 1, by which it is to be multiplied */
  gboolean       is_twin; /* it is the truth's conjugate, turned by 180 degrees about the middle */
} LacAlignment;

typedef enum {
  LAC_ALIGN_PHASE = 1 << 0,
  LAC_ALIGN_SHIFT = 1 << 1, /* to 1/100 pixel, periodic */
  LAC_ALIGN_TWIN = 1 << 2,
} LacAlignParts;

/* What brings @object, [side][side], nearest to @truth in the sense of least squares.
 * Source: Guizar-Sicairos, Thurman, Fienup (2008), doi:10.1364/OL.33.000156 */
LacAlignment lac_alignment_find(const double complex *object,
                                const double complex *truth,
                                gsize                 side,
                                LacAlignParts         parts);

/* @aligned: (out): may be @object. A shift by whole pixels moves them as they are; else by the phase of the transform. */
void lac_alignment_apply(const LacAlignment   *alignment,
                         const double complex *object,
                         gsize                 side,
                         double complex       *aligned);

G_END_DECLS
