/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for what GTK 4.8 leaves unnamed to those who hear the window. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @name: of what is chosen. The button within takes it too: the focus goes there, not to the drop-down. */
void lac_accessible_name_drop_down(GtkDropDown *drop, const char *name);

G_END_DECLS
