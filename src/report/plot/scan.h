/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart of a sweep: a result of every method against what was swept, for paper and window. */
#pragma once

#include "report/plot/plot.h"

G_BEGIN_DECLS

typedef struct {
  const char      *title; /* (nullable) */
  const char      *x_label, *y_label;
  const LacSeries *lines; /* in the order of the legend */
  gsize            n_lines;
  double           x_from, x_to; /* of the whole sweep, where runs are still to come; else 0 */
} LacScan;

/* Title and curves with a dot a run and their legend in the box. The y axis is logarithmic where all values are above 0. */
void lac_scan_draw(LacDrawing       *drawing,
                   const LacPoint   *corner,
                   const LacPoint   *size,
                   const LacScan    *scan,
                   double            font_size,
                   const LacPalette *palette);

/* @path: its ending chooses the format: .pdf .svg .png. Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNWRITABLE or
 * %LAC_ERROR_DISK_FULL set. */
gboolean lac_scan_write(const LacScan *scan, const char *path, GError **error);

G_END_DECLS
