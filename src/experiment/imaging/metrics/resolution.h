/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fine an image resolves: Fourier ring correlation, modulation transfer, the bars of a chart. */
#pragma once

#include "base/scratch.h"

#include <glib.h>

G_BEGIN_DECLS

/* ---- Fourier ring correlation ---- */

typedef struct {
  gsize   n;           /* rings: 0 ... side / 2 */
  double *frequency;   /* cycles a pixel: ring / side */
  double *correlation; /* Re sum F1 F2* / sqrt(sum |F1|^2 sum |F2|^2); 0 where a ring is dark */
  double *
    transfer; /* Re sum F1 F2* / sum |F2|^2: how much of the truth's contrast is there; 0 likewise */
  double
    *half_bit; /* (0.2071 + 1.9102/sqrt(m)) / (1.2071 + 0.9102/sqrt(m)), m pixels in the ring */
  /* Cycles a pixel where the correlation first falls below the threshold, linear between rings; 0.5: it never does. */
  double cutoff_half_bit, cutoff_seventh;
} LacRingCorrelation;

typedef enum {
  LAC_TAPER_NONE,  /* of objects with dark around them */
  LAC_TAPER_EDGES, /* an eighth of the side falls to the mean as a raised cosine: else the edges of a cut-out, which both images
                     * share, correlate at every frequency */
} LacTaper;

/* Source: Saxton, Baumeister (1982); van Heel, Schatz (2005), doi:10.1016/j.jsb.2005.05.009, eq. 17 */
LacRingCorrelation *
lac_ring_correlation_new(const double *image, const double *truth, gsize side, LacTaper taper);
/* The same for other images of that size, into @rings: nothing is allocated when it is asked again. */
void lac_ring_correlation_find(LacRingCorrelation *rings,
                               LacScratch         *scratch,
                               const double       *image,
                               const double       *truth,
                               gsize               side,
                               LacTaper            taper);
void lac_ring_correlation_free(LacRingCorrelation *rings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRingCorrelation, lac_ring_correlation_free)

/* The period of a frequency: 1 / cutoff, pixels; times the pixel's side, m. */
double lac_resolution_pixels(double cutoff);
double lac_resolution_metres(double cutoff, double pixel);
double lac_resolution_arcseconds(double cutoff, double pixel, double distance);

/* ---- modulation transfer ---- */

typedef struct {
  gsize   n;
  double *frequency; /* cycles a pixel, ascending */
  double *transfer;  /* 1 at frequency 0 */
} LacTransferCurve;

void lac_transfer_curve_free(LacTransferCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTransferCurve, lac_transfer_curve_free)

/* The frequency where the curve first falls below @level, linear between; the last one where it does not. */
double lac_transfer_cutoff(const LacTransferCurve *curve, double level);

/**
 * lac_transfer_from_edge:
 * @image: [rows][columns] of intensity: one edge from top to bottom, straight, best 2 to 10 degrees aslant, 45 at most
 *
 * The rows, each shifted by where the fitted edge crosses it, make one profile four times as fine; the transfer is the
 * magnitude of the transform of its derivative.
 *
 * Returns: (nullable): %NULL where there is no edge: less than 8 rows or columns, or no change across.
 *
 * Source: ISO 12233, the slanted edge
 */
LacTransferCurve *lac_transfer_from_edge(const double *image, gsize rows, gsize columns);

/**
 * lac_transfer_from_star:
 * @image: [side][side] of intensity: the star of @n_spokes dark and as many bright sectors about the middle
 *
 * At radius r the star has the frequency n / (2 pi r): the transfer is how strongly the ring modulates there, over the 4/pi of
 * sharp sectors. Below 2 pixels a period and beyond the rim nothing is said. Of an image that is as sharp as its pixels, the
 * sectors' third harmonic falls upon a quarter of a cycle a pixel and lifts the curve there by up to 0.07.
 */
LacTransferCurve *
lac_transfer_from_star(const double *image, gsize side, guint n_spokes, double rim);
/* The same curve in memory of @scratch, where it stays. */
LacTransferCurve lac_transfer_read_star(LacScratch   *scratch,
                                        const double *image,
                                        gsize         side,
                                        guint         n_spokes,
                                        double        rim);

G_END_DECLS
