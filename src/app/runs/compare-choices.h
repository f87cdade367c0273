/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run selection of the comparison: the items of its two drop-downs and their defaults. */
#pragma once

#include "app/session/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the runs of the store, newest first. */
GListModel *lac_compare_choices_new(LacRunStore *store);
/* Sets up a drop-down for these runs, with a search entry. */
void lac_compare_choices_prepare(GtkDropDown *drop);
/* Returns: (nullable): the path of the selected run. */
const char *lac_compare_choices_get(GtkDropDown *drop);
/* @item: (nullable). Returns: the position of @item, or GTK_INVALID_LIST_POSITION. */
guint lac_compare_choices_find(GListModel *choices, LacRunItem *item);

/* Finds the newest run that can be shown and its counterpart: the baseline of its experiment, else another run of
 * that experiment, else any other run. @paths: (out): the counterpart, then the run; owned by the runs. Returns:
 * FALSE if no two runs can be shown. */
gboolean lac_compare_choices_find_last(GListModel *choices, const char *paths[2]);

/* Lets a drop-down of labels shrink below the width of its longest label. */
void lac_compare_choices_shorten(GtkDropDown *drop);

G_END_DECLS
