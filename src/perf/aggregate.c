/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums per operation. Shares are of the summed time of outermost spans over all lanes; a span nested in another has a row
 * of its own and does not add to that sum. */
#include "perf/aggregate.h"

struct _LacAggregates {
  GArray *rows;     /* LacAggregate by name id; count 0 where the name has no records */
  GArray *sorted;   /* what get() returned last */
  double  outer_ns; /* summed duration of outermost spans, all lanes */
};

LacAggregates *
lac_aggregates_new(void)
{
  LacAggregates *aggregates = g_new0(LacAggregates, 1);

  aggregates->rows = g_array_new(FALSE, TRUE, sizeof(LacAggregate));
  aggregates->sorted = g_array_new(FALSE, FALSE, sizeof(LacAggregate));
  return aggregates;
}

void
lac_aggregates_free(LacAggregates *aggregates)
{
  if (!aggregates)
    return;
  g_array_unref(aggregates->rows);
  g_array_unref(aggregates->sorted);
  g_free(aggregates);
}

static LacAggregate *
row_of(LacAggregates *aggregates, guint32 name)
{
  if (name >= aggregates->rows->len)
    g_array_set_size(aggregates->rows, name + 1);
  return &g_array_index(aggregates->rows, LacAggregate, name);
}

static void
add_record(LacAggregates *aggregates, const LacRecord *record)
{
  LacAggregate *row = row_of(aggregates, record->name);
  const double  total = (double) record->duration_ns;
  const double  each = total / (double) MAX(record->count, 1);

  if (row->count == 0)
    *row = (LacAggregate){.name = record->name, .min_ns = each, .max_ns = each, .memory = -1};
  row->count += record->count;
  row->total_ns += total;
  row->min_ns = MIN(row->min_ns, each);
  row->max_ns = MAX(row->max_ns, each);
  row->flops += record->flops;
  row->bytes += record->bytes;
  row->memory = MAX(row->memory, record->memory);
  if (record->kind == LAC_RECORD_SPAN && record->depth == 0)
    aggregates->outer_ns += total;
}

void
lac_aggregates_add(LacAggregates *aggregates, const LacRecord *records, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (records[i].count > 0 &&
        (records[i].kind == LAC_RECORD_SPAN || records[i].kind == LAC_RECORD_AGGREGATE))
      add_record(aggregates, &records[i]);
}

static gint
by_total(gconstpointer a, gconstpointer b)
{
  const LacAggregate *x = a, *y = b;

  if (x->total_ns != y->total_ns)
    return x->total_ns < y->total_ns ? 1 : -1;
  return x->name < y->name ? -1 : x->name > y->name;
}

const LacAggregate *
lac_aggregates_get(LacAggregates *aggregates, gsize *n_rows)
{
  g_array_set_size(aggregates->sorted, 0);
  for (guint i = 0; i < aggregates->rows->len; i++) {
    LacAggregate row = g_array_index(aggregates->rows, LacAggregate, i);

    if (row.count == 0)
      continue;
    row.mean_ns = row.total_ns / (double) row.count;
    row.share = aggregates->outer_ns > 0 ? row.total_ns / aggregates->outer_ns : 0;
    g_array_append_val(aggregates->sorted, row);
  }
  g_array_sort(aggregates->sorted, by_total);
  *n_rows = aggregates->sorted->len;
  return (const LacAggregate *) (gpointer) aggregates->sorted->data;
}
