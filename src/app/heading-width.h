/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How wide a column of a table is at least. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Pixels that the heading @title takes in this language, with room for the arrow of the order. */
int lac_heading_width(GtkWidget *widget, const char *title);

G_END_DECLS
