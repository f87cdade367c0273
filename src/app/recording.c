/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording and what is made of its records as they come. */
#include "app/recording.h"

#include "app/session.h"

struct _LacRecording {
  GObject        parent_instance;
  char          *title;
  LacCapture    *capture;
  LacTimeline   *timeline; /* of the capture */
  LacAggregates *aggregates;
  gsize          n_summed; /* records of the capture that are in the aggregates */
  LacSession    *session;  /* a weak pointer */
  gboolean       closed;
  guint64        n_lost;
};

G_DEFINE_FINAL_TYPE(LacRecording, lac_recording, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
lac_recording_finalize(GObject *object)
{
  LacRecording *self = LAC_RECORDING(object);
  g_clear_weak_pointer(&self->session);
  g_clear_pointer(&self->timeline, lac_timeline_free);
  g_clear_pointer(&self->aggregates, lac_aggregates_free);
  g_clear_pointer(&self->capture, lac_capture_unref);
  g_clear_pointer(&self->title, g_free);
  G_OBJECT_CLASS(lac_recording_parent_class)->finalize(object);
}

static void
lac_recording_class_init(LacRecordingClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_recording_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_RECORDING, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_recording_init(LacRecording *self)
{
}

static void
sum_new(LacRecording *self)
{
  const LacRecord *records;
  gsize            n;
  while ((records = lac_capture_get(self->capture, self->n_summed, &n)) != NULL) {
    lac_aggregates_add(self->aggregates, records, n);
    self->n_summed += n;
  }
}

LacRecording *
lac_recording_new(LacCapture *capture, const char *title, LacSession *session)
{
  g_return_val_if_fail(capture != NULL, NULL);
  LacRecording *self = g_object_new(LAC_TYPE_RECORDING, NULL);
  self->title = g_strdup(title);
  self->capture = lac_capture_ref(capture);
  self->timeline = lac_timeline_new(capture);
  self->aggregates = lac_aggregates_new();
  g_set_weak_pointer(&self->session, session);
  sum_new(self);
  return self;
}

void
lac_recording_update(LacRecording *self)
{
  g_return_if_fail(LAC_IS_RECORDING(self));
  lac_timeline_update(self->timeline);
  sum_new(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_recording_close(LacRecording *self, guint64 n_lost)
{
  g_return_if_fail(LAC_IS_RECORDING(self));
  self->closed = TRUE;
  self->n_lost = n_lost;
  lac_timeline_close(self->timeline);
  g_signal_emit(self, signals[CHANGED], 0);
}

const char *
lac_recording_get_title(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), NULL);
  return self->title;
}

LacCapture *
lac_recording_get_capture(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), NULL);
  return self->capture;
}

LacTimeline *
lac_recording_get_timeline(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), NULL);
  return self->timeline;
}

LacSession *
lac_recording_get_session(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), NULL);
  return self->session;
}

guint64
lac_recording_get_n_records(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), 0);
  return lac_capture_get_n_records(self->capture);
}

guint64
lac_recording_get_n_lost(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), 0);
  return self->n_lost;
}

gboolean
lac_recording_is_closed(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), FALSE);
  return self->closed;
}

const LacAggregate *
lac_recording_get_aggregates(LacRecording *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self) && n != NULL, NULL);
  return lac_aggregates_get(self->aggregates, n);
}
