/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One to four point sources. */
#include "base/error.h"
#include "base/number.h"
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SAMPLES 16 /* per pixel in each direction */

typedef struct {
  gint64 sources;
  double point_diameter, separation; /* pixels */
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, sources), LAC_PARAM_INTEGER, "1", 1, 4, 2, N_("Sources"), N_("Object"), N_("Number of sources: one in the middle, a pair, a triangle or a square")},
  {LAC_FIELD(Params, point_diameter), LAC_PARAM_REAL, "px", 1, 64, 3, N_("Source diameter"), N_("Object"), N_("Diameter of each disc")},
  {LAC_FIELD(Params, separation), LAC_PARAM_REAL, "px", 1, 1024, 5, N_("Separation"), N_("Object"), N_("Distance between the centres of neighbouring sources")},
};
/* clang-format on */

/* (y, x) in separations */
static const double places[4][4][2] = {
  {{0, 0}},
  {{0, 0.5}, {0, -0.5}},
  {{0.57735026918962576, 0}, {-0.28867513459481288, 0.5}, {-0.28867513459481288, -0.5}},
  {{0.5, 0.5}, {0.5, -0.5}, {-0.5, 0.5}, {-0.5, -0.5}},
};

static double
cover(double y, double x, double radius)
{
  guint n = 0;

  for (int j = 0; j < SAMPLES; j++)
    for (int i = 0; i < SAMPLES; i++) {
      const double v = y - 0.5 + (j + 0.5) / SAMPLES, u = x - 0.5 + (i + 0.5) / SAMPLES;
      n += u * u + v * v <= radius * radius;
    }
  return (double) n / (SAMPLES * SAMPLES);
}

/* Draws the points about pixel [side / 2][side / 2], the middle as defined by the optics. */
static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  const Params *params = values;
  const double  radius = params->point_diameter / 2;

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      double sum = 0;

      for (gint64 k = 0; k < params->sources; k++) {
        const double *place = places[params->sources - 1][k];
        sum += cover((double) y - (double) (side / 2) - place[0] * params->separation,
                     (double) x - (double) (side / 2) - place[1] * params->separation, radius);
      }
      intensity[y * side + x] = MIN(sum, 1);
    }
}

static gboolean
check(gconstpointer values, gsize side, GError **error)
{
  const Params *params = values;
  const double  across =
    (params->sources > 1 ? 1.2 * params->separation : 0) + params->point_diameter;

  if (across <= (double) side)
    return TRUE;
  g_autofree char *separation = lac_number_dup_text(params->separation);
  g_autofree char *point_diameter = lac_number_dup_text(params->point_diameter);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "sources of separation = %s and point_diameter = %s pixels leave the object of "
              "%" G_GSIZE_FORMAT " pixels: bring them together or enlarge the object",
              separation, point_diameter, side);
  return FALSE;
}

const LacObjectScene lac_object_points = {
  .name = "points",
  .title = N_("Point sources"),
  .summary = N_("One to four small discs, to find the smallest separation that is still resolved"),
  .source = "Drawn: small discs on a ring",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .check = check,
  .draw = draw,
};
