/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume in space, turned by dragging, zoomed by the wheel; arrows, plus and minus do the same, 0 and a double click go back. Coarser
 * while it moves where the machine is slow. Signal: vantage-changed. */
#pragma once

#include "report/volume/scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_VOLUME_CANVAS (lac_volume_canvas_get_type())
G_DECLARE_FINAL_TYPE(LacVolumeCanvas, lac_volume_canvas, LAC, VOLUME_CANVAS, GtkWidget)

/* Both are borrowed for the life of the canvas; the vantage is changed by it. */
void lac_volume_canvas_set_scene(LacVolumeCanvas      *canvas,
                                 const LacVolumeScene *scene,
                                 LacVolumeView        *volume_view);

/* The scene holds another frame, or the vantage changed. */
void lac_volume_canvas_redraw(LacVolumeCanvas *canvas);

void lac_volume_canvas_set_electrons(LacVolumeCanvas *canvas, gboolean shown);

/* Called after every picture with when it was begun and ended, and with how long of it data took to the graphics card. */
typedef void (*LacVolumePainted)(gint64   begin_ns,
                                 gint64   upload_ns,
                                 gint64   end_ns,
                                 gpointer user_data);
void lac_volume_canvas_set_painted(LacVolumeCanvas *canvas,
                                   LacVolumePainted painted,
                                   gpointer         user_data);

/* Above and below the picture. */
#define LAC_VOLUME_TOP    26.0
#define LAC_VOLUME_BOTTOM 50.0

G_END_DECLS
