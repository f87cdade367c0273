/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slanted edge: one straight boundary between bright and dark, from whose profile the modulation transfer is read
 * (ISO 12233). Each pixel is the mean over its square. */
#include "base/error.h"
#include "experiment/imaging/metrics/resolution.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SAMPLES 16 /* per pixel in each direction */

typedef struct {
  double angle, dark, bright;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, angle), LAC_PARAM_REAL, "°", 0, 45, 5, N_("Slant"), N_("Object"), N_("Angle between the edge and the columns of pixels; 2 to 10 degrees sample the profile finely")},
  {LAC_FIELD(Params, dark), LAC_PARAM_REAL, "1", 0, 1, 0.2, N_("Dark side"), N_("Object"), N_("Intensity of the dark side"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, bright), LAC_PARAM_REAL, "1", 0, 1, 0.8, N_("Bright side"), N_("Object"), N_("Intensity of the bright side"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

/* Returns the fraction of a pixel that is to the right of the edge. */
static double
get_share(double y, double x, double slope)
{
  guint n = 0;

  for (int j = 0; j < SAMPLES; j++)
    for (int i = 0; i < SAMPLES; i++)
      n += x + (i + 0.5) / SAMPLES > slope * (y + (j + 0.5) / SAMPLES);
  return (double) n / (SAMPLES * SAMPLES);
}

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  const Params *params = values;
  const double  middle = (double) side / 2, slope = tan(params->angle * G_PI / 180);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      const double share = get_share((double) y - middle, (double) x - middle, slope);

      intensity[y * side + x] = params->dark + share * (params->bright - params->dark);
    }
}

static gboolean
check(gconstpointer values, gsize side, GError **error)
{
  const Params *params = values;

  if (params->dark < params->bright)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "dark = %g must be below bright = %g: an edge has two sides", params->dark,
              params->bright);
  return FALSE;
}

/* Reads the middle of the image, so that the rim of the object is no second edge. */
static double
read_transfer(gconstpointer values, const double *intensity, gsize side, LacScratch *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          first = side / 4, n = side - 2 * first;
  double              *middle = lac_scratch_take(scratch, n * n * sizeof *middle);

  for (gsize y = 0; y < n; y++)
    memcpy(middle + y * n, intensity + (y + first) * side + first, n * sizeof *middle);
  const LacTransferCurve curve = lac_transfer_read_edge(scratch, middle, n, n);
  const double           cutoff = curve.n > 1 ? lac_transfer_cutoff(&curve, 0.5) : 0;
  lac_scratch_release(scratch, mark);
  return cutoff;
}

static const LacObjectReading reading = {"mtf50", N_("Half-modulation frequency"), "1/px",
                                         read_transfer};

const LacObjectScene lac_object_edge = {
  .name = "edge",
  .title = N_("Slanted edge"),
  .summary =
    N_("One edge, tilted against the pixels: its profile gives the modulation transfer, as "
       "for a camera"),
  .source = "ISO 12233",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .reading = &reading,
  .check = check,
  .draw = draw,
};
