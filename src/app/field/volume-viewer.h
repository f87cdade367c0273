/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume in space beside a slice of it, with controls for the slice plane and the surface. */
#pragma once

#include "app/field/volume-canvas.h"

G_BEGIN_DECLS

#define LAC_TYPE_VOLUME_VIEWER (lac_volume_viewer_get_type())
G_DECLARE_FINAL_TYPE(LacVolumeViewer, lac_volume_viewer, LAC, VOLUME_VIEWER, GtkWidget)

/* Shows the first channel with layers. Returns: FALSE if there is none. */
gboolean lac_volume_viewer_set_channels(LacVolumeViewer  *viewer,
                                        const LacChannel *channels,
                                        gsize             n_channels);
void     lac_volume_viewer_set_frame(LacVolumeViewer *viewer, LacFrame *frame); /* (nullable) */

void lac_volume_viewer_set_vision(LacVolumeViewer *viewer, LacVision vision);
void lac_volume_viewer_zoom(LacVolumeViewer *viewer, double factor);
void lac_volume_viewer_fit(LacVolumeViewer *viewer); /* resets the view */

/* (transfer none): the present view. */
const LacVolumeView *lac_volume_viewer_get_view(LacVolumeViewer *viewer);
/* (transfer none): key of the channel shown; NULL without a volume. */
const char *lac_volume_viewer_get_channel(LacVolumeViewer *viewer);

LacVolumeCanvas *lac_volume_viewer_get_canvas(LacVolumeViewer *viewer);

/* Returns: (transfer full): the controls, removed from the viewer, to be placed elsewhere in the same window */
GtkWidget *lac_volume_viewer_take_controls(LacVolumeViewer *viewer);

G_END_DECLS
