/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The middle of k-space as a frame shows it: spectra of objects below their peak, and how often each pixel has been seen. Planes are
 * [window][window], their rows upwards. */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct {
  LacOptics      *optics; /* borrowed */
  LacBand         band;
  gsize           window;   /* side, even */
  double complex *spectrum; /* [band] scratch */
  float          *truth;    /* [window^2]: the plane of the true object; NULL: it is withheld */
  double          peak;     /* of the true spectrum */
  guint16        *counts;   /* [band]: how many of the first exposures see each pixel */
  guint8         *seen;     /* [band] scratch */
  gsize           n_counted;
} LacSpectrumView;

/* Borrows @optics. */
void lac_spectrum_view_init(LacSpectrumView *view, LacOptics *optics, gsize window);
void lac_spectrum_view_clear(LacSpectrumView *view); /* a zeroed one too */

/* From here on all spectra are shown below the peak of @object, [s][s]. */
void lac_spectrum_view_set_truth(LacSpectrumView *view, const double complex *object);

/* Fills @data with log10 |O| below the peak of the true object, without one below its own. @object: [s][s] */
void lac_spectrum_view_fill(LacSpectrumView *view, const double complex *object, float *data);
/* Fills @data with how many of the first @n exposures see each pixel. */
void lac_spectrum_view_fill_coverage(LacSpectrumView *view, gsize n, float *data);

G_END_DECLS
