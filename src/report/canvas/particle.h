/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nuclei and electrons as they stand on a plane, the same on screen and paper. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* A nucleus is a disc, an electron a triangle that points as its spin does. @kind: of a LacMarker: "nucleus", "nucleus-He",
 * "electron-up", "electron-down"; @size: the radius of a nucleus. Returns: FALSE: it is none of them, nothing is drawn. */
gboolean lac_draw_particle(LacDrawing *drawing, const char *kind, LacPoint place, double size);

G_END_DECLS
