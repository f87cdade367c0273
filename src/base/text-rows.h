/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of delimited text (CSV and its relatives), cut in place: line ends, remarks, separators, quotes. What a row means is its reader's.
 * Numbers in cells are those of base/number.h: a decimal point in every locale, never a comma. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char       *next;    /* of the lines that are still to come; (nullable) */
  const char *remarks; /* a line that begins with one of these says nothing: "#%" */
  guint       line;    /* number of the last line that was taken, the first is 1 */
} LacTextRows;

/* @text: zero-terminated; kept by the caller as long as rows and cells are used. A byte order mark is passed over. */
void lac_text_rows_init(LacTextRows *rows, char *text, const char *remarks);

/* Takes the next line, which ends with LF, CR, CR LF or the text. Returns: (nullable): without its end; NULL after the last. */
char *lac_text_rows_take_line(LacTextRows *rows);
/* Takes lines up to one that is neither empty nor a remark. Returns: (nullable): without spaces around. */
char *lac_text_rows_take(LacTextRows *rows);

/* Returns: comma, semicolon or tab, whichever stands most often in @line outside quotes */
char lac_text_find_separator(const char *line);

/* Cuts @line into cells, which lose the spaces around them and one pair of quotes; separators within quotes separate nothing.
 * @separators: each of these bytes; " " instead: any number of spaces and tabs, without quotes
 * @cells: (out): [@most]
 * Returns: FALSE when there are more than @most; the first @most are there then. */
gboolean
lac_text_split(char *line, const char *separators, char **cells, guint most, guint *n_cells);
/* The same between two spaces or more: a cell may hold single ones. */
gboolean lac_text_split_phrases(char *line, char **cells, guint most, guint *n_cells);

/* For what is written between commas. */
gboolean lac_text_needs_quotes(const char *text);
char    *lac_text_quote(const char *text); /* quotes within are doubled */

G_END_DECLS
