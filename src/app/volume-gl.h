/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks along the lines of sight of a volume with OpenGL, at fewer points than the screen has pixels where time is short. All calls
 * need the context they were made with to be current; main thread only. */
#pragma once

#include "report/volume/scene.h"

G_BEGIN_DECLS

typedef struct _LacVolumeGl LacVolumeGl;

/* @es: the context speaks OpenGL ES. Returns: NULL with %LAC_ERROR_DEVICE and what the driver says. */
LacVolumeGl *lac_volume_gl_new(gboolean es, GError **error);
void         lac_volume_gl_free(LacVolumeGl *gl);

/* Into the bound framebuffer, all of its @columns by @rows. @coarse: pixels along each side of one line of sight; 1: as fine as the
 * screen. Uploads a frame's cells once; without a frame the picture is clear. Returns when it is drawn. */
void lac_volume_gl_draw(LacVolumeGl          *gl,
                        const LacVolumeScene *scene,
                        const LacVolumeView  *volume_view,
                        int                   columns,
                        int                   rows,
                        int                   coarse);
/* Nanoseconds of the last drawing that went into uploads. */
gint64 lac_volume_gl_get_upload_ns(const LacVolumeGl *gl);

G_END_DECLS
