/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field at the detector of every exposure, each moved on its own between two sets: fields that have the measured amplitudes (M),
 * and fields that one object, such as is known beforehand, makes through all the apertures (O). What methods of projections share. */
#pragma once

#include "experiment/imaging/methods/estimate-method.h"

G_BEGIN_DECLS

typedef struct {
  LacImagingEstimate *h;      /* borrowed; keeps patches */
  double complex     *waves;  /* [n_positions][n_along][d*d] */
  double complex     *others; /* one a worker, [n_along][d*d] */
  double             *weight; /* [n_band]: sum of |P|^2 over the apertures, 1 where there is none */
  double complex     *average;    /* [n_band]: scratch */
  double complex     *step;       /* [s*s]: scratch */
  double              relaxation; /* of a method that has one */
  gboolean
    within_noise; /* M is where the noise may be: else the measured amplitudes to the digit */
} LacExitWaves;

/* What a method does with one exposure's wave. Any worker; @other: scratch, [n_along][d*d] */
typedef void (*LacExitWaveFunc)(LacExitWaves      *waves,
                                gsize              position,
                                LacImagingScratch *bench,
                                double complex    *other);

/* The projection on M of the fields of @bench, in place. */
void lac_exit_waves_measure(LacExitWaves *waves, gsize position, LacImagingScratch *bench);

/* The object nearest to what @prepare leaves in the fields of @bench for every scan position: the projection on O, one step of it. Then @move is called
 * for every scan position with the fields of that object in @bench. */
void lac_exit_waves_step(LacExitWaves *waves, LacExitWaveFunc prepare, LacExitWaveFunc move);

static inline double complex *
lac_exit_waves_get(const LacExitWaves *waves, gsize position)
{
  const LacImagingEstimate *h = waves->h;

  return waves->waves + position * h->n_along * h->d * h->d;
}

/* What the rows of such a method fill, each under its own keys. */
typedef struct {
  gint64 iterations, within_noise;
  double relaxation; /* 0 of a method that has none */
} LacWaveParams;

/* A method whose state is such waves. */
typedef struct {
  LacEstimateMethod method;
  LacWaveParams     params;
  LacExitWaves     *waves;
} LacWaveMethod;

/* As of LacImagingMethod, whose parameters are LacWaveParams. */
void
lac_wave_method_find_cost(gconstpointer params, const LacImagingSize *size, LacEstimate *result);
gpointer
     lac_wave_method_create(gconstpointer params, const LacImagingProblem *problem, GError **error);
void lac_wave_method_destroy(gpointer method);
gint64   lac_wave_method_n_steps(gconstpointer method);
void     lac_wave_method_retune(gpointer method, gconstpointer params);
void     lac_wave_method_save(gpointer method, LacStore *store);
gboolean lac_wave_method_load(gpointer method, const LacStore *store, GError **error);

G_END_DECLS
