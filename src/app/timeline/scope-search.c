/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search for spans by name. */
#include "app/timeline/scope-private.h"

static LacTimeline *
get_timeline(LacTimelineScope *self)
{
  return lac_recording_get_timeline(self->recording);
}

/* Matches the search text again: new names may have arrived. */
void
lac_timeline_scope_match_names(LacTimelineScope *self)
{
  g_clear_pointer(&self->matched, g_byte_array_unref);
  self->match = (LacMatch){0};
  if (self->text == NULL || self->recording == NULL)
    return;
  self->matched = lac_timeline_match_names(get_timeline(self), self->text);
  self->match = (LacMatch){self->matched->data, self->matched->len};
}

void
lac_timeline_scope_search(LacTimelineScope *self, const char *text)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && text != NULL);
  g_free(self->text);
  self->text = text[0] == '\0' ? NULL : g_strdup(text);
  lac_timeline_scope_match_names(self);
  lac_timeline_scope_announce(self, LAC_SCOPE_SEARCH);
}

const char *
lac_timeline_scope_get_search(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), "");
  return self->text != NULL ? self->text : "";
}

const LacMatch *
lac_timeline_scope_get_match(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  return self->matched != NULL ? &self->match : NULL;
}

guint64
lac_timeline_scope_count_matches(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), 0);
  return self->matched == NULL ? 0 : lac_timeline_count(get_timeline(self), &self->match);
}

gboolean
lac_timeline_scope_select_match(LacTimelineScope *self, int direction)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), FALSE);
  LacTimelineBar bar, here = {.record = G_MAXSIZE};
  gint64         begin = 0, end = 0;
  if (self->matched == NULL)
    return FALSE;
  /* without a selection start at the visible time */
  lac_timeline_scope_get_view(self, &begin, &end);
  here.begin_ns = direction > 0 ? begin - 1 : end;
  const LacTimelineBar *from = self->has_selected ? &self->selected : &here;
  LacTimeline          *timeline = get_timeline(self);
  if (!lac_timeline_find_match(timeline, &self->match, from, direction, &bar) &&
      !lac_timeline_find_match(timeline, &self->match, NULL, direction, &bar)) /* wraps around */
    return FALSE;
  lac_timeline_scope_select_and_reveal(self, &bar);
  return TRUE;
}
