/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The USAF-1951 resolution chart. */
#include "experiment/imaging/objects/object.h"
#include "experiment/imaging/objects/usaf-chart.h"

#include <glib/gi18n-lib.h>

typedef struct {
  double finest_bar;
  gint64 whole_pixels;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, finest_bar), LAC_PARAM_REAL, "px", 0.5, 64, 2, N_("Finest bar"), N_("Object"), N_("Elements with narrower bars are omitted (0.5 with “Whole pixels” off: the whole chart)")},
  {LAC_FIELD(Params, whole_pixels), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Whole pixels"), N_("Object"), N_("Round bars and gaps to whole pixels, so that no edge pixel is grey"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

/* Twenty-five apertures that together reach 55 k-space pixels: bars of two pixels have frequency 32. */
static const LacObjectDefault defaults[] = {
  {"size", "128"},     {"grid", "128"}, {"diameter", "30.26"},    {"roi", "79.74"},
  {"apertures", "25"}, {"snr", "30"},   {"square_pixels", "yes"}, {NULL, NULL},
};

static LacUsafChart
lay_out(const Params *params, gsize side, LacChartElement *elements)
{
  LacUsafChart chart = lac_usaf_chart_lay_out(side, elements);

  lac_usaf_chart_keep(&chart, params->finest_bar);
  if (params->whole_pixels)
    lac_usaf_chart_align(&chart);
  return chart;
}

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  LacChartElement    elements[LAC_USAF_MOST_ELEMENTS];
  const LacUsafChart chart = lay_out(values, side, elements);

  lac_usaf_chart_draw(&chart, side, intensity);
}

/* Returns the finest resolved frequency in periods per pixel: 1 / (2 bar widths). */
static double
read_bars(gconstpointer values, const double *intensity, gsize side, LacScratch *scratch)
{
  LacChartElement    elements[LAC_USAF_MOST_ELEMENTS];
  LacChartReading    readings[LAC_USAF_MOST_ELEMENTS];
  const LacUsafChart chart = lay_out(values, side, elements);

  return 1 / (2 * lac_usaf_chart_read(&chart, intensity, side, readings));
}

static const LacObjectReading reading = {"finest_bars", N_("Finest resolved bars"), "1/px",
                                         read_bars};

static gsize
count_elements(gconstpointer values, gsize side)
{
  LacChartElement elements[LAC_USAF_MOST_ELEMENTS];

  return lay_out(values, side, elements).n;
}

static void
read_contrasts(gconstpointer values, const double *intensity, gsize side, double *contrasts)
{
  LacChartElement    elements[LAC_USAF_MOST_ELEMENTS];
  LacChartReading    readings[LAC_USAF_MOST_ELEMENTS];
  const LacUsafChart chart = lay_out(values, side, elements);

  lac_usaf_chart_read(&chart, intensity, side, readings);
  for (gsize i = 0; i < chart.n; i++)
    contrasts[i] = readings[i].contrast;
}

static const LacObjectElements bars = {N_("Bar contrast"), N_("element, widest bars first"),
                                       count_elements, read_contrasts};

const LacObjectScene lac_object_usaf = {
  .name = "usaf",
  .title = N_("USAF-1951 chart"),
  .summary = N_("Bright bars whose width halves every six elements; the finest resolved ones give "
                "the resolution"),
  .source = "MIL-STD-150A",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .defaults = defaults,
  .reading = &reading,
  .elements = &bars,
  .draw = draw,
};
