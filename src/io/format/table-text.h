/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text with rows and columns, as every program writes it: cells between commas, semicolons or tabs, in quotes or not, with a
 * line of names above; or as COMSOL writes it: cells between spaces, names in the last line behind %. Numbers have a decimal
 * point in every locale. */
#pragma once

#include "base/text-rows.h"

G_BEGIN_DECLS

#define LAC_TABLE_MAX_COLUMNS 4096

typedef struct {
  const char *path; /* for sentences; borrowed */
  char       *text; /* cells point into it */
  LacTextRows rows;
  char        separator[2]; /* as lac_text_split() takes it */
  guint       line;         /* of the cells below, the first one is 1 */
  guint       n_names, n_cells;
  char       *names[LAC_TABLE_MAX_COLUMNS]; /* "u" of "u (m/s) @ t=2" */
  char       *units[LAC_TABLE_MAX_COLUMNS]; /* (nullable): "m/s" of "u [m/s]" or "u (m/s)" */
  char       *whens[LAC_TABLE_MAX_COLUMNS]; /* (nullable): "t=2" */
  char *cells[LAC_TABLE_MAX_COLUMNS]; /* of the last row that was read, without spaces around */
} LacTableText;

/**
 * lac_table_text_new:
 * @text: (transfer full): zero-terminated, @length bytes; UTF-8 or at least ASCII
 *
 * Reads the line of names: the first that is neither empty nor a remark behind #; of a text that begins with %, the last of
 * its lines behind %. What stands most often in it, comma, semicolon or tab, separates the cells.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE: no line of names, zero bytes within, too many columns, a name twice.
 */
LacTableText *lac_table_text_new(const char *path, char *text, gsize length, GError **error);
void          lac_table_text_free(LacTableText *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTableText, lac_table_text_free)

/* The next row that is not empty. Returns: FALSE at the end, or with %LAC_ERROR_BAD_FILE where a row has not as many cells as
 * there are names. */
gboolean lac_table_text_next(LacTableText *table, GError **error);

/* Returns: the column of that name, letter by letter or in other case; -1: there is none. */
int lac_table_text_find(const LacTableText *table, const char *name);

/* Cell @column of the row as a number; an empty one and nan are NaN, and so is what is written for a missing one (1.79e308).
 * Returns: FALSE with %LAC_ERROR_BAD_FILE naming line and column and what is expected. */
gboolean
lac_table_text_number(const LacTableText *table, guint column, double *value, GError **error);

G_END_DECLS
