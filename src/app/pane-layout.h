/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the panes of the field viewer lie, and which part of the field each shows. All panes share one camera. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_MAX_PANES 6

typedef struct {
  double x, y, width, height; /* logical pixels, y down */
} LacBox;

/* (u, v) is the place in the field at the middle of a pane: 0...1 each, v upward. zoom 1 shows all of it. */
typedef struct {
  double u, v, zoom;
} LacCamera;

typedef struct {
  guint  n_panes, n_columns; /* row by row, the truth first */
  LacBox panes[LAC_MAX_PANES];
  double field_width, field_height; /* of the whole field at zoom 1 */
} LacPaneLayout;

#define LAC_PANE_GAP     12.0 /* between panes side by side */
#define LAC_PANE_ROW_GAP 26.0 /* between rows: the titles of the lower one */

/**
 * lac_pane_layout_place:
 * @area: what the panes may fill
 * @aspect: width of the field over its height, 0: stretch it to the pane
 *
 * As many columns as make the fields largest.
 */
void lac_pane_layout_place(LacPaneLayout *layout, guint n_panes, const LacBox *area, double aspect);

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
