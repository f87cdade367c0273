/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark tasks: size, samples, and the rounds over all of them. */
#include "bench/tiers/bench-private.h"

#include <math.h>
#include <string.h>

const LacBenchSize *
lac_bench_find_size(const LacBenchLaboratory *laboratory, const LacBenchTier *tier)
{
  for (const LacBenchSize *size = laboratory->sizes; size && size->tier; size++)
    if (g_str_equal(size->tier, tier->name))
      return size;
  return NULL;
}

void
lac_bench_print(const LacBenchTask *task,
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

static void
clear_item(gpointer data)
{
  g_free(((LacBenchItem *) data)->name);
}

GArray *
lac_bench_items_new(gsize size)
{
  GArray *items = g_array_new(FALSE, TRUE, (guint) size);

  g_array_set_clear_func(items, clear_item);
  return items;
}

void
lac_bench_items_add(GArray *items, const LacBenchSettings *settings, LacBenchItem *item)
{
  if (settings->only && !strstr(item->name, settings->only))
    g_free(item->name);
  else
    g_array_append_vals(items, item, 1);
}

gboolean
lac_bench_items_run(const GArray           *items,
                    const LacBenchSettings *settings,
                    LacBenchWork            work,
                    LacBenchFile           *file,
                    GError                **error)
{
  const gsize size = g_array_get_element_size((GArray *) items);
  const guint n_all = items->len * settings->n_rounds;
  guint       n_done = 0;

  for (guint round = 0; round < settings->n_rounds; round++)
    for (guint i = 0; i < items->len; i++) {
      const LacBenchItem *item = (gconstpointer) (items->data + i * size);

      if (settings->progress)
        settings->progress(
          &(LacBenchProgress){n_done++, n_all, round + 1, settings->n_rounds, item->name},
          settings->user_data);
      if (!lac_bench_in_child(work, item, item->name, file, error))
        return FALSE;
    }
  return TRUE;
}
