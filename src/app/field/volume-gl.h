/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ray casting of a volume with OpenGL, at a reduced resolution if time is short. The OpenGL context must be current
 * in every call; main thread only. */
#pragma once

#include "report/volume/scene.h"

G_BEGIN_DECLS

typedef struct _LacVolumeGl LacVolumeGl;

/* @es: the context is OpenGL ES. Returns: NULL with %LAC_ERROR_DEVICE and the driver's message. */
LacVolumeGl *lac_volume_gl_new(gboolean es, GError **error);
void         lac_volume_gl_free(LacVolumeGl *gl);

/* Draws into the bound framebuffer, over its full size of @columns by @rows; clears it when the scene has no frame.
 * @coarse: side, in pixels, of the blocks that each share one ray; 1: full resolution. Uploads the cells of each
 * frame once. Returns when the drawing is complete. */
void lac_volume_gl_draw(LacVolumeGl          *gl,
                        const LacVolumeScene *scene,
                        const LacVolumeView  *volume_view,
                        int                   columns,
                        int                   rows,
                        int                   coarse);
/* Returns: nanoseconds of the last drawing that were spent on uploads. */
gint64 lac_volume_gl_get_upload_ns(const LacVolumeGl *gl);

G_END_DECLS
