/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a predicted image of amplitudes is from a measured one, as a number to be made smaller, and its derivatives.
 *
 *   l1: mean |p - y| / (mean |y| + floor + 1e-8),   l2: mean (p - y)^2 / (mean y^2 + floor^2 + 1e-8)
 *
 *   ssim: (1 - mean SSIM) / 2, windows of 11 x 11, mirrored at the edge, range 1 (never normalised; experiment/imaging/metrics/metrics.h has the source)
 *   ms-ssim: (1 - MS-SSIM) / 2, likewise, of as many of the five scales as there are pixels for
 *   composite: the sum of these four, each with its weight
 *
 * so that predicting nothing scores 1; without the denominator where it is not normalised. The floor is what noise alone leaves, so that an
 * image of nothing but noise does not outweigh the others. |p - y| has the derivative 0 where both are equal. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_LOSS_L1,
  LAC_LOSS_L2,
  LAC_LOSS_SSIM,
  LAC_LOSS_MS_SSIM,
  LAC_LOSS_COMPOSITE, /* of those before it */
  LAC_N_LOSSES,
} LacAmplitudeLossKind;

#define LAC_AMPLITUDE_SSIM_MAPS 12
#define LAC_AMPLITUDE_LOSS_MAPS (LAC_AMPLITUDE_SSIM_MAPS + 2)

typedef struct {
  LacAmplitudeLossKind kind;
  gboolean             normalised;
  gsize                n;
  const double *predicted, *measured; /* [n]; measured < 0: nobody knows, and it does not count */
  double        floor;
  double        scale;                       /* ssim: of the amplitudes, to their range of 1 */
  double        weights[LAC_LOSS_COMPOSITE]; /* composite: of each part */
  double *
    scratch; /* all but l1 and l2: [LAC_AMPLITUDE_LOSS_MAPS][n]; n is the square of a side of 6 or more */
} LacAmplitudeLoss;

/* @predicted_bar: (out) (nullable): [n], @weight times the derivatives. Returns: the loss; 0 where nobody knows anything. */
double lac_amplitude_loss(const LacAmplitudeLoss *args, double weight, double *predicted_bar);

G_END_DECLS
