/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's marks on the timeline, saved in the folder of the run. */
#include "app/session/session.h"
#include "app/timeline/scope-private.h"

#define MARK_SHARE 0.01 /* share of the visible time: marks closer than that coincide */

/* Reads the marks of an earlier recording of this run. */
void
lac_timeline_scope_read_marks(LacTimelineScope *self)
{
  const char *folder = self->session != NULL ? lac_session_get_folder(self->session) : NULL;
  g_array_unref(self->marks);
  self->marks = folder != NULL ? lac_run_marks_read(folder) : lac_run_marks_new();
}

static void
keep_marks(LacTimelineScope *self)
{
  g_autoptr(GError) error = NULL;
  const char       *folder = self->session != NULL ? lac_session_get_folder(self->session) : NULL;
  if (folder != NULL && !lac_run_marks_write(folder, self->marks, &error))
    g_debug("marks are not kept: %s", error->message);
  lac_timeline_scope_announce(self, LAC_SCOPE_MARKS);
}

/* @near: (out): the mark there, -1 without one. Returns: LAC_NO_TIME if there is no time to mark. */
static gint64
find_time(LacTimelineScope *self, gssize *near)
{
  gint64 begin, end;
  gint64 time = self->cursor != LAC_NO_TIME ? self->cursor
                : self->has_selected        ? self->selected.begin_ns
                                            : LAC_NO_TIME;
  *near = -1;
  if (time == LAC_NO_TIME || lac_timeline_scope_is_empty(self))
    return LAC_NO_TIME;
  lac_timeline_scope_get_view(self, &begin, &end);
  for (guint i = 0; i < self->marks->len && *near < 0; i++)
    if (ABS((double) (g_array_index(self->marks, LacRunMark, i).time_ns - time)) <
        MARK_SHARE * (double) (end - begin))
      *near = i;
  return time;
}

void
lac_timeline_scope_toggle_mark(LacTimelineScope *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  gssize near;
  gint64 time = find_time(self, &near);
  if (near >= 0)
    g_array_remove_index(self->marks, (guint) near);
  else if (time != LAC_NO_TIME)
    lac_run_marks_add(self->marks, time, NULL);
  if (time != LAC_NO_TIME)
    keep_marks(self);
}

gssize
lac_timeline_scope_put_mark(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), -1);
  gssize near;
  gint64 time = find_time(self, &near);
  if (near >= 0 || time == LAC_NO_TIME)
    return near;
  near = lac_run_marks_add(self->marks, time, NULL);
  keep_marks(self);
  return near;
}

void
lac_timeline_scope_remove_mark(LacTimelineScope *self, gsize i)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && i < self->marks->len);
  g_array_remove_index(self->marks, (guint) i);
  keep_marks(self);
}

void
lac_timeline_scope_set_words(LacTimelineScope *self, gsize i, const char *words)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && i < self->marks->len && words != NULL);
  if (g_str_equal(g_array_index(self->marks, LacRunMark, i).words, words))
    return;
  lac_run_marks_set_words(self->marks, (guint) i, words);
  keep_marks(self);
}

const LacRunMark *
lac_timeline_scope_get_marks(LacTimelineScope *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && n != NULL, NULL);
  *n = self->marks->len;
  return (const LacRunMark *) (gconstpointer) self->marks->data;
}

void
lac_timeline_scope_show_marks(LacTimelineScope *self, GArray *marks)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && marks != NULL);
  g_array_unref(self->marks);
  self->marks = marks;
  lac_timeline_scope_announce(self, LAC_SCOPE_MARKS);
}
