/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chosen phase or operation, the path that limits timeline and tables, and the colours of the names. */
#include "app/session/session.h"
#include "app/timeline/scope-private.h"

void
lac_timeline_scope_forget_chosen(LacTimelineScope *self)
{
  self->chosen = LAC_NO_NAME;
  self->iteration = LAC_NO_NAME;
  self->n_seen = 0;
  g_array_set_size(self->path, 0);
  g_clear_pointer(&self->within, g_byte_array_unref);
  g_clear_pointer(&self->looks, lac_span_looks_free);
}

/* @within: (transfer full) (nullable) */
static void
set_within(LacTimelineScope *self, GByteArray *within)
{
  g_clear_pointer(&self->within, g_byte_array_unref);
  self->within = within;
  if (within != NULL)
    self->highlight = (LacMatch){within->data, within->len};
}

static GByteArray *
make_within(LacTimelineScope *self, guint32 name)
{
  guint32     n_names = lac_capture_get_n_names(lac_recording_get_capture(self->recording));
  GByteArray *within = g_byte_array_new();
  g_byte_array_set_size(within, n_names);
  for (guint32 i = 0; i < n_names; i++)
    within->data[i] = i == name;
  return within;
}

/* The durations follow the choice, unless some are brushed. */
static void
announce(LacTimelineScope *self)
{
  lac_timeline_scope_announce(self, LAC_SCOPE_CHOSEN);
  if (self->chosen != LAC_NO_NAME && self->brush_low >= self->brush_high)
    lac_timeline_scope_watch(self, self->chosen);
}

void
lac_timeline_scope_choose(LacTimelineScope *self, guint32 name)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self));
  if (self->recording == NULL || (self->chosen == name && self->path->len == 0))
    return;
  self->chosen = name;
  g_array_set_size(self->path, 0);
  set_within(self, name != LAC_NO_NAME ? make_within(self, name) : NULL);
  announce(self);
}

guint32
lac_timeline_scope_get_chosen(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), LAC_NO_NAME);
  return self->chosen;
}

void
lac_timeline_scope_limit(LacTimelineScope *self, const guint32 *path, gsize n, GByteArray *within)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && path != NULL && n > 0 && within != NULL);
  self->chosen = path[n - 1];
  g_array_set_size(self->path, 0);
  g_array_append_vals(self->path, path, (guint) n);
  set_within(self, within);
  announce(self);
}

const guint32 *
lac_timeline_scope_get_limit(LacTimelineScope *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self) && n != NULL, NULL);
  *n = self->path->len;
  return (const guint32 *) (gconstpointer) self->path->data;
}

const LacMatch *
lac_timeline_scope_get_highlight(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  const LacMatch *match = lac_timeline_scope_get_match(self);
  return match != NULL ? match : self->within != NULL ? &self->highlight : NULL;
}

gboolean
lac_timeline_scope_clear(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), FALSE);
  LacDurationChoice brush;
  gint64            begin, end;
  if (lac_timeline_scope_get_brush(self, &brush)) {
    lac_timeline_scope_brush(self, 0, 0);
  } else if (self->chosen != LAC_NO_NAME || self->has_selected) {
    lac_timeline_scope_choose(self, LAC_NO_NAME);
    lac_timeline_scope_select(self, NULL);
  } else if (lac_timeline_scope_get_range(self, &begin, &end)) {
    lac_timeline_scope_set_range(self, 0, 0);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* ---- colours ---- */

/* The metrics of a run become known when it has been set up. */
static void
make_looks(LacTimelineScope *self)
{
  LacSpanMethods methods = {0};
  if (self->session != NULL) {
    methods.metrics = lac_session_get_metrics(self->session, &methods.n_metrics);
    methods.channels = lac_session_get_channels(self->session, &methods.n_channels);
  }
  if (self->looks != NULL && methods.n_metrics == self->n_metrics)
    return;
  g_clear_pointer(&self->looks, lac_span_looks_free);
  self->looks = lac_span_looks_new(lac_recording_get_capture(self->recording), &methods);
  self->n_metrics = methods.n_metrics;
}

const LacSpanLooks *
lac_timeline_scope_get_looks(LacTimelineScope *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(self), NULL);
  if (self->recording != NULL && self->looks == NULL)
    make_looks(self);
  return self->looks;
}

void
lac_timeline_scope_colour(LacTimelineScope *self, const LacCallTree *tree)
{
  g_return_if_fail(LAC_IS_TIMELINE_SCOPE(self) && self->recording != NULL && tree != NULL);
  if (tree->iteration != self->iteration)
    g_clear_pointer(&self->looks, lac_span_looks_free); /* set-up and steps are known now */
  self->iteration = tree->iteration;
  make_looks(self);
  lac_span_looks_update(self->looks, tree);
  lac_timeline_scope_announce(self, LAC_SCOPE_LOOKS);
}
