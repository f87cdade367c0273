/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exit waves: the detector field of every exposure, alternately projected on two sets: fields with the measured
 * amplitudes (M), and fields that a single object within the prior constraints produces through all apertures (O).
 * Shared by the projection methods. */
#pragma once

#include "base/memory-part.h"
#include "experiment/imaging/methods/estimate-method.h"

G_BEGIN_DECLS

typedef struct {
  LacImagingEstimate *h;      /* borrowed; holds patches */
  double complex     *waves;  /* [n_positions][n_along][d*d] */
  double complex     *others; /* [n_along][d*d], one per worker */
  double             *weight; /* [n_band]: sum of |P|^2 over the apertures, 0 outside all of them */
  double complex     *average;    /* [n_band]: scratch */
  double complex     *step;       /* [s*s]: scratch */
  double              relaxation; /* relaxation parameter of the methods that have one */
  gboolean
                 within_noise; /* TRUE: M contains all fields within the noise level; FALSE: only those with exactly the measured amplitudes */
  LacMemoryClaim claim;
} LacExitWaves;

/* Processes the wave of one exposure. Called on any worker; @other: scratch, [n_along][d*d] */
typedef void (*LacExitWaveFunc)(LacExitWaves      *waves,
                                gsize              position,
                                LacImagingScratch *bench,
                                double complex    *other);

/* Projects the fields of @bench on M, in place. */
void lac_exit_waves_measure(LacExitWaves *waves, gsize position, LacImagingScratch *bench);

/* Performs one step of the projection on O. Calls @prepare for every scan position and finds the object nearest to
 * the fields that @prepare leaves in @bench. Then calls @move for every scan position with the fields of that object
 * in @bench. */
void lac_exit_waves_step(LacExitWaves *waves, LacExitWaveFunc prepare, LacExitWaveFunc move);

static inline double complex *
lac_exit_waves_get(const LacExitWaves *waves, gsize position)
{
  const LacImagingEstimate *h = waves->h;

  return waves->waves + position * h->n_along * h->d * h->d;
}

/* Parameters of a method based on exit waves; each method has its own keys for them. */
typedef struct {
  gint64 iterations, within_noise;
  double relaxation; /* 0 for methods without relaxation */
} LacWaveParams;

/* A method whose state is exit waves. */
typedef struct {
  LacEstimateMethod method;
  LacWaveParams     params;
  LacExitWaves     *waves;
} LacWaveMethod;

/* Implement LacImagingMethod for parameters of the type LacWaveParams. */
void
lac_wave_method_find_cost(gconstpointer params, const LacImagingSize *size, LacEstimate *result);
gpointer
     lac_wave_method_create(gconstpointer params, const LacImagingProblem *problem, GError **error);
void lac_wave_method_destroy(gpointer method);
gint64 lac_wave_method_n_steps(gconstpointer method);
void   lac_wave_method_retune(gpointer method, gconstpointer params);
void   lac_wave_method_visit(gpointer method, LacVisit *visit);

G_END_DECLS
