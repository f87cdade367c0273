/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Velocity drawn over a field: arrows, streamlines, and line integral convolution of noise. */
#pragma once

#include "field/streamlines.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct {
  gboolean arrows, streamlines, texture;
} LacFlowLook;

#define LAC_FLOW_APART 0.055 /* spacing of streamlines, relative to the shorter side */

/* Area in which lines are drawn. */
typedef struct {
  LacBox seen;  /* visible area; everything outside is clipped */
  LacBox field; /* whole field, edge to edge; may exceed the visible area */
  double unit;  /* size of a window pixel: scales line widths and spacing */
} LacFlowGround;

/* Draws arrows with length proportional to speed; the longest is slightly longer than the spacing of the arrows. */
void lac_flow_draw_arrows(LacDrawing           *drawing,
                          const LacVectorPlane *vectors,
                          const LacFlowGround  *ground);
void lac_flow_draw_streamlines(LacDrawing           *drawing,
                               const LacStreamlines *lines,
                               const LacFlowGround  *ground);

/* Thread: any. @nx, @ny: (out). Returns: (transfer full): [ny][nx] for the whole field, row 0 at the bottom, values
 * 0...1 around one half. */
float *lac_flow_texture(const LacVectorPlane *vectors, gsize *nx, gsize *ny);

/* Returns the factor by which a texture value changes the brightness of the colour beneath it; see
 * lac_colour_darken(). */
float lac_flow_shade(float texture);

G_END_DECLS
