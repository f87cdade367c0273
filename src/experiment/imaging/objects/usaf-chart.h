/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars of the USAF-1951 chart: position of each element, and the contrast of its three bars in an image. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A rectangle in pixels from the upper left corner of the picture: y0 <= y < y1, x0 <= x < x1. */
typedef struct {
  double y0, x0, y1, x1;
} LacChartBox;

/* An element: three bars in each direction, each five widths long, one width apart. */
typedef struct {
  guint       group, element; /* group from 0, the coarsest; element from 1 to 6 */
  double      width;          /* width of a bar in pixels; the period is twice that */
  LacChartBox lying[3];       /* horizontal bars, one above another */
  LacChartBox standing[3];    /* vertical bars, side by side */
} LacChartElement;

typedef struct {
  gsize            n;
  LacChartElement *elements; /* widest first */
  LacChartBox      square;   /* bright area: the reference for full contrast */
} LacUsafChart;

#define LAC_USAF_MOST_ELEMENTS 96

/* Returns the elements of a chart of side @side, with bars down to half a pixel wide. The width falls by 2^(1/6) from
 * one element to the next. Source: MIL-STD-150A */
LacUsafChart *lac_usaf_chart_new(gsize side);
void          lac_usaf_chart_free(LacUsafChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacUsafChart, lac_usaf_chart_free)
/* Fills @elements, [LAC_USAF_MOST_ELEMENTS], which the returned chart borrows. */
LacUsafChart lac_usaf_chart_lay_out(gsize side, LacChartElement *elements);

/* Removes elements with bars narrower than @finest pixels. */
void lac_usaf_chart_keep(LacUsafChart *chart, double finest);
/* Moves every element to the nearest pixel and rounds its bars and gaps down to whole pixels, at least one: the
 * picture is then black and white only. */
void lac_usaf_chart_align(LacUsafChart *chart);

/* Draws bright bars with anti-aliasing by covered area. @intensity: [side][side] */
void lac_usaf_chart_draw(const LacUsafChart *chart, gsize side, double *intensity);

typedef struct {
  double
    contrast; /* (bars - gaps) / (bars + gaps) of the mean intensities in their middles; the lower value of the two directions */
  gboolean
    is_resolved; /* TRUE when both directions show three bars: the dip of each gap below its neighbours is at least Rayleigh's 0.153 */
} LacChartReading;

/* Measures the contrast of all elements. @image: intensity, [side][side], on the pixels of the chart; @readings:
 * (out): [chart->n]. Returns: the bar width in pixels of the last resolved element before the first unresolved one;
 * infinite when the first element is unresolved. */
double lac_usaf_chart_read(const LacUsafChart *chart,
                           const double       *image,
                           gsize               side,
                           LacChartReading    *readings);

G_END_DECLS
