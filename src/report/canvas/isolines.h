/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of one value through a plane of cells, joined from end to end. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* @points: [n], in cells: (0, 0) is the centre of the first one; a closed line ends where it began. */
typedef void (*LacIsoline)(const LacPoint *points, gsize n, gpointer user_data);

/* Linear between the centres of cells; nothing where a value is not finite. */
void lac_isolines(const LacPlane *plane, double level, LacIsoline found, gpointer user_data);

G_END_DECLS
