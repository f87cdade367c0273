/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GTK works out the style of a widget when it is first shown: the first look at a page with a thousand of them waits for all. Here it
 * is done ahead, a few a turn, while the main loop has nothing else to do. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of @widget and all that is in it. It may go away meanwhile. */
void lac_styles_ahead(GtkWidget *widget);

G_END_DECLS
