/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of delimited text (CSV and similar), split in place: line ends, comments, separators, quotes. The caller
 * interprets the rows. Numbers follow base/number.h: a decimal point in every locale, never a comma. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char       *next;    /* (nullable): start of the unread lines */
  const char *remarks; /* characters that begin a comment line: "#%" */
  guint       line;    /* number of the last line taken, from 1 */
} LacTextRows;

/* @text: zero-terminated; must outlive the rows and cells. A byte order mark is skipped. */
void lac_text_rows_init(LacTextRows *rows, char *text, const char *remarks);

/* Takes the next line, which ends with LF, CR, CR LF or the text's end. Returns: (nullable): the line without its
 * end; NULL after the last. */
char *lac_text_rows_take_line(LacTextRows *rows);
/* Skips empty lines and comments. Returns: (nullable): the next line, trimmed; NULL after the last. */
char *lac_text_rows_take(LacTextRows *rows);

/* Returns: comma, semicolon or tab, the most frequent in @line outside quotes */
char lac_text_find_separator(const char *line);

/* Splits @line into trimmed @cells, (out) [@most], each stripped of one enclosing pair of quotes. @separators: each
 * of these bytes separates cells, except within quotes; " ": any run of spaces and tabs separates them, and quotes
 * are ordinary characters. Returns: FALSE when there are more than @most cells; the first @most are then filled. */
gboolean
lac_text_split(char *line, const char *separators, char **cells, guint most, guint *n_cells);
/* Splits @line at runs of two or more spaces; a cell may contain single spaces, and quotes are ordinary characters. */
gboolean lac_text_split_phrases(char *line, char **cells, guint most, guint *n_cells);

/* Returns TRUE when @text must be quoted as a CSV cell. */
gboolean lac_text_needs_quotes(const char *text);
char    *lac_text_quote(const char *text); /* doubles inner quotes */

G_END_DECLS
