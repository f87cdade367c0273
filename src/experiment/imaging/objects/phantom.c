/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Shepp-Logan head phantom with Toft's contrasts. */
#include "experiment/imaging/objects/object.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SAMPLES 8 /* per pixel in each direction */

/* Value added inside an ellipse; semi-axes and centre in half sides, rotated by degrees from the x axis, y upwards. */
typedef struct {
  double value, a, b, x, y, degrees;
} Ellipse;

/* Source: Toft (1996), The Radon Transform, table B.1 */
static const Ellipse ellipses[] = {
  {1.0, 0.69, 0.92, 0, 0, 0},        {-0.8, 0.6624, 0.874, 0, -0.0184, 0},
  {-0.2, 0.11, 0.31, 0.22, 0, -18},  {-0.2, 0.16, 0.41, -0.22, 0, 18},
  {0.1, 0.21, 0.25, 0, 0.35, 0},     {0.1, 0.046, 0.046, 0, 0.1, 0},
  {0.1, 0.046, 0.046, 0, -0.1, 0},   {0.1, 0.046, 0.023, -0.08, -0.605, 0},
  {0.1, 0.023, 0.023, 0, -0.606, 0}, {0.1, 0.023, 0.046, 0.06, -0.605, 0},
};

static double
get_value(double x, double y)
{
  double sum = 0;

  for (gsize i = 0; i < G_N_ELEMENTS(ellipses); i++) {
    const Ellipse *e = &ellipses[i];
    const double   turn = e->degrees * G_PI / 180;
    const double   u = (x - e->x) * cos(turn) + (y - e->y) * sin(turn);
    const double   v = (y - e->y) * cos(turn) - (x - e->x) * sin(turn);

    if (u * u / (e->a * e->a) + v * v / (e->b * e->b) <= 1)
      sum += e->value;
  }
  return sum;
}

static void
draw(gconstpointer values, gsize side, guint64 seed, double *intensity)
{
  const double step = 2 / (double) side;

  for (gsize row = 0; row < side; row++)
    for (gsize column = 0; column < side; column++) {
      double sum = 0;

      for (int j = 0; j < SAMPLES; j++)
        for (int i = 0; i < SAMPLES; i++)
          sum += get_value(-1 + ((double) column + (i + 0.5) / SAMPLES) * step,
                           1 - ((double) row + (j + 0.5) / SAMPLES) * step);
      intensity[row * side + column] = CLAMP(sum / (SAMPLES * SAMPLES), 0, 1);
    }
}

const LacObjectScene lac_object_phantom = {
  .name = "phantom",
  .title = N_("Shepp-Logan phantom"),
  .summary = N_("Ten ellipses of low contrast inside a bright shell"),
  .source = "Shepp, Logan (1974), doi:10.1109/TNS.1974.6499235; contrasts of Toft (1996)",
  .draw = draw,
};
