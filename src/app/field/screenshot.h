/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screenshots of a widget, taken within the program: for documents and tests, with any renderer, without a display
 * tool. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Waits for the next frame, then writes a PNG. */
void lac_screenshot_take(GtkWidget *widget, const char *path);

/* Writes the thumbnail of an experiment's card: three squares side by side with the whole truth, the first
 * reconstruction and its error, without text; of a run without a truth only the one in the middle. Returns: FALSE when
 * there is no frame, or the file cannot be written. */
gboolean lac_thumbnail_save(LacSession *session, const char *path);

G_END_DECLS
