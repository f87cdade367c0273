/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours as other eyes see them, to preview whether a figure can be read by everybody. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/colour-map.h"

G_BEGIN_DECLS

typedef enum {
  LAC_VISION_ALL,          /* three kinds of cones: nothing changes */
  LAC_VISION_DEUTERANOPIA, /* without the middle ones, as the commonest colour blindness nearly is */
  LAC_VISION_PROTANOPIA,   /* without the long ones */
  LAC_VISION_TRITANOPIA,   /* without the short ones */
  LAC_VISION_GREY,         /* as printed in grey */
  LAC_N_VISIONS,
} LacVision;

/* "all", "deuteranopia" ... Returns: %LAC_VISION_ALL where the word is unknown. */
LacVision   lac_vision_find(const char *word);
const char *lac_vision_word(LacVision vision);

/**
 * lac_vision_see:
 * @seen: (out): the sRGB colour that looks to everybody as @rgba looks to @vision; alpha as it was
 *
 * Source: Machado, Oliveira, Fernandes (2009), severity 1, doi:10.1109/TVCG.2009.113; in linear light.
 */
void lac_vision_see(LacVision vision, const guint8 rgba[4], guint8 seen[4]);

/* Every colour of a drawing. Returns: (transfer full) */
LacDrawing *lac_vision_draw(LacVision vision, const LacDrawing *drawing);

/* The twin of a map of lac_colour_maps() as @vision sees it; static, made once. */
const LacColourMap *lac_vision_map(LacVision vision, const LacColourMap *map);

G_END_DECLS
