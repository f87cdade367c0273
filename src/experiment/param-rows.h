/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter table composed of several; the structs of the parts follow one another. */
#pragma once

#include "base/param.h"

G_BEGIN_DECLS

/* Appends the rows of @part to @rows, an array of LacParam. @offset: offset of the part's struct. Returns: the offset
 * for the next part. */
gsize lac_rows_append(GArray *rows, const LacParamTable *part, gsize offset);

/* Makes the last @n rows apply only while the list parameter @list contains @entry. */
void lac_rows_bind(GArray *rows, gsize n, const char *list, const char *entry);

/* Returns: (nullable): the row, valid until the next append; NULL: none. */
LacParam *lac_rows_find(GArray *rows, const char *key);

/* Overrides the default of a shared row. @text: in the format of lac_draft_set(). */
void lac_row_set_fallback(LacParam *row, const char *text);

/* Clears the strings in @values, a copy of a draft's values: file names and texts, which the draft owns. */
void lac_rows_forget_texts(const LacParamTable *table, gpointer values);

G_END_DECLS
