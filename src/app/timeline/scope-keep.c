/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Following the last part of a long run: range and view move with its end. */
#include "app/timeline/scope-private.h"

#define PERIOD_US 500000 /* limits the rate, since tables are summed over the range each time */

static gint64
find_begin(LacTimelineScope *self, gint64 first, gint64 last)
{
  if (self->keep == LAC_KEEP_SECONDS)
    return MAX(first, last - (gint64) (MIN(self->keep_n, 1e9) * 1e9));
  const LacIterations *iterations = lac_recording_get_iterations(self->recording);
  gsize                n = (gsize) MIN(self->keep_n, 1e15);
  return iterations->n > n && n > 0 ? iterations->iterations[iterations->n - n].start_ns : first;
}

void
lac_timeline_scope_follow_end(LacTimelineScope *self)
{
  gint64 first, last, now = g_get_monotonic_time();
  if (self->keep == LAC_KEEP_ALL || lac_timeline_scope_is_empty(self) ||
      (!lac_recording_is_closed(self->recording) && now - self->kept_us < PERIOD_US))
    return;
  self->kept_us = now;
  lac_timeline_get_extent(lac_recording_get_timeline(self->recording), &first, &last);
  self->range_begin = find_begin(self, first, last);
  self->range_end = last;
  if (self->keep_view && self->range_begin < last) {
    self->begin = (double) self->range_begin;
    self->end = (double) last;
  }
  lac_timeline_scope_announce(self, LAC_SCOPE_RANGE | LAC_SCOPE_VIEW);
}

void
lac_timeline_scope_keep_last(LacTimelineScope *self, LacKeep keep, double n)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  if (n <= 0)
    keep = LAC_KEEP_ALL;
  if (keep == LAC_KEEP_ALL && self->keep != LAC_KEEP_ALL) {
    lac_timeline_scope_set_range(self, 0, 0);
    lac_timeline_scope_fit(self);
  }
  self->keep = keep;
  self->keep_n = n;
  self->keep_view = TRUE;
  self->kept_us = 0;
  lac_timeline_scope_announce(self, LAC_SCOPE_KEEP);
  lac_timeline_scope_follow_end(self);
}

LacKeep
lac_timeline_scope_get_kept(LacTimelineScope *self, double *n)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && n != NULL, LAC_KEEP_ALL);
  *n = self->keep_n;
  return self->keep;
}
