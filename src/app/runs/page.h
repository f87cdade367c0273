/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of runs: a list that can be searched and sorted, with details of the selection. Signal:
 * selection-changed. */
#pragma once

#include "app/session/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUNS_PAGE (lac_runs_page_get_type())
G_DECLARE_FINAL_TYPE(LacRunsPage, lac_runs_page, LAC, RUNS_PAGE, GtkWidget)

void lac_runs_page_set_store(LacRunsPage *page, LacRunStore *store);

/* Returns: (transfer full): the selected LacRunItem, in the order of the list. */
GPtrArray *lac_runs_page_get_selection(LacRunsPage *page);
/* Selects runs by the names of their folders; runs that the search hides cannot be selected. */
void lac_runs_page_select(LacRunsPage *page, const char *const *names);
/* @text: words and conditions in the syntax of run/library/filter.h. */
void lac_runs_page_search(LacRunsPage *page, const char *text);
void lac_runs_page_focus_search(LacRunsPage *page);
/* Returns: the number of runs that match the search, including those in collapsed groups. */
guint lac_runs_page_get_n_shown(LacRunsPage *page);

/* @key: key of a grouping or a setting, as in run/library/group.h. */
void lac_runs_page_set_grouping(LacRunsPage *page, const char *key);
/* Expands or collapses all groups. */
void lac_runs_page_expand(LacRunsPage *page, gboolean is_expanded);

G_END_DECLS
