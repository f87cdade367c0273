/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of a table that are named in the path, "FILE#x=easting,u=speed": column easting is read as x, speed as u, and
 * the others are not used. */
#pragma once

#include "io/format/table-text.h"

G_BEGIN_DECLS

/* Splits a path into file and choice, unless a file with the whole name exists. @choice: (out) (transfer none)
 * (nullable): within @path. Returns: (transfer full): the file. */
char *lac_table_choice_dup_file(const char *path, const char **choice);

/* Returns the column that @choice names for @role, "easting" for "x"; (transfer full) (nullable): none. */
char *lac_table_choice_dup_column(const char *choice, const char *role);

/* Opens a table of which the columns have the names of the choice; unused ones have the name "". Returns: %NULL with
 * %LAC_ERROR_BAD_FILE, also for a column that is not there. */
LacTableText *lac_table_choice_open(const char *path, GError **error);

G_END_DECLS
