/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text to places, places to stencils. */
#include "experiment/flow/places.h"

#include "base/error.h"
#include "base/number.h"

#include <math.h>

static gboolean
parse_place(const char *text, guint n_axes, gsize index, double *place, GError **error)
{
  g_auto(GStrv) words = g_strsplit_set(text, " ,\t", -1);
  guint         n = 0;

  place[0] = place[1] = 0;
  for (guint i = 0; words[i]; i++) {
    if (*words[i] == '\0')
      continue;
    if (n >= n_axes || !lac_number_parse(words[i], &place[n]))
      n = n_axes; /* too many, or no number */
    n++;
  }
  if (n == n_axes)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "place %" G_GSIZE_FORMAT " of sensor_positions, \"%s\", is not %s", index + 1, text,
              n_axes == 2 ? "two numbers; write \"x y; x y; ...\""
                          : "a number; write \"x; x; ...\"");
  return FALSE;
}

double *
lac_places_parse(const char *text, guint n_axes, gsize *n, GError **error)
{
  g_auto(GStrv)      pieces = g_strsplit(text, ";", LAC_PLACES_MOST + 1);
  g_autofree double *places = g_new0(double, 2 * (g_strv_length(pieces) + 1));

  *n = 0;
  for (gsize i = 0; pieces[i]; i++) {
    const char *piece = g_strstrip(pieces[i]);

    if (*piece == '\0' && !pieces[i + 1])
      break; /* after the last semicolon */
    if (!parse_place(piece, n_axes, i, places + 2 * i, error))
      return NULL;
    (*n)++;
  }
  if (*n > 0 && *n <= LAC_PLACES_MOST)
    return g_steal_pointer(&places);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "sensor_positions holds %" G_GSIZE_FORMAT " places; it takes 1 to %d", *n,
              LAC_PLACES_MOST);
  return NULL;
}

/* Cell and share of the next one along an axis; FALSE outside. */
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
  /* the solver's grid is exact to rounding: a place on it is that point */
  if (fabs(position - round(position)) < 1e-9)
    position = round(position);
  position = MAX(position, 0);
  *cell = (gsize) position % n;
  *next = truth->periodic[axis] ? (*cell + 1) % n : MIN(*cell + 1, n - 1);
  *share = position - floor(position);
  return TRUE;
}

gboolean
lac_places_stencil(const LacTruth *truth, LacSensor *sensor, GError **error)
{
  const gsize cells = truth->nx * truth->ny;
  gsize       x[2], y[2];
  double      along[2];

  if (!locate(truth, 0, sensor->x, &x[0], &x[1], &along[0]) ||
      !locate(truth, 1, sensor->y, &y[0], &y[1], &along[1])) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the place (%g, %g) is outside of the domain, %g to %g by %g to %g", sensor->x,
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
                "the place (%g, %g) is inside of what is cut out of the domain", sensor->x,
                sensor->y);
    return FALSE;
  }
  return TRUE;
}
