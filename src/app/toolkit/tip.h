/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tooltips for list cells. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Sets a tooltip, as gtk_widget_set_tooltip_text() does. That function queries the pointer position from the display
 * at every call: a tenth of a second for a page of cells. Here the text is stored and shown on demand. @text:
 * (nullable): no tooltip. */
void lac_tip_set(GtkWidget *widget, const char *text);

G_END_DECLS
