/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated colour vision deficiencies, to preview whether a figure is readable for every reader. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/colour-map.h"

G_BEGIN_DECLS

typedef enum {
  LAC_VISION_ALL,          /* normal vision: colours unchanged */
  LAC_VISION_DEUTERANOPIA, /* no M cones (medium wavelengths); close to the most common deficiency */
  LAC_VISION_PROTANOPIA,   /* no L cones (long wavelengths) */
  LAC_VISION_TRITANOPIA,   /* no S cones (short wavelengths) */
  LAC_VISION_GREY,         /* printed in greyscale */
  LAC_N_VISIONS,
} LacVision;

/* Return the vision for a word ("all", "deuteranopia" ...; %LAC_VISION_ALL for an unknown word), and the word for a
 * vision. */
LacVision   lac_vision_find(const char *word);
const char *lac_vision_word(LacVision vision);

/**
 * lac_vision_see:
 * @seen: (out): the sRGB colour that shows a normal viewer how @rgba appears to a viewer with @vision; alpha unchanged
 *
 * Source: Machado, Oliveira, Fernandes (2009), severity 1, doi:10.1109/TVCG.2009.113; in linear light.
 */
void lac_vision_see(LacVision vision, const guint8 rgba[4], guint8 seen[4]);

/* Converts every colour of a drawing. Returns: (transfer full) */
LacDrawing *lac_vision_draw(LacVision vision, const LacDrawing *drawing);

/* Returns a map of lac_colour_maps() converted to @vision; static, made once. */
const LacColourMap *lac_vision_map(LacVision vision, const LacColourMap *map);

G_END_DECLS
