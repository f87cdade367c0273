/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the panes of the field viewer lie, and which part of the field each shows. All panes share one camera. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

#define LAC_MAX_PANES 6 /* of the first order; as many may stand below them */

/* (u, v) is the place in the field at the middle of a pane: 0...1 each, v upward. zoom 1 shows all of it. */
typedef struct {
  double u, v, zoom;
} LacCamera;

typedef struct {
  guint  n_panes, n_columns; /* row by row, the truth first */
  LacBox panes[2 * LAC_MAX_PANES];
  LacBox corner; /* under the truth where errors stand under the sources; no width: they do not */
  double field_width, field_height; /* of the whole field at zoom 1 */
} LacPaneLayout;

#define LAC_PANE_GAP     12.0 /* between panes side by side */
#define LAC_PANE_ROW_GAP 26.0 /* between rows: the titles of the lower one */

#define LAC_STRETCHED_ASPECT 1.1 /* that a pane comes near to whose axes measure different things */
#define LAC_CORNER_HEIGHT    110.0 /* least of the corner: two colour bars with their numbers */

/**
 * lac_pane_layout_place:
 * @area: what the panes may fill
 * @aspect: width of the field over its height, 0: stretch it to the pane
 *
 * As many columns as make the fields largest.
 */
void lac_pane_layout_place(LacPaneLayout *layout, guint n_panes, const LacBox *area, double aspect);

/**
 * lac_pane_layout_place_below:
 * @layout: as lac_pane_layout_place() left it
 * @n_below: panes to stand in a second row, each under one of the last of the first row
 *
 * Returns: FALSE and leaves @layout as it is where the panes would be much smaller, or the corner too small for the bars.
 */
gboolean lac_pane_layout_place_below(LacPaneLayout *layout,
                                     guint          n_below,
                                     const LacBox  *area,
                                     double         aspect);

/* Where the lowest pane ends. */
double lac_pane_layout_get_bottom(const LacPaneLayout *layout);

/* Returns: the pane under a point, or -1. */
int lac_pane_layout_find(const LacPaneLayout *layout, double x, double y);

/* A point of the widget as a place in the field, and back. */
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
/* Zooms so that the place (u, v) stays under the pointer. */
void lac_camera_zoom(LacCamera *camera, double u, double v, double factor);
void lac_camera_move(LacCamera *camera, double du, double dv);

G_END_DECLS
