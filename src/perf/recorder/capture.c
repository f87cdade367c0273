/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, lanes and records of a recording. */
#include "perf/recorder/capture.h"

#include "perf/recorder/record-store.h"

#define BUDGET_BYTES ((gsize) 256 << 20)

struct _LacCapture {
  gint            ref_count;
  char           *title;
  GPtrArray      *names, *lanes; /* char * */
  LacRecordStore *store;
  LacRecord      *adopted; /* replaces the store; NULL: none */
  gsize           n_adopted;
  gint64          begin_ns, end_ns;
};

LacCapture *
lac_capture_new(const char *title)
{
  LacCapture *capture = g_new0(LacCapture, 1);
  capture->ref_count = 1;
  capture->title = g_strdup(title != NULL ? title : "");
  capture->names = g_ptr_array_new_with_free_func(g_free);
  capture->lanes = g_ptr_array_new_with_free_func(g_free);
  capture->store = lac_record_store_new(BUDGET_BYTES);
  return capture;
}

static gpointer
copy_text(gconstpointer text, gpointer user_data)
{
  return g_strdup(text);
}

/* @store: (transfer full) */
static LacCapture *
dup_with(const LacCapture *capture, LacRecordStore *store)
{
  LacCapture *made = g_new0(LacCapture, 1);
  made->ref_count = 1;
  made->title = g_strdup(capture->title);
  made->names = g_ptr_array_copy(capture->names, copy_text, NULL);
  made->lanes = g_ptr_array_copy(capture->lanes, copy_text, NULL);
  made->store = store;
  return made;
}

LacCapture *
lac_capture_share(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, NULL);
  if (capture->adopted != NULL)
    return lac_capture_ref((LacCapture *) capture);
  LacCapture *shared = dup_with(capture, lac_record_store_share(capture->store));
  shared->begin_ns = capture->begin_ns;
  shared->end_ns = capture->end_ns;
  return shared;
}

LacCapture *
lac_capture_ref(LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, NULL);
  g_atomic_int_inc(&capture->ref_count);
  return capture;
}

void
lac_capture_unref(LacCapture *capture)
{
  if (capture == NULL || !g_atomic_int_dec_and_test(&capture->ref_count))
    return;
  g_free(capture->title);
  g_ptr_array_unref(capture->names);
  g_ptr_array_unref(capture->lanes);
  lac_record_store_free(capture->store);
  g_free(capture->adopted);
  g_free(capture);
}

const char *
lac_capture_get_title(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, "");
  return capture->title;
}

guint32
lac_capture_add_name(LacCapture *capture, const char *name)
{
  g_return_val_if_fail(capture != NULL && name != NULL, 0);
  g_ptr_array_add(capture->names, g_strdup(name));
  return capture->names->len - 1;
}

guint16
lac_capture_add_lane(LacCapture *capture, const char *lane)
{
  g_return_val_if_fail(capture != NULL && lane != NULL, 0);
  g_assert(capture->lanes->len <= G_MAXUINT16);
  g_ptr_array_add(capture->lanes, g_strdup(lane));
  return (guint16) (capture->lanes->len - 1);
}

void
lac_capture_follow(LacCapture *capture, LacPerf *perf)
{
  g_return_if_fail(capture != NULL && perf != NULL);
  for (guint32 n = lac_perf_get_n_names(perf); capture->names->len < n;)
    lac_capture_add_name(capture, lac_perf_get_name(perf, capture->names->len));
  for (guint n = lac_perf_get_n_lanes(perf); capture->lanes->len < n;)
    lac_capture_add_lane(capture, lac_perf_get_lane_name(perf, (guint16) capture->lanes->len));
}

guint32
lac_capture_get_n_names(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, 0);
  return capture->names->len;
}

guint
lac_capture_get_n_lanes(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, 0);
  return capture->lanes->len;
}

const char *
lac_capture_get_name(const LacCapture *capture, guint32 name)
{
  g_return_val_if_fail(capture != NULL, "?");
  return name < capture->names->len ? g_ptr_array_index(capture->names, name) : "?";
}

const char *
lac_capture_get_lane(const LacCapture *capture, guint16 lane)
{
  g_return_val_if_fail(capture != NULL, "?");
  return lane < capture->lanes->len ? g_ptr_array_index(capture->lanes, lane) : "?";
}

gint64
lac_capture_find_name(const LacCapture *capture, const char *name)
{
  guint i;
  g_return_val_if_fail(capture != NULL && name != NULL, -1);
  return g_ptr_array_find_with_equal_func(capture->names, name, g_str_equal, &i) ? (gint64) i : -1;
}

/* Counters and marks are instants, whatever their duration member holds. */
static gint64
end_of(const LacRecord *record)
{
  return lac_record_is_interval(record) ? record->start_ns + record->duration_ns : record->start_ns;
}

static void
widen(LacCapture *capture, const LacRecord *records, gsize n)
{
  if (n > 0 && lac_capture_get_n_records(capture) == 0) {
    capture->begin_ns = records[0].start_ns;
    capture->end_ns = end_of(&records[0]);
  }
  for (gsize i = 0; i < n; i++) {
    capture->begin_ns = MIN(capture->begin_ns, records[i].start_ns);
    capture->end_ns = MAX(capture->end_ns, end_of(&records[i]));
  }
}

void
lac_capture_append(LacCapture *capture, const LacRecord *records, gsize n)
{
  g_return_if_fail(capture != NULL && capture->adopted == NULL && (records != NULL || n == 0));
  widen(capture, records, n);
  lac_record_store_append(capture->store, records, n);
}

/* Clips the record to the range. Returns: FALSE when no part of it lies in the range. */
static gboolean
cut(LacRecord *record, gint64 begin_ns, gint64 end_ns)
{
  gint64 end = end_of(record);
  if (!lac_record_is_interval(record) || record->duration_ns <= 0)
    return record->start_ns >= begin_ns && record->start_ns <= end_ns;
  if (record->start_ns >= begin_ns && end <= end_ns)
    return TRUE;
  gint64 first = MAX(record->start_ns, begin_ns), last = MIN(end, end_ns);
  double share = (double) (last - first) / (double) record->duration_ns;
  record->start_ns = first;
  record->duration_ns = last - first;
  record->flops *= share;
  record->bytes *= share;
  record->step = -1;
  return last > first;
}

LacCapture *
lac_capture_dup_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail(capture != NULL, NULL);
  LacCapture      *range = dup_with(capture, lac_record_store_new(BUDGET_BYTES));
  const LacRecord *records;
  gsize            n;
  for (gsize first = 0; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++) {
      LacRecord record = records[i];
      if (cut(&record, begin_ns, end_ns))
        lac_capture_append(range, &record, 1);
    }
  return range;
}

void
lac_capture_adopt(LacCapture *capture, LacRecord *records, gsize n)
{
  g_return_if_fail(capture != NULL && lac_capture_get_n_records(capture) == 0);
  widen(capture, records, n);
  g_free(capture->adopted);
  capture->adopted = records;
  capture->n_adopted = n;
}

gsize
lac_capture_get_n_records(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, 0);
  return capture->adopted != NULL ? capture->n_adopted
                                  : lac_record_store_get_length(capture->store);
}

const LacRecord *
lac_capture_get(const LacCapture *capture, gsize first, gsize *n)
{
  g_return_val_if_fail(capture != NULL && n != NULL, NULL);
  if (capture->adopted == NULL)
    return lac_record_store_get(capture->store, first, n);
  *n = first < capture->n_adopted ? capture->n_adopted - first : 0;
  return *n > 0 ? capture->adopted + first : NULL;
}

const LacRecord *
lac_capture_at(const LacCapture *capture, gsize i)
{
  gsize n;
  return capture->adopted != NULL ? capture->adopted + i
                                  : lac_record_store_get(capture->store, i, &n);
}

void
lac_capture_get_extent(const LacCapture *capture, gint64 *begin_ns, gint64 *end_ns)
{
  g_return_if_fail(capture != NULL && begin_ns != NULL && end_ns != NULL);
  *begin_ns = capture->begin_ns;
  *end_ns = capture->end_ns;
}
