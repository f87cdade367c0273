/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the list of runs and their groups. */
#pragma once

#include "app/run-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Adds them all to @view, which shows the rows of @tree (app/run-tree.h), and sorts by the latest. */
void lac_run_columns_add(GtkColumnView *view, GtkTreeListModel *tree);

/* Leaves out of @width pixels what the others tell too, where there is not room for all. */
void lac_run_columns_fit(GtkColumnView *view, int width);

G_END_DECLS
