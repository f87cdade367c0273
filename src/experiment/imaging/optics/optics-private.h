/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals that the files of the optics share. */
#pragma once

#include "backend/fourier.h"
#include "experiment/imaging/optics/optics.h"

struct _LacOptics {
  LacOpticsSettings settings; /* its scan positions are owned */
  LacScanBox       *scan;     /* [n_positions] */
  LacPool          *pool;     /* (nullable) */
  gsize             reach, box;
  LacBand           band;
  LacApertureRow   *spans; /* [n_positions][n_along][max_spans] */
  gsize            *n_spans, max_spans;
  double complex   *pupil; /* [box][box] */
  gboolean          has_pupil;

  const LacFourier *detector; /* d x d */
  const LacFourier *whole;    /* N x N, planned when a union is requested */
  LacBandTransform *transform;
  double complex   *field; /* (nullable): [N*N] of the full-grid reference model */
};

/* Prepares an @ny x @nx transform as the settings require. Returns: (nullable): NULL when FFTW cannot plan it. */
static inline const LacFourier *
lac_optics_prepare(const LacOptics *optics, gsize ny, gsize nx)
{
  return optics->settings.plans_every_call ? lac_fourier_prepare_plain(ny, nx)
                                           : lac_fourier_prepare(ny, nx);
}

/* Prepare and free the transforms between objects and spectra (spectrum.c). */
gboolean lac_optics_spectrum_prepare(LacOptics *optics, GError **error);
void     lac_optics_spectrum_clear(LacOptics *optics);

/* Finds the centre @i_along of a scan position. */
void lac_optics_centre(const LacOptics *optics, gsize position, gsize i_along, double centre[2]);

/* Returns the bounding box of the pixels that a scan position can cover: the boxes around its centres, within the
 * grid. */
LacBand lac_optics_scan_box(const LacOptics *optics, gsize position);

/* Returns the smallest band around all scan positions, with the margin. */
LacBand lac_optics_whole_band(const LacOptics *optics);

gboolean lac_band_lies_within(LacBand inner, LacBand outer);
