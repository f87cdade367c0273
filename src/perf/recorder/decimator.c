/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums are grouped by lane, name, kind, and whether the span is outermost. */
#include "perf/recorder/decimator.h"

#include "perf/recorder/nesting.h"

struct _LacDecimator {
  gint64             stride, step;  /* @step: newest record's step; -1 before the first */
  gint64             reported_step; /* step whose records were last preceded by sums */
  GHashTable        *places;        /* guint64 of key_of() -> its sum */
  GPtrArray         *sums;          /* LacRecord *, with count 0 when empty */
  GArray            *batch;         /* LacRecord: to be delivered */
  LacNesting        *nesting;
  gboolean           any; /* any sum is not empty */
  LacDecimatorCounts counts;
};

LacDecimator *
lac_decimator_new(void)
{
  LacDecimator *decimator = g_new0(LacDecimator, 1);

  decimator->stride = 1;
  decimator->step = decimator->reported_step = -1;
  decimator->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  decimator->sums = g_ptr_array_new_with_free_func(g_free);
  decimator->batch = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  decimator->nesting = lac_nesting_new();
  decimator->counts.first_step = -1;
  return decimator;
}

void
lac_decimator_free(LacDecimator *decimator)
{
  if (decimator == NULL)
    return;
  g_hash_table_unref(decimator->places);
  g_ptr_array_unref(decimator->sums);
  g_array_unref(decimator->batch);
  lac_nesting_free(decimator->nesting);
  g_free(decimator);
}

void
lac_decimator_set_stride(LacDecimator *decimator, gint64 stride)
{
  g_return_if_fail(stride >= 0);
  decimator->stride = stride;
}

LacDecimatorCounts
lac_decimator_get_counts(const LacDecimator *decimator)
{
  return decimator->counts;
}

static gboolean
is_span(const LacRecord *record)
{
  return record->kind == LAC_RECORD_SPAN;
}

static guint64
key_of(const LacRecord *record)
{
  const guint64 outer = is_span(record) && record->depth == 0;

  return (guint64) record->name << 32 | (guint64) record->lane << 8 | (guint64) record->kind << 1 |
         outer;
}

static LacRecord *
find_sum(LacDecimator *decimator, const LacRecord *record)
{
  guint64    key = key_of(record);
  LacRecord *sum = g_hash_table_lookup(decimator->places, &key);

  if (sum != NULL)
    return sum;
  sum = g_new0(LacRecord, 1);
  g_ptr_array_add(decimator->sums, sum);
  g_hash_table_insert(decimator->places, g_memdup2(&key, sizeof key), sum);
  return sum;
}

static void
let_go(LacDecimator *decimator, const LacRecord *record)
{
  const gboolean span = is_span(record);
  LacRecord     *sum;

  if (decimator->counts.first_step < 0)
    decimator->counts.first_step = MAX(decimator->step, 0);
  if ((!span && record->kind != LAC_RECORD_AGGREGATE) || record->count == 0)
    return;
  sum = find_sum(decimator, record);
  if (sum->count == 0)
    *sum = (LacRecord){
      .start_ns = record->start_ns,
      .memory = -1,
      .name = record->name,
      .lane = record->lane,
      .kind = (guint8) (span ? LAC_RECORD_SPANS_DROPPED : LAC_RECORD_CALLS_DROPPED),
      .depth = record->depth,
    };
  sum->sequence = record->sequence;
  sum->step = record->step;
  sum->duration_ns += record->duration_ns;
  sum->count += record->count;
  sum->flops += record->flops;
  sum->bytes += record->bytes;
  sum->memory = MAX(sum->memory, record->memory);
  sum->value +=
    (double) (span ? lac_nesting_take(decimator->nesting, record) : record->duration_ns);
  decimator->any = TRUE;
}

static void
put_sums(LacDecimator *decimator)
{
  for (guint i = 0; decimator->any && i < decimator->sums->len; i++) {
    LacRecord *sum = g_ptr_array_index(decimator->sums, i);
    if (sum->count == 0)
      continue;
    g_array_append_val(decimator->batch, *sum);
    sum->count = 0;
    decimator->counts.n_sums++;
  }
  decimator->any = FALSE;
}

/* Returns TRUE for rare records, such as commands and marks, which are always saved. */
static gboolean
stays(const LacDecimator *decimator, const LacRecord *record)
{
  if (decimator->stride == 0)
    return FALSE;
  return record->kind == LAC_RECORD_MARK || decimator->step < 0 ||
         decimator->step % decimator->stride == 0;
}

static void
pass_all(LacDecimator *decimator, const LacRecord *records, gsize n)
{
  gsize last = n;

  while (last > 0 && records[last - 1].step < 0)
    last--;
  if (last > 0)
    decimator->step = records[last - 1].step;
  decimator->counts.n_kept += n;
}

static void
hand_over(LacDecimator *decimator, LacRecordFunc func, gpointer user_data)
{
  if (decimator->batch->len > 0)
    func((const LacRecord *) (gpointer) decimator->batch->data, decimator->batch->len, user_data);
  g_array_set_size(decimator->batch, 0);
}

void
lac_decimator_take(LacDecimator    *decimator,
                   const LacRecord *records,
                   gsize            n,
                   LacRecordFunc    func,
                   gpointer         user_data)
{
  decimator->counts.n_taken += n;
  if (decimator->stride == 1 && !decimator->any) {
    pass_all(decimator, records, n);
    func(records, n, user_data);
    return;
  }
  for (gsize i = 0; i < n; i++) {
    if (records[i].step >= 0)
      decimator->step = records[i].step;
    if (!stays(decimator, &records[i])) {
      let_go(decimator, &records[i]);
      continue;
    }
    if (decimator->reported_step != decimator->step)
      put_sums(decimator);
    decimator->reported_step = decimator->step;
    if (is_span(&records[i]))
      lac_nesting_take(decimator->nesting, &records[i]);
    g_array_append_val(decimator->batch, records[i]);
    decimator->counts.n_kept++;
  }
  hand_over(decimator, func, user_data);
}

static void
add_sum(LacDecimator *decimator, const LacRecord *record)
{
  LacRecord  one = *record;
  LacRecord *sum;

  one.kind =
    (guint8) (record->kind == LAC_RECORD_SPANS_DROPPED ? LAC_RECORD_SPAN : LAC_RECORD_AGGREGATE);
  sum = find_sum(decimator, &one);
  if (sum->count == 0) {
    *sum = *record;
  } else {
    sum->duration_ns += record->duration_ns;
    sum->count += record->count;
    sum->flops += record->flops;
    sum->bytes += record->bytes;
    sum->memory = MAX(sum->memory, record->memory);
    sum->value += record->value;
  }
  decimator->any = TRUE;
}

void
lac_decimator_take_back(LacDecimator *decimator, const LacRecord *records, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (records[i].kind == LAC_RECORD_SPANS_DROPPED ||
        records[i].kind == LAC_RECORD_CALLS_DROPPED) {
      decimator->counts.n_sums--;
      add_sum(decimator, &records[i]);
    } else {
      decimator->counts.n_kept--;
      let_go(decimator, &records[i]);
    }
  }
}

void
lac_decimator_finish(LacDecimator *decimator, LacRecordFunc func, gpointer user_data)
{
  put_sums(decimator);
  hand_over(decimator, func, user_data);
}
