/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trend of one measured quantity over the versions of the program: a point per result, the level between two change
 * points (perf/analysis/change-points.h), and the limit that the baseline sets. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct {
  const double      *values; /* [n], finite and positive, oldest first */
  const char *const *labels; /* [n]: the version of each */
  gsize              n;
  const gsize       *changes; /* [n_changes]: of lac_change_points() */
  gsize              n_changes;
  const char        *unit; /* "s", "B", "1", "dB" */
  gboolean           more_is_better;
  double             baseline; /* NaN: none */
  gsize              baseline_at;
  double allowed; /* largest ratio to the baseline: 1.1; its inverse where more is better */
  gsize  chosen;  /* G_MAXSIZE: none */
} LacTrend;

typedef struct {
  LacColour worse, better; /* of what is beyond the limit, and of gains */
} LacTrendColours;

/* Returns TRUE for a value that comes after the baseline and is beyond its limit. */
gboolean lac_trend_is_beyond(const LacTrend *trend, gsize i);

/* Returns: the median between the change points around value @i. */
double lac_trend_get_level(const LacTrend *trend, gsize i);

void lac_trend_draw(LacDrawing            *drawing,
                    const LacTrend        *trend,
                    LacBox                 box,
                    double                 font_size,
                    const LacPalette      *palette,
                    const LacTrendColours *colours);

/* Returns the value next to @x; G_MAXSIZE without values. */
gsize lac_trend_find(const LacTrend *trend, LacBox box, double font_size, double x);

/* Returns: (transfer full): a value with its unit, as on the axis: "38.6 ms" */
char *lac_trend_value_text(const LacTrend *trend, double value);

G_END_DECLS
