/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted runs as list rows, optionally in expandable groups: LacRunItem rows, each group preceded by its
 * LacRunGroupItem. A group that persists stays expanded or collapsed. */
#pragma once

#include "app/session/run-group-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_TREE (lac_run_tree_get_type())
G_DECLARE_FINAL_TYPE(LacRunTree, lac_run_tree, LAC, RUN_TREE, GObject)

/* @runs: LacRunItem. @sorter: sorts the items of a group. */
LacRunTree *lac_run_tree_new(GListModel *runs, GtkSorter *sorter);

GtkTreeListModel *lac_run_tree_get_model(LacRunTree *tree); /* (transfer none) */

/* @key: key of a grouping or a setting, as in run/library/group.h. */
void lac_run_tree_set_grouping(LacRunTree *tree, const char *key);

/* Schedules regrouping; called when the contents of the runs have changed. */
void lac_run_tree_refresh(LacRunTree *tree);
/* Waits until the regrouping is done. */
void lac_run_tree_wait(LacRunTree *tree);

/* Expands or collapses all groups. */
void lac_run_tree_expand(LacRunTree *tree, gboolean is_expanded);

G_END_DECLS
