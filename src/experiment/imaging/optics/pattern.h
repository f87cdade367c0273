/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan patterns: scan positions, their coverage of k-space and their overlap. Lengths are k-space pixels. */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

/* Minimum share of an aperture's pixels that earlier scan positions cover: below it, the relative phase is poorly
 * determined. */
#define LAC_PATTERN_LEAST_OVERLAP 0.05

typedef struct {
  gsize  n;           /* number of scan positions; a star of lines takes as many as fit */
  double extent;      /* diameter of the disc that the positions fill */
  double cutoff;      /* radius beyond which positions are dropped; 0: no limit */
  double line_length; /* length of a line; 0: the positions are points */
  double
          line_angle_deg; /* direction of the lines, from the x axis towards the y axis; NaN: random for each line */
  gsize   n_angles; /* star pattern: number of directions in half a turn */
  guint64 seed;
} LacPatternSettings;

typedef struct {
  const char *name, *title; /* "fermat"; translatable */
  const char *source;
  /* Appends LacScanBox items to @scan, from the middle outwards: centres of discs or lines as points, or for a star
   * the lines themselves. */
  void (*make)(const LacPatternSettings *settings, GArray *scan);
} LacPattern;

const LacPattern *lac_patterns(gsize *n_patterns);

/* Returns: (nullable): the pattern; NULL when none has this name. */
const LacPattern *lac_pattern_find(const char *name);

/**
 * lac_pattern_make:
 * @n_positions: (out)
 *
 * Returns: (transfer full) (nullable): the scan positions, in order; NULL with an error when the settings are not
 * possible.
 */
LacScanBox *lac_pattern_make(const LacPattern         *pattern,
                             const LacPatternSettings *settings,
                             gsize                    *n_positions,
                             GError                  **error);

/**
 * lac_pattern_read:
 * @text: a user-defined pattern. CSV: one row "y,x" or "y,x,end_y,end_x" per position, optionally below a header row;
 * lines that begin with # are comments. Or JSON: [[y, x], [y, x, end_y, end_x], ...], on its own or as the only
 * member, "visits", of an object.
 * @n_positions: (out)
 *
 * Returns: (transfer full) (nullable): the scan positions; NULL with an error that gives the position of the faulty
 * text.
 */
LacScanBox *lac_pattern_read(const char *text, gsize *n_positions, GError **error);

/* Returns: (transfer full): the scan positions as CSV that reads back bitwise. */
char *lac_pattern_dup_csv(const LacScanBox *scan, gsize n_positions);

typedef struct {
  gsize  n_positions;
  double radius_mean, radius_deviation, radius_least, radius_largest;
  double neighbour_mean,
    neighbour_deviation; /* distance to the nearest other centre; NaN for a single position */
  double covered_grid,
    covered_extent; /* share of all pixels that is covered; the same share in the disc of the extent */
  double overlap_least,
    overlap_median; /* share of a scan position's pixels that earlier ones cover; NaN for a single position */
  gsize n_apart; /* number of scan positions that overlap less than LAC_PATTERN_LEAST_OVERLAP */
} LacPatternStatistics;

/**
 * lac_pattern_evaluate:
 * @optics: geometry; its n_along may be 0
 * @extent: diameter of the disc that the pattern should fill
 * @counts: (nullable) (out): [grid][grid], DC at grid/2: number of scan positions that cover each pixel
 */
void lac_pattern_evaluate(const LacOpticsSettings *optics,
                          double                   extent,
                          guint16                 *counts,
                          LacPatternStatistics    *statistics);

/* Returns: (transfer full) (nullable): a translated warning when neighbours overlap too little to fix their relative
 * phase. */
char *lac_pattern_dup_warning(const LacPatternStatistics *statistics);

G_END_DECLS
