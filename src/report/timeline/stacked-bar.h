/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bar of a partitioned time: one segment a part, with its share, and a legend with seconds. One thread. */
#pragma once

#include "perf/analysis/time-parts.h"
#include "report/timeline/hits.h"
#include "report/timeline/span-looks.h"

G_BEGIN_DECLS

#define LAC_STACKED_BAR_HEIGHT 30.0 /* in the window */

/* Lengths as in report/canvas/canvas.h. */
typedef struct {
  double      x, y, width;
  double      height; /* of the bar */
  double      font_size;
  const char *title;      /* (nullable): drawn above at the left; at the right, what 100 % is */
  const char *whole;      /* (nullable): what 100 % is: "100 % = 2 min 24 s"; with a title only */
  gboolean    has_legend; /* below: swatch, label, time of each part */
  gboolean    without_shares; /* labels without percentages, as for bars in seconds */
  gint64      scale_ns;       /* time of the full width, to compare bars; 0: the whole */
  gboolean    is_selecting;   /* all but the selected parts are faded */
  guint32     selected;       /* name */
} LacStackedBarPlace;

/* Draws the bar; time runs from left to right in every language. The shares shown add up to 100 %. @drawing: (nullable):
 * measures only. @hits: (nullable): receives the segments and the entries of the legend. Returns: the height used. */
double lac_stacked_bar_draw(const LacTimeParts       *parts,
                            const LacSpanLooks       *looks,
                            const LacStackedBarPlace *place,
                            const LacPalette         *palette,
                            LacDrawing               *drawing,
                            GArray                   *hits);

/* Returns: (transfer full): "Differentiable solver, 47 %, 67.3 s", for tooltips and screen readers. */
char *lac_stacked_bar_dup_text(const LacTimeParts *parts, const LacSpanLooks *looks, gsize part);

/* Returns: (transfer full): "100 % = 2 min 24 s". */
char *lac_stacked_bar_dup_whole(const LacTimeParts *parts);

G_END_DECLS
