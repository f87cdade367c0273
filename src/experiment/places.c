/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parser of positions. */
#include "experiment/places.h"

#include "base/error.h"
#include "base/number.h"

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
      n = n_axes; /* too many values, or not a number */
    n++;
  }
  if (n == n_axes)
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
    "position %" G_GSIZE_FORMAT " of sensor_positions, \"%s\", is not %s", index + 1, text,
    n_axes == 2 ? "two numbers; write \"x y; x y; ...\"" : "a number; write \"x; x; ...\"");
  return FALSE;
}

double *
lac_positions_parse(const char *text, guint n_axes, gsize *n, GError **error)
{
  g_auto(GStrv)      pieces = g_strsplit(text, ";", LAC_PLACES_MOST + 1);
  g_autofree double *places = g_new0(double, 2 * (g_strv_length(pieces) + 1));

  *n = 0;
  for (gsize i = 0; pieces[i]; i++) {
    const char *piece = g_strstrip(pieces[i]);

    if (*piece == '\0' && !pieces[i + 1])
      break; /* text ended with a semicolon */
    if (!parse_place(piece, n_axes, i, places + 2 * i, error))
      return NULL;
    (*n)++;
  }
  if (*n > 0 && *n <= LAC_PLACES_MOST)
    return g_steal_pointer(&places);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "sensor_positions has %" G_GSIZE_FORMAT " positions; 1 to %d are allowed", *n,
              LAC_PLACES_MOST);
  return NULL;
}
