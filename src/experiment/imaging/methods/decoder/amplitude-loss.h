/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses between a predicted and a measured image of amplitudes, with derivatives.
 *
 *   l1: mean |p - y| / (mean |y| + floor + 1e-8),   l2: mean (p - y)^2 / (mean y^2 + floor^2 + 1e-8)
 *   ssim, ms-ssim: (1 - mean SSIM) / 2, (1 - MS-SSIM) / 2 (backend/structure.h; never normalised)
 *   composite: the weighted sum of these four
 *
 * In l1 and l2 a prediction of zero thus scores 1 for an image well above the floor; without normalisation the
 * denominator is omitted. The floor is the noise level, so that an image of pure noise does not outweigh the others.
 * |p - y| has derivative 0 where p = y. */
#pragma once

#include "backend/structure.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_LOSS_L1,
  LAC_LOSS_L2,
  LAC_LOSS_SSIM,
  LAC_LOSS_MS_SSIM,
  LAC_LOSS_COMPOSITE, /* weighted sum of the above */
  LAC_N_LOSSES,
} LacAmplitudeLossKind;

#define LAC_AMPLITUDE_LOSS_MAPS (LAC_STRUCTURE_MAPS + 2)

typedef struct {
  LacAmplitudeLossKind kind;
  gboolean             normalised;
  gsize                n;
  const double        *predicted, *measured; /* [n]; measured < 0: not measured, excluded */
  double               floor;
  double               scale;                       /* ssim: maps the amplitudes to the range 1 */
  double               weights[LAC_LOSS_COMPOSITE]; /* composite: weight of each part */
  double *
    scratch; /* for all but l1 and l2: [LAC_AMPLITUDE_LOSS_MAPS][n]; n is the square of a side of 6 or more */
} LacAmplitudeLoss;

/* @predicted_bar: (out) (nullable): [n], the derivatives of the loss times @weight. Returns: the loss; 0 when no
 * pixel is measured. */
double lac_amplitude_loss(const LacAmplitudeLoss *args, double weight, double *predicted_bar);

G_END_DECLS
