/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bars of the USAF-1951 chart: where each element lies, and how well an image separates its three bars. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* y0 <= y < y1: in pixels from the upper left corner of the picture */
typedef struct {
  double y0, x0, y1, x1;
} LacChartBox;

/* Three bars, five widths long, a width apart. */
typedef struct {
  guint       group, element; /* group from 0: the coarsest; elements 1 ... 6 */
  double      width;          /* of a bar, pixels; the period is twice that */
  LacChartBox lying[3];       /* wide bars above one another */
  LacChartBox standing[3];    /* tall ones side by side */
} LacChartElement;

typedef struct {
  gsize            n;
  LacChartElement *elements; /* widest first */
  LacChartBox      square;   /* bright all over: what full contrast is */
} LacUsafChart;

#define LAC_USAF_MOST_ELEMENTS 96

/* The elements that a chart of that side has: bars down to half a pixel. Width falls by 2^(1/6) from one to the next.
 * Source: MIL-STD-150A */
LacUsafChart *lac_usaf_chart_new(gsize side);
void          lac_usaf_chart_free(LacUsafChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacUsafChart, lac_usaf_chart_free)
/* The same into @elements, [LAC_USAF_MOST_ELEMENTS], which the chart borrows. */
LacUsafChart lac_usaf_chart_lay_out(gsize side, LacChartElement *elements);

/* Leaves out bars narrower than @finest pixels. */
void lac_usaf_chart_keep(LacUsafChart *chart, double finest);
/* Every element moves to the nearest pixel, its bars and gaps become as many whole pixels wide as fit into them, one at least: the picture is
 * black and white then. */
void lac_usaf_chart_align(LacUsafChart *chart);

/* @intensity: [side][side]: bright bars, each pixel the share of its square that they cover */
void lac_usaf_chart_draw(const LacUsafChart *chart, gsize side, double *intensity);

typedef struct {
  double
    contrast; /* (bars - gaps) / (bars + gaps) of mean intensity over their middles, the lesser of both directions */
  gboolean
    is_resolved; /* both directions show three bars: each gap's dip below its neighbours is at least Rayleigh's 0.153 */
} LacChartReading;

/* @image: [side][side] of intensity on the pixels of the chart; @readings: (out): [chart->n]
 * Returns: the bar's width of the finest element up to which all are resolved, pixels; infinite: none is. */
double lac_usaf_chart_read(const LacUsafChart *chart,
                           const double       *image,
                           gsize               side,
                           LacChartReading    *readings);

G_END_DECLS
