/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operation of the durations view, and its selected durations. */
#include "app/timeline/scope-private.h"

#define PERIOD_US 500000 /* minimum between two updates while records arrive */

void
lac_timeline_scope_forget_durations(LacTimelineScope *self)
{
  gboolean goes_on = self->recording != NULL && !lac_recording_is_closed(self->recording);
  if (goes_on && g_get_monotonic_time() - self->gathered_us < PERIOD_US)
    return;
  g_clear_pointer(&self->durations, lac_durations_free);
}

/* Finds the chosen operation, or else the most costly one of those that occur more than once. */
static gboolean
find_watched(LacTimelineScope *self, guint32 *name)
{
  gsize n = 0;
  if (lac_timeline_scope_is_empty(self))
    return FALSE;
  if (self->has_watched) {
    *name = self->watched;
    return TRUE;
  }
  const LacAggregate *sums = lac_recording_get_aggregates(self->recording, &n);
  for (gsize i = 0; i < n; i++)
    if (sums[i].count > 1 || i + 1 == n) {
      *name = sums[i].name;
      return TRUE;
    }
  return FALSE;
}

void
lac_timeline_scope_watch(LacTimelineScope *self, guint32 name)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  if (self->has_watched && self->watched == name)
    return;
  self->has_watched = TRUE;
  self->watched = name;
  self->brush_low = self->brush_high = 0;
  g_clear_pointer(&self->durations, lac_durations_free);
  lac_timeline_scope_announce(self, LAC_SCOPE_DURATIONS);
}

const char *
lac_timeline_scope_get_watched(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  guint32 name;
  if (!find_watched(self, &name))
    return NULL;
  return lac_capture_get_name(lac_recording_get_capture(self->recording), name);
}

static void
get_time(LacTimelineScope *self, gint64 *begin, gint64 *end)
{
  if (lac_timeline_scope_get_range(self, begin, end))
    return;
  *begin = G_MININT64;
  *end = G_MAXINT64;
}

const LacDurations *
lac_timeline_scope_get_durations(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  guint32 name;
  gint64  begin, end;
  if (self->durations != NULL || !find_watched(self, &name))
    return self->durations;
  get_time(self, &begin, &end);
  self->durations =
    lac_durations_of_range(lac_recording_get_timeline(self->recording), name, begin, end);
  self->gathered_us = g_get_monotonic_time();
  return self->durations;
}

void
lac_timeline_scope_brush(LacTimelineScope *self, double low_ns, double high_ns)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  guint32 name;
  if (!find_watched(self, &name))
    return;
  self->has_watched =
    TRUE; /* a brush pins its operation, even if another one becomes the most costly */
  self->watched = name;
  self->brush_low = MIN(low_ns, high_ns);
  self->brush_high = MAX(low_ns, high_ns);
  lac_timeline_scope_announce(self, LAC_SCOPE_DURATIONS);
}

gboolean
lac_timeline_scope_get_brush(LacTimelineScope *self, LacDurationChoice *choice)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && choice != NULL, FALSE);
  choice->low_ns = self->brush_low;
  choice->high_ns = self->brush_high;
  get_time(self, &choice->begin_ns, &choice->end_ns);
  return self->recording != NULL && self->brush_low < self->brush_high;
}
