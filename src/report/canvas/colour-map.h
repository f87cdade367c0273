/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour maps from data/colour-maps: 256 sRGB entries each, shared by shader, figure and thumbnail. */
#pragma once

#include "field/transfer.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  const char *kind; /* "sequential", "diverging", "cyclic" or "legacy" */
  guint8      rgba[256][4];
} LacColourMap;

const LacColourMap *lac_colour_maps(gsize *n_maps);
const LacColourMap *
lac_colour_map_find(const char *name); /* Returns the first map for an unknown name. */

/* Returns the entry for @value in [low, high]: index floor(t * 256), clamped, as in the shader. Non-finite values
 * give the neutral grey `lac_colour_not_finite`. */
const guint8 *lac_colour_map_at(const LacColourMap *map, double value, double low, double high);
extern const guint8 lac_colour_not_finite[4];

/* Returns the entry at @place, 0...1 along the scale after the transfer function; clamped at the ends. */
const guint8 *lac_colour_map_at_place(const LacColourMap *map, double place);

/* Colours a cell: the entry for @value on a scale with a transfer function, or neutral grey if @value is not finite.
 * Shared by view and figure. */
const guint8 *lac_colour_map_at_warp(const LacColourMap *map, const LacWarp *warp, double value);
/* Multiplies red, green and blue by @factor; for lines and textures over cells. */
void lac_colour_darken(guint8 *rgba, float factor);

/* Returns: TRUE for a map with a neutral middle, whose scale is symmetric about 0 */
gboolean lac_colour_map_is_diverging(const LacColourMap *map);

/* Returns a translatable sentence on why the map misleads; NULL if it does not. */
const char *lac_colour_map_warning(const LacColourMap *map);

G_END_DECLS
