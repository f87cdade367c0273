/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn over and around the panes: titles, sensors, probe, colour bars with numbers. */
#pragma once

#include "app/field-flow.h"
#include "app/field-scale.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct {
  gboolean shown;
  double   u, v;
} LacProbe;

#define LAC_FIELD_TOP    26.0 /* above the panes: titles */
#define LAC_FIELD_BOTTOM 54.0 /* below them: colour bars */
#define LAC_FIELD_MARGIN 8.0  /* below them where the bars are in the corner */
#define LAC_FIELD_LEFT   40.0 /* left of them, where they have axes: numbers and a name */
#define LAC_FIELD_UNDER  16.0 /* under each of them, where they have axes */

/* A line across the fields along which they are read. */
typedef struct {
  gboolean shown;
  double   from[2], to[2]; /* (u, v) */
} LacFieldLine;

typedef struct {
  LacFieldFlow       *flow;
  const LacProbe     *probe;
  const LacFieldLine *line;
  LacClipped          clipped[2]; /* of the values, of the errors */
} LacFieldMarks;

void
lac_field_overlay_draw(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks);

/* Returns: (transfer full): where the probe is and what each pane shows there, in one line; NULL without a probe. */
char *lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe);

G_END_DECLS
