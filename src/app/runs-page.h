/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of runs: a list that is searched and sorted, and beside it what was chosen. Signal: selection-changed. */
#pragma once

#include "app/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUNS_PAGE (lac_runs_page_get_type())
G_DECLARE_FINAL_TYPE(LacRunsPage, lac_runs_page, LAC, RUNS_PAGE, GtkWidget)

void lac_runs_page_set_store(LacRunsPage *page, LacRunStore *store);

/* Returns: (transfer full): the chosen LacRunItem, as they stand in the list. */
GPtrArray *lac_runs_page_get_selection(LacRunsPage *page);
/* Chooses runs by the names of their folders; those that the search leaves out cannot be. */
void lac_runs_page_select(LacRunsPage *page, const char *const *names);
/* Words and conditions as run/library/filter.h takes them. */
void lac_runs_page_search(LacRunsPage *page, const char *text);
void lac_runs_page_focus_search(LacRunsPage *page);
/* Runs that the search leaves, folded away or not. */
guint lac_runs_page_get_n_shown(LacRunsPage *page);

/* @key: of a grouping or a setting, as run/library/group.h has them. */
void lac_runs_page_set_grouping(LacRunsPage *page, const char *key);
/* Unfolds or folds every group. */
void lac_runs_page_expand(LacRunsPage *page, gboolean is_expanded);

G_END_DECLS
