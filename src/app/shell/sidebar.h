/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sidebar: the experiments and the benchmarks, what is in progress, and the runs in groups. What is chosen in it
 * fills the rest of the window; two runs chosen are compared. Its rows activate actions of the window.
 *
 * Signals:
 *   runs-chosen   the user chose other runs: one to show, several to compare
 *   folder-chosen (LacRunGroupItem): the user chose a group or a sweep */
#pragma once

#include "app/session/workbench.h"
#include "app/shell/progress-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SIDEBAR (lac_sidebar_get_type())
G_DECLARE_FINAL_TYPE(LacSidebar, lac_sidebar, LAC, SIDEBAR, GtkWidget)

/* The content beside the sidebar. */
typedef enum {
  LAC_PLACE_EXPERIMENTS,
  LAC_PLACE_BENCHMARKS,
  LAC_PLACE_DRAFT,      /* the set-up of a new run */
  LAC_PLACE_RUN,        /* the run on display */
  LAC_PLACE_FOLDER,     /* all runs, a group of runs or a sweep */
  LAC_PLACE_COMPARISON, /* the runs compared */
  LAC_PLACE_TRACE,      /* the trace of another program */
  LAC_N_PLACES
} LacPlace;

void             lac_sidebar_set_workbench(LacSidebar *sidebar, LacWorkbench *workbench);
LacProgressList *lac_sidebar_get_progress(LacSidebar *sidebar); /* (transfer none) */

/* Marks the row of what is shown, without a signal. @paths: (nullable): the runs of a run or a comparison, in the
 * order of the comparison. */
void lac_sidebar_show_place(LacSidebar *sidebar, LacPlace place, const char *const *paths);

/* Returns: (transfer full): the chosen LacRunItem, in the order of the tree. */
GPtrArray *lac_sidebar_get_runs(LacSidebar *sidebar);

/* @key: key of a grouping or a setting, as in run/library/group.h. */
void lac_sidebar_set_grouping(LacSidebar *sidebar, const char *key);
/* Opens the search entry and moves the focus to it. */
void lac_sidebar_find(LacSidebar *sidebar);
/* Adds the recent files to the main menu. */
void lac_sidebar_set_recent(LacSidebar *sidebar, GMenuModel *recent);

G_END_DECLS
