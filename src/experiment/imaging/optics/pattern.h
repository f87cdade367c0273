/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the apertures are: patterns of scan positions, what they cover, and whether they overlap enough. Lengths are pixels of k-space. */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

/* Below this share of its pixels seen by earlier scan positions an aperture's phase hardly hangs together with theirs. */
#define LAC_PATTERN_LEAST_OVERLAP 0.05

typedef struct {
  gsize   n;              /* how many scan positions; a star of lines has as many as fit */
  double  extent;         /* diameter of the disc that they fill */
  double  cutoff;         /* radius beyond which they are left out; 0: none is */
  double  line_length;    /* 0: discs */
  double  line_angle_deg; /* from the x axis to the y axis; NaN: at random, each its own */
  gsize   n_angles;       /* of a star: directions in half a turn */
  guint64 seed;
} LacPatternSettings;

typedef struct {
  const char *name, *title; /* "fermat"; translatable */
  const char *source;
  /* The centres of discs, or of what will be lines, from the middle outwards; of a star the lines themselves. Appends LacScan. */
  void (*make)(const LacPatternSettings *settings, GArray *scan);
} LacPattern;

const LacPattern *lac_patterns(gsize *n_patterns);

/* Returns: (nullable): NULL when there is none of that name. */
const LacPattern *lac_pattern_find(const char *name);

/**
 * lac_pattern_make:
 * @n_positions: (out)
 *
 * Returns: (transfer full) (nullable): the scan positions, in their order; NULL and a sentence when the settings are not possible.
 */
LacScanBox *lac_pattern_make(const LacPattern         *pattern,
                             const LacPatternSettings *settings,
                             gsize                    *n_positions,
                             GError                  **error);

/**
 * lac_pattern_read:
 * @text: a pattern of one's own. CSV: a row "y,x" or "y,x,end_y,end_x" each, perhaps below a row of titles; lines that begin with # are
 * comments. Or JSON: [[y, x], [y, x, end_y, end_x], ...], on its own or as the member "scan positions" of an object that holds nothing else.
 * @n_positions: (out)
 *
 * Returns: (transfer full) (nullable): the scan positions; NULL and a sentence with the place where it cannot be read.
 */
LacScanBox *lac_pattern_read(const char *text, gsize *n_positions, GError **error);

/* Returns: (transfer full): the same as CSV, which reads back bitwise. */
char *lac_pattern_dup_csv(const LacScanBox *scan, gsize n_positions);

typedef struct {
  gsize  n_positions;
  double radius_mean, radius_deviation, radius_least, radius_largest;
  double neighbour_mean,
    neighbour_deviation; /* distance of the nearest other centre; NaN of a single one */
  double covered_grid,
    covered_extent; /* shares of all pixels, and of those in the disc of the extent */
  double overlap_least,
    overlap_median; /* share of a scan position's pixels that earlier ones saw; NaN of a single one */
  gsize n_apart;    /* scan positions with less than LAC_PATTERN_LEAST_OVERLAP */
} LacPatternStatistics;

/**
 * lac_pattern_evaluate:
 * @optics: geometry; its n_along may be 0
 * @extent: diameter of the disc that the pattern is meant to fill
 * @counts: (nullable) (out): [grid][grid], DC at grid/2: how many scan positions see each pixel
 */
void lac_pattern_evaluate(const LacOpticsSettings *optics,
                          double                   extent,
                          guint16                 *counts,
                          LacPatternStatistics    *statistics);

/* Returns: (transfer full) (nullable): a translated sentence where neighbours do not overlap enough to fix their relative phase. */
char *lac_pattern_dup_warning(const LacPatternStatistics *statistics);

G_END_DECLS
