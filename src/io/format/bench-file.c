/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of benchmark results and their statistics. */
#include "io/format/bench-file.h"

#include "perf/analysis/ratio.h"

static const char *const kinds[LAC_N_BENCH_KINDS] = {
  [LAC_BENCH_TIME] = "time",       [LAC_BENCH_MEMORY] = "memory", [LAC_BENCH_QUALITY] = "quality",
  [LAC_BENCH_SPEEDUP] = "speedup", [LAC_BENCH_MERIT] = "merit",
};

const char *
lac_bench_kind_name(LacBenchKind kind)
{
  g_return_val_if_fail(kind < LAC_N_BENCH_KINDS, NULL);
  return kinds[kind];
}

gboolean
lac_bench_kind_wants_more(LacBenchKind kind)
{
  return kind == LAC_BENCH_SPEEDUP || kind == LAC_BENCH_MERIT;
}

static void
free_row(gpointer data)
{
  LacBenchRow *row = data;

  g_free((gpointer) row->name);
  g_free((gpointer) row->metric);
  g_free((gpointer) row->unit);
  g_free((gpointer) row->note);
  g_array_unref(row->samples);
  g_array_unref(row->relative);
  g_free(row);
}

LacBenchFile *
lac_bench_file_new(void)
{
  LacBenchFile *file = g_new0(LacBenchFile, 1);

  file->machine = g_new0(char *, 1);
  file->rows = g_ptr_array_new_with_free_func(free_row);
  return file;
}

void
lac_bench_file_free(LacBenchFile *file)
{
  if (!file)
    return;
  g_strfreev(file->machine);
  g_ptr_array_unref(file->rows);
  g_free(file);
}

static LacBenchRow *
find(const LacBenchFile *file, const char *name, const char *metric)
{
  for (guint i = 0; i < file->rows->len; i++) {
    LacBenchRow *row = g_ptr_array_index(file->rows, i);

    if (g_str_equal(row->name, name) && g_str_equal(row->metric, metric))
      return row;
  }
  return NULL;
}

LacBenchRow *
lac_bench_file_add(LacBenchFile *file, const LacBenchRow *row)
{
  LacBenchRow *known = find(file, row->name, row->metric);

  if (known)
    return known;
  known = g_new(LacBenchRow, 1);
  *known = (LacBenchRow){
    .name = g_strdup(row->name),
    .metric = g_strdup(row->metric),
    .unit = g_strdup(row->unit),
    .note = g_strdup(row->note),
    .kind = row->kind,
    .samples = g_array_new(FALSE, FALSE, sizeof(double)),
    .relative = g_array_new(FALSE, FALSE, sizeof(double)),
    .limit = row->limit,
    .tolerance = row->tolerance,
  };
  g_ptr_array_add(file->rows, known);
  return known;
}

void
lac_bench_row_sample(LacBenchRow *row, double sample)
{
  g_array_append_val(row->samples, sample);
}

void
lac_bench_row_relative(LacBenchRow *row, double sample)
{
  g_array_append_val(row->relative, sample);
}

void
lac_bench_file_merge(LacBenchFile *file, const LacBenchFile *more)
{
  for (guint i = 0; i < more->rows->len; i++) {
    const LacBenchRow *row = g_ptr_array_index(more->rows, i);
    LacBenchRow       *to = lac_bench_file_add(file, row);

    if (row->samples->len)
      g_array_append_vals(to->samples, row->samples->data, row->samples->len);
    if (row->relative->len)
      g_array_append_vals(to->relative, row->relative->data, row->relative->len);
  }
}

const LacBenchRow *
lac_bench_file_find(const LacBenchFile *file, const char *name, const char *metric)
{
  return find(file, name, metric);
}

const char *
lac_bench_file_get_fact(const LacBenchFile *file, const char *key)
{
  for (gsize i = 0; file->machine[i] && file->machine[i + 1]; i += 2)
    if (g_str_equal(file->machine[i], key))
      return file->machine[i + 1];
  return NULL;
}

double
lac_bench_row_median(const LacBenchRow *row)
{
  return lac_median((const double *) (gpointer) row->samples->data, row->samples->len);
}

double
lac_bench_row_get_scaled(const LacBenchRow *row)
{
  if (row->kind != LAC_BENCH_TIME || row->relative->len == 0 || row->samples->len == 0)
    return lac_bench_row_median(row);
  return LAC_BENCH_PROBE_SECONDS *
         lac_median((const double *) (gpointer) row->relative->data, row->relative->len);
}

gboolean
lac_bench_row_passes(const LacBenchRow *row)
{
  const double median = lac_bench_row_get_scaled(row);

  if (row->limit <= 0)
    return TRUE;
  return lac_bench_kind_wants_more(row->kind) ? median >= row->limit : median <= row->limit;
}

gboolean
lac_bench_file_passes(const LacBenchFile *file)
{
  for (guint i = 0; i < file->rows->len; i++)
    if (!lac_bench_row_passes(g_ptr_array_index(file->rows, i)))
      return FALSE;
  return TRUE;
}
