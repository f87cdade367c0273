/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menu that groups the list of runs, and the keys that fold its groups. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @runs: LacRunItem, the runs shown, whose settings are offered; outlives @button. */
void lac_group_menu_attach(GtkMenuButton *button, GListModel *runs);
/* Shows the present grouping on the button. @key: of a grouping or a setting. */
void lac_group_menu_show(GtkMenuButton *button, GListModel *runs, const char *key);

/* Left and Right fold and unfold the focused group; Delete deletes the selected runs. */
void lac_group_keys_add(GtkColumnView *view);

G_END_DECLS
