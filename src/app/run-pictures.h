/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small pictures of runs: the fields of the last kept frame, drawn on a thread and kept in the user's cache. What is asked for
 * last is drawn first. */
#pragma once

#include "app/run-item.h"

G_BEGIN_DECLS

#define LAC_RUN_PICTURE_WIDTH  168
#define LAC_RUN_PICTURE_HEIGHT 112

/* Draws the picture of @item unless it has one; it announces itself when it comes. A run without frames gets none. */
void lac_run_pictures_ask(LacRunItem *item);

G_END_DECLS
