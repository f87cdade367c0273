/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nuclei and electrons on a plane, shared by screen and paper. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* Draws a disc for a nucleus, a triangle pointing along the spin for an electron. @kind: of a LacMarker: "nucleus",
 * "nucleus-He", "electron-up", "electron-down"; @size: radius of a nucleus. Returns: FALSE for any other kind,
 * without drawing. */
gboolean lac_draw_particle(LacDrawing *drawing, const char *kind, LacPoint place, double size);

G_END_DECLS
