/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A curve without axes in the height of a table row, with a dot at its last value. */
#pragma once

#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SPARK_CHART (lac_spark_chart_get_type())
G_DECLARE_FINAL_TYPE(LacSparkChart, lac_spark_chart, LAC, SPARK_CHART, LacDrawingView)

typedef struct {
  const double *x, *y; /* [n], copied */
  gsize         n;
  double        x_to;  /* end of the axis; 0: the last x */
  gboolean      log_y; /* values that are not positive are left out */
  guint         look;  /* colour, report/plot/plot.h; 0: grey */
} LacSparkCurve;

/* Draws nothing with fewer than two values. */
void lac_spark_chart_set(LacSparkChart *chart, const LacSparkCurve *curve);

G_END_DECLS
