/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a scene on the CPU, pixel for pixel like the shader: for windows without OpenGL, and for the test of the
 * shader. */
#pragma once

#include "app/field/gl.h"

G_BEGIN_DECLS

/* @rgba: [rows][columns][4] device pixels of pane @index, top row first */
void lac_field_raster_pane(const LacFieldScene  *scene,
                           const LacFieldView2d *view,
                           guint                 index,
                           guint8               *rgba);

G_END_DECLS
