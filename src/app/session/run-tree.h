/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted runs as list rows, optionally in expandable groups: LacRunItem rows, each group preceded by its
 * LacRunGroupItem; within a group the runs of a sweep may stand in a group of their own. A group that persists stays
 * expanded or collapsed. Many changes are taken over in turns of the main loop. */
#pragma once

#include "app/session/run-group-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_TREE (lac_run_tree_get_type())
G_DECLARE_FINAL_TYPE(LacRunTree, lac_run_tree, LAC, RUN_TREE, GObject)

/* Most runs that are grouped in one turn of the main loop; 10 000 runs in a group then cost a few milliseconds a turn. */
#define LAC_RUN_TREE_MOST 500

/* @runs: LacRunItem. @sorter: sorts the items of a group. All groups are expanded at first. */
LacRunTree *lac_run_tree_new(GListModel *runs, GtkSorter *sorter);
/* The latest runs first, and the runs of a sweep in a group of their own, collapsed at first; of the other groups the
 * first three are expanded. */
LacRunTree *lac_run_tree_new_with_sweeps(GListModel *runs);

GtkTreeListModel *lac_run_tree_get_model(LacRunTree *tree); /* (transfer none) */

/* @key: key of a grouping or a setting, as in run/library/group.h. */
void lac_run_tree_set_grouping(LacRunTree *tree, const char *key);

/* Schedules regrouping; called when the contents of the runs, or the day, have changed. */
void lac_run_tree_refresh(LacRunTree *tree);
/* Waits until the regrouping is done. */
void lac_run_tree_wait(LacRunTree *tree);
/* Returns the number of runs that are yet to be grouped. */
guint lac_run_tree_get_n_pending(LacRunTree *tree);

/* Expands or collapses all groups. */
void lac_run_tree_expand(LacRunTree *tree, gboolean is_expanded);
/* Expands the groups around a run. Returns: the position of its row; GTK_INVALID_LIST_POSITION if it has none. */
guint lac_run_tree_reveal(LacRunTree *tree, LacRunItem *run);

G_END_DECLS
