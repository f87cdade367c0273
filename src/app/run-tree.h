/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs as rows of a list, in order, and where a grouping is asked for under groups that fold: LacRunItem, and before those of a
 * group its LacRunGroupItem. A group that stays keeps how it is folded. */
#pragma once

#include "app/run-group-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_TREE (lac_run_tree_get_type())
G_DECLARE_FINAL_TYPE(LacRunTree, lac_run_tree, LAC, RUN_TREE, GObject)

/* @runs: of LacRunItem. @sorter: of them, within a group. */
LacRunTree *lac_run_tree_new(GListModel *runs, GtkSorter *sorter);

GtkTreeListModel *lac_run_tree_get_model(LacRunTree *tree); /* (transfer none) */

/* @key: of a grouping or a setting, as run/library/group.h has them. */
void lac_run_tree_set_grouping(LacRunTree *tree, const char *key);

/* What the runs say has changed: they are put together anew, soon. */
void lac_run_tree_refresh(LacRunTree *tree);
/* Until that is done. */
void lac_run_tree_wait(LacRunTree *tree);

/* Unfolds or folds every group. */
void lac_run_tree_expand(LacRunTree *tree, gboolean is_expanded);

G_END_DECLS
