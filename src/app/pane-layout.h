/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the panes of the field viewer lie, and which part of the field each shows. All panes share one camera. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_MAX_PANES 3

typedef struct {
  double x, y, width, height; /* logical pixels, y down */
} LacBox;

/* (u, v) is the place in the field at the middle of a pane: 0...1 each, v upward. zoom 1 shows all of it. */
typedef struct {
  double u, v, zoom;
} LacCamera;

typedef struct {
  guint  n_panes;
  LacBox panes[LAC_MAX_PANES];
  double field_width, field_height; /* of the whole field at zoom 1 */
} LacPaneLayout;

/* @area: what the panes may fill; @aspect: width of the field over its height, 0: stretch it to the pane */
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
