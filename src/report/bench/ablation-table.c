/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ablation table as text. */
#include "report/bench/bench-private.h"
#include "report/bench/table.h"
#include "report/text/pages-private.h"

#include <math.h>

gboolean
lac_bench_is_ablation(const LacBenchFile *file)
{
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (g_str_has_prefix(row->name, "ablation/"))
      return TRUE;
  }
  return FALSE;
}

static const LacBenchRow *
find(const LacBenchFile *file, const LacBenchRow *row, const char *metric)
{
  return lac_bench_file_find(file, row->name, metric);
}

/* Returns the interval of the ratio to 1 of one set of samples. */
static LacRatio
interval_of(const LacBenchRow *row)
{
  const double      *samples = (const double *) (gpointer) row->samples->data;
  g_autofree double *ones = g_new(double, row->samples->len + 1);

  for (guint i = 0; i < row->samples->len; i++)
    ones[i] = 1;
  return lac_ratio_of_pairs(ones, samples, row->samples->len);
}

static char *
median_text(const LacBenchRow *row)
{
  return row ? lac_bench_value_text(row, lac_bench_row_median(row)) : g_strdup("");
}

static void
add_line(LacTable *table, const LacBenchFile *file, const LacBenchRow *row)
{
  const LacBenchRow *difference = find(file, row, "difference");
  const gboolean     differs = difference && !lac_bench_row_passes(difference);
  const LacRatio     ratio = interval_of(row);
  g_autofree char   *middle = lac_bench_fixed_text(ratio.estimate);
  g_autofree char   *speedup = g_strconcat(middle, "×", NULL);
  g_autofree char   *interval = lac_bench_interval_text(ratio);
  g_autofree char   *with = median_text(find(file, row, "with_seconds"));
  g_autofree char   *without = median_text(find(file, row, "without_seconds"));
  g_autofree char   *result = median_text(difference);
  g_autofree char   *limit =
    difference ? lac_bench_value_text(difference, difference->limit) : g_strdup("");
  g_autofree char *note = g_strconcat(differs ? "RESULT DIFFERS; " : "", row->note, NULL);
  const char      *cells[] = {row->name, speedup, interval, without, with, result, limit, note};

  lac_table_add(table, differs ? LAC_ROW_STRONG : LAC_ROW_PLAIN, cells);
}

void
lac_bench_ablation_fill(const LacBenchFile *file, LacTable *table)
{
  static const LacColumn columns[] = {
    {"optimisation", LAC_ALIGN_LEFT, FALSE},   {"speed-up", LAC_ALIGN_RIGHT, FALSE},
    {"95 % interval", LAC_ALIGN_RIGHT, FALSE}, {"without", LAC_ALIGN_RIGHT, FALSE},
    {"with", LAC_ALIGN_RIGHT, FALSE},          {"result differs", LAC_ALIGN_RIGHT, FALSE},
    {"may", LAC_ALIGN_RIGHT, FALSE},           {"without it", LAC_ALIGN_LEFT, TRUE},
  };

  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (g_str_equal(row->metric, "speedup") && row->samples->len)
      add_line(table, file, row);
  }
}

char *
lac_bench_ablation_text(const LacBenchFile *file)
{
  g_auto(LacTable) table = {0};
  GString         *text = g_string_new(NULL);

  lac_bench_machine_text(file, text);
  lac_bench_ablation_fill(file, &table);
  lac_table_print(&table, text);
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (g_str_equal(row->metric, "speedup") && !row->samples->len)
      g_string_append_printf(text, "  %s: not switched: %s\n", row->name,
                             row->note ? row->note : "");
  }
  return g_string_free(text, FALSE);
}
