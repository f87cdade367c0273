/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a benchmark as text. */
#include "report/bench/table.h"

#include "report/bench/bench-private.h"
#include "report/canvas/canvas.h"
#include "report/text/number.h"
#include "report/text/pages-private.h"

#include <math.h>

char *
lac_bench_value_text(const LacBenchRow *row, double value)
{
  if (g_str_equal(row->unit, "s"))
    return lac_duration_text(value);
  if (g_str_equal(row->unit, "B"))
    return lac_bytes_text(value);
  return lac_number_text(value);
}

char *
lac_bench_fixed_text(double ratio)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite(ratio))
    return g_strdup(isnan(ratio) ? "–" : "∞");
  return g_strdup(g_ascii_formatd(text, sizeof text, "%.3f", ratio));
}

char *
lac_bench_interval_text(LacRatio ratio)
{
  g_autofree char *low = lac_bench_fixed_text(ratio.low), *high = lac_bench_fixed_text(ratio.high);

  return isfinite(ratio.high) ? g_strconcat(low, " to ", high, NULL) : g_strdup("too few samples");
}

static char *
times_text(const LacBenchRow *row)
{
  const double     median = lac_bench_row_get_scaled(row);
  g_autofree char *times = NULL;

  if (row->limit <= 0 || !(median > 0))
    return g_strdup("");
  times = lac_number_text(lac_bench_kind_wants_more(row->kind) ? median / row->limit
                                                               : row->limit / median);
  return g_strconcat(times, "×", lac_bench_row_passes(row) ? "" : " MISSED", NULL);
}

static void
add_row(LacTable *table, const LacBenchRow *row)
{
  const double    *samples = (const double *) (gpointer) row->samples->data;
  g_autofree char *middle = lac_bench_value_text(row, lac_bench_row_median(row));
  g_autofree char *spread =
    lac_bench_value_text(row, lac_median_deviation(samples, row->samples->len));
  g_autofree char *limit = row->limit > 0 ? lac_bench_value_text(row, row->limit) : g_strdup("");
  g_autofree char *times = times_text(row);
  g_autofree char *n = g_strdup_printf("%u", row->samples->len);
  const char      *cells[] = {row->name, row->metric, middle, spread,
                              n,         limit,       times,  row->note ? row->note : ""};

  lac_table_add(table, lac_bench_row_passes(row) ? LAC_ROW_PLAIN : LAC_ROW_STRONG, cells);
}

void
lac_bench_machine_text(const LacBenchFile *file, GString *text)
{
  static const char *const keys[] = {LAC_BENCH_IDENTITY, "program",     "build type",
                                     "linear algebra",   "load before", "started"};

  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
    const char *fact = lac_bench_file_get_fact(file, keys[i]);

    if (fact)
      g_string_append_printf(text, "%s%s%s", i ? "; " : "", i > 3 ? keys[i] : "", i > 3 ? " " : "");
    if (fact)
      g_string_append(text, fact);
  }
  g_string_append_printf(text, "; %u %s\n\n", file->threads,
                         file->threads == 1 ? "thread" : "threads");
}

void
lac_bench_fill(const LacBenchFile *file, LacTable *table)
{
  static const LacColumn columns[] = {
    {"tier", LAC_ALIGN_LEFT, FALSE},     {"metric", LAC_ALIGN_LEFT, FALSE},
    {"median", LAC_ALIGN_RIGHT, FALSE},  {"spread", LAC_ALIGN_RIGHT, FALSE},
    {"samples", LAC_ALIGN_RIGHT, FALSE}, {"limit", LAC_ALIGN_RIGHT, FALSE},
    {"below", LAC_ALIGN_RIGHT, FALSE},   {"", LAC_ALIGN_LEFT, TRUE},
  };

  if (lac_bench_is_growth(file)) {
    lac_bench_growth_fill(file, table);
    return;
  }
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (guint i = 0; i < file->rows->len; i++)
    add_row(table, g_ptr_array_index(file->rows, i));
}

char *
lac_bench_text(const LacBenchFile *file)
{
  g_auto(LacTable) table = {0};
  GString         *text = g_string_new(NULL);

  lac_bench_machine_text(file, text);
  lac_bench_fill(file, &table);
  lac_table_print(&table, text);
  return g_string_free(text, FALSE);
}

/* ---- qualities: a line for each name, a column for each metric ---- */

enum { MOST_METRICS = 16 };

/* Lists the metrics in the order of their first rows. Returns: their number. */
static gsize
list_metrics(const LacBenchFile *file, const char *metrics[MOST_METRICS])
{
  gsize n = 0;

  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);
    gboolean           is_new = TRUE;

    for (gsize m = 0; m < n; m++)
      is_new = is_new && !g_str_equal(metrics[m], row->metric);
    if (is_new && n < MOST_METRICS)
      metrics[n++] = row->metric;
  }
  return n;
}

/* @row: (nullable). Returns: "0.186 (at most 0.19)" */
static char *
dup_cell(const LacBenchRow *row)
{
  if (!row)
    return g_strdup("");
  g_autofree char *value = lac_bench_value_text(row, lac_bench_row_median(row));
  g_autofree char *limit = lac_bench_value_text(row, row->limit);
  if (row->limit > 0)
    return g_strconcat(value, lac_bench_row_passes(row) ? " (at most " : " (MISSED: at most ",
                       limit, ")", NULL);
  return g_steal_pointer(&value);
}

static void
add_qualities(LacTable           *table,
              const LacBenchFile *file,
              const char         *name,
              const char *const  *metrics,
              gsize               n)
{
  char    *cells[1 + MOST_METRICS] = {g_strdup(name)};
  gboolean passes = TRUE;

  for (gsize m = 0; m < n; m++) {
    const LacBenchRow *row = lac_bench_file_find(file, name, metrics[m]);

    cells[1 + m] = dup_cell(row);
    passes = passes && (!row || lac_bench_row_passes(row));
  }
  lac_table_add(table, passes ? LAC_ROW_PLAIN : LAC_ROW_STRONG, (const char *const *) cells);
  for (gsize m = 0; m < 1 + n; m++)
    g_free(cells[m]);
}

char *
lac_bench_quality_text(const LacBenchFile *file)
{
  g_auto(LacTable) table = {0};
  LacColumn        columns[1 + MOST_METRICS] = {{"case", LAC_ALIGN_LEFT, FALSE}};
  char            *headings[MOST_METRICS];
  const char      *metrics[MOST_METRICS];
  const gsize      n = list_metrics(file, metrics);
  GString         *text = g_string_new(NULL);

  for (gsize m = 0; m < n; m++) {
    headings[m] = g_strdelimit(g_strdup(metrics[m]), "_", ' ');
    columns[1 + m] = (LacColumn){headings[m], LAC_ALIGN_RIGHT, FALSE};
  }
  lac_bench_machine_text(file, text);
  lac_table_init(&table, columns, 1 + n);
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (lac_bench_file_find(file, row->name, metrics[0]) == row)
      add_qualities(&table, file, row->name, metrics, n);
  }
  lac_table_print(&table, text);
  for (gsize m = 0; m < n; m++)
    g_free(headings[m]);
  return g_string_free(text, FALSE);
}
