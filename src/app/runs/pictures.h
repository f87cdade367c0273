/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails of runs: the fields of the last saved frame, drawn in a thread and cached in the user's cache directory.
 * The latest request is served first. */
#pragma once

#include "app/session/run-item.h"

G_BEGIN_DECLS

#define LAC_RUN_PICTURE_WIDTH  168
#define LAC_RUN_PICTURE_HEIGHT 112

/* Draws the thumbnail of @item unless it has one; @item emits "updated" when the thumbnail is set. A run without
 * frames gets none. */
void lac_run_pictures_request(LacRunItem *item);

#define LAC_LAST_FRAME G_MAXSIZE
/* Draws saved frames of a run on one scale, computed from the first and the last frame. Any thread. @pictures: (out):
 * [n], each (transfer full) (nullable): NULL if a frame cannot be read */
void lac_run_pictures_draw(const char  *folder,
                           const gsize *frames,
                           gsize        n,
                           const int    size[2],
                           GdkTexture **pictures);

G_END_DECLS
