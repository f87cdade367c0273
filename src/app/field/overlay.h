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

/* Return the room for text above the panes, below a row of sources, and for the colour bars at the right; they grow
 * with the text size of the desktop. */
double lac_field_top(void);
double lac_field_under(void);
double lac_field_beside(void);
#define LAC_FIELD_LEFT       40.0 /* left of panes with axes, for tick labels and an axis name */
#define LAC_FIELD_UNDER_AXES 16.0 /* below each pane with axes */

/* Captions of a source. */
typedef struct {
  gboolean is_source;
  guint    look;     /* of its curves, report/plot/plot.h; 0: a reference, in grey */
  char     name[24]; /* of @text: "error" */
  char     text[32]; /* "0.142 %"; "": not known */
} LacFieldCaption;

/* Line along which profiles are read. */
typedef struct {
  gboolean shown;
  double   from[2], to[2]; /* (u, v) */
} LacFieldLine;

typedef struct {
  LacFieldFlow          *flow;
  const LacProbe        *probe;
  const LacFieldLine    *line;
  LacClipped             clipped[2]; /* values, errors */
  const LacFieldCaption *captions;   /* (nullable): [n_captions], by channel */
  gsize                  n_captions;
  gboolean               is_bare; /* nothing beside the panes */
} LacFieldMarks;

void
lac_field_overlay_draw(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks);

/* Returns: (transfer full): probe position and the value in each pane, in one line; NULL without a probe. */
char *lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe);

G_END_DECLS
