/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of widgets for screen readers, where the visible text is not enough. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Names @widget in every GTK version: since 4.10, the text inside a button would otherwise override the name. */
void lac_accessible_name(gpointer widget, const char *name);

/* Names the cell that @item fills: since 4.12, a list uses the accessible label of the item, not of its child. */
void lac_accessible_name_cell(GtkListItem *item, const char *name);

/* @name: name of the choice. The inner button gets it too, because it takes the focus. */
void lac_accessible_name_drop_down(GtkDropDown *drop, const char *name);

/* Names the items of all menus opened after this call: since GTK 4.10, their labels are not exposed to screen
 * readers.
 * Called once. */
void lac_accessible_name_menu_items(void);

G_END_DECLS
