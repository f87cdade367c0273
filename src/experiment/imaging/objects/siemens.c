/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Siemens star: a continuous range of frequencies in every direction. Each pixel is the mean of many samples in
 * its square. */
#include "experiment/imaging/objects/siemens.h"

#include "experiment/imaging/metrics/resolution.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define RIM     0.46 /* of the side */
#define SAMPLES 16   /* per pixel in each direction */

double
lac_siemens_star_get_rim(gsize side)
{
  return RIM * (double) side;
}

static double
get_pixel(double y, double x, double rim, double spokes)
{
  guint n = 0;

  for (int j = 0; j < SAMPLES; j++)
    for (int i = 0; i < SAMPLES; i++) {
      const double v = y + (j + 0.5) / SAMPLES, u = x + (i + 0.5) / SAMPLES;
      n += u * u + v * v <= rim * rim && cos(spokes * atan2(v, u)) >= 0;
    }
  return (double) n / (SAMPLES * SAMPLES);
}

void
lac_siemens_star_draw(gsize side, guint n_spokes, double *intensity)
{
  const double middle = (double) side / 2, rim = lac_siemens_star_get_rim(side);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      intensity[y * side + x] =
        get_pixel((double) y - middle, (double) x - middle, rim, (double) n_spokes);
}

typedef struct {
  gint64 spokes;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, spokes), LAC_PARAM_INTEGER, "1", 2, 360, 36, N_("Spokes"), N_("Object"), N_("Number of bright sectors, with as many dark ones")},
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

static const LacObjectReading reading = {"mtf50", N_("Half-modulation frequency"), "1/px",
                                         read_transfer};

const LacObjectScene lac_object_siemens = {
  .name = "siemens",
  .title = N_("Siemens star"),
  .summary = N_("Sectors that narrow towards the middle; the radius where they blur to grey gives "
                "the resolution"),
  .source = "ISO 15775; Loebich, Wueller, Klingen, Jaeger (2007)",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .reading = &reading,
  .draw = draw,
};
