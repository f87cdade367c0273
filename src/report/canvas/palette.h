/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of paper and of the window's two styles. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* Colours of a page: paper, or the window in light or dark style. */
typedef struct {
  LacColour foreground, faint, background, grid;
  LacColour series[6];
} LacPalette;
extern const LacPalette lac_palette_paper, lac_palette_light, lac_palette_dark;

G_END_DECLS
