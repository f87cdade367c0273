/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the list of runs and their groups. */
#pragma once

#include "app/toolkit/column-table.h"
#include "run/library/headline.h"

G_BEGIN_DECLS

/* Adds all columns to @table, whose rows are those of a LacRunTree, and sorts the runs newest first. */
void lac_run_columns_add(LacColumnTable *table);

/* Chooses the setting that has a column of its own: of those in which @runs (LacRunHeadline) differ among each other,
 * the one in which most of them differ from the defaults. Does nothing while it is the same. */
void lac_run_columns_find_setting(LacColumnTable *table, const GPtrArray *runs);

G_END_DECLS
