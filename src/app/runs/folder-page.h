/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a folder: all runs, a group of them, or a sweep. A sweep has a sentence and a chart above its table; the
 * side has the details of the selection. Signals: selection-changed; folder-changed: another folder or title. */
#pragma once

#include "app/runs/sweep-view.h"
#include "app/session/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FOLDER_PAGE (lac_folder_page_get_type())
G_DECLARE_FINAL_TYPE(LacFolderPage, lac_folder_page, LAC, FOLDER_PAGE, GtkWidget)

void lac_folder_page_set_store(LacFolderPage *page, LacRunStore *store);

/* ---- the folder ---- */

/* Shows a group of runs. @key, @name: of the group, as in run/library/group.h; "none", "": all runs. A group whose runs
 * are of one sweep is shown as a sweep. */
void lac_folder_page_set_folder(LacFolderPage *page, const char *key, const char *name);
/* Shows the sweep of this window, with earlier runs that were recorded as parts of it. */
void lac_folder_page_set_series(LacFolderPage *page, LacSweepSeries *series);

/* Returns: (transfer full): title and caption of the folder: "Sensors K", "sweep of Kolmogorov flow · 6 runs". */
char *lac_folder_page_dup_title(LacFolderPage *page);
char *lac_folder_page_dup_caption(LacFolderPage *page);
/* Returns: (transfer full): paths of the runs of the sweep in the order of the table, NULL-terminated; of the selection
 * or of all runs shown if it is no sweep. */
GStrv lac_folder_page_dup_paths(LacFolderPage *page);
/* Return: (transfer none) (nullable): NULL unless a sweep is shown. */
LacSweepView       *lac_folder_page_get_sweep(LacFolderPage *page);
const LacSweepRuns *lac_folder_page_get_results(LacFolderPage *page);

/* ---- the table ---- */

/* Returns: (transfer full): the selected LacRunItem, in the order of the table. */
GPtrArray *lac_folder_page_get_selection(LacFolderPage *page);
/* Selects runs by the names of their folders; runs that the search hides cannot be selected. */
void lac_folder_page_select(LacFolderPage *page, const char *const *names);
/* @text: words and conditions in the syntax of run/library/filter.h. */
void lac_folder_page_search(LacFolderPage *page, const char *text);
void lac_folder_page_focus_search(LacFolderPage *page);
/* Returns: the number of runs that match the search, including those in collapsed groups. */
guint lac_folder_page_get_n_shown(LacFolderPage *page);

/* @key: key of a grouping or a setting, as in run/library/group.h; applies to all runs. */
void lac_folder_page_set_grouping(LacFolderPage *page, const char *key);
/* Expands or collapses all groups. */
void lac_folder_page_expand(LacFolderPage *page, gboolean is_expanded);

/* ---- around it ---- */

GtkWidget *lac_folder_page_get_bar(LacFolderPage *page); /* (transfer none): a LacBottomBar */

G_END_DECLS
