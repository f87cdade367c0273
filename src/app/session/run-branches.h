/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of runs that follow their runs one by one; within a group the runs of a sweep may stand in a group of their
 * own. Main thread. */
#pragma once

#include "app/session/run-group-item.h"

G_BEGIN_DECLS

typedef struct _LacRunBranches LacRunBranches;

/* @key: as for lac_run_group(), not of %LAC_GROUP_NONE */
LacRunBranches *lac_run_branches_new(const char *key, gboolean with_sweeps);
void            lac_run_branches_free(LacRunBranches *self);

/* Returns: (transfer none): LacRunGroupItem, in the order of the grouping. */
GListModel *lac_run_branches_get_groups(LacRunBranches *self);

/* Notes where a run belongs, by its present headline. @is_here: FALSE: it is gone. Cheap if nothing has changed. */
void lac_run_branches_place(LacRunBranches *self, LacRunItem *run, gboolean is_here);
/* Updates the groups after some runs were placed: each changes once. */
void lac_run_branches_update(LacRunBranches *self);
/* Updates the titles after midnight: "Today" is then another day. */
void lac_run_branches_update_titles(LacRunBranches *self);

/* Finds the first group of a run. @sweep: (out) (nullable): the sweep within it that the run stands in. Returns:
 * (nullable): NULL if it was not placed. */
LacRunGroupItem *
lac_run_branches_find(LacRunBranches *self, LacRunItem *run, LacRunGroupItem **sweep);

G_END_DECLS
