/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test files, and invariants of every imported trace. */
#include "trace-checks.h"

char *trace_folder;

char *
trace_put(const char *name, const char *text, gssize n)
{
  g_autoptr(GError) error = NULL;
  char             *path = g_build_filename(trace_folder, name, NULL);
  g_file_set_contents(path, text, n, &error);
  g_assert_no_error(error);
  return path;
}

const char *
trace_name_of(const LacCapture *capture, const LacRecord *record)
{
  return lac_capture_get_name(capture, record->name);
}

void
trace_assert_nested(const LacCapture *capture)
{
  const gsize n = lac_capture_get_n_records(capture);
  for (gsize i = 0; i < n; i++) {
    const LacRecord *a = lac_capture_at(capture, i);
    gboolean         is_within = a->depth == 0;
    if (a->kind != LAC_RECORD_SPAN)
      continue;
    for (gsize k = 0; k < n; k++) {
      const LacRecord *b = lac_capture_at(capture, k);
      if (b->kind != LAC_RECORD_SPAN || b->lane != a->lane || k == i)
        continue;
      const gint64 end_a = a->start_ns + a->duration_ns, end_b = b->start_ns + b->duration_ns;
      if (b->depth == a->depth)
        g_assert_true(end_a <= b->start_ns || end_b <= a->start_ns);
      is_within |= b->depth + 1 == a->depth && b->start_ns <= a->start_ns && end_a <= end_b;
    }
    g_assert_true(is_within);
  }
}

void
trace_assert_sequences(const LacCapture *capture)
{
  g_autofree guint64 *next = g_new0(guint64, lac_capture_get_n_lanes(capture));
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    g_assert_cmpuint(record->sequence, ==, next[record->lane]++);
  }
}
