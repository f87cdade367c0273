/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error reduction between two steps, error spectrogram, and time per tenfold reduction. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* A reconstructed field and its reference. */
typedef struct {
  const LacPlane *truth, *field; /* of equal shape */
} LacScored;

/**
 * lac_error_reduction:
 * @out: (out): of the same shape: |error before| - |error after|, positive where the error decreased; axes and
 *   statistics are set
 *
 * Returns: the fraction of cells in which the error decreased, among cells with a finite value; NaN if there are none.
 */
double lac_error_reduction(const LacScored *before, const LacScored *after, LacPlane *out);

/* Power spectrum of the error at each recorded step. */
typedef struct {
  gsize   n_steps, n_shells;
  double  unit; /* wavenumber of shell 1 */
  gint64 *steps;
  double *power; /* [n_steps][n_shells]; NaN for a step with a non-finite value */
} LacSpectrogram;

/* Returns: (transfer full) (nullable): an empty spectrogram for planes shaped like @like; NULL if such planes have no
 * wavenumbers. */
LacSpectrogram *lac_spectrogram_new(const LacPlane *like, gsize n_steps);
void            lac_spectrogram_free(LacSpectrogram *spectrogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectrogram, lac_spectrogram_free)

/* Fills row @i, which sums to the mean square error. @bounded: the field is not periodic, so that the error is
 * multiplied by a window first. */
void lac_spectrogram_set(LacSpectrogram  *spectrogram,
                         gsize            i,
                         gint64           step,
                         const LacScored *scored,
                         gboolean         bounded);

/**
 * lac_seconds_per_decade:
 * @seconds, @errors: [n], a curve in order of time
 * @from, @to: interval in seconds
 *
 * Takes the rate of decrease from the first and the last value in the interval. Returns: the time in which the error
 * falls tenfold at that rate; NaN if it did not fall or the interval has fewer than two values.
 */
double lac_seconds_per_decade(const double *seconds,
                              const double *errors,
                              gsize         n,
                              double        from,
                              double        to);

G_END_DECLS
