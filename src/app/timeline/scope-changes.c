/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that were changed while the run went on, from its journal, at the time of their step. */
#include "app/session/session.h"
#include "app/timeline/scope-private.h"
#include "report/summary/changes.h"
#include "report/timeline/strip.h"
#include "run/core/log.h"

/* Returns the time at which the iteration of @step ended. */
static gint64
find_time(const LacIterations *iterations, gint64 step)
{
  for (gsize i = 0; i < iterations->n; i++)
    if (iterations->iterations[i].step >= step)
      return iterations->iterations[i].start_ns + iterations->iterations[i].duration_ns;
  return LAC_NO_TIME;
}

void
lac_timeline_scope_read_changes(LacTimelineScope *self)
{
  LacRunFile *file = self->session != NULL ? lac_session_get_file(self->session) : NULL;
  g_array_set_size(self->changes, 0);
  if (file == NULL || self->recording == NULL)
    return;
  g_autoptr(GArray) found = lac_run_changes(file);
  for (guint i = 0; i < found->len; i++) {
    const LacRunChange *change = &g_array_index(found, LacRunChange, i);
    LacTimelineChange   placed = {
        .time_ns = find_time(lac_recording_get_iterations(self->recording), change->step)};
    if (placed.time_ns == LAC_NO_TIME)
      continue;
    placed.words = lac_run_change_dup_text(change);
    g_array_append_val(self->changes, placed);
  }
  lac_timeline_scope_announce(self, LAC_SCOPE_CHANGES);
}

/* Counts the marks that the recorder sets when a setting is changed. */
static gsize
count_new(LacTimelineScope *self)
{
  const LacCapture *capture = lac_recording_get_capture(self->recording);
  const gint64      set = lac_capture_find_name(capture, LAC_MARK_COMMAND LAC_EVENT_SET);
  const LacRecord  *records;
  gsize             n, found = 0;
  while ((records = lac_capture_get(capture, self->n_seen, &n)) != NULL) {
    for (gsize i = 0; i < n; i++)
      found += records[i].kind == LAC_RECORD_MARK && (gint64) records[i].name == set;
    self->n_seen += n;
  }
  return found;
}

void
lac_timeline_scope_follow_changes(LacTimelineScope *self)
{
  if (self->session == NULL || lac_session_get_run(self->session) == NULL ||
      !lac_session_is_active(self->session))
    return;
  const gsize n_new = count_new(self);
  if (n_new > 0)
    lac_session_read_file(self->session);
}

const LacTimelineChange *
lac_timeline_scope_get_changes(LacTimelineScope *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && n != NULL, NULL);
  *n = self->changes->len;
  return (const LacTimelineChange *) (gconstpointer) self->changes->data;
}
