/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pointer is told over a widget of which there are many. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As gtk_widget_set_tooltip_text(), which asks the display where the pointer is, whenever a text is set: a list that
 * binds a page of cells takes a tenth of a second for that alone. Here the text is kept until it is asked for. @text: (nullable):
 * nothing is told. */
void lac_tip_set(GtkWidget *widget, const char *text);

G_END_DECLS
