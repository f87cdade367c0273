/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables on pages and as plain text. */
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/text/pages-private.h"
#include "report/text/words.h"

#include <string.h>

#define SIZE       8.0
#define LEAST_SIZE 6.0
#define LEAST_WORDS \
  90.0 /* minimum width of a flexible column, if its text is that long: the font shrinks first */
#define ROW          13.0
#define LINE         10.0 /* line height of a wrapped cell */
#define MOST_LINES   4
#define PADDING      5.0
#define MOST_COLUMNS 24

void
lac_table_init(LacTable *table, const LacColumn *columns, gsize n_columns)
{
  g_return_if_fail(table != NULL && n_columns > 0 && n_columns <= MOST_COLUMNS);
  table->columns = columns;
  table->owned_columns = NULL;
  table->n_columns = n_columns;
  table->cells = g_ptr_array_new_with_free_func(g_free);
  table->kinds = g_array_new(FALSE, FALSE, sizeof(guint));
}

void
lac_table_clear(LacTable *table)
{
  g_clear_pointer(&table->cells, g_ptr_array_unref);
  g_clear_pointer(&table->kinds, g_array_unref);
  g_clear_pointer(&table->owned_columns, g_free);
}

void
lac_table_add(LacTable *table, LacRowKind kind, const char *const *cells)
{
  guint row_kind = kind;
  g_array_append_val(table->kinds, row_kind);
  for (gsize c = 0; c < table->n_columns; c++)
    g_ptr_array_add(table->cells, g_strdup(kind == LAC_ROW_GROUP && c > 0 ? "" : cells[c]));
}

static const char *
cell_text(const LacTable *table, gsize row, gsize column)
{
  return g_ptr_array_index(table->cells, (guint) (row * table->n_columns + column));
}

static LacRowKind
row_kind(const LacTable *table, gsize row)
{
  return (LacRowKind) g_array_index(table->kinds, guint, row);
}

/* Column widths on the page, and font size. */
typedef struct {
  double size, widths[MOST_COLUMNS];
} Grid;

/* Returns: the sum of the natural widths. @least: (out): sum of the minimum widths */
static double
measure(const LacTable *table, Grid *grid, double *least)
{
  double sum = 0;
  *least = 0;
  for (gsize c = 0; c < table->n_columns; c++) {
    double *width = &grid->widths[c];
    *width = lac_text_width(lac_word(table->columns[c].title), grid->size, TRUE);
    for (gsize r = 0; r < table->kinds->len; r++)
      if (row_kind(table, r) != LAC_ROW_GROUP)
        *width = MAX(*width, lac_text_width(cell_text(table, r, c), grid->size,
                                            row_kind(table, r) == LAC_ROW_STRONG));
    *width += 2 * PADDING;
    sum += *width;
    *least += table->columns[c].flexible ? MIN(*width, LEAST_WORDS) : *width;
  }
  return sum;
}

/* Starts from natural widths; an excess is taken from the flexible columns, widest first; a remainder goes to the
 * first of them. */
static void
lay_out(const LacTable *table, double room, Grid *grid)
{
  double least, sum;
  gsize  first = table->n_columns;
  for (grid->size = SIZE;; grid->size -= 0.5) {
    sum = measure(table, grid, &least);
    if (least <= room || grid->size <= LEAST_SIZE)
      break;
  }
  for (gsize c = table->n_columns; c-- > 0;)
    if (table->columns[c].flexible)
      first = c;
  if (first == table->n_columns)
    return;
  while (sum > room + 0.01) {
    gsize widest = first;
    for (gsize c = first; c < table->n_columns; c++)
      if (table->columns[c].flexible && grid->widths[c] > grid->widths[widest])
        widest = c;
    double less = MIN(sum - room, MAX(grid->widths[widest] - LEAST_WORDS, 0));
    if (less <= 0)
      break;
    less = MIN(less, 10); /* small steps distribute the reduction over equally wide columns */
    grid->widths[widest] -= less;
    sum -= less;
  }
  if (sum < room)
    grid->widths[first] += room - sum;
}

typedef struct {
  double   x, base, width, size;
  LacAlign align;
  gboolean bold;
} Cell;

static void
draw_cell(LacDrawing *drawing, const Cell *cell, const char *text)
{
  g_autofree char *fitted =
    lac_text_dup_fitted(text, cell->size, cell->bold, cell->width - 2 * PADDING + 0.01);
  LacColour colour = lac_palette_paper.foreground;
  double    x = cell->align == LAC_ALIGN_RIGHT    ? cell->x + cell->width - PADDING
                : cell->align == LAC_ALIGN_CENTRE ? cell->x + cell->width / 2
                                                  : cell->x + PADDING;
  if (cell->bold)
    lac_draw_text_bold(drawing, x, cell->base, cell->align, cell->size, colour, fitted);
  else
    lac_draw_text(drawing, x, cell->base, cell->align, cell->size, colour, fitted);
}

static void
draw_titles(LacPages *pages, const LacTable *table, const Grid *grid)
{
  double      y, x = LAC_PAGE_MARGIN;
  LacDrawing *drawing = lac_pages_place(pages, ROW + 2, &y);
  for (gsize c = 0; c < table->n_columns; x += grid->widths[c++]) {
    Cell cell = {x, y + 9, grid->widths[c], grid->size, table->columns[c].align, TRUE};
    draw_cell(drawing, &cell, lac_word(table->columns[c].title));
  }
  LacPoint rule[] = {{LAC_PAGE_MARGIN, y + ROW}, {x, y + ROW}};
  lac_draw_lines(drawing, rule, 2, 0.8, lac_palette_paper.foreground);
}

/* Wraps a flexible cell; any other is one line. */
static GStrv
wrap(const LacTable *table, const Grid *grid, gsize row, gsize column)
{
  const char    *text = cell_text(table, row, column);
  const double   width = grid->widths[column] - 2 * PADDING + 0.01;
  const gboolean bold = row_kind(table, row) == LAC_ROW_STRONG;
  if (!table->columns[column].flexible || lac_text_width(text, grid->size, bold) <= width)
    return g_strsplit(text, "\n", 1);
  return lac_text_wrap(text, grid->size, bold, width);
}

static double
row_height(const LacTable *table, const Grid *grid, gsize row)
{
  gsize n = 1;
  for (gsize c = 0; row_kind(table, row) != LAC_ROW_GROUP && c < table->n_columns; c++)
    if (table->columns[c].flexible) {
      g_auto(GStrv) lines = wrap(table, grid, row, c);
      n = MAX(n, MIN(g_strv_length(lines), MOST_LINES));
    }
  return ROW + LINE * (double) (n - 1);
}

static void
draw_row(LacPages *pages, const LacTable *table, const Grid *grid, gsize row)
{
  double      y, x = LAC_PAGE_MARGIN, width = lac_pages_get_width(pages);
  double      height = row_height(table, grid, row);
  LacDrawing *drawing = lac_pages_place(pages, height, &y);
  LacRowKind  kind = row_kind(table, row);
  if (kind == LAC_ROW_GROUP) {
    lac_draw_rectangle(drawing, x, y + 0.5, width, ROW - 1, (LacColour){0.945F, 0.945F, 0.945F, 1});
    Cell cell = {x, y + 9.4, width, grid->size, LAC_ALIGN_LEFT, TRUE};
    draw_cell(drawing, &cell, cell_text(table, row, 0));
    return;
  }
  for (gsize c = 0; c < table->n_columns; x += grid->widths[c++]) {
    Cell cell = {
      x, y + 9.4, grid->widths[c], grid->size, table->columns[c].align, kind == LAC_ROW_STRONG};
    g_auto(GStrv) lines = wrap(table, grid, row, c);
    for (gsize i = 0; lines[i] != NULL && i < MOST_LINES; i++, cell.base += LINE)
      draw_cell(drawing, &cell, lines[i]);
  }
  LacPoint rule[] = {{LAC_PAGE_MARGIN, y + height}, {x, y + height}};
  lac_draw_lines(drawing, rule, 2, 0.4, lac_palette_paper.grid);
}

void
lac_pages_table(LacPages *pages, const LacTable *table)
{
  g_return_if_fail(pages != NULL && table != NULL);
  Grid grid;
  lay_out(table, lac_pages_get_width(pages), &grid);
  lac_pages_need(pages, ROW * (double) MIN(table->kinds->len + 1, 5));
  draw_titles(pages, table, &grid);
  for (gsize r = 0; r < table->kinds->len; r++) {
    double before, after, height = 0;
    /* a group stays with its first two rows, and the last row is never alone on a page */
    gsize left = table->kinds->len - r;
    gsize together = row_kind(table, r) == LAC_ROW_GROUP ? 3 : left == 2 ? 2 : 1;
    for (gsize i = r; i < r + MIN(together, left); i++)
      height += row_height(table, &grid, i);
    lac_pages_place(pages, 0, &before);
    lac_pages_need(pages, height);
    lac_pages_place(pages, 0, &after);
    if (after < before)
      draw_titles(pages, table, &grid);
    draw_row(pages, table, &grid, r);
  }
}

static void
print_padded(GString *text, const char *cell, glong width, LacAlign align, gboolean is_last)
{
  glong pad = MAX(0, width - g_utf8_strlen(cell, -1));
  if (align == LAC_ALIGN_RIGHT)
    g_string_append_printf(text, "%*s%s", (int) pad, "", cell);
  else
    g_string_append_printf(text, "%s%*s", cell, is_last ? 0 : (int) pad, "");
  g_string_append(text, is_last ? "\n" : "  ");
}

void
lac_table_print(const LacTable *table, GString *text)
{
  g_return_if_fail(table != NULL && text != NULL);
  glong widths[MOST_COLUMNS];
  gsize last = table->n_columns - 1;
  for (gsize c = 0; c < table->n_columns; c++) {
    widths[c] = g_utf8_strlen(lac_word(table->columns[c].title), -1);
    for (gsize r = 0; r < table->kinds->len; r++)
      if (row_kind(table, r) != LAC_ROW_GROUP)
        widths[c] = MAX(widths[c], g_utf8_strlen(cell_text(table, r, c), -1));
  }
  g_string_append(text, "  ");
  for (gsize c = 0; c < table->n_columns; c++)
    print_padded(text, lac_word(table->columns[c].title), widths[c], table->columns[c].align,
                 c == last);
  for (gsize r = 0; r < table->kinds->len; r++) {
    g_string_append(text, "  ");
    if (row_kind(table, r) == LAC_ROW_GROUP) {
      g_string_append_printf(text, "%s\n", cell_text(table, r, 0));
      continue;
    }
    for (gsize c = 0; c < table->n_columns; c++)
      print_padded(text, cell_text(table, r, c), widths[c], table->columns[c].align, c == last);
  }
}
