/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a widget, taken within the program: for documents and tests, with any renderer, without a display tool. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Waits for the next frame, then writes a PNG. */
void lac_screenshot_take(GtkWidget *widget, const char *path);

G_END_DECLS
