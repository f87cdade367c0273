/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lookup of colour maps and their entries. */
#include "report/canvas/colour-map-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

const guint8 lac_colour_not_finite[4] = {128, 128, 128, 255};

const LacColourMap *
lac_colour_maps(gsize *n_maps)
{
  g_return_val_if_fail(n_maps != NULL, NULL);
  *n_maps = lac_colour_map_table_length;
  return lac_colour_map_table;
}

const LacColourMap *
lac_colour_map_find(const char *name)
{
  for (gsize i = 0; i < lac_colour_map_table_length; i++)
    if (g_strcmp0(lac_colour_map_table[i].name, name) == 0)
      return &lac_colour_map_table[i];
  return &lac_colour_map_table[0];
}

const guint8 *
lac_colour_map_at(const LacColourMap *map, double value, double low, double high)
{
  g_return_val_if_fail(map != NULL, lac_colour_not_finite);
  if (!isfinite(value))
    return lac_colour_not_finite;
  return lac_colour_map_at_place(map, high > low ? (value - low) / (high - low) : 0.5);
}

const guint8 *
lac_colour_map_at_place(const LacColourMap *map, double place)
{
  if (isnan(place))
    return lac_colour_not_finite;
  double index = floor(place * 256);
  return map->rgba[index <= 0 ? 0 : index >= 255 ? 255 : (int) index];
}

const guint8 *
lac_colour_map_at_warp(const LacColourMap *map, const LacWarp *warp, double value)
{
  return isfinite(value) ? lac_colour_map_at_place(map, lac_warp_at(warp, value))
                         : lac_colour_not_finite;
}

void
lac_colour_darken(guint8 *rgba, float factor)
{
  for (int c = 0; c < 3; c++)
    rgba[c] = (guint8) lroundf(CLAMP((float) rgba[c] * factor, 0, 255));
}

gboolean
lac_colour_map_is_diverging(const LacColourMap *map)
{
  return g_str_equal(map->kind, "diverging");
}

const char *
lac_colour_map_warning(const LacColourMap *map)
{
  if (g_str_equal(map->kind, "legacy"))
    return N_("Its lightness is not monotonic: it shows edges that are not in the data and is "
              "unreadable in greyscale.");
  return NULL;
}
