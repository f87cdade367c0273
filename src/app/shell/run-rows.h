/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the sidebar's tree of runs: a heading for a group, a folder for a sweep, and for a run its thumbnail, its
 * name, what tells it from its neighbours, and its best result. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_ROWS (lac_run_rows_get_type())
G_DECLARE_FINAL_TYPE(LacRunRows, lac_run_rows, LAC, RUN_ROWS, GObject)

/* Makes the rows of @selection over @tree (LacRunItem, LacRunGroupItem). While several runs are selected their
 * thumbnails carry the letters by which a comparison names them. Takes the references. */
LacRunRows         *lac_run_rows_new(GtkTreeListModel *tree, GtkSelectionModel *selection);
GtkListItemFactory *lac_run_rows_get_factory(LacRunRows *rows); /* (transfer none) */

/* @letters: (element-type LacRunItem): the runs compared, in the order of their letters. */
void lac_run_rows_set_letters(LacRunRows *rows, GPtrArray *letters);
/* @path: (nullable): the run that is being read; its row shows a spinner instead of the result. */
void lac_run_rows_set_opening(LacRunRows *rows, const char *path);

G_END_DECLS
