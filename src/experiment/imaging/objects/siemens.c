/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Siemens star: every frequency at once, in every direction. */
#include "experiment/imaging/metrics/resolution.h"
#include "experiment/imaging/objects/object.h"
#include "experiment/imaging/objects/siemens-star.h"

#include <glib/gi18n-lib.h>

typedef struct {
  gint64 spokes;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, spokes), LAC_PARAM_INTEGER, "1", 2, 360, 36, N_("Spokes"), N_("Object"), N_("Bright sectors about the middle, with as many dark ones")},
};
/* clang-format on */

static guint
get_spokes(gconstpointer values)
{
  return (guint) ((const Params *) values)->spokes;
}

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  lac_siemens_star_draw(side, get_spokes(values), intensity);
}

static double
read_transfer(gconstpointer values, const double *intensity, gsize side, LacScratch *scratch)
{
  const LacScratchMark   mark = lac_scratch_mark(scratch);
  const LacTransferCurve curve = lac_transfer_read_star(
    scratch, intensity, side, get_spokes(values), lac_siemens_star_get_rim(side));
  const double cutoff = curve.n > 1 ? lac_transfer_cutoff(&curve, 0.5) : 0;

  lac_scratch_release(scratch, mark);
  return cutoff;
}

static const LacObjectReading reading = {"mtf50", N_("Modulation falls to one half"), "1/px",
                                         read_transfer};

const LacObjectScene lac_object_siemens = {
  .name = "siemens",
  .title = N_("Siemens star"),
  .summary =
    N_("Sectors that narrow towards the middle: where they blur into grey is the resolution"),
  .source = "ISO 15775; Loebich, Wueller, Klingen, Jaeger (2007)",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .reading = &reading,
  .draw = draw,
};
