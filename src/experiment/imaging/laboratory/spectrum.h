/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Central window of k-space as shown in a frame: spectra of objects on a log scale relative to their peak, and the
 * coverage of each pixel. Planes are [window][window]; the first row has the largest k_y. */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct {
  LacOptics      *optics; /* borrowed */
  LacBand         band;
  gsize           window;   /* side of the window in pixels, even */
  double complex *spectrum; /* [band]: scratch */
  float          *truth;    /* [window^2]: plane of the true object; NULL: withheld */
  double          peak;     /* peak of the true spectrum */
  guint16 *counts; /* [band]: number of the first @n_counted exposures that cover each pixel */
  guint8  *seen;   /* [band]: scratch */
  gsize    n_counted;
} LacSpectrumView;

/* Initialises @view; borrows @optics. */
void lac_spectrum_view_init(LacSpectrumView *view, LacOptics *optics, gsize window);
void lac_spectrum_view_clear(LacSpectrumView *view); /* @view may be all zeros */

/* Normalises all later spectra to the peak of @object, [s][s]. */
void lac_spectrum_view_set_truth(LacSpectrumView *view, const double complex *object);

/* Fills @data with log10 of |O| relative to the peak of the true object's spectrum, or to its own peak if the truth
 * is withheld. @object: [s][s] */
void lac_spectrum_view_fill(LacSpectrumView *view, const double complex *object, float *data);
/* Fills @data with the number of the first @n exposures that cover each pixel. */
void lac_spectrum_view_fill_coverage(LacSpectrumView *view, gsize n, float *data);

G_END_DECLS
