/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task of a benchmark: its size, and a sample in its row. */
#include "run/bench/bench-private.h"

#include <math.h>

const LacBenchSize *
lac_bench_find_size(const LacBenchLaboratory *laboratory, const LacBenchTier *tier)
{
  for (const LacBenchSize *size = laboratory->sizes; size && size->tier; size++)
    if (g_str_equal(size->tier, tier->name))
      return size;
  return NULL;
}

void
lac_bench_tell(const LacBenchTask *task,
               LacBenchFile       *rows,
               LacBenchRow         row,
               double              sample,
               double              relative)
{
  g_autofree char *name = g_strconcat(task->laboratory->name, "/", task->tier->name, NULL);
  LacBenchRow     *to;

  row.name = name;
  to = lac_bench_file_add(rows, &row);
  lac_bench_row_sample(to, sample);
  if (isfinite(relative))
    lac_bench_row_relative(to, relative);
}
