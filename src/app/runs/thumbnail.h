/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of fixed size in a cell of a table, cropped to its shape. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *lac_thumbnail_new(int width, int height);
void       lac_thumbnail_set(GtkWidget *thumbnail, GdkTexture *picture); /* (nullable) */

G_END_DECLS
