/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart of a sweep: one result of every method against the swept parameter, for paper and window. */
#pragma once

#include "report/plot/plot.h"

G_BEGIN_DECLS

typedef struct {
  const char      *title; /* (nullable) */
  const char      *x_label, *y_label;
  const LacSeries *lines; /* in the order of the legend */
  gsize            n_lines;
  double        x_from, x_to; /* x range of the whole sweep while runs are pending; else both 0 */
  gboolean      names_at_ends, percent_y; /* as in LacPlotStyle */
  gboolean      linear;                   /* linear y axis, whatever the values */
  const double *x_ticks;                  /* (nullable): [n_x_ticks], the swept values, ascending */
  gsize         n_x_ticks;
  const double *stripe; /* (nullable): x of a shaded stripe: the run chosen */
} LacScan;

/* Draws title, legend and curves with one dot per run. The y axis is logarithmic if all values are positive, unless
 * @linear. */
void lac_scan_draw(LacDrawing       *drawing,
                   const LacPoint   *corner,
                   const LacPoint   *size,
                   const LacScan    *scan,
                   double            font_size,
                   const LacPalette *palette);

/* @path: its extension selects the format: .pdf .svg .png. Returns: FALSE with %LAC_ERROR_USAGE,
 * %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set. */
gboolean lac_scan_write(const LacScan *scan, const char *path, GError **error);

G_END_DECLS
