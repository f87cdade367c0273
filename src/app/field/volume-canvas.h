/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume in space: drag or arrow keys rotate it, the wheel or plus and minus zoom, 0 or a double click resets the
 * view. On a slow machine the volume is drawn more coarsely while it moves. Signal: view-changed. */
#pragma once

#include "report/volume/scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_VOLUME_CANVAS (lac_volume_canvas_get_type())
G_DECLARE_FINAL_TYPE(LacVolumeCanvas, lac_volume_canvas, LAC, VOLUME_CANVAS, GtkWidget)

/* Borrows @scene and @volume_view for the life of the canvas, which changes the view. */
void lac_volume_canvas_set_scene(LacVolumeCanvas      *canvas,
                                 const LacVolumeScene *scene,
                                 LacVolumeView        *volume_view);

/* Call after the view, or the frame of the scene, has changed. */
void lac_volume_canvas_redraw(LacVolumeCanvas *canvas);

void lac_volume_canvas_set_electrons(LacVolumeCanvas *canvas, gboolean shown);

/* Called after each drawing with its start, the time spent on uploads to the GPU, and its end. */
typedef void (*LacVolumePainted)(gint64   begin_ns,
                                 gint64   upload_ns,
                                 gint64   end_ns,
                                 gpointer user_data);
void lac_volume_canvas_set_painted(LacVolumeCanvas *canvas,
                                   LacVolumePainted painted,
                                   gpointer         user_data);

/* Margins above and below the picture. */
#define LAC_VOLUME_TOP       26.0
#define LAC_VOLUME_BOTTOM    50.0
#define LAC_VOLUME_BAR_INSET 14.0 /* px: half the width of a number at an end of the colour bar */

G_END_DECLS
