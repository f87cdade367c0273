/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The USAF-1951 resolution chart. */
#include "experiment/imaging/object.h"
#include "experiment/imaging/usaf-chart.h"

#include <glib/gi18n-lib.h>

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  g_autoptr(LacUsafChart) chart = lac_usaf_chart_new(side);

  lac_usaf_chart_draw(chart, side, intensity);
}

const LacObjectScene lac_object_usaf = {
  .name = "usaf",
  .title = N_("USAF-1951 chart"),
  .summary = N_(
    "Bright bars, each sixth step half as wide: the finest that are told apart are the resolution"),
  .source = "MIL-STD-150A",
  .has_elements = TRUE,
  .draw = draw,
};
