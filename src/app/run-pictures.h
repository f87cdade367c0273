/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small pictures of runs: the fields of the last kept frame, drawn on a thread and kept in the user's cache. What is asked for
 * last is drawn first. */
#pragma once

#include "app/run-item.h"

G_BEGIN_DECLS

#define LAC_RUN_PICTURE_WIDTH  168
#define LAC_RUN_PICTURE_HEIGHT 112

/* Draws the picture of @item unless it has one; it announces itself when it comes. A run without frames gets none. */
void lac_run_pictures_request(LacRunItem *item);

#define LAC_LAST_FRAME G_MAXSIZE
/* Pictures of kept frames of a run under one scale, which the first and the last have part in. Any thread. @pictures: (out):
 * [n], each (transfer full) (nullable): NULL where a frame cannot be read */
void lac_run_pictures_draw(const char  *folder,
                           const gsize *frames,
                           gsize        n,
                           const int    size[2],
                           GdkTexture **pictures);

G_END_DECLS
