/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the records before and after a resume. */
#include "app/session/earlier.h"

struct _LacEarlierRecords {
  LacCapture *before, *capture;
  gsize       n_appended;    /* of @before */
  GArray     *names, *lanes; /* guint32: the id in the capture of each id of the recorder */
  gint64      end_ns, shift_ns;
  gboolean    has_shift;
};

LacEarlierRecords *
lac_earlier_records_new(LacCapture *before, LacCapture *capture)
{
  g_return_val_if_fail(before != NULL && lac_capture_get_n_records(capture) == 0, NULL);
  LacEarlierRecords *self = g_new0(LacEarlierRecords, 1);
  self->before = lac_capture_ref(before);
  self->capture = capture;
  self->names = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->lanes = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < lac_capture_get_n_names(before); i++)
    lac_capture_add_name(capture, lac_capture_get_name(before, i));
  for (guint i = 0; i < lac_capture_get_n_lanes(before); i++)
    lac_capture_add_lane(capture, lac_capture_get_lane(before, (guint16) i));
  return self;
}

void
lac_earlier_records_free(LacEarlierRecords *self)
{
  if (self == NULL)
    return;
  lac_capture_unref(self->before);
  g_array_unref(self->names);
  g_array_unref(self->lanes);
  g_free(self);
}

gboolean
lac_earlier_records_go_on(LacEarlierRecords *self, gsize most)
{
  gsize            n = most;
  const LacRecord *records = lac_capture_get(self->before, self->n_appended, &n);
  if (records == NULL)
    return FALSE;
  lac_capture_append(self->capture, records, n);
  for (gsize i = 0; i < n; i++)
    self->end_ns = MAX(self->end_ns, records[i].start_ns + records[i].duration_ns);
  self->n_appended += n;
  return TRUE;
}

static guint32
find_lane(LacCapture *capture, const char *name)
{
  for (guint i = 0; i < lac_capture_get_n_lanes(capture); i++)
    if (g_str_equal(lac_capture_get_lane(capture, (guint16) i), name))
      return i;
  return lac_capture_add_lane(capture, name);
}

/* Maps the names and lanes that the recorder has gained. */
static void
extend(LacEarlierRecords *self, LacPerf *perf)
{
  for (guint32 i = self->names->len; i < lac_perf_get_n_names(perf); i++) {
    const char *name = lac_perf_get_name(perf, i);
    gint64      found = lac_capture_find_name(self->capture, name);
    guint32     id = found >= 0 ? (guint32) found : lac_capture_add_name(self->capture, name);
    g_array_append_val(self->names, id);
  }
  for (guint i = self->lanes->len; i < lac_perf_get_n_lanes(perf); i++) {
    guint32 id = find_lane(self->capture, lac_perf_get_lane_name(perf, (guint16) i));
    g_array_append_val(self->lanes, id);
  }
}

void
lac_earlier_records_append(LacEarlierRecords *self,
                           LacPerf           *perf,
                           const LacRecord   *records,
                           gsize              n)
{
  if (n == 0)
    return;
  g_autofree LacRecord *mapped = g_memdup2(records, n * sizeof *records);
  if (!self->has_shift)
    self->shift_ns = self->n_appended > 0 ? self->end_ns - records[0].start_ns : 0;
  self->has_shift = TRUE;
  extend(self, perf);
  for (gsize i = 0; i < n; i++) {
    mapped[i].name = g_array_index(self->names, guint32, records[i].name);
    mapped[i].lane = (guint16) g_array_index(self->lanes, guint32, records[i].lane);
    mapped[i].start_ns += self->shift_ns;
  }
  lac_capture_append(self->capture, mapped, n);
}

gsize
lac_earlier_records_get_n(const LacEarlierRecords *self)
{
  return lac_capture_get_n_records(self->before);
}
