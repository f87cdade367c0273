/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws at most as many points as it is wide. */
#include "app/plot/spark-chart.h"

#include "app/toolkit/style.h"
#include "report/plot/plot.h"

#include <math.h>

#define WIDTH  72
#define HEIGHT 22
#define MOST   96 /* points kept */
#define MARGIN 3.0

struct _LacSparkChart {
  LacDrawingView parent_instance;
  double         x[MOST], y[MOST];
  gsize          n;
  double         x_to;
  guint          look;
};

G_DEFINE_FINAL_TYPE(LacSparkChart, lac_spark_chart, LAC_TYPE_DRAWING_VIEW)

static void
draw_dot(LacDrawing *drawing, LacPoint at, LacColour colour)
{
  LacPoint rim[12];
  for (gsize k = 0; k < G_N_ELEMENTS(rim); k++) {
    double angle = 2 * G_PI * (double) k / G_N_ELEMENTS(rim);
    rim[k] = (LacPoint){at.x + 2.2 * cos(angle), at.y + 2.2 * sin(angle)};
  }
  lac_draw_polygon(drawing, rim, G_N_ELEMENTS(rim), colour);
}

static void
lac_spark_chart_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSparkChart    *self = LAC_SPARK_CHART(view);
  const LacPalette *palette = lac_style_palette();
  LacColour         colour = self->look > 0 ? lac_look_colour(palette, self->look) : palette->faint;
  LacPoint          points[MOST];
  double            low = INFINITY, high = -INFINITY;
  if (self->n < 2)
    return;
  for (gsize i = 0; i < self->n; i++) {
    low = MIN(low, self->y[i]);
    high = MAX(high, self->y[i]);
  }
  double from = self->x[0], span = MAX(self->x_to, self->x[self->n - 1]) - from;
  for (gsize i = 0; i < self->n; i++) {
    double across = span > 0 ? (self->x[i] - from) / span : 0;
    double up = high > low ? (self->y[i] - low) / (high - low) : 0.5;
    points[i] =
      (LacPoint){MARGIN + across * (width - 2 * MARGIN), MARGIN + (1 - up) * (height - 2 * MARGIN)};
  }
  lac_draw_lines(drawing, points, self->n, 1.4, colour);
  draw_dot(drawing, points[self->n - 1], colour);
}

static void
lac_spark_chart_class_init(LacSparkChartClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_spark_chart_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lac_spark_chart_init(LacSparkChart *self)
{
  gtk_widget_set_size_request(GTK_WIDGET(self), WIDTH, HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

void
lac_spark_chart_set(LacSparkChart *self, const LacSparkCurve *curve)
{
  g_return_if_fail(LAC_IS_SPARK_CHART(self) && curve != NULL);
  gsize stride = curve->n / MOST + 1;
  self->n = 0;
  self->look = curve->look;
  self->x_to = curve->x_to;
  /* counted from the end, so that the last value is always drawn */
  for (gsize i = curve->n > 0 ? (curve->n - 1) % stride : 0; i < curve->n; i += stride) {
    double y = curve->log_y ? log10(curve->y[i]) : curve->y[i];
    if (!isfinite(y) || self->n == MOST)
      continue;
    self->x[self->n] = curve->x[i];
    self->y[self->n++] = y;
  }
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
