/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the list of runs and their groups. */
#pragma once

#include "app/column-table.h"

G_BEGIN_DECLS

/* Adds them all to @table, whose rows are those of a LacRunTree, and sorts by the latest. */
void lac_run_columns_add(LacColumnTable *table);

/* Leaves out of @width pixels what the others tell too, where there is not room for all. */
void lac_run_columns_fit(LacColumnTable *table, int width);

G_END_DECLS
