/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session of a run. All functions run on the main thread; the compute thread only wakes it. */
#include "app/session/session-private.h"
#include "base/clock.h"
#include "base/error.h"
#include "report/text/metric-group.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"
#include "run/core/provenance.h"

#include <glib/gi18n-lib.h>

#include <malloc.h>
#include <math.h>
#include <string.h>

#define MOST_LEADING 2
#define STATUS_MS    100

G_DEFINE_FINAL_TYPE(LacSession, lac_session, G_TYPE_OBJECT)

static guint signals[LAC_SESSION_N_SIGNALS];

static void
lac_session_finalize(GObject *object)
{
  LacSession *self = LAC_SESSION(object);
  g_clear_handle_id(&self->status_timer, g_source_remove);
  lac_session_clear_jobs(self);
  g_clear_pointer(&self->run, lac_run_free); /* joins the thread: no wake-ups afterwards */
  g_clear_pointer(&self->wake, lac_wake_source_free);
  g_clear_pointer(&self->follower, lac_follower_free);
  g_clear_pointer(&self->frame, lac_frame_unref);
  for (gsize i = 0; self->curves != NULL && i < self->n_metrics; i++) {
    g_array_unref(self->curves[i].step);
    g_array_unref(self->curves[i].seconds);
    g_array_unref(self->curves[i].values);
  }
  g_clear_pointer(&self->curves, g_free);
  g_clear_pointer(&self->last, g_free);
  g_clear_pointer(&self->channels, g_free);
  g_clear_pointer(&self->metrics, g_free);
  g_clear_pointer(&self->earlier, lac_earlier_records_free);
  g_clear_object(&self->recording);
  g_clear_pointer(&self->file, lac_run_file_unref);
  g_clear_pointer(&self->declared, lac_run_file_unref);
  g_clear_pointer(&self->title, g_free);
  malloc_trim(0); /* returns memory that the run's threads allocated to the system */
  G_OBJECT_CLASS(lac_session_parent_class)->finalize(object);
}

static void
lac_session_class_init(LacSessionClass *class)
{
  static const struct {
    const char *name;
    GType       argument; /* 0: none */
  } rows[LAC_SESSION_N_SIGNALS] = {
    [LAC_SESSION_FRAME_CHANGED] = {"frame-changed", G_TYPE_POINTER},
    [LAC_SESSION_SERIES_CHANGED] = {"series-changed", 0},
    [LAC_SESSION_STATUS_CHANGED] = {"status-changed", 0},
    [LAC_SESSION_FILE_CHANGED] = {"file-changed", 0},
    [LAC_SESSION_MESSAGE] = {"message", G_TYPE_STRING},
    [LAC_SESSION_ENDED] = {"ended", 0},
  };
  G_OBJECT_CLASS(class)->finalize = lac_session_finalize;
  for (gsize i = 0; i < LAC_SESSION_N_SIGNALS; i++)
    signals[i] = g_signal_new(rows[i].name, LAC_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, rows[i].argument != 0, rows[i].argument);
}

void
lac_session_emit(LacSession *self, LacSessionSignal signal)
{
  g_signal_emit(self, signals[signal], 0);
}

void
lac_session_emit_message(LacSession *self, const char *sentence)
{
  g_signal_emit(self, signals[LAC_SESSION_MESSAGE], 0, sentence);
}

void
lac_session_hand_on(LacSession *self, LacFrame *frame)
{
  g_clear_pointer(&self->frame, lac_frame_unref);
  self->frame = frame;
  g_signal_emit(self, signals[LAC_SESSION_FRAME_CHANGED], 0, frame);
}

static void
lac_session_init(LacSession *self)
{
  self->shown = TRUE;
}

/* Returns TRUE for the first error, or else the first loss, of the first few methods: the leading tracks of the
 * timeline. */
static gboolean
leads(const LacSession *self, gsize metric)
{
  gsize       n_before = 0;
  const char *group = lac_metric_group(&self->metrics[metric]);
  if (lac_metric_kind(&self->metrics[metric]) > LAC_CURVES_LOSSES)
    return FALSE;
  for (gsize i = 0; i < metric; i++) {
    if (lac_metric_kind(&self->metrics[i]) > LAC_CURVES_LOSSES)
      continue;
    if (lac_metric_group(&self->metrics[i]) == group)
      return FALSE;
    n_before +=
      i == 0 || lac_metric_group(&self->metrics[i]) != lac_metric_group(&self->metrics[i - 1]);
  }
  return n_before < MOST_LEADING;
}

static void
declare_metric(LacSession *self, gsize metric)
{
  const LacMetric *own = &self->metrics[metric];
  const char      *group = lac_metric_group(own);
  const char      *label = lac_word(own->label);
  const char      *method =
    g_dgettext(GETTEXT_PACKAGE, lac_metric_group_label(group, self->metrics, self->n_metrics,
                                                       self->channels, self->n_channels));
  g_autofree char *whole = *group == '\0' || g_str_equal(method, label)
                             ? g_strdup(label)
                             : g_strdup_printf("%s: %s", method, label);
  lac_recording_declare(self->recording, own->key, whole, own->unit, leads(self, metric));
}

void
lac_session_prepare_series(LacSession *self)
{
  for (gsize i = 0; i < self->n_metrics; i++)
    declare_metric(self, i);
  self->curves = g_new0(LacSessionCurve, self->n_metrics);
  self->last = g_new(double, self->n_metrics);
  for (gsize i = 0; i < self->n_metrics; i++) {
    self->curves[i].step = g_array_new(FALSE, FALSE, sizeof(double));
    self->curves[i].seconds = g_array_new(FALSE, FALSE, sizeof(double));
    self->curves[i].values = g_array_new(FALSE, FALSE, sizeof(double));
    self->last[i] = NAN;
  }
}

void
lac_session_add_row(gint64 step, double seconds, const double *metrics, gpointer user_data)
{
  LacSession *self = user_data;
  double      at = (double) step;
  self->n_rows++;
  for (gsize i = 0; i < self->n_metrics; i++) {
    if (!isfinite(metrics[i]))
      continue;
    g_array_append_val(self->curves[i].step, at);
    g_array_append_val(self->curves[i].seconds, seconds);
    g_array_append_val(self->curves[i].values, metrics[i]);
    self->last[i] = metrics[i];
  }
}

static void
add_records(const LacRecord *records, gsize n, gpointer user_data)
{
  LacSession *self = user_data;
  if (self->earlier != NULL)
    lac_earlier_records_append(self->earlier, lac_run_get_perf(self->run), records, n);
  else
    lac_capture_append(lac_recording_get_capture(self->recording), records, n);
}

static void
take_frame(LacSession *self)
{
  LacFrame *frame = lac_run_take_frame(self->run);
  if (frame == NULL)
    return;
  self->n_shown++;
  lac_session_hand_on(self, frame);
}

static gboolean
notify_status(gpointer user_data)
{
  LacSession *self = user_data;
  self->status_timer = 0;
  self->reported_ns = lac_clock_ns();
  lac_session_emit(self, LAC_SESSION_STATUS_CHANGED);
  return G_SOURCE_REMOVE;
}

/* Reports a new state at once, changing numbers at a readable rate: each is a label whose change lays out the page
 * again. */
static void
note_status(LacSession *self, LacRunState before)
{
  if (self->status.state != before || lac_clock_ns() >= self->reported_ns + STATUS_MS * 1000000) {
    g_clear_handle_id(&self->status_timer, g_source_remove);
    notify_status(self);
  } else if (self->status_timer == 0) {
    self->status_timer = g_timeout_add(STATUS_MS, notify_status, self);
  }
}

/* Returns the number of records that were pushed but not drained: after the end the rings must be empty. */
static guint64
count_lost(LacSession *self)
{
  guint64 n_earlier = self->earlier != NULL ? lac_earlier_records_get_n(self->earlier) : 0;
  guint64 n_records = lac_recording_get_n_records(self->recording) - n_earlier;
  return self->status.records_pushed > n_records ? self->status.records_pushed - n_records : 0;
}

/* Adds the span of the assembly of the file, as a reopened run has it. No records follow. */
static void
add_assembly(LacSession *self)
{
  LacCapture *capture = lac_recording_get_capture(self->recording);
  gint64      begin_ns, end_ns;
  if (!(self->status.assembly_seconds > 0) || lac_capture_get_n_records(capture) == 0)
    return;
  lac_capture_get_extent(capture, &begin_ns, &end_ns);
  const LacRecord span = lac_run_file_make_assembly(capture, end_ns, self->status.assembly_seconds);
  lac_capture_append(capture, &span, 1);
}

/* Drains all new data in one batch. The wake rate keeps batches small; each page redraws at most once per frame. */
static gboolean
on_wake(gpointer user_data)
{
  LacSession *self = user_data;
  if (self->ended)
    return G_SOURCE_CONTINUE;
  g_object_ref(self);
  LacCapture *capture = lac_recording_get_capture(self->recording);
  gsize       n_records = lac_capture_get_n_records(capture);
  guint64     n_rows = self->n_rows;
  LacRunState before = self->status.state;
  lac_run_get_status(
    self->run, &self->status); /* before the drain: all records of an ended run are then drained */
  lac_run_drain(self->run, add_records, lac_session_add_row, self);
  if (!self->stays && (self->shown || self->status.state == LAC_RUN_ENDED))
    take_frame(self);
  if (self->n_rows != n_rows)
    lac_session_emit(self, LAC_SESSION_SERIES_CHANGED);
  if (lac_capture_get_n_records(capture) != n_records) {
    if (self->earlier == NULL)
      lac_capture_follow(capture, lac_run_get_perf(self->run));
    lac_recording_update(self->recording);
  }
  note_status(self, before);
  if (self->status.state == LAC_RUN_ENDED) {
    const guint64 n_lost = count_lost(self);
    self->ended = TRUE;
    add_assembly(self);
    lac_recording_close(self->recording, n_lost);
    lac_session_read_file(self);
    lac_session_emit(self, LAC_SESSION_ENDED);
  }
  g_object_unref(self);
  return G_SOURCE_CONTINUE;
}

static void
begin(LacSession *self)
{
  lac_run_start(self->run, FALSE);
  lac_run_get_status(self->run, &self->status);
}

LacSession *
lac_session_new_run(const LacRunSettings *settings, GError **error)
{
  g_return_val_if_fail(settings != NULL, NULL);
  g_autoptr(LacContentCache) cache = lac_content_cache_new(NULL, 0);
  LacRunSettings             cached = *settings;
  cached.cache = cache;
  cached.gives_way = TRUE;
  LacRun *run = lac_run_new(&cached, error);
  if (run == NULL)
    return NULL;
  LacSession          *self = g_object_new(LAC_TYPE_SESSION, NULL);
  const LacExperiment *experiment = lac_run_get_experiment(run);
  const LacOutline    *outline = lac_run_get_outline(run);
  self->run = run;
  self->title = g_strdup(g_dgettext(GETTEXT_PACKAGE, experiment->title));
  g_autoptr(LacCapture) capture = lac_capture_new(self->title);
  self->recording = lac_recording_new(capture, self);
  self->n_channels = outline->n_channels;
  self->channels = g_memdup2(outline->channels, sizeof(LacChannel) * outline->n_channels);
  self->n_metrics = outline->n_metrics;
  self->metrics = g_memdup2(outline->metrics, sizeof(LacMetric) * outline->n_metrics);
  lac_session_prepare_series(self);
  self->wake = lac_wake_source_new(on_wake, self);
  lac_run_set_wake(run, lac_wake_source_wake, self->wake);
  lac_run_get_status(run, &self->status);
  if (settings->resume != NULL)
    lac_session_take_earlier(self, begin);
  else
    begin(self);
  return self;
}

void
lac_session_copy_declarations(LacSession *self, const LacRunFile *file)
{
  LacRunMetrics declared;
  lac_run_metrics_init(&declared, file);
  self->n_channels = declared.n_channels;
  self->channels = declared.channels;
  self->n_metrics = declared.n;
  self->metrics = declared.metrics;
}

/* The last message counts: a resumed run may have lost its device again. */
void
lac_session_take_device(LacSession *self, const LacRunFile *file)
{
  LacRunStatus *status = &self->status;
  for (gsize i = 0; i < file->n_facts; i++) {
    if (g_str_equal(file->facts[i].key, LAC_PROVENANCE_DEVICE))
      g_strlcpy(status->device, file->facts[i].value, sizeof status->device);
    if (g_str_equal(file->facts[i].key, LAC_PROVENANCE_CHOICE))
      g_strlcpy(status->choice, file->facts[i].value, sizeof status->choice);
  }
  for (gsize i = 0; i < file->n_events; i++)
    if (g_str_equal(file->events[i].what, LAC_RUN_EVENT_FALLBACK))
      g_strlcpy(status->fallback, file->events[i].detail, sizeof status->fallback);
}

LacSession *
lac_session_new_file(LacRunFile *file)
{
  g_return_val_if_fail(file != NULL, NULL);
  LacSession *self = g_object_new(LAC_TYPE_SESSION, NULL);
  self->file = lac_run_file_ref(file);
  self->read_back = TRUE;
  self->ended = TRUE;
  self->title = g_strdup(g_dgettext(GETTEXT_PACKAGE, file->title));
  lac_session_copy_declarations(self, file);
  self->recording = lac_recording_new(file->capture, self);
  lac_session_prepare_series(self);
  for (gsize i = 0; i < file->n_series; i++)
    lac_session_add_row(file->series_step[i], file->series_seconds[i],
                        file->series + i * file->n_metrics, self);
  lac_recording_close(self->recording, 0);
  self->status.state = LAC_RUN_ENDED;
  self->status.step = self->status.n_steps = file->steps;
  self->status.seconds = file->seconds;
  self->status.setup_seconds = file->setup_seconds;
  self->status.fraction = 1;
  self->status.seconds_left = 0;
  g_strlcpy(self->status.outcome, file->outcome, sizeof self->status.outcome);
  g_strlcpy(self->status.message, file->detail != NULL ? file->detail : "",
            sizeof self->status.message);
  lac_session_take_device(self, file);
  if (file->n_frames > 0)
    self->frame = lac_run_file_load_frame(file, file->n_frames - 1, NULL);
  return self;
}

gboolean
lac_session_is_active(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), FALSE);
  return !self->ended;
}

gboolean
lac_session_is_file(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), FALSE);
  return self->read_back;
}

const char *
lac_session_get_title(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->title;
}

const char *
lac_session_get_experiment(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->run != NULL ? lac_run_get_experiment(self->run)->name : self->file->experiment;
}

const char *
lac_session_get_folder(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->run != NULL ? lac_run_get_folder(self->run) : self->file->path;
}

LacRun *
lac_session_get_run(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->run;
}

const LacRunStatus *
lac_session_get_status(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return &self->status;
}

const LacChannel *
lac_session_get_channels(LacSession *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  *n = self->n_channels;
  return self->channels;
}

const LacMetric *
lac_session_get_metrics(LacSession *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  *n = self->n_metrics;
  return self->metrics;
}

LacFrame *
lac_session_get_frame(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->frame;
}

guint64
lac_session_get_n_shown(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), 0);
  return self->n_shown;
}

guint64
lac_session_get_n_skipped(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), 0);
  return self->status.frames_published > self->n_shown
           ? self->status.frames_published - self->n_shown
           : 0;
}

LacSessionSeries
lac_session_get_series(LacSession *self, gsize metric)
{
  g_return_val_if_fail(LAC_IS_SESSION(self) && metric < self->n_metrics, (LacSessionSeries){0});
  const LacSessionCurve *curve = &self->curves[metric];
  return (LacSessionSeries){
    .n = curve->values->len,
    .step = (const double *) (gpointer) curve->step->data,
    .seconds = (const double *) (gpointer) curve->seconds->data,
    .values = (const double *) (gpointer) curve->values->data,
  };
}

double
lac_session_get_last(LacSession *self, gsize metric)
{
  g_return_val_if_fail(LAC_IS_SESSION(self) && metric < self->n_metrics, NAN);
  return self->last[metric];
}

LacRecording *
lac_session_get_recording(LacSession *self)
{
  g_return_val_if_fail(LAC_IS_SESSION(self), NULL);
  return self->recording;
}

void
lac_session_set_shown(LacSession *self, gboolean shown)
{
  g_return_if_fail(LAC_IS_SESSION(self));
  self->shown = shown;
  if (shown && self->wake != NULL)
    lac_wake_source_wake(self->wake);
}

void
lac_session_record_drawing(LacSession *self, gint64 begin_ns, gint64 upload_ns, gint64 end_ns)
{
  g_return_if_fail(LAC_IS_SESSION(self));
  if (self->run != NULL && self->status.state == LAC_RUN_RUNNING)
    lac_run_record_drawing(self->run, begin_ns, upload_ns, end_ns);
}

void
lac_session_record_stall(LacSession *self, gint64 begin_ns, gint64 end_ns)
{
  g_return_if_fail(LAC_IS_SESSION(self));
  if (self->run != NULL && self->status.state == LAC_RUN_RUNNING)
    lac_run_record_stall(self->run, begin_ns, end_ns);
}
