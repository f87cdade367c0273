/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The losses of fit.h between a predicted and a measured image of amplitudes, with derivatives. |p - y| has derivative 0 where
 * p = y. */
#pragma once

#include "backend/structure.h"
#include "experiment/imaging/methods/decoder/fit.h"

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
