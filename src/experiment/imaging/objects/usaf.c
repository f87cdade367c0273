/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The USAF-1951 resolution chart. */
#include "experiment/imaging/object.h"
#include "experiment/imaging/usaf-chart.h"

#include <glib/gi18n-lib.h>

typedef struct {
  double finest_bar;
  gint64 whole_pixels;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, finest_bar), LAC_PARAM_REAL, "px", 0.5, 64, 0.5, N_("Finest bar"), N_("Object"), N_("Elements with narrower bars are left out")},
  {LAC_FIELD(Params, whole_pixels), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Whole pixels"), N_("Object"), N_("Edges lie between pixels, so that the chart is black and white; else pixels on an edge are grey"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static LacUsafChart *
chart_new(const Params *params, gsize side)
{
  LacUsafChart *chart = lac_usaf_chart_new(side);

  lac_usaf_chart_keep(chart, params->finest_bar);
  if (params->whole_pixels)
    lac_usaf_chart_align(chart);
  return chart;
}

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  g_autoptr(LacUsafChart) chart = chart_new(values, side);

  lac_usaf_chart_draw(chart, side, intensity);
}

/* Bars and gaps to a pixel: one over twice the width of a bar. */
static double
read_bars(gconstpointer values, const double *intensity, gsize side)
{
  g_autoptr(LacUsafChart)     chart = chart_new(values, side);
  g_autofree LacChartReading *readings = g_new(LacChartReading, chart->n + 1);
  const double                finest = lac_usaf_chart_read(chart, intensity, side, readings);

  return 1 / (2 * finest);
}

static const LacObjectReading reading = {"finest_bars", N_("Finest bars told apart"), "1/px",
                                         read_bars};

const LacObjectScene lac_object_usaf = {
  .name = "usaf",
  .title = N_("USAF-1951 chart"),
  .summary = N_(
    "Bright bars, each sixth step half as wide: the finest that are told apart are the resolution"),
  .source = "MIL-STD-150A",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .reading = &reading,
  .draw = draw,
};
