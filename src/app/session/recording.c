/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording and the sums and tracks derived from its records as they arrive. */
#include "app/session/recording.h"

#include "app/session/session.h"
#include "perf/analysis/roofline.h"
#include "perf/recorder/gauges.h"
#include "report/timeline/words.h"

#include <math.h>

/* Display properties of a counter. */
typedef struct {
  char    *label, *unit;
  gboolean is_leading;
} Declaration;

struct _LacRecording {
  GObject              parent_instance;
  LacCapture          *capture;
  LacTimeline         *timeline; /* owned by the capture */
  LacAggregates       *aggregates;
  GPtrArray           *tracks;              /* LacTrack */
  GHashTable          *counters;            /* name of a counter -> its LacTrack, borrowed */
  guint                n_leading, n_gauges; /* tracks at the front of the list */
  GHashTable          *declarations;        /* name of a counter -> Declaration */
  gsize                n_summed; /* records of the capture that are in aggregates and counters */
  LacIterationSearch  *search;
  const LacIterations *iterations; /* owned by the search */
  LacSession          *session;    /* weak pointer */
  gboolean             closed;
  guint64              n_lost;
};

G_DEFINE_FINAL_TYPE(LacRecording, lac_recording, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
declaration_free(gpointer data)
{
  Declaration *declaration = data;
  g_free(declaration->label);
  g_free(declaration->unit);
  g_free(declaration);
}

static void
lac_recording_finalize(GObject *object)
{
  LacRecording *self = LAC_RECORDING(object);
  g_clear_weak_pointer(&self->session);
  g_clear_pointer(&self->timeline, lac_timeline_free);
  g_clear_pointer(&self->aggregates, lac_aggregates_free);
  g_hash_table_unref(self->declarations);
  g_ptr_array_unref(self->tracks);
  g_hash_table_unref(self->counters);
  g_clear_pointer(&self->search, lac_iteration_search_free);
  g_clear_pointer(&self->capture, lac_capture_unref);
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
  static const LacIterations none = {0};
  self->iterations = &none;
  self->search = lac_iteration_search_new();
  self->tracks = g_ptr_array_new_with_free_func((GDestroyNotify) lac_track_free);
  self->counters = g_hash_table_new(NULL, NULL);
  self->declarations = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, declaration_free);
}

/* Order: memory first, then counters declared as leading, then the other gauges, then the rest. */
static guint
place_track(LacRecording *self, const Declaration *declared, const char *unit)
{
  if (declared == NULL && g_strcmp0(unit, "B") == 0) {
    self->n_leading++;
    return 0;
  }
  if (declared != NULL && declared->is_leading)
    return self->n_leading++;
  if (declared == NULL && unit != NULL)
    return self->n_leading + self->n_gauges++;
  return self->tracks->len;
}

static LacTrack *
add_track(LacRecording *self, const char *name)
{
  const Declaration *declared = g_hash_table_lookup(self->declarations, name);
  const char        *unit = declared != NULL ? declared->unit : lac_gauge_find_unit(name);
  if (declared != NULL && g_strcmp0(unit, "1") == 0)
    unit = NULL; /* a plain number; a gauge is a share, shown in per cent */
  LacTrack *track =
    lac_track_new(declared != NULL ? declared->label : lac_timeline_word(name), unit);
  if (declared != NULL && declared->is_leading)
    lac_track_set_logarithmic(track); /* errors and losses lead */
  g_ptr_array_insert(self->tracks, (gint) place_track(self, declared, unit), track);
  return track;
}

/* Peaks are constant: the table of operations shows them. */
static gboolean
is_peak(LacRecording *self, const LacRecord *record)
{
  return lac_peak_is_counter(lac_capture_get_name(self->capture, record->name));
}

static void
add_sample(LacRecording *self, const LacRecord *record)
{
  LacTrack *track = g_hash_table_lookup(self->counters, GUINT_TO_POINTER(record->name));
  if (!isfinite(record->value) || (track == NULL && is_peak(self, record)))
    return;
  if (track == NULL) {
    track = add_track(self, lac_capture_get_name(self->capture, record->name));
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
  self->iterations = lac_iteration_search_go_on(self->search, self->capture, self->closed);
}

LacRecording *
lac_recording_new(LacCapture *capture, LacSession *session)
{
  g_return_val_if_fail(capture != NULL, NULL);
  LacRecording *self = g_object_new(LAC_TYPE_RECORDING, NULL);
  self->capture = lac_capture_ref(capture);
  self->timeline = lac_timeline_new(capture);
  self->aggregates = lac_aggregates_new();
  g_set_weak_pointer(&self->session, session);
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
  lac_timeline_update(self->timeline);
  sum_new(self);
  self->n_lost = n_lost;
  lac_timeline_close(self->timeline);
  g_signal_emit(self, signals[CHANGED], 0);
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

const LacIterations *
lac_recording_get_iterations(LacRecording *self)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self), NULL);
  return self->iterations;
}

void
lac_recording_declare(LacRecording *self,
                      const char   *key,
                      const char   *label,
                      const char   *unit,
                      gboolean      is_leading)
{
  g_return_if_fail(LAC_IS_RECORDING(self) && key != NULL && label != NULL);
  Declaration *declaration = g_new0(Declaration, 1);
  declaration->label = g_strdup(label);
  declaration->unit = g_strdup(unit);
  declaration->is_leading = is_leading;
  g_hash_table_replace(self->declarations, g_strdup(key), declaration);
}

LacTrack *const *
lac_recording_get_tracks(LacRecording *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self) && n != NULL, NULL);
  *n = self->tracks->len;
  return (LacTrack *const *) self->tracks->pdata;
}

LacTrack *
lac_recording_find_track(LacRecording *self, const char *key)
{
  g_return_val_if_fail(LAC_IS_RECORDING(self) && key != NULL, NULL);
  const gint64 name = lac_capture_find_name(self->capture, key);
  return name >= 0 ? g_hash_table_lookup(self->counters, GUINT_TO_POINTER((guint) name)) : NULL;
}
