/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The velocity over a field: arrows, streamlines, and noise smeared along it. */
#pragma once

#include "field/streamlines.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct {
  gboolean arrows, streamlines, texture;
} LacFlowLook;

#define LAC_FLOW_APART 0.055 /* of the shorter side, between streamlines */

/* Where lines are drawn. */
typedef struct {
  LacBox seen;  /* what lies outside is left out */
  LacBox field; /* all of it, rim to rim; may be larger than what is seen */
  double unit;  /* a pixel of a window: how strong and how near lines are */
} LacFlowGround;

/* As long as they are fast, the fastest a little longer than they are apart. */
void lac_flow_draw_arrows(LacDrawing           *drawing,
                          const LacVectorPlane *vectors,
                          const LacFlowGround  *ground);
void lac_flow_draw_streamlines(LacDrawing           *drawing,
                               const LacStreamlines *lines,
                               const LacFlowGround  *ground);

/* Thread: any. @nx, @ny: (out). Returns: (transfer full): [ny][nx], row 0 at the bottom, 0...1 about one half; over the whole field. */
float *lac_flow_texture(const LacVectorPlane *vectors, gsize *nx, gsize *ny);

/* By how much a colour under the texture is lighter or darker. */
float lac_flow_shade(float texture);

G_END_DECLS
