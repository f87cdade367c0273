/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of widgets for screen readers, where the visible text is not enough. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Names @widget in every version of GTK: from 4.10 on the text within a button would win over its name. */
void lac_accessible_name(gpointer widget, const char *name);

/* Names the cell that @item fills: from 4.12 on a list shows the name of the item, not that of its child. */
void lac_accessible_name_cell(GtkListItem *item, const char *name);

/* @name: of what is chosen. The button within takes it too: the focus goes there, not to the drop-down. */
void lac_accessible_name_drop_down(GtkDropDown *drop, const char *name);

/* Names the items of every menu from now on: from 4.10 on they are labelled by a text that is not told to a screen reader. Called once. */
void lac_accessible_name_menu_items(void);

G_END_DECLS
