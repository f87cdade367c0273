/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Negative log-likelihood of the exposures given an object, in nats, with its gradient. With S photons a pixel at
 * intensity 1, the predicted amplitude a and the measured m:
 *
 *   Gaussian: 2 S (a - m)^2;   Poisson: S (a^2 - m^2 - (m^2 + e) log((a^2 + e) / (m^2 + e))), e: dark counts
 *
 * (Gaussian with a standard deviation for every pixel: (x - y)^2 / (2 sigma^2), with x predicted and y measured, in the
 * unit of the exposures), plus the total variation of the object, sum |grad o|, when smoothness except at edges is
 * assumed. Sources: Thibault and Guizar-Sicairos (2012), doi:10.1088/1367-2630/14/6/063004; Rudin, Osher, Fatemi
 * (1992), doi:10.1016/0167-2789(92)90242-F */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef enum { LAC_LIKELIHOOD_GAUSSIAN, LAC_LIKELIHOOD_POISSON } LacLikelihoodKind;

typedef struct {
  LacLikelihoodKind kind;
  double            variation; /* total variation weight: nats for a step of 1 between two pixels */
} LacLikelihoodSettings;

/* Makes the k_space of @estimate. Returns: FALSE with an error when the device has too little memory. */
gboolean lac_likelihood_open(LacImagingEstimate          *estimate,
                             const LacLikelihoodSettings *settings,
                             GError                     **error);

/* Starts the variables of the object, see LacWaveVariables, from that of the estimate, or within bounds from their middle: the
 * sine has no slope at a bound. They are theta of k_space, in double precision. */
void lac_likelihood_begin(LacImagingEstimate *estimate);

/* Finds the object of the variables, for the estimate. */
void lac_likelihood_find_object(LacImagingEstimate *estimate);

/* A LacEvaluate (graph/optimiser/optimiser.h) over such variables, with the #LacImagingEstimate as @user_data. @loss: (out): L divided
 * by the number of measured pixels. Does not allocate. Exceeding the upper bound of a complex object is penalised like a
 * deviation from a measurement. */
gboolean lac_likelihood_evaluate(gconstpointer theta,
                                 gpointer      gradient,
                                 double       *loss,
                                 gpointer      user_data,
                                 GError      **error);

G_END_DECLS
