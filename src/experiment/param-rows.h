/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter table put together from several: each part's struct follows the one before it. */
#pragma once

#include "base/param.h"

G_BEGIN_DECLS

/* @rows: of LacParam; @offset: where the part's struct begins. Returns: where the next one may begin. */
gsize lac_rows_append(GArray *rows, const LacParamTable *part, gsize offset);

/* The last @n rows mean something only while the row @list has @entry. */
void lac_rows_bind(GArray *rows, gsize n, const char *list, const char *entry);

/* Returns: (nullable): NULL: there is none; until the next one is appended. */
LacParam *lac_rows_find(GArray *rows, const char *key);

/* A default of one's own for a row that others declare. @text: as lac_draft_set() takes it. */
void lac_row_set_fallback(LacParam *row, const char *text);

/* What a draft owns does not outlive it: file names and texts of a copy of its @values are taken out. */
void lac_rows_forget_texts(const LacParamTable *table, gpointer values);

G_END_DECLS
