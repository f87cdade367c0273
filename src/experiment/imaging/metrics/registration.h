/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alignment of a reconstructed object with the true one. It removes the ambiguities that measurements leave open: a
 * shift, a global phase and the conjugate twin image. Never applied silently: every use of an aligned image is
 * stated. */
#pragma once

#include "base/scratch.h"

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

typedef struct {
  double         y, x;   /* shift of the object in pixels */
  double complex factor; /* unit-modulus factor that multiplies the object */
  gboolean
    is_twin; /* TRUE when the object is the twin: the truth's conjugate, rotated by 180 degrees about the middle */
} LacAlignment;

typedef enum {
  LAC_ALIGN_PHASE = 1 << 0,
  LAC_ALIGN_SHIFT = 1 << 1, /* shift to 1/100 pixel, periodic */
  LAC_ALIGN_TWIN = 1 << 2,
} LacAlignParts;

/* Finds the alignment of @object, [side][side], to @truth by least squares. Source: Guizar-Sicairos, Thurman, Fienup
 * (2008), doi:10.1364/OL.33.000156. Allocates only in @scratch. */
LacAlignment lac_alignment_find(const double complex *object,
                                const double complex *truth,
                                gsize                 side,
                                LacAlignParts         parts,
                                LacScratch           *scratch);

/* Applies the alignment. @aligned: (out): may be @object. A whole-pixel shift copies pixels unchanged; any other
 * multiplies the transform by a phase. */
void lac_alignment_apply(const LacAlignment   *alignment,
                         const double complex *object,
                         gsize                 side,
                         LacScratch           *scratch,
                         double complex       *aligned);

G_END_DECLS
