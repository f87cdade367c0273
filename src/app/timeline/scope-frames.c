/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saved frames on the timeline: the time of each, and the one shown. */
#include "app/session/session.h"
#include "app/timeline/scope-private.h"

/* Returns the iteration of a step, or the first one after it. */
static const LacIteration *
find_step(const LacIterations *iterations, gint64 step)
{
  gsize low = 0, high = iterations->n;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (iterations->iterations[middle].step < step)
      low = middle + 1;
    else
      high = middle;
  }
  return low < iterations->n ? &iterations->iterations[low] : NULL;
}

void
lac_timeline_scope_place_frames(LacTimelineScope *self)
{
  LacSession *session = self->recording == NULL ? NULL : lac_recording_get_session(self->recording);
  gsize       n = 0;
  const gint64 *steps = session == NULL ? NULL : lac_session_get_frame_steps(session, &n);
  if (n == self->frames->len)
    return;
  g_array_set_size(self->frames, 0);
  for (gsize i = 0; i < n; i++) {
    const LacIteration *made = find_step(lac_recording_get_iterations(self->recording), steps[i]);
    gint64              time = 0;
    if (made != NULL)
      time = made->start_ns + made->duration_ns;
    else
      lac_timeline_get_extent(lac_recording_get_timeline(self->recording), &(gint64){0}, &time);
    g_array_append_val(self->frames, time);
  }
}

const gint64 *
lac_timeline_scope_get_frames(LacTimelineScope *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && n != NULL, NULL);
  *n = self->frames->len;
  return (const gint64 *) (gconstpointer) self->frames->data;
}

gboolean
lac_timeline_scope_get_led_to(LacTimelineScope *self, gint64 *time_ns)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && time_ns != NULL, FALSE);
  gsize       n;
  LacSession *session = self->recording == NULL ? NULL : lac_recording_get_session(self->recording);
  const gint64 *steps = session == NULL ? NULL : lac_session_get_frame_steps(session, &n);
  if (steps == NULL || !self->has_selected)
    return FALSE;
  gint64 step =
    lac_capture_at(lac_recording_get_capture(self->recording), self->selected.record)->step;
  for (gsize i = 0; step >= 0 && i < MIN(n, self->frames->len); i++)
    if (steps[i] >= step) {
      *time_ns = g_array_index(self->frames, gint64, i);
      return TRUE;
    }
  return FALSE;
}

gboolean
lac_timeline_scope_get_shown(LacTimelineScope *self, gint64 *time_ns)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && time_ns != NULL, FALSE);
  if (self->session == NULL || lac_session_is_active(self->session) ||
      lac_session_get_frame(self->session) == NULL)
    return FALSE;
  const LacIteration *made = find_step(lac_recording_get_iterations(self->recording),
                                       lac_session_get_frame(self->session)->step);
  if (made == NULL)
    return FALSE;
  *time_ns = made->start_ns + made->duration_ns;
  return TRUE;
}
