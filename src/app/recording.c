/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording and what is made of its records as they come. */
#include "app/recording.h"

#include "app/session.h"

#include <math.h>

/* Iterations are looked for again when there are so much more records. */
#define GROWTH 1.02

typedef struct {
  gint64 step;
  double value;
} StepValue;

/* Values whose time is known once their step is: until then they wait. */
typedef struct {
  char     *label;
  LacTrack *track;  /* borrowed */
  GArray   *values; /* of StepValue */
  guint     n_placed;
} Series;

struct _LacRecording {
  GObject        parent_instance;
  char          *title;
  LacCapture    *capture;
  LacTimeline   *timeline; /* of the capture */
  LacAggregates *aggregates;
  GPtrArray     *tracks;   /* of LacTrack */
  GHashTable    *counters; /* name of a counter -> its LacTrack, borrowed */
  GPtrArray     *series;   /* of Series */
  gsize          n_summed; /* records of the capture that are in aggregates and counters */
  LacIterations  iterations;
  gsize          n_iterated; /* records that were looked through for them */
  LacSession    *session;    /* a weak pointer */
  gboolean       closed;
  guint64        n_lost;
};

G_DEFINE_FINAL_TYPE(LacRecording, lac_recording, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
series_free(gpointer data)
{
  Series *series = data;
  g_free(series->label);
  g_array_unref(series->values);
  g_free(series);
}

static void
lac_recording_finalize(GObject *object)
{
  LacRecording *self = LAC_RECORDING(object);
  g_clear_weak_pointer(&self->session);
  g_clear_pointer(&self->timeline, lac_timeline_free);
  g_clear_pointer(&self->aggregates, lac_aggregates_free);
  g_ptr_array_unref(self->series);
  g_ptr_array_unref(self->tracks);
  g_hash_table_unref(self->counters);
  lac_iterations_clear(&self->iterations);
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
  self->tracks = g_ptr_array_new_with_free_func((GDestroyNotify) lac_track_free);
  self->counters = g_hash_table_new(NULL, NULL);
  self->series = g_ptr_array_new_with_free_func(series_free);
}

/* Records have no units: a counter of memory counts bytes, one of a utilisation per cent. */
static const char *
unit_of(const char *name)
{
  return strstr(name, "memory") != NULL ? "B" : strstr(name, "utilisation") != NULL ? "%" : NULL;
}

static void
add_sample(LacRecording *self, const LacRecord *record)
{
  LacTrack *track = g_hash_table_lookup(self->counters, GUINT_TO_POINTER(record->name));
  if (!isfinite(record->value))
    return;
  if (track == NULL) {
    const char *name = lac_capture_get_name(self->capture, record->name);
    track = lac_track_new(name, unit_of(name));
    g_ptr_array_insert(self->tracks, (gint) g_hash_table_size(self->counters), track);
    g_hash_table_insert(self->counters, GUINT_TO_POINTER(record->name), track);
  }
  lac_track_add(track, record->start_ns, record->value);
}

static void
sum_new(LacRecording *self)
{
  const LacRecord *records;
  gsize            n;
  while ((records = lac_capture_get(self->capture, self->n_summed, &n)) != NULL) {
    lac_aggregates_add(self->aggregates, records, n);
    for (gsize i = 0; i < n; i++)
      if (records[i].kind == LAC_RECORD_COUNTER)
        add_sample(self, &records[i]);
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

/* Looking goes through all records: while they keep coming, not at every frame. */
const LacIterations *
lac_recording_get_iterations(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), NULL);
  gsize n = lac_capture_get_n_records(self->capture);
  if (n != self->n_iterated && (self->closed || (double) n > GROWTH * (double) self->n_iterated)) {
    lac_iterations_clear(&self->iterations);
    self->iterations = lac_iterations_find(self->capture);
    self->n_iterated = n;
  }
  return &self->iterations;
}

void
lac_recording_add_value(LacRecording *self,
                        const char   *label,
                        const char   *unit,
                        gint64        step,
                        double        value)
{
  g_return_if_fail(LAC_IS_RECORDING(self) && label != NULL && isfinite(value));
  Series   *series = NULL;
  StepValue at = {step, value};
  for (guint i = 0; i < self->series->len && series == NULL; i++) {
    Series *known = g_ptr_array_index(self->series, i);
    if (g_str_equal(known->label, label))
      series = known;
  }
  if (series == NULL) {
    series = g_new0(Series, 1);
    series->label = g_strdup(label);
    series->track = lac_track_new(label, unit);
    series->values = g_array_new(FALSE, FALSE, sizeof(StepValue));
    g_ptr_array_add(self->series, series);
    g_ptr_array_add(self->tracks, series->track);
  }
  g_array_append_val(series->values, at);
}

/* Iterations and values both come in the order of their steps. */
static void
place_series(Series *series, const LacIterations *iterations)
{
  gsize i = 0, n = iterations->n;
  while (series->n_placed < series->values->len) {
    const StepValue *at = &g_array_index(series->values, StepValue, series->n_placed);
    for (gsize low = i, high = n; low < high;) { /* the first with its step or a later one */
      gsize middle = (low + high) / 2;
      if (iterations->iterations[middle].step < at->step)
        i = low = middle + 1;
      else
        high = middle;
    }
    if (i >= n)
      break;
    const LacIteration *iteration = &iterations->iterations[i];
    lac_track_add(series->track, iteration->start_ns + iteration->duration_ns, at->value);
    series->n_placed++;
  }
}

LacTrack *const *
lac_recording_get_tracks(LacRecording *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self) && n != NULL, NULL);
  const LacIterations *iterations = lac_recording_get_iterations(self);
  for (guint i = 0; i < self->series->len; i++)
    place_series(g_ptr_array_index(self->series, i), iterations);
  *n = self->tracks->len;
  return (LacTrack *const *) self->tracks->pdata;
}
