/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlay of the panes: titles, sensors, probe, colour bars with tick labels. */
#pragma once

#include "app/field/flow.h"
#include "app/field/scale.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct {
  gboolean shown;
  double   u, v;
} LacProbe;

#define LAC_FIELD_TOP    26.0 /* above the panes, for titles */
#define LAC_FIELD_BOTTOM 54.0 /* below the panes, for colour bars */
#define LAC_FIELD_MARGIN 8.0  /* below the panes if the bars are in the corner */
#define LAC_FIELD_LEFT   40.0 /* left of panes with axes, for tick labels and an axis name */
#define LAC_FIELD_UNDER  16.0 /* below each pane with axes */

/* Line along which profiles are read. */
typedef struct {
  gboolean shown;
  double   from[2], to[2]; /* (u, v) */
} LacFieldLine;

typedef struct {
  LacFieldFlow       *flow;
  const LacProbe     *probe;
  const LacFieldLine *line;
  LacClipped          clipped[2]; /* values, errors */
} LacFieldMarks;

void
lac_field_overlay_draw(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks);

/* Returns: (transfer full): probe position and the value in each pane, in one line; NULL without a probe. */
char *lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe);

G_END_DECLS
