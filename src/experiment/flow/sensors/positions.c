/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of positions to stencils. */
#include "experiment/flow/sensors/positions.h"

#include "base/error.h"

#include <math.h>

/* Finds the cell and the fraction towards the next one along an axis; FALSE outside. */
static gboolean
locate(const LacTruth *truth, guint axis, double at, gsize *cell, gsize *next, double *share)
{
  const gsize  n = axis == 0 ? truth->nx : truth->ny;
  const double lower = truth->lower[axis], upper = truth->upper[axis];
  const double width = n > 1 ? (upper - lower) / (double) (n - 1) : 1;
  double       position = (at - lower) / width;

  *cell = *next = 0;
  *share = 0;
  if (n == 1)
    return TRUE;
  if (truth->periodic[axis])
    position -= floor(position / (double) n) * (double) n;
  else if (position < -1e-9 || position > (double) (n - 1) + 1e-9)
    return FALSE;
  /* grid coordinates are exact only to rounding: snaps to a grid point */
  if (fabs(position - round(position)) < 1e-9)
    position = round(position);
  position = MAX(position, 0);
  *cell = (gsize) position % n;
  *next = truth->periodic[axis] ? (*cell + 1) % n : MIN(*cell + 1, n - 1);
  *share = position - floor(position);
  return TRUE;
}

gboolean
lac_positions_stencil(const LacTruth *truth, LacSensor *sensor, GError **error)
{
  const gsize cells = truth->nx * truth->ny;
  gsize       x[2], y[2];
  double      along[2];

  if (!locate(truth, 0, sensor->x, &x[0], &x[1], &along[0]) ||
      !locate(truth, 1, sensor->y, &y[0], &y[1], &along[1])) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the position (%g, %g) is outside the domain, %g to %g by %g to %g", sensor->x,
                sensor->y, truth->lower[0], truth->upper[0], truth->lower[1], truth->upper[1]);
    return FALSE;
  }
  for (gsize corner = 0; corner < 4; corner++) {
    const gsize  i = corner & 1, j = corner >> 1, cell = y[j] * truth->nx + x[i];
    const double weight = (i ? along[0] : 1 - along[0]) * (j ? along[1] : 1 - along[1]);

    sensor->rows[corner] = sensor->field * cells + cell;
    sensor->weights[corner] = weight;
    if (weight == 0 || !truth->mask || truth->mask[cell])
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the position (%g, %g) is inside a hole of the domain", sensor->x, sensor->y);
    return FALSE;
  }
  return TRUE;
}
