/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the optics share. */
#pragma once

#include "backend/fourier.h"
#include "experiment/imaging/optics/optics.h"

/* Columns that are transformed beside each other: a cache line holds four of their numbers. */
#define LAC_OPTICS_BLOCK 8

struct _LacOptics {
  LacOpticsSettings settings; /* its scan positions are ours */
  LacScanBox       *scan;     /* [n_positions] */
  LacPool          *pool;     /* (nullable) */
  gsize             reach, box;
  LacBand           band;
  LacApertureRow   *spans; /* [n_positions][n_along][max_spans] */
  gsize            *n_spans, max_spans;
  double complex   *pupil; /* [box][box] */
  gboolean          has_pupil;

  const LacFourier *detector;   /* d x d */
  const LacFourier *whole;      /* N x N, once a union is asked for */
  const LacFourier *row;        /* 1 x N */
  gboolean          has_matrix; /* some transforms are products of matrices */
  double           *columns;    /* [2s][2 width]: o (re, im) -> its transform along x */
  double           *rows;       /* [height][s real parts, s imaginary parts]: the same along y */
  double complex   *half;       /* an object that is transformed along one axis */
  double complex   *lines;      /* [n_threads][LAC_OPTICS_BLOCK][N] */
};

/* As the settings say; (nullable): NULL where there is no such transform. */
static inline const LacFourier *
lac_optics_prepare(const LacOptics *optics, gsize ny, gsize nx)
{
  return optics->settings.plans_every_call ? lac_fourier_prepare_plain(ny, nx)
                                           : lac_fourier_prepare(ny, nx);
}

/* Which part of an object or a spectrum a transform is about. */
gboolean lac_optics_spectrum_prepare(LacOptics *optics, GError **error);
void     lac_optics_spectrum_clear(LacOptics *optics);

/* One of the centres along a scan position, and the pixel nearest to it. */
void lac_optics_centre(const LacOptics *optics, gsize position, gsize i_along, double centre[2]);

/* What a scan position sees at most: the boxes around its centres, within the grid. */
LacBand lac_optics_scan_box(const LacOptics *optics, gsize position);

/* The smallest band around what all scan positions see, with the margin. */
LacBand lac_optics_whole_band(const LacOptics *optics);

gboolean lac_band_lies_within(LacBand inner, LacBand outer);
