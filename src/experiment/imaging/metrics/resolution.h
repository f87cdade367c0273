/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolution of an image: Fourier ring correlation, modulation transfer, contrast of chart bars. */
#pragma once

#include "base/scratch.h"

#include <glib.h>

G_BEGIN_DECLS

/* ---- Fourier ring correlation ---- */

typedef struct {
  gsize   n;           /* number of rings: 0 ... side / 2 */
  double *frequency;   /* cycles per pixel: ring / side */
  double *correlation; /* Re sum F1 F2* / sqrt(sum |F1|^2 sum |F2|^2); 0 when a ring has no power */
  double *
    transfer; /* Re sum F1 F2* / sum |F2|^2: share of the truth's contrast that is present; 0 when a ring has no power */
  double *
    half_bit; /* half-bit threshold (0.2071 + 1.9102/sqrt(m)) / (1.2071 + 0.9102/sqrt(m)), m pixels in the ring */
  /* Cycles per pixel at which the correlation first falls below the threshold, linear between rings; 0.5 when it
   * never does. */
  double cutoff_half_bit, cutoff_seventh;
} LacRingCorrelation;

typedef enum {
  LAC_TAPER_NONE,  /* for objects with a dark surround */
  LAC_TAPER_EDGES, /* for cropped objects: an eighth of the side falls to the mean as a raised cosine, because common edges would correlate */
} LacTaper;

/* Computes the Fourier ring correlation. Source: Saxton, Baumeister (1982); van Heel, Schatz (2005),
 * doi:10.1016/j.jsb.2005.05.009, eq. 17 */
LacRingCorrelation *
lac_ring_correlation_new(const double *image, const double *truth, gsize side, LacTaper taper);
/* Recomputes @rings for other images of the same size; does not allocate on later calls. */
void lac_ring_correlation_find(LacRingCorrelation *rings,
                               LacScratch         *scratch,
                               const double       *image,
                               const double       *truth,
                               gsize               side,
                               LacTaper            taper);
void lac_ring_correlation_free(LacRingCorrelation *rings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRingCorrelation, lac_ring_correlation_free)

/* Return the period at @cutoff: in pixels, in metres for pixels of @pixel metres, and in arcseconds seen from
 * @distance metres. */
double lac_resolution_pixels(double cutoff);
double lac_resolution_metres(double cutoff, double pixel);
double lac_resolution_arcseconds(double cutoff, double pixel, double distance);

/* ---- modulation transfer ---- */

typedef struct {
  gsize   n;
  double *frequency; /* cycles per pixel, ascending */
  double *transfer;  /* 1 at frequency 0 */
} LacTransferCurve;

void lac_transfer_curve_free(LacTransferCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTransferCurve, lac_transfer_curve_free)

/* Returns the frequency at which the curve first falls below @level, linear between samples; the last frequency when
 * it never does. */
double lac_transfer_cutoff(const LacTransferCurve *curve, double level);

/**
 * lac_transfer_from_edge:
 * @image: [rows][columns] of intensity: one straight edge from top to bottom, ideally slanted by 2 to 10 degrees, at
 * most 45
 *
 * The rows, each shifted by the position of the fitted edge, are merged into one profile sampled four times as
 * finely; the transfer is the magnitude of the Fourier transform of its derivative.
 *
 * Returns: (nullable): %NULL when there is no edge: fewer than 8 rows or columns, or no change across.
 *
 * Source: ISO 12233, slanted edge
 */
LacTransferCurve *lac_transfer_from_edge(const double *image, gsize rows, gsize columns);
/* Returns the same curve in memory of @scratch, which owns it; without an edge one of no points. */
LacTransferCurve
lac_transfer_read_edge(LacScratch *scratch, const double *image, gsize rows, gsize columns);

/**
 * lac_transfer_from_star:
 * @image: [side][side] of intensity: a star of @n_spokes dark and as many bright sectors about the middle
 * @rim: radius of the star in pixels
 *
 * At radius r the star has the frequency n / (2 pi r): the transfer is the modulation of the ring divided by the 4/pi
 * of sharp sectors. The curve ends at a period of 2 pixels and at the rim. For an image as sharp as its pixels, the
 * third harmonic of the sectors aliases to a quarter of a cycle per pixel and raises the curve there by up to 0.07.
 */
LacTransferCurve *
lac_transfer_from_star(const double *image, gsize side, guint n_spokes, double rim);
/* Returns the same curve in memory of @scratch, which owns it. */
LacTransferCurve lac_transfer_read_star(LacScratch   *scratch,
                                        const double *image,
                                        gsize         side,
                                        guint         n_spokes,
                                        double        rim);

G_END_DECLS
