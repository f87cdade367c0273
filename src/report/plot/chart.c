/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a plane as curves over its column axis. */
#include "report/plot/chart.h"

#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

typedef struct {
  double   *x;                    /* [nx] */
  double   *y, *low, *high;       /* [n][nx] */
  double    mark_x[2], mark_y[2]; /* from the bottom to the top of the curves */
  gsize     n_series;
  LacSeries series[LAC_MOST_CURVES + 1];
} Curves;

static void
curves_clear(Curves *curves)
{
  g_free(curves->x);
  g_free(curves->y);
  g_free(curves->low);
  g_free(curves->high);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Curves, curves_clear)

static void
fill_row(const LacChart *chart, const LacPlane *plane, gsize row, Curves *curves)
{
  const gboolean has_errors = chart->with_errors && plane->ny >= 2 * chart->n;
  const float   *values = plane->data + row * plane->nx;
  const float   *errors = plane->data + (chart->n + row) * plane->nx;
  const gsize    at = row * plane->nx;

  for (gsize i = 0; i < plane->nx; i++) {
    const double error = has_errors ? (double) errors[i] : 0;

    curves->y[at + i] = (double) values[i];
    curves->low[at + i] = (double) values[i] - error;
    curves->high[at + i] = (double) values[i] + error;
  }
}

/* Adds a vertical mark at a notable value of x, as high as the curves. */
static void
add_mark(const LacChart *chart, const double *y, gsize n, Curves *curves)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++)
    if (isfinite(y[i]) && (!chart->log_axis || y[i] > 0)) {
      low = MIN(low, y[i]);
      high = MAX(high, y[i]);
    }
  if (!chart->has_mark || !(high > low))
    return;
  curves->mark_x[0] = curves->mark_x[1] = chart->mark;
  curves->mark_y[0] = low;
  curves->mark_y[1] = high;
  curves->series[curves->n_series++] =
    (LacSeries){.x = curves->mark_x, .y = curves->mark_y, .n = 2, .look = 3, .dashed = TRUE};
}

static void
collect(const LacChart *chart, const LacPlane *plane, const LacChartPlace *place, Curves *curves)
{
  const gsize n = plane->nx, n_rows = MIN(chart->n, plane->ny);

  curves->x = g_new(double, n);
  curves->y = g_new(double, n *n_rows + 1);
  curves->low = g_new(double, n *n_rows + 1);
  curves->high = g_new(double, n *n_rows + 1);
  for (gsize i = 0; i < n; i++)
    curves->x[i] = n > 1
                     ? plane->x_min + (plane->x_max - plane->x_min) * (double) i / (double) (n - 1)
                     : plane->x_min;
  for (gsize row = 0; row < n_rows; row++) {
    fill_row(chart, plane, row, curves);
    if (place->hidden && place->hidden[row])
      continue;
    curves->series[curves->n_series++] = (LacSeries){
      .label = place->legend ? g_dgettext(GETTEXT_PACKAGE, chart->labels[row]) : NULL,
      .x = curves->x,
      .y = curves->y + row * n,
      .n = n,
      .look = (guint) row + 1,
      .low = chart->with_errors ? curves->low + row * n : NULL,
      .high = chart->with_errors ? curves->high + row * n : NULL,
    };
  }
  add_mark(chart, curves->y, n * n_rows, curves);
}

void
lac_chart_draw(LacDrawing          *drawing,
               const LacChannel    *channel,
               const LacPlane      *plane,
               const LacChartPlace *place,
               const LacPalette    *palette)
{
  g_auto(Curves)   curves = {0};
  g_autofree char *x_label =
    lac_label_with_shown_unit(g_dgettext(GETTEXT_PACKAGE, channel->axis_x), channel->axis_unit_x);
  g_autofree char *y_label = lac_label_with_shown_unit("", channel->unit);
  LacPlotStyle     style = {
        .x_label = x_label,
        .y_label = g_strstrip(y_label),
        .log_y = channel->chart.log_axis,
        .font_size = place->font_size,
        .x_unit = channel->axis_unit_x,
  };

  g_return_if_fail(channel->chart.n > 0 && channel->chart.n <= LAC_MOST_CURVES);
  collect(&channel->chart, plane, place, &curves);
  for (gsize s = 0; s < curves.n_series; s++)
    curves.series[s].unit = channel->unit;
  lac_plot_curves(drawing, place->x, place->y, place->width, place->height, curves.series,
                  curves.n_series, &style, palette);
}
