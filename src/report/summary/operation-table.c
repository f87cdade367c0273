/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations as table and JSON, from the same columns. */
#include "report/summary/operation-table.h"

#include "io/format/json-text.h"
#include "report/summary/operation-columns.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_ON_PAGE 10 /* columns of numbers */

/* Returns TRUE for the columns of a table of page width: where those of a GPU come in addition, others give way. */
static gboolean
fits(const LacOperationColumn *columns, gsize i, gsize n_narrow)
{
  const gboolean gives_way =
    g_str_equal(columns[i].key, "p50_seconds") || columns[i].kind == LAC_COLUMN_CHANGE;

  return columns[i].is_narrow && (n_narrow <= MOST_ON_PAGE || !gives_way);
}

/* Separates phases from operations: their shares refer to different totals. The table owns the columns. */
void
lac_operations_fill(const LacCapture   *capture,
                    const LacAggregate *rows,
                    gsize               n_rows,
                    gboolean            all_columns,
                    LacTable           *table)
{
  const LacPeak             peak = lac_peak_of_capture(capture);
  gsize                     n, n_shown = 1;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  LacColumn                *shown = g_new(LacColumn, n + 1);
  g_autofree gsize         *places = g_new(gsize, n + 1);
  gsize                     n_narrow = 0;
  shown[0] = (LacColumn){_("operation"), LAC_ALIGN_LEFT, TRUE};
  for (gsize i = 0; i < n; i++)
    n_narrow +=
      columns[i].is_narrow && lac_operation_column_applies(&columns[i], rows, n_rows, &peak);
  for (gsize i = 0; i < n; i++)
    if ((all_columns || fits(columns, i, n_narrow)) &&
        lac_operation_column_applies(&columns[i], rows, n_rows, &peak)) {
      places[n_shown] = i;
      shown[n_shown++] = (LacColumn){_(columns[i].title), LAC_ALIGN_RIGHT, FALSE};
    }
  lac_table_init(table, shown, n_shown);
  table->owned_columns = shown;
  gsize n_operations = 0;
  for (gsize r = 0; r < n_rows; r++)
    n_operations += rows[r].is_operation;
  for (int operations = 0; operations < 2; operations++) {
    if (n_operations > 0 && n_operations < n_rows)
      lac_table_add(table, LAC_ROW_GROUP,
                    (const char *const[]){operations ? _("operations, summed over all threads")
                                                     : _("phases, wall time")});
    for (gsize r = 0; r < n_rows; r++) {
      if (rows[r].is_operation != operations)
        continue;
      g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
      g_ptr_array_add(cells, g_strdup(lac_capture_get_name(capture, rows[r].name)));
      for (gsize i = 1; i < n_shown; i++)
        g_ptr_array_add(cells, lac_operation_cell_text(&columns[places[i]], &rows[r], &peak));
      lac_table_add(table, LAC_ROW_PLAIN, (const char *const *) cells->pdata);
    }
  }
}

/* Quotes a cell (RFC 4180). */
static void
append_cell(GString *text, const char *cell)
{
  g_string_append_c(text, '"');
  for (; *cell != '\0'; cell++) {
    if (*cell == '"')
      g_string_append_c(text, '"');
    g_string_append_c(text, *cell);
  }
  g_string_append_c(text, '"');
}

char *
lac_operations_dup_csv(const LacCapture *capture, const LacAggregate *rows, gsize n_rows)
{
  const LacPeak             peak = lac_peak_of_capture(capture);
  gsize                     n;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  GString                  *text = g_string_new("name,kind");

  for (gsize i = 0; i < n; i++)
    if (lac_operation_column_applies(&columns[i], rows, n_rows, &peak))
      g_string_append_printf(text, ",%s", columns[i].key);
  for (gsize r = 0; r < n_rows; r++) {
    g_string_append_c(text, '\n');
    append_cell(text, lac_capture_get_name(capture, rows[r].name));
    g_string_append(text, rows[r].is_operation ? ",operation" : ",phase");
    for (gsize i = 0; i < n; i++) {
      char         number[G_ASCII_DTOSTR_BUF_SIZE] = "";
      const double value = columns[i].get(&rows[r], &peak);
      if (!lac_operation_column_applies(&columns[i], rows, n_rows, &peak))
        continue;
      if (isfinite(value))
        g_ascii_formatd(number, sizeof number, "%.9g", value);
      g_string_append_printf(text, ",%s", number);
    }
  }
  g_string_append_c(text, '\n');
  return g_string_free(text, FALSE);
}

void
lac_operations_add_json(const LacCapture   *capture,
                        const LacAggregate *rows,
                        gsize               n_rows,
                        JsonBuilder        *builder)
{
  const LacPeak             peak = lac_peak_of_capture(capture);
  gsize                     n;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  json_builder_set_member_name(builder, "operations");
  json_builder_begin_array(builder);
  for (gsize r = 0; r < n_rows; r++) {
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "name", lac_capture_get_name(capture, rows[r].name));
    for (gsize i = 0; i < n; i++)
      lac_json_add_number(builder, columns[i].key, columns[i].get(&rows[r], &peak));
    lac_json_add_number(builder, "flops", rows[r].flops);
    lac_json_add_number(builder, "bytes", rows[r].bytes);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}
