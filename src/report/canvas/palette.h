/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of paper and of the window's two styles. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

#define LAC_PALETTE_OPERATIONS 8

/* Colours of a page: paper, or the window in light or dark style. */
typedef struct {
  LacColour foreground, faint, background, grid;
  LacColour series[6];                          /* methods and curves */
  LacColour operations[LAC_PALETTE_OPERATIONS]; /* operations: none is the colour of a method */
  LacColour neutral, rest; /* time of neither a method nor an operation; the rest of a whole */
  LacColour alert;         /* what is wrong or too slow */
} LacPalette;
extern const LacPalette lac_palette_paper, lac_palette_light, lac_palette_dark;

/* Returns black or white, whichever is readable on @colour. */
LacColour lac_palette_text_on(LacColour colour);

G_END_DECLS
