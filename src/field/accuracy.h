/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a stretch of a run brought: where the error fell, and what a tenth of it cost. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* A field and what it should be. */
typedef struct {
  const LacPlane *truth, *field; /* of one shape */
} LacScored;

/**
 * lac_error_reduction:
 * @out: of their shape: |error before| - |error after|, above 0 where it fell; axes and statistics are set
 *
 * Returns: the share of the cells, of those with a value, where it fell; NaN where there are none.
 */
double lac_error_reduction(const LacScored *before, const LacScored *after, LacPlane *out);

/* The power of an error by wavenumber, step after step. */
typedef struct {
  gsize   n_steps, n_shells;
  double  unit; /* wavenumber of shell 1 */
  gint64 *steps;
  double *power; /* [n_steps][n_shells]; NaN where a value was not finite */
} LacSpectrogram;

/* Returns: (transfer full) (nullable): empty, for planes shaped as @like; NULL where those have no wavenumbers. */
LacSpectrogram *lac_spectrogram_new(const LacPlane *like, gsize n_steps);
void            lac_spectrogram_free(LacSpectrogram *spectrogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectrogram, lac_spectrogram_free)

/* Fills row @i: it adds up to the mean square error, of a @bounded field through a window. */
void lac_spectrogram_set(LacSpectrogram  *spectrogram,
                         gsize            i,
                         gint64           step,
                         const LacScored *scored,
                         gboolean         bounded);

/**
 * lac_seconds_per_decade:
 * @seconds, @errors: [n], of a curve in order of time
 * @from, @to: seconds, the stretch
 *
 * From the first value in it to the last. Returns: the time in which the error falls to a tenth at that pace; NaN where it did not
 * fall, or is not told twice.
 */
double lac_seconds_per_decade(const double *seconds,
                              const double *errors,
                              gsize         n,
                              double        from,
                              double        to);

G_END_DECLS
