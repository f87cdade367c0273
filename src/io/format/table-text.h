/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delimited text tables: cells between commas, semicolons or tabs, quoted or not, below a line of names; or COMSOL's
 * format: cells between spaces, names in the last line that begins with %. Numbers have a decimal point in every
 * locale. */
#pragma once

#include "base/text-rows.h"

G_BEGIN_DECLS

#define LAC_TABLE_MAX_COLUMNS 4096

typedef struct {
  const char *path;   /* for messages; borrowed */
  char       *text;   /* buffer that the cells point into */
  char       *chosen; /* (nullable): buffer of the names in the table's path, see table-choice.h */
  LacTextRows rows;
  char        separator[2]; /* in the form of lac_text_split() */
  guint       line;         /* line number of the cells below, from 1 */
  guint       n_names, n_cells;
  char       *names[LAC_TABLE_MAX_COLUMNS]; /* "u" of "u (m/s) @ t=2" */
  char       *units[LAC_TABLE_MAX_COLUMNS]; /* (nullable): "m/s" of "u [m/s]" or "u (m/s)" */
  char       *whens[LAC_TABLE_MAX_COLUMNS]; /* (nullable): "t=2" */
  char       *cells[LAC_TABLE_MAX_COLUMNS]; /* cells of the last row read, stripped of spaces */
} LacTableText;

/**
 * lac_table_text_new:
 * @text: (transfer full): zero-terminated, @length bytes; UTF-8 or at least ASCII
 *
 * Reads the line of names: the first that is neither empty nor a # comment; in a text that begins with %, the last of
 * its % lines. The separator of the cells is the most frequent of comma, semicolon and tab in that line.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE: no line of names, zero bytes within, too many columns, duplicate names.
 */
LacTableText *lac_table_text_new(const char *path, char *text, gsize length, GError **error);
void          lac_table_text_free(LacTableText *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTableText, lac_table_text_free)

/* Reads the next row that is not empty. Returns: FALSE at the end, or with %LAC_ERROR_BAD_FILE when the number of
 * cells differs from the number of names. */
gboolean lac_table_text_next(LacTableText *table, GError **error);

/* Returns: the column of that name, exact match first, else ignoring case; -1: none. */
int lac_table_text_find(const LacTableText *table, const char *name);

/* Parses cell @column of the row as a number; an empty cell, nan and the missing-value marker (1.79e308) give NaN.
 * Returns: FALSE with %LAC_ERROR_BAD_FILE giving line, column and what is expected. */
gboolean
lac_table_text_number(const LacTableText *table, guint column, double *value, GError **error);

G_END_DECLS
