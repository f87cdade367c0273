/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Isolines of a plane of cells, joined end to end. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* @points: [n], in cells: (0, 0) is the centre of the first cell; a closed line repeats its first point at the end. */
typedef void (*LacIsoline)(const LacPoint *points, gsize n, gpointer user_data);

/* Finds isolines by linear interpolation between cell centres; non-finite cells have none. */
void lac_isolines(const LacPlane *plane, double level, LacIsoline found, gpointer user_data);

G_END_DECLS
