/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the list of runs and their groups. */
#pragma once

#include "app/toolkit/column-table.h"

G_BEGIN_DECLS

/* Adds all columns to @table, whose rows are those of a LacRunTree, and sorts the runs newest first. */
void lac_run_columns_add(LacColumnTable *table);

/* If @width pixels are too few for all columns, hides those whose content is repeated in other columns. */
void lac_run_columns_fit(LacColumnTable *table, int width);

G_END_DECLS
