/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the overlay. */
#pragma once

#include "app/field/overlay.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

/* bars.c: draws the colour bars to the right of the panes. */
void lac_field_draw_bars(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks);
/* Returns: (transfer full): the quantity of a pane with its unit, what the scale covers, and the share of the values
 * beyond it. */
char *lac_field_dup_scale_words(const LacFieldScene *scene, const LacFieldMarks *marks, guint pane);

/* probe.c: draws the table of values at the probe below the true field. */
void
lac_field_draw_probe_cell(LacDrawing *drawing, const LacPaneView *view, const LacFieldMarks *marks);
/* Returns: (transfer full): the coordinates of the probe. */
char *lac_field_dup_probe_place(const LacFieldScene *scene, const LacProbe *probe);

/* Draws a piece of the line with which a source is drawn in curves. @y: its middle */
void lac_field_draw_swatch(LacDrawing *drawing, double x, double y, guint look);
#define LAC_FIELD_SWATCH 8.0 /* its width */

G_END_DECLS
