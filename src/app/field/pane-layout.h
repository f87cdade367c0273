/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the field viewer's panes, and the part of the field that each shows. All panes share one camera. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

#define LAC_MAX_PANES   16 /* without the error panes below, at most as many */
#define LAC_MAX_COLUMNS 5  /* shown side by side with errors below; further ones are scrolled to */

/* (u, v) is the point of the field at the centre of a pane, each in 0...1, v upward. zoom 1 shows the whole field. */
typedef struct {
  double u, v, zoom;
} LacCamera;

typedef struct {
  guint  n_panes, n_columns;       /* row by row, the true field first */
  LacBox panes[2 * LAC_MAX_PANES]; /* zero width: scrolled out of the view */
  LacBox corner; /* below the true field if errors are below the sources, else zero width */
  double field_width, field_height; /* size of the whole field at zoom 1 */
} LacPaneLayout;

#define LAC_PANE_GAP 12.0 /* between adjacent panes */
#define LAC_PANE_ROW_GAP \
  46.0 /* between rows; holds the captions of the upper row and the titles of the lower one */
#define LAC_PANE_BELOW_GAP \
  24.0 /* between a row of sources and their errors, which share the captions in between */

#define LAC_STRETCHED_ASPECT 1.1 /* target aspect of panes whose axes have different dimensions */

/**
 * lac_pane_layout_place:
 * @area: the area available to the panes
 * @aspect: width of the field over its height; 0: stretch it to the pane
 *
 * Chooses the number of columns that makes the fields largest.
 */
void lac_pane_layout_place(LacPaneLayout *layout, guint n_panes, const LacBox *area, double aspect);

/**
 * lac_pane_layout_place_below:
 * @layout: the result of lac_pane_layout_place()
 * @n_below: panes in a second row, each under one of the last panes of the first row
 * @first: the first source shown beside the true field, from 0, if there are more than fit; clamped
 *
 * Returns: FALSE with @layout unchanged if the panes would become much smaller, or too small to see.
 */
gboolean lac_pane_layout_place_below(LacPaneLayout *layout,
                                     guint          n_below,
                                     guint          first,
                                     const LacBox  *area,
                                     double         aspect);

/* Returns: the bottom edge of the lowest pane. */
double lac_pane_layout_get_bottom(const LacPaneLayout *layout);

/* Returns: the pane at a point, or -1. */
int lac_pane_layout_find(const LacPaneLayout *layout, double x, double y);

/* Convert between a point of the widget and a point of the field. */
void lac_pane_layout_to_field(const LacPaneLayout *layout,
                              const LacCamera     *camera,
                              guint                pane,
                              double               point[2],
                              double               place[2]);
void lac_pane_layout_from_field(const LacPaneLayout *layout,
                                const LacCamera     *camera,
                                guint                pane,
                                const double         place[2],
                                double               point[2]);

void     lac_camera_fit(LacCamera *camera);
gboolean lac_camera_is_fit(const LacCamera *camera);
/* Zooms so that the field point (u, v) stays under the pointer. */
void lac_camera_zoom(LacCamera *camera, double u, double v, double factor);
void lac_camera_move(LacCamera *camera, double du, double dv);

G_END_DECLS
