/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs are compared: what the two drop-downs of the comparison list, and what they begin with. */
#pragma once

#include "app/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the runs of the store, the latest first. */
GListModel *lac_compare_choices_new(LacRunStore *store);
/* Makes a drop-down show such runs, with a search. */
void lac_compare_choices_prepare(GtkDropDown *drop);
/* (nullable): the path of the run that is chosen. */
const char *lac_compare_choices_get(GtkDropDown *drop);
/* @item: (nullable). Returns: its place, or GTK_INVALID_LIST_POSITION. */
guint lac_compare_choices_find(GListModel *choices, LacRunItem *item);

/* The last run and what it is compared with: the baseline of its experiment, else another of it, else any other. The paths belong to the
 * runs. Returns: whether there are two. */
gboolean lac_compare_choices_find_last(GListModel *choices, const char *paths[2]);

/* A drop-down of words that takes less room than its longest word where there is less. */
void lac_compare_choices_shorten(GtkDropDown *drop);

G_END_DECLS
