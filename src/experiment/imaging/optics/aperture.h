/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The openings of a telescope or microscope in k-space: hard edges at real-valued centres, as lists of the pixels they pass. Lengths are
 * pixels of k-space; k counts from DC, -grid/2 ... grid/2 - 1. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_APERTURE_CIRCLE,   /* r <= radius */
  LAC_APERTURE_HEXAGON,  /* max(|x|, |x|/2 + sqrt(3)/2 |y|) <= radius, which is the inradius */
  LAC_APERTURE_OBSCURED, /* inner <= r <= radius, less four spiders of the width `spider` */
} LacApertureShape;

typedef struct {
  LacApertureShape shape;
  double           radius;
  double           inner, spider; /* of an obscured one */
} LacAperture;

/* Pixels y, x ... x + n - 1. */
typedef struct {
  gint32 y, x, n;
} LacApertureRow;

/* Returns: %FALSE and a sentence when there is no such aperture on the grid. */
gboolean lac_aperture_check(const LacAperture *aperture, gsize grid, GError **error);

/* The largest distance along an axis of a pixel that passes from the pixel nearest to the centre: all of them lie in a box of
 * 2 reach + 1. */
gsize lac_aperture_reach(const LacAperture *aperture);

/* How many spans there can be at most, at any centre. */
gsize lac_aperture_max_spans(const LacAperture *aperture);

/**
 * lac_aperture_trace:
 * @y, @x: the centre
 * @grid: pixels outside of it do not pass
 * @spans: (out): [lac_aperture_max_spans()], rows upwards in y
 *
 * Returns: how many spans there are; 0 where nothing passes. Allocates nothing.
 */
gsize lac_aperture_trace(const LacAperture *aperture,
                         double             y,
                         double             x,
                         gsize              grid,
                         LacApertureRow    *spans);

/* Returns: how many pixels pass. */
gsize lac_aperture_count(const LacAperture *aperture, double y, double x, gsize grid);

G_END_DECLS
