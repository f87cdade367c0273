/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bottom bar of a folder: what is chosen and how large it is; the next actions of a sweep, or of a list of runs. */
#pragma once

#include "app/runs/sweep-runs.h"
#include "app/session/run-store.h"
#include "app/toolkit/bottom-bar.h"

G_BEGIN_DECLS

GtkWidget *lac_folder_bar_new(void);

/* Shows the progress of a sweep. */
void lac_folder_bar_show_sweep(LacBottomBar *bar, const LacSweepRuns *results);

/* Shows how many runs are chosen, their size and the free space. @folder: (nullable): path of the folder of runs.
 * @runs, @chosen: LacRunItem. @n_shown: runs that match the search */
void lac_folder_bar_show_runs(LacBottomBar    *bar,
                              const char      *folder,
                              GListModel      *runs,
                              guint            n_shown,
                              const GPtrArray *chosen);

G_END_DECLS
