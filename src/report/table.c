/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, on pages and as plain text. */
#include "report/pages-private.h"
#include "report/plot.h"

#include <string.h>

#define SIZE         8.0
#define ROW          13.0
#define PADDING      5.0
#define MOST_COLUMNS 20

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

/* Natural widths; what is too much is taken from the flexible columns, what is left goes to the first of them. */
static void
find_widths(const LacTable *table, double room, double *widths)
{
  double sum = 0, flexible = 0;
  gsize  first = table->n_columns;
  for (gsize c = 0; c < table->n_columns; c++) {
    widths[c] = lac_text_width(table->columns[c].title, SIZE, TRUE);
    for (gsize r = 0; r < table->kinds->len; r++)
      if (row_kind(table, r) != LAC_ROW_GROUP)
        widths[c] = MAX(widths[c], lac_text_width(cell_text(table, r, c), SIZE,
                                                  row_kind(table, r) == LAC_ROW_STRONG));
    widths[c] += 2 * PADDING;
    sum += widths[c];
    if (!table->columns[c].flexible)
      continue;
    flexible += widths[c];
    first = MIN(first, c);
  }
  double shrink = sum > room && flexible > 0 ? MAX(0.1, 1 - (sum - room) / flexible) : 1;
  for (gsize c = 0; c < table->n_columns; c++)
    if (table->columns[c].flexible)
      widths[c] *= shrink;
  if (first < table->n_columns && sum < room)
    widths[first] += room - sum;
}

typedef struct {
  double   x, base, width;
  LacAlign align;
  gboolean bold;
} Cell;

static void
draw_cell(LacDrawing *drawing, const Cell *cell, const char *text)
{
  g_autofree char *fitted =
    lac_text_dup_fitted(text, SIZE, cell->bold, cell->width - 2 * PADDING + 0.01);
  LacColour colour = lac_palette_paper.foreground;
  double    x = cell->align == LAC_ALIGN_RIGHT    ? cell->x + cell->width - PADDING
                : cell->align == LAC_ALIGN_CENTRE ? cell->x + cell->width / 2
                                                  : cell->x + PADDING;
  if (cell->bold)
    lac_draw_text_bold(drawing, x, cell->base, cell->align, SIZE, colour, fitted);
  else
    lac_draw_text(drawing, x, cell->base, cell->align, SIZE, colour, fitted);
}

static void
draw_titles(LacPages *pages, const LacTable *table, const double *widths)
{
  double      y, x = LAC_PAGE_MARGIN;
  LacDrawing *drawing = lac_pages_place(pages, ROW + 2, &y);
  for (gsize c = 0; c < table->n_columns; x += widths[c++]) {
    Cell cell = {x, y + 9, widths[c], table->columns[c].align, TRUE};
    draw_cell(drawing, &cell, table->columns[c].title);
  }
  LacPoint rule[] = {{LAC_PAGE_MARGIN, y + ROW}, {x, y + ROW}};
  lac_draw_lines(drawing, rule, 2, 0.8, lac_palette_paper.foreground);
}

static void
draw_row(LacPages *pages, const LacTable *table, const double *widths, gsize row)
{
  double      y, x = LAC_PAGE_MARGIN, width = lac_pages_get_width(pages);
  LacDrawing *drawing = lac_pages_place(pages, ROW, &y);
  LacRowKind  kind = row_kind(table, row);
  if (kind == LAC_ROW_GROUP) {
    lac_draw_rectangle(drawing, x, y + 0.5, width, ROW - 1, (LacColour){0.945F, 0.945F, 0.945F, 1});
    Cell cell = {x, y + 9.4, width, LAC_ALIGN_LEFT, TRUE};
    draw_cell(drawing, &cell, cell_text(table, row, 0));
    return;
  }
  for (gsize c = 0; c < table->n_columns; x += widths[c++]) {
    Cell cell = {x, y + 9.4, widths[c], table->columns[c].align, kind == LAC_ROW_STRONG};
    draw_cell(drawing, &cell, cell_text(table, row, c));
  }
  LacPoint rule[] = {{LAC_PAGE_MARGIN, y + ROW}, {x, y + ROW}};
  lac_draw_lines(drawing, rule, 2, 0.4, lac_palette_paper.grid);
}

void
lac_pages_table(LacPages *pages, const LacTable *table)
{
  g_return_if_fail(pages != NULL && table != NULL);
  double widths[MOST_COLUMNS];
  find_widths(table, lac_pages_get_width(pages), widths);
  lac_pages_need(pages, 3 * ROW);
  draw_titles(pages, table, widths);
  for (gsize r = 0; r < table->kinds->len; r++) {
    double before, after;
    /* a group stays with its first row */
    double height = row_kind(table, r) == LAC_ROW_GROUP ? 2 * ROW : ROW;
    lac_pages_place(pages, 0, &before);
    lac_pages_need(pages, height);
    lac_pages_place(pages, 0, &after);
    if (after < before)
      draw_titles(pages, table, widths);
    draw_row(pages, table, widths, r);
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
    widths[c] = g_utf8_strlen(table->columns[c].title, -1);
    for (gsize r = 0; r < table->kinds->len; r++)
      if (row_kind(table, r) != LAC_ROW_GROUP)
        widths[c] = MAX(widths[c], g_utf8_strlen(cell_text(table, r, c), -1));
  }
  g_string_append(text, "  ");
  for (gsize c = 0; c < table->n_columns; c++)
    print_padded(text, table->columns[c].title, widths[c], table->columns[c].align, c == last);
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
