/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a recording that the timeline shows. */
#include "app/session/session.h"
#include "app/timeline/counters.h"
#include "app/timeline/scope-private.h"
#include "report/timeline/strip.h"

#define LEAST_NS     1000.0 /* minimum width of the view: a microsecond */
#define FIT_MARGIN   0.05   /* margin around a fitted range */
#define REVEAL_SHARE 0.1    /* minimum left margin of a revealed bar, share of the view */

G_DEFINE_FINAL_TYPE(LacTimelineScope, lac_timeline_scope, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
lac_timeline_scope_announce(LacTimelineScope *self, guint what)
{
  if (what & LAC_SCOPE_RANGE)
    g_clear_pointer(&self->durations, lac_durations_free);
  else if (what & LAC_SCOPE_DATA)
    lac_timeline_scope_forget_durations(self);
  g_signal_emit(self, signals[CHANGED], 0, what);
}

static void
lac_timeline_scope_finalize(GObject *object)
{
  LacTimelineScope *self = LAC_TIMELINE_SCOPE(object);
  g_clear_weak_pointer(&self->session);
  g_clear_object(&self->recording);
  g_clear_pointer(&self->text, g_free);
  g_clear_pointer(&self->matched, g_byte_array_unref);
  g_clear_pointer(&self->durations, lac_durations_free);
  g_clear_pointer(&self->within, g_byte_array_unref);
  g_clear_pointer(&self->looks, lac_span_looks_free);
  g_clear_pointer(&self->counters, g_array_unref);
  g_array_unref(self->path);
  g_array_unref(self->changes);
  g_array_unref(self->marks);
  g_array_unref(self->frames);
  G_OBJECT_CLASS(lac_timeline_scope_parent_class)->finalize(object);
}

static void
lac_timeline_scope_class_init(LacTimelineScopeClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_timeline_scope_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_TIMELINE_SCOPE, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
clear_change(gpointer data)
{
  g_free(((LacTimelineChange *) data)->words);
}

static void
lac_timeline_scope_init(LacTimelineScope *self)
{
  self->cursor = LAC_NO_TIME;
  self->chosen = LAC_NO_NAME;
  self->path = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->changes = g_array_new(FALSE, FALSE, sizeof(LacTimelineChange));
  g_array_set_clear_func(self->changes, clear_change);
  self->marks = lac_run_marks_new();
  self->frames = g_array_new(FALSE, FALSE, sizeof(gint64));
}

LacTimelineScope *
lac_timeline_scope_new(void)
{
  return g_object_new(LAC_TYPE_TIMELINE_SCOPE, NULL);
}

static LacTimeline *
get_timeline(LacTimelineScope *self)
{
  return lac_recording_get_timeline(self->recording);
}

static void
on_recording(LacTimelineScope *self)
{
  lac_timeline_scope_place_frames(self);
  guint32 n_names = lac_capture_get_n_names(lac_recording_get_capture(self->recording));
  if (self->text != NULL && n_names != self->match.n)
    lac_timeline_scope_match_names(self);
  lac_timeline_scope_follow_changes(self);
  lac_timeline_scope_announce(self, LAC_SCOPE_DATA);
  lac_timeline_scope_follow_end(self);
}

static void
on_file(LacTimelineScope *self)
{
  on_recording(self);
  lac_timeline_scope_read_changes(self);
}

static void
on_shown(LacTimelineScope *self)
{
  lac_timeline_scope_announce(self, LAC_SCOPE_SHOWN);
}

/* Follows the frame that the session shows. */
static void
follow_session(LacTimelineScope *self)
{
  LacSession *session = self->recording == NULL ? NULL : lac_recording_get_session(self->recording);
  if (session == self->session)
    return;
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_weak_pointer(&self->session, session);
  if (session == NULL)
    return;
  g_signal_connect_object(session, "frame-changed", G_CALLBACK(on_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "file-changed", G_CALLBACK(on_file), self, G_CONNECT_SWAPPED);
}

void
lac_timeline_scope_set_recording(LacTimelineScope *self, LacRecording *recording)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data(self->recording, self);
  g_set_object(&self->recording, recording);
  follow_session(self);
  self->begin = self->end = self->offset = self->track_offset = 0;
  self->range_begin = self->range_end = 0;
  self->has_selected = self->has_watched = FALSE;
  self->brush_low = self->brush_high = 0;
  self->cursor = LAC_NO_TIME;
  if (recording != NULL)
    lac_timeline_set_names_beside(get_timeline(self));
  g_clear_pointer(&self->counters, g_array_unref);
  lac_timeline_scope_forget_chosen(self);
  lac_timeline_scope_read_marks(self);
  lac_timeline_scope_read_changes(self);
  lac_timeline_scope_match_names(self);
  g_array_set_size(self->frames, 0);
  lac_timeline_scope_place_frames(self);
  if (recording != NULL)
    g_signal_connect_object(recording, "changed", G_CALLBACK(on_recording), self,
                            G_CONNECT_SWAPPED);
  lac_timeline_scope_announce(self, LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_RANGE |
                                      LAC_SCOPE_SELECTED | LAC_SCOPE_SEARCH | LAC_SCOPE_MARKS |
                                      LAC_SCOPE_DURATIONS | LAC_SCOPE_CHOSEN | LAC_SCOPE_CHANGES);
  self->kept_us = 0;
  self->keep_view = TRUE;
  lac_timeline_scope_follow_end(self);
}

LacRecording *
lac_timeline_scope_get_recording(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  return self->recording;
}

gboolean
lac_timeline_scope_is_empty(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), TRUE);
  return self->recording == NULL || lac_recording_get_n_records(self->recording) == 0;
}

/* ---- the visible time ---- */

static void
get_extent(LacTimelineScope *self, double *begin, double *end)
{
  gint64 first = 0, last = 0;
  if (self->recording != NULL)
    lac_timeline_get_extent(get_timeline(self), &first, &last);
  *begin = (double) first;
  *end = MAX((double) last, (double) first + LEAST_NS);
}

static void
get_view(LacTimelineScope *self, double *begin, double *end)
{
  get_extent(self, begin, end);
  if (self->begin < self->end) {
    *begin = self->begin;
    *end = self->end;
  }
}

void
lac_timeline_scope_get_view(LacTimelineScope *self, gint64 *begin_ns, gint64 *end_ns)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && begin_ns != NULL && end_ns != NULL);
  double begin, end;
  get_view(self, &begin, &end);
  *begin_ns = (gint64) begin;
  *end_ns = (gint64) end;
}

void
lac_timeline_scope_show(LacTimelineScope *self, double begin, double end)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  double first, last;
  self->keep_view = FALSE;
  get_extent(self, &first, &last);
  double width = CLAMP(end - begin, LEAST_NS, last - first);
  self->begin = CLAMP((begin + end - width) / 2, first, last - width);
  self->end = self->begin + width;
  if (width >= (last - first) * 0.999)
    self->begin = self->end = 0; /* everything: follow */
  lac_timeline_scope_announce(self, LAC_SCOPE_VIEW);
}

gboolean
lac_timeline_scope_has_view(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), FALSE);
  return self->begin < self->end && (self->keep == LAC_KEEP_ALL || !self->keep_view);
}

void
lac_timeline_scope_zoom(LacTimelineScope *self, double at, double factor)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && factor > 0);
  double begin, end;
  get_view(self, &begin, &end);
  double fixed = begin + at * (end - begin), width = (end - begin) / factor;
  lac_timeline_scope_show(self, fixed - at * width, fixed + (1 - at) * width);
}

void
lac_timeline_scope_move(LacTimelineScope *self, double share)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  double begin, end;
  get_view(self, &begin, &end);
  double by = share * (end - begin);
  lac_timeline_scope_show(self, begin + by, end + by);
}

void
lac_timeline_scope_fit(LacTimelineScope *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  self->begin = self->end = 0;
  if (self->keep != LAC_KEEP_ALL &&
      self->range_begin < self->range_end) { /* all of the followed part */
    self->keep_view = TRUE;
    self->begin = (double) self->range_begin;
    self->end = (double) self->range_end;
  }
  lac_timeline_scope_announce(self, LAC_SCOPE_VIEW);
}

void
lac_timeline_scope_fit_selection(LacTimelineScope *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  gint64 begin = self->range_begin, end = self->range_end;
  if (begin >= end && self->has_selected) {
    begin = self->selected.begin_ns;
    end = self->selected.end_ns;
  } else if (begin >= end) {
    return;
  }
  double margin = FIT_MARGIN * (double) (end - begin);
  lac_timeline_scope_show(self, (double) begin - margin, (double) end + margin);
}

void
lac_timeline_scope_scroll(LacTimelineScope *self, double offset, double room)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  double whole = lac_timeline_scope_is_empty(self)
                   ? 0
                   : lac_timeline_get_height(get_timeline(self), LAC_TIMELINE_FONT);
  offset = CLAMP(offset, 0, MAX(whole - room, 0));
  if (offset == self->offset)
    return;
  self->offset = offset;
  lac_timeline_scope_announce(self, LAC_SCOPE_VIEW);
}

double
lac_timeline_scope_get_offset(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), 0);
  return self->offset;
}

const GArray *
lac_timeline_scope_get_counters(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  gsize n = 0;
  if (self->recording != NULL)
    lac_recording_get_tracks(self->recording, &n);
  if (self->counters != NULL && self->n_tracks == n)
    return self->counters;
  g_clear_pointer(&self->counters, g_array_unref);
  self->counters = self->recording != NULL ? lac_counter_rows_new(self->recording)
                                           : g_array_new(FALSE, FALSE, sizeof(LacCounterRow));
  self->n_tracks = n;
  return self->counters;
}

void
lac_timeline_scope_scroll_tracks(LacTimelineScope *self, double offset)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  const double hidden = (double) lac_timeline_scope_get_counters(self)->len - LAC_TIMELINE_TRACKS;
  offset = CLAMP(offset, 0, MAX(hidden, 0) * LAC_TIMELINE_TRACK_HEIGHT);
  if (offset == self->track_offset)
    return;
  self->track_offset = offset;
  lac_timeline_scope_announce(self, LAC_SCOPE_VIEW);
}

double
lac_timeline_scope_get_track_offset(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), 0);
  return self->track_offset;
}

/* ---- the range ---- */

void
lac_timeline_scope_set_range(LacTimelineScope *self, gint64 begin_ns, gint64 end_ns)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  double first, last;
  get_extent(self, &first, &last);
  if (self->keep != LAC_KEEP_ALL) {
    self->keep = LAC_KEEP_ALL;
    lac_timeline_scope_announce(self, LAC_SCOPE_KEEP);
  }
  self->range_begin = CLAMP(MIN(begin_ns, end_ns), (gint64) first, (gint64) last);
  self->range_end = CLAMP(MAX(begin_ns, end_ns), (gint64) first, (gint64) last);
  lac_timeline_scope_announce(self, LAC_SCOPE_RANGE);
}

gboolean
lac_timeline_scope_get_range(LacTimelineScope *self, gint64 *begin_ns, gint64 *end_ns)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), FALSE);
  *begin_ns = self->range_begin;
  *end_ns = self->range_end;
  return self->range_begin < self->range_end;
}

/* ---- the selected bar ---- */

void
lac_timeline_scope_select(LacTimelineScope *self, const LacTimelineBar *bar)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  if (bar == NULL && !self->has_selected)
    return;
  self->has_selected = bar != NULL;
  if (bar != NULL)
    self->selected = *bar;
  lac_timeline_scope_announce(self, LAC_SCOPE_SELECTED);
  if (bar != NULL && self->brush_low >= self->brush_high) /* a brush pins its operation */
    lac_timeline_scope_watch(self, bar->name);
}

const LacTimelineBar *
lac_timeline_scope_get_selected(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  return self->has_selected ? &self->selected : NULL;
}

void
lac_timeline_scope_reveal(LacTimelineScope *self, const LacTimelineBar *bar)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && bar != NULL);
  double begin, end;
  get_view(self, &begin, &end);
  double width = end - begin, left = (double) bar->begin_ns, right = (double) bar->end_ns;
  if (left >= begin && right <= end)
    return;
  if (right - left > width * (1 - 2 * REVEAL_SHARE))
    width = (right - left) / (1 - 2 * REVEAL_SHARE);
  lac_timeline_scope_show(self, (left + right - width) / 2, (left + right + width) / 2);
}

void
lac_timeline_scope_select_and_reveal(LacTimelineScope *self, const LacTimelineBar *bar)
{
  lac_timeline_scope_select(self, bar);
  lac_timeline_scope_reveal(self, bar);
}

void
lac_timeline_scope_select_next(LacTimelineScope *self, int direction)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  LacTimelineBar bar;
  gint64         begin = 0, end = 0;
  if (lac_timeline_scope_is_empty(self))
    return;
  lac_timeline_scope_get_view(self, &begin, &end);
  if (self->has_selected
        ? lac_timeline_find_next(get_timeline(self), &self->selected, direction, &bar)
        : lac_timeline_list(get_timeline(self), begin, end, 0, &bar, 1) > 0)
    lac_timeline_scope_select_and_reveal(self, &bar);
}

void
lac_timeline_scope_set_target(LacTimelineScope *self, gint64 target_ns)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && target_ns >= 0);
  if (self->target == target_ns)
    return;
  self->target = target_ns;
  lac_timeline_scope_announce(self, LAC_SCOPE_TARGET);
}

gint64
lac_timeline_scope_get_target(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), 0);
  return self->target;
}

gboolean
lac_timeline_scope_select_outlier(LacTimelineScope *self, int direction)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), FALSE);
  LacTimelineBar bar;
  if (lac_timeline_scope_is_empty(self))
    return FALSE;
  const LacIterations *iterations = lac_recording_get_iterations(self->recording);
  gssize               from = direction > 0 ? -1 : (gssize) iterations->n;
  if (self->has_selected) {
    from = lac_timeline_find_iteration(iterations, self->selected.begin_ns);
    /* a bar that began before the selected one lies before it */
    if (direction < 0 && from >= 0 &&
        iterations->iterations[from].start_ns < self->selected.begin_ns)
      from++;
  }
  gssize found = self->target > 0
                   ? lac_iterations_next_over(iterations, self->target, from, direction)
                   : lac_iterations_next_outlier(iterations, from, direction);
  if (found < 0 ||
      !lac_timeline_find(get_timeline(self), iterations->iterations[found].record, &bar))
    return FALSE;
  lac_timeline_scope_select_and_reveal(self, &bar);
  return TRUE;
}

/* ---- the pointer ---- */

void
lac_timeline_scope_set_cursor(LacTimelineScope *self, gint64 time_ns)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  if (time_ns == self->cursor)
    return;
  self->cursor = time_ns;
  lac_timeline_scope_announce(self, LAC_SCOPE_CURSOR);
}

gint64
lac_timeline_scope_get_cursor(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), LAC_NO_TIME);
  return self->cursor;
}
