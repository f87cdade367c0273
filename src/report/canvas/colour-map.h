/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour maps: tables of data/colour-maps, 256 sRGB entries each, the same for shader, figure and thumbnail. */
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
lac_colour_map_find(const char *name); /* the first one where the name is unknown */

/* The entry for value v in [low, high]: index floor(t * 256) clamped; the shader does the same.
 * A value that is not finite gives the neutral grey of `lac_colour_not_finite`. */
const guint8 *lac_colour_map_at(const LacColourMap *map, double value, double low, double high);
extern const guint8 lac_colour_not_finite[4];

/* The entry at @place, 0...1 of a scale however it is bent; beyond its ends theirs. */
const guint8 *lac_colour_map_at_place(const LacColourMap *map, double place);

/* Paints a cell: the entry for @value on a bent scale, and the neutral grey where it is not finite. The same for view and figure. */
const guint8 *lac_colour_map_at_warp(const LacColourMap *map, const LacWarp *warp, double value);
/* Multiplies red, green and blue: lines and textures over cells. */
void lac_colour_darken(guint8 *rgba, float factor);

/* Returns: whether the map has a middle, so that its scale is symmetric about 0 */
gboolean lac_colour_map_is_diverging(const LacColourMap *map);

/* Why a map misleads, a translatable sentence; NULL where it does not. */
const char *lac_colour_map_warning(const LacColourMap *map);

G_END_DECLS
