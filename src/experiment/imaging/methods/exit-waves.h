/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exit waves: the detector field of every exposure, alternately projected on two sets: fields with the measured
 * amplitudes (M), and fields that a single object within the prior constraints produces through all apertures (O).
 * The projection methods differ only in the factors of LacWaveFactors. */
#pragma once

#include "experiment/imaging/methods/estimate-method.h"

G_BEGIN_DECLS

/* Parameters of a method based on exit waves; each method has its own keys for them. */
typedef struct {
  gint64 iterations;
  gint64
         within_noise; /* nonzero: M contains all fields within the noise level; 0: only those with exactly the measured
                          amplitudes */
  double relaxation; /* 0 for methods without relaxation */
} LacWaveParams;

/* A method whose state is exit waves. */
typedef struct {
  LacEstimateMethod method;
  LacWaveParams     params;
} LacWaveMethod;

/* Performs a step with @factors. */
gboolean lac_wave_method_step(LacWaveMethod        *self,
                              const LacWaveFactors *factors,
                              LacMethodReport      *report,
                              GError              **error);

/* Implement LacImagingMethod for parameters of the type LacWaveParams. */
void
lac_wave_method_find_cost(gconstpointer params, const LacImagingSize *size, LacEstimate *result);
gpointer
lac_wave_method_create(gconstpointer params, const LacImagingProblem *problem, GError **error);
gint64 lac_wave_method_n_steps(gconstpointer method);
void   lac_wave_method_retune(gpointer method, gconstpointer params);
void   lac_wave_method_visit(gpointer method, LacVisit *visit);

G_END_DECLS
