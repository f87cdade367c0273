/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apertures of a telescope or microscope in k-space: hard edges at real-valued centres, as lists of the pixels they
 * pass. Lengths are k-space pixels; k counts from DC, -grid/2 ... grid/2 - 1. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_APERTURE_CIRCLE,   /* r <= radius */
  LAC_APERTURE_HEXAGON,  /* max(|x|, |x|/2 + sqrt(3)/2 |y|) <= radius, which is the inradius */
  LAC_APERTURE_OBSCURED, /* inner <= r <= radius, minus four spider vanes of width `spider` */
} LacApertureShape;

typedef struct {
  LacApertureShape shape;
  double           radius;
  double           inner, spider; /* dimensions for LAC_APERTURE_OBSCURED */
} LacAperture;

/* A span of n pixels in row y, columns x ... x + n - 1. */
typedef struct {
  gint32 y, x, n;
} LacApertureRow;

/* Returns: %FALSE with an error when no such aperture fits on the grid. */
gboolean lac_aperture_check(const LacAperture *aperture, gsize grid, GError **error);

/* Returns the reach: the largest distance along an axis between a passing pixel and the pixel nearest to the centre.
 * All passing pixels lie in a box of side 2 reach + 1. */
gsize lac_aperture_reach(const LacAperture *aperture);

/* Returns the maximum number of spans at any centre. */
gsize lac_aperture_max_spans(const LacAperture *aperture);

/**
 * lac_aperture_trace:
 * @y, @x: the centre
 * @grid: pixels outside it do not pass
 * @spans: (out): [lac_aperture_max_spans()], rows in ascending y
 *
 * Returns: the number of spans; 0 when nothing passes. Does not allocate.
 */
gsize lac_aperture_trace(const LacAperture *aperture,
                         double             y,
                         double             x,
                         gsize              grid,
                         LacApertureRow    *spans);

/* Returns: the number of pixels that pass. */
gsize lac_aperture_count(const LacAperture *aperture, double y, double x, gsize grid);

G_END_DECLS
