/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums are kept by lane, name, kind, and whether a span lies in no other. */
#include "perf/recorder/thinner.h"

#include "perf/recorder/nesting.h"

struct _LacThinner {
  gint64           stride, step; /* @step: of the newest record that has one; -1 before */
  gint64           told_step;    /* whose records were last preceded by sums */
  GHashTable      *places;       /* guint64 of key_of() -> its sum */
  GPtrArray       *sums;         /* LacRecord *, with count 0 where nothing waits */
  GArray          *batch;        /* LacRecord: to be handed over */
  LacNesting      *nesting;
  gboolean         any; /* something waits in the sums */
  LacThinnerCounts counts;
};

LacThinner *
lac_thinner_new(void)
{
  LacThinner *thinner = g_new0(LacThinner, 1);

  thinner->stride = 1;
  thinner->step = thinner->told_step = -1;
  thinner->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  thinner->sums = g_ptr_array_new_with_free_func(g_free);
  thinner->batch = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  thinner->nesting = lac_nesting_new();
  thinner->counts.first_step = -1;
  return thinner;
}

void
lac_thinner_free(LacThinner *thinner)
{
  if (thinner == NULL)
    return;
  g_hash_table_unref(thinner->places);
  g_ptr_array_unref(thinner->sums);
  g_array_unref(thinner->batch);
  lac_nesting_free(thinner->nesting);
  g_free(thinner);
}

void
lac_thinner_set_stride(LacThinner *thinner, gint64 stride)
{
  g_return_if_fail(stride >= 0);
  thinner->stride = stride;
}

LacThinnerCounts
lac_thinner_get_counts(const LacThinner *thinner)
{
  return thinner->counts;
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
find_sum(LacThinner *thinner, const LacRecord *record)
{
  guint64    key = key_of(record);
  LacRecord *sum = g_hash_table_lookup(thinner->places, &key);

  if (sum != NULL)
    return sum;
  sum = g_new0(LacRecord, 1);
  g_ptr_array_add(thinner->sums, sum);
  g_hash_table_insert(thinner->places, g_memdup2(&key, sizeof key), sum);
  return sum;
}

static void
let_go(LacThinner *thinner, const LacRecord *record)
{
  const gboolean span = is_span(record);
  LacRecord     *sum;

  if (thinner->counts.first_step < 0)
    thinner->counts.first_step = MAX(thinner->step, 0);
  if ((!span && record->kind != LAC_RECORD_AGGREGATE) || record->count == 0)
    return;
  sum = find_sum(thinner, record);
  if (sum->count == 0)
    *sum = (LacRecord){
      .start_ns = record->start_ns,
      .memory = -1,
      .name = record->name,
      .lane = record->lane,
      .kind = (guint8) (span ? LAC_RECORD_SPANS_LET_GO : LAC_RECORD_CALLS_LET_GO),
      .depth = record->depth,
    };
  sum->sequence = record->sequence;
  sum->step = record->step;
  sum->duration_ns += record->duration_ns;
  sum->count += record->count;
  sum->flops += record->flops;
  sum->bytes += record->bytes;
  sum->memory = MAX(sum->memory, record->memory);
  sum->value += (double) (span ? lac_nesting_take(thinner->nesting, record) : record->duration_ns);
  thinner->any = TRUE;
}

static void
put_sums(LacThinner *thinner)
{
  for (guint i = 0; thinner->any && i < thinner->sums->len; i++) {
    LacRecord *sum = g_ptr_array_index(thinner->sums, i);
    if (sum->count == 0)
      continue;
    g_array_append_val(thinner->batch, *sum);
    sum->count = 0;
    thinner->counts.n_sums++;
  }
  thinner->any = FALSE;
}

/* What a person or a machine did is seldom, and stays. */
static gboolean
stays(const LacThinner *thinner, const LacRecord *record)
{
  if (thinner->stride == 0)
    return FALSE;
  return record->kind == LAC_RECORD_MARK || thinner->step < 0 ||
         thinner->step % thinner->stride == 0;
}

static void
pass_all(LacThinner *thinner, const LacRecord *records, gsize n)
{
  gsize last = n;

  while (last > 0 && records[last - 1].step < 0)
    last--;
  if (last > 0)
    thinner->step = records[last - 1].step;
  thinner->counts.n_kept += n;
}

static void
hand_over(LacThinner *thinner, LacRecordFunc func, gpointer user_data)
{
  if (thinner->batch->len > 0)
    func((const LacRecord *) (gpointer) thinner->batch->data, thinner->batch->len, user_data);
  g_array_set_size(thinner->batch, 0);
}

void
lac_thinner_take(LacThinner      *thinner,
                 const LacRecord *records,
                 gsize            n,
                 LacRecordFunc    func,
                 gpointer         user_data)
{
  thinner->counts.n_taken += n;
  if (thinner->stride == 1 && !thinner->any) {
    pass_all(thinner, records, n);
    func(records, n, user_data);
    return;
  }
  for (gsize i = 0; i < n; i++) {
    if (records[i].step >= 0)
      thinner->step = records[i].step;
    if (!stays(thinner, &records[i])) {
      let_go(thinner, &records[i]);
      continue;
    }
    if (thinner->told_step != thinner->step)
      put_sums(thinner);
    thinner->told_step = thinner->step;
    if (is_span(&records[i]))
      lac_nesting_take(thinner->nesting, &records[i]);
    g_array_append_val(thinner->batch, records[i]);
    thinner->counts.n_kept++;
  }
  hand_over(thinner, func, user_data);
}

static void
add_sum(LacThinner *thinner, const LacRecord *record)
{
  LacRecord  one = *record;
  LacRecord *sum;

  one.kind =
    (guint8) (record->kind == LAC_RECORD_SPANS_LET_GO ? LAC_RECORD_SPAN : LAC_RECORD_AGGREGATE);
  sum = find_sum(thinner, &one);
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
  thinner->any = TRUE;
}

void
lac_thinner_take_back(LacThinner *thinner, const LacRecord *records, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (records[i].kind == LAC_RECORD_SPANS_LET_GO || records[i].kind == LAC_RECORD_CALLS_LET_GO) {
      thinner->counts.n_sums--;
      add_sum(thinner, &records[i]);
    } else {
      thinner->counts.n_kept--;
      let_go(thinner, &records[i]);
    }
  }
}

void
lac_thinner_finish(LacThinner *thinner, LacRecordFunc func, gpointer user_data)
{
  put_sums(thinner);
  hand_over(thinner, func, user_data);
}
