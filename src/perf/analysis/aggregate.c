/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums per name. A name with aggregates is an operation: only these are summed; its spans, single calls of the same
 * work, give the minimum and maximum. Any other name is a phase, summed from its spans. */
#include "perf/analysis/aggregate.h"

#include "perf/analysis/histogram.h"
#include "perf/recorder/nesting.h"

#define LEAST_OF_PHASES 0.1 /* share of operations in the phases' time, for operations to matter */

typedef struct {
  guint64 count;
  double  total_ns, self_ns, min_ns, max_ns, flops, bytes;
  gint64  memory;
} Sums;

typedef struct {
  gint64 delta, peak; /* LAC_RECORD_UNKNOWN until the first record */
} Memory;

typedef struct {
  Sums         spans, aggregates;
  gboolean     has_memory;
  Memory       cpu, gpu;
  LacHistogram of_spans, of_aggregates;
} Name;

struct _LacAggregates {
  GArray     *names; /* Name, by id */
  GArray     *rows;  /* LacAggregate: last result of get() */
  LacNesting *nesting;
  double      outer_ns; /* time of outermost spans */
};

LacAggregates *
lac_aggregates_new(void)
{
  LacAggregates *aggregates = g_new0(LacAggregates, 1);
  aggregates->names = g_array_new(FALSE, TRUE, sizeof(Name));
  aggregates->rows = g_array_new(FALSE, TRUE, sizeof(LacAggregate));
  aggregates->nesting = lac_nesting_new();
  return aggregates;
}

void
lac_aggregates_free(LacAggregates *aggregates)
{
  if (aggregates == NULL)
    return;
  for (guint i = 0; i < aggregates->names->len; i++) {
    Name *name = &g_array_index(aggregates->names, Name, i);
    lac_histogram_clear(&name->of_spans);
    lac_histogram_clear(&name->of_aggregates);
  }
  g_array_unref(aggregates->names);
  lac_nesting_free(aggregates->nesting);
  g_array_unref(aggregates->rows);
  g_free(aggregates);
}

static void
add(Sums *sums, const LacRecord *record, gint64 self_ns)
{
  double ns = (double) record->duration_ns;
  double each = ns / (double) record->count;
  if (sums->count == 0)
    *sums = (Sums){.min_ns = each, .max_ns = each, .memory = -1};
  sums->count += record->count;
  sums->total_ns += ns;
  sums->self_ns += (double) self_ns;
  sums->min_ns = MIN(sums->min_ns, each);
  sums->max_ns = MAX(sums->max_ns, each);
  sums->flops += record->flops;
  sums->bytes += record->bytes;
  sums->memory = MAX(sums->memory, record->memory);
}

static gboolean
is_summed(const LacRecord *record)
{
  return record->count > 0 &&
         (record->kind == LAC_RECORD_SPAN || record->kind == LAC_RECORD_AGGREGATE ||
          record->kind == LAC_RECORD_SPANS_DROPPED || record->kind == LAC_RECORD_CALLS_DROPPED);
}

/* Dropped records count in the sums, and with their mean in the spread. */
static void
add_one(LacAggregates *aggregates, const LacRecord *record)
{
  const gboolean span = record->kind == LAC_RECORD_SPAN || record->kind == LAC_RECORD_SPANS_DROPPED;
  Name          *name;

  if (record->name >= aggregates->names->len)
    g_array_set_size(aggregates->names, record->name + 1);
  name = &g_array_index(aggregates->names, Name, record->name);
  lac_histogram_add(span ? &name->of_spans : &name->of_aggregates,
                    record->duration_ns / (gint64) record->count, record->count);
  if (record->kind == LAC_RECORD_SPAN)
    add(&name->spans, record, lac_nesting_take(aggregates->nesting, record));
  else if (span)
    add(&name->spans, record, (gint64) record->value);
  else
    add(&name->aggregates, record, record->duration_ns);
  if (span && record->depth == 0)
    aggregates->outer_ns += (double) record->duration_ns;
}

static void
add_reading(Memory *memory, gint64 delta, gint64 peak)
{
  gint64 sum;
  if (delta != LAC_RECORD_UNKNOWN && memory->delta == LAC_RECORD_UNKNOWN)
    memory->delta = delta;
  else if (delta != LAC_RECORD_UNKNOWN && !__builtin_add_overflow(memory->delta, delta, &sum))
    memory->delta = sum;
  if (peak != LAC_RECORD_UNKNOWN)
    memory->peak = MAX(memory->peak, peak);
}

static void
add_memory(LacAggregates *aggregates, const LacRecord *record)
{
  static const Memory none = {LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN};

  if (record->name >= aggregates->names->len)
    g_array_set_size(aggregates->names, record->name + 1);
  Name *name = &g_array_index(aggregates->names, Name, record->name);
  if (!name->has_memory)
    name->cpu = name->gpu = none;
  name->has_memory = TRUE;
  add_reading(&name->cpu, record->cpu_delta, record->cpu_peak);
  add_reading(&name->gpu, record->gpu_delta, record->gpu_peak);
}

void
lac_aggregates_add(LacAggregates *aggregates, const LacRecord *records, gsize n)
{
  g_return_if_fail(aggregates != NULL);
  for (gsize i = 0; i < n; i++)
    if (is_summed(&records[i]))
      add_one(aggregates, &records[i]);
    else if (records[i].kind == LAC_RECORD_MEMORY)
      add_memory(aggregates, &records[i]);
}

void
lac_aggregates_add_capture(LacAggregates *aggregates, const LacCapture *capture)
{
  const LacRecord *records;
  gsize            first = 0, n;
  g_return_if_fail(aggregates != NULL && capture != NULL);
  for (; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    lac_aggregates_add(aggregates, records, n);
}

static double
quantile_of(const Sums *sums, const LacHistogram *histogram, double share)
{
  return CLAMP(lac_histogram_get_quantile(histogram, share), sums->min_ns, sums->max_ns);
}

static LacAggregate
row_of(guint32 id, const Name *name)
{
  gboolean            operation = name->aggregates.count > 0;
  const Sums         *sums = operation ? &name->aggregates : &name->spans;
  gboolean            has_calls = name->spans.count > 0;
  const Sums         *calls = has_calls ? &name->spans : &name->aggregates;
  const LacHistogram *sizes = has_calls ? &name->of_spans : &name->of_aggregates;
  LacAggregate        row = {
           .name = id,
           .is_operation = operation,
           .count = sums->count,
           .total_ns = sums->total_ns,
           .mean_ns = sums->total_ns / (double) sums->count,
           .self_ns = sums->self_ns,
           .min_ns = calls->min_ns,
           .max_ns = calls->max_ns,
           .p50_ns = quantile_of(calls, sizes, 0.5),
           .p90_ns = quantile_of(calls, sizes, 0.9),
           .p99_ns = quantile_of(calls, sizes, 0.99),
           .flops = sums->flops,
           .bytes = sums->bytes,
           .memory =
      operation && name->spans.count > 0 ? MAX(sums->memory, name->spans.memory) : sums->memory,
           .cpu_delta = name->has_memory ? name->cpu.delta : LAC_RECORD_UNKNOWN,
           .cpu_peak = name->has_memory ? name->cpu.peak : LAC_RECORD_UNKNOWN,
           .gpu_delta = name->has_memory ? name->gpu.delta : LAC_RECORD_UNKNOWN,
           .gpu_peak = name->has_memory ? name->gpu.peak : LAC_RECORD_UNKNOWN,
  };
  return row;
}

static gint
compare_rows(gconstpointer a, gconstpointer b)
{
  const LacAggregate *x = a, *y = b;
  if (x->total_ns != y->total_ns)
    return x->total_ns < y->total_ns ? 1 : -1;
  return x->name < y->name ? -1 : x->name > y->name;
}

const LacAggregate *
lac_aggregates_get(LacAggregates *aggregates, gsize *n_rows)
{
  g_return_val_if_fail(aggregates != NULL && n_rows != NULL, NULL);
  double operations_ns = 0;
  for (guint i = 0; i < aggregates->names->len; i++)
    operations_ns += g_array_index(aggregates->names, Name, i).aggregates.total_ns;
  g_array_set_size(aggregates->rows, 0);
  for (guint i = 0; i < aggregates->names->len; i++) {
    const Name *name = &g_array_index(aggregates->names, Name, i);
    if (name->spans.count == 0 && name->aggregates.count == 0)
      continue;
    LacAggregate row = row_of(i, name);
    double       whole_ns = name->aggregates.count > 0 ? operations_ns : aggregates->outer_ns;
    row.share = whole_ns > 0 ? row.total_ns / whole_ns : 0;
    g_array_append_val(aggregates->rows, row);
  }
  g_array_sort(aggregates->rows, compare_rows);
  *n_rows = aggregates->rows->len;
  return (const LacAggregate *) (gpointer) aggregates->rows->data;
}

gboolean
lac_aggregates_operations_matter(const LacAggregate *rows, gsize n_rows)
{
  double operations_ns = 0, phases_ns = 0;
  g_return_val_if_fail(rows != NULL || n_rows == 0, FALSE);
  for (gsize i = 0; i < n_rows; i++)
    *(rows[i].is_operation ? &operations_ns : &phases_ns) +=
      rows[i].is_operation ? rows[i].total_ns : rows[i].self_ns;
  return operations_ns > 0 && operations_ns >= LEAST_OF_PHASES * phases_ns;
}

double
lac_aggregate_own_share(const LacAggregate *row)
{
  return row->is_operation || row->total_ns <= 0 ? row->share
                                                 : row->share * row->self_ns / row->total_ns;
}

gsize
lac_aggregates_largest(const LacAggregate  *rows,
                       gsize                n_rows,
                       double               least,
                       const LacAggregate **parts,
                       gsize                n_parts)
{
  const gboolean any = lac_aggregates_operations_matter(rows, n_rows);
  gsize          n = 0;
  g_return_val_if_fail(parts != NULL && n_parts > 0, 0);
  for (gsize i = 0; i < n_rows; i++) {
    const double share = lac_aggregate_own_share(&rows[i]);
    if (rows[i].is_operation != any || !(share > least))
      continue;
    gsize at = n;
    while (at > 0 && lac_aggregate_own_share(parts[at - 1]) < share)
      at--;
    if (at == n_parts)
      continue;
    n = MIN(n + 1, n_parts);
    for (gsize j = n - 1; j > at; j--)
      parts[j] = parts[j - 1];
    parts[at] = &rows[i];
  }
  return n;
}
