/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits text into lines and cells. */
#include "base/text-rows.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define BLANKS          " \t"

void
lac_text_rows_init(LacTextRows *rows, char *text, const char *remarks)
{
  const gsize mark = g_str_has_prefix(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0;

  *rows = (LacTextRows){text + mark, remarks, 0};
}

char *
lac_text_rows_take_line(LacTextRows *rows)
{
  char *line = rows->next;

  if (line == NULL || *line == '\0')
    return NULL;
  char *end = line + strcspn(line, "\r\n");
  rows->next = end + (end[0] == '\r' && end[1] == '\n' ? 2 : *end != '\0');
  *end = '\0';
  rows->line++;
  return line;
}

char *
lac_text_rows_take(LacTextRows *rows)
{
  char *line;

  while ((line = lac_text_rows_take_line(rows)) != NULL) {
    g_strstrip(line);
    if (*line != '\0' && strchr(rows->remarks, *line) == NULL)
      return line;
  }
  return NULL;
}

char
lac_text_find_separator(const char *line)
{
  static const char candidates[] = {',', ';', '\t'};
  gsize             counts[G_N_ELEMENTS(candidates)] = {0}, best = 0;
  gboolean          quoted = FALSE;

  for (; *line != '\0'; line++) {
    quoted = quoted != (*line == '"');
    for (gsize i = 0; i < G_N_ELEMENTS(candidates) && !quoted; i++)
      counts[i] += *line == candidates[i];
  }
  for (gsize i = 1; i < G_N_ELEMENTS(candidates); i++)
    if (counts[i] > counts[best])
      best = i;
  return candidates[best];
}

/* Tests the first separator first: most texts have only one. */
static gboolean
is_separator(char byte, const char *separators)
{
  return byte == separators[0] || (separators[1] != '\0' && strchr(separators + 1, byte) != NULL);
}

/* Returns: the end of the cell that begins at @at: its separator or the end of the line. */
static char *
find_end(char *at, const char *separators)
{
  gboolean quoted = FALSE;

  for (; *at != '\0' && (quoted || !is_separator(*at, separators)); at++)
    if (*at == '"')
      quoted = !quoted;
  return at;
}

/* Removes surrounding spaces and one pair of quotes. */
static char *
strip_quotes(char *cell)
{
  g_strstrip(cell);
  gsize n = strlen(cell);
  if (n < 2 || cell[0] != '"' || cell[n - 1] != '"')
    return cell;
  cell[n - 1] = '\0';
  return g_strstrip(cell + 1);
}

/* Returns: the end of a cell delimited by a space, or by two or more for phrases */
static char *
find_blank(char *at, gboolean is_phrase)
{
  if (!is_phrase)
    return at + strcspn(at, BLANKS);
  while (*at != '\0' && !(at[0] == ' ' && (at[1] == ' ' || at[1] == '\0')))
    at++;
  return at;
}

static gboolean
split_at_blanks(char *line, gboolean has_phrases, char **cells, guint most, guint *n)
{
  for (*n = 0;;) {
    line += strspn(line, BLANKS);
    if (*line == '\0')
      return TRUE;
    if (*n == most)
      return FALSE;
    cells[(*n)++] = line;
    line = find_blank(line, has_phrases);
    if (*line != '\0')
      *line++ = '\0';
  }
}

gboolean
lac_text_split_phrases(char *line, char **cells, guint most, guint *n_cells)
{
  return split_at_blanks(line, TRUE, cells, most, n_cells);
}

gboolean
lac_text_split(char *line, const char *separators, char **cells, guint most, guint *n_cells)
{
  if (g_str_equal(separators, " "))
    return split_at_blanks(line, FALSE, cells, most, n_cells);
  for (*n_cells = 0;;) {
    if (*n_cells == most)
      return FALSE;
    char    *end = find_end(line, separators);
    gboolean is_last = *end == '\0';
    *end = '\0';
    cells[(*n_cells)++] = strip_quotes(line);
    if (is_last)
      return TRUE;
    line = end + 1;
  }
}

gboolean
lac_text_needs_quotes(const char *text)
{
  return strpbrk(text, ",\"\r\n") != NULL;
}

char *
lac_text_quote(const char *text)
{
  GString *cell = g_string_new(text);

  g_string_replace(cell, "\"", "\"\"", 0);
  g_string_prepend_c(cell, '"');
  g_string_append_c(cell, '"');
  return g_string_free(cell, FALSE);
}
