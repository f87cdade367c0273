/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One analysis at a time: of the whole recording, and of the selected range. */
#include "app/timeline/analysis.h"

#include "app/session/session.h"
#include "app/toolkit/latest-job.h"
#include "report/timeline/strip.h"

#include <gio/gio.h>

#define RANGE_MS    150     /* delay after the last change of the range */
#define PERIOD_US   3000000 /* minimum between two analyses while records arrive */
#define REST_FACTOR 20 /* pause as a multiple of the last duration: at most a twentieth of a core */

/* An analysis of a range of the recording; of all of it if begin == end. Its reference count is used by the main loop
 * only. */
typedef struct {
  LacCapture *capture; /* shared; NULL after the analysis */
  char       *folder;  /* (nullable): of the run, whose settings are read from it */
  gint64      begin_ns, end_ns;
  gsize       n_records;
  gint64      started_us;
  LacAnalysis analysis;
  GArray     *advice; /* (nullable) */
} Look;

struct _LacTimelineAnalysis {
  GObject           parent_instance;
  LacTimelineScope *scope;
  Look             *whole, *range; /* NULL: not computed */
  LacLatestJob     *looking;
  guint             pending;
  gint64            rest_until_us;
  gint64            moved_us; /* time of the last change of the range */
  guint             n_watching;
  gboolean          asked;
};

G_DEFINE_FINAL_TYPE(LacTimelineAnalysis, lac_timeline_analysis, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
look_clear(gpointer data)
{
  Look *look = data;
  g_clear_pointer(&look->capture, lac_capture_unref);
  lac_analysis_clear(&look->analysis);
  g_clear_pointer(&look->advice, g_array_unref);
  g_free(look->folder);
}

static void
look_unref(gpointer look)
{
  g_rc_box_release_full(look, look_clear);
}

/* ---- scheduling ---- */

static gboolean
is_late(LacTimelineAnalysis *self, const Look *look)
{
  return look == NULL || look->n_records != lac_recording_get_n_records(
                                              lac_timeline_scope_get_recording(self->scope));
}

/* Returns: FALSE if every watched result is up to date. */
static gboolean
find_next(LacTimelineAnalysis *self, gint64 *begin, gint64 *end)
{
  gboolean any = lac_timeline_scope_get_range(self->scope, begin, end);
  if (lac_timeline_scope_is_empty(self->scope))
    return FALSE;
  if (any && self->n_watching > 0 &&
      (is_late(self, self->range) || self->range->begin_ns != *begin ||
       self->range->end_ns != *end))
    return TRUE;
  *begin = *end = 0;
  return (self->asked || (self->n_watching > 0 && !any)) && is_late(self, self->whole);
}

/* ---- worker thread ---- */

static gpointer
look_through(gpointer data, GCancellable *cancellable, GError **error)
{
  Look *look = data;
  look->analysis = look->begin_ns < look->end_ns
                     ? lac_analysis_make_range(look->capture, look->begin_ns, look->end_ns)
                     : lac_analysis_make(look->capture);
  if (look->folder != NULL)
    look->advice = lac_speed_advice_of_run(look->folder, look->capture);
  g_clear_pointer(&look->capture, lac_capture_unref);
  return NULL;
}

/* ---- jobs, one at a time ---- */

static void consider(LacTimelineAnalysis *self);

static void
on_looked(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacTimelineAnalysis *self = owner;
  const gint64         now = g_get_monotonic_time();
  Look                *look = request;
  Look               **place = look->begin_ns < look->end_ns ? &self->range : &self->whole;
  g_clear_pointer(place, look_unref);
  *place = g_rc_box_acquire(look);
  if (place == &self->whole)
    self->asked = FALSE;
  self->rest_until_us = now + MAX(PERIOD_US, REST_FACTOR * (now - look->started_us));
  g_signal_emit(self, signals[CHANGED], 0);
  consider(self);
}

static gboolean
start(gpointer user_data)
{
  LacTimelineAnalysis *self = user_data;
  gint64               begin, end;
  self->pending = 0;
  if (!find_next(self, &begin, &end))
    return G_SOURCE_REMOVE;
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  Look         *look = g_rc_box_new0(Look);
  look->capture = lac_capture_share(lac_recording_get_capture(recording));
  LacSession *session = lac_recording_get_session(recording);
  if (session != NULL && begin == end)
    look->folder = g_strdup(lac_session_get_folder(session));
  look->begin_ns = begin;
  look->end_ns = end;
  look->n_records = lac_capture_get_n_records(look->capture);
  look->started_us = g_get_monotonic_time();
  lac_latest_job_start(self->looking, look);
  return G_SOURCE_REMOVE;
}

/* Delays a new range until it stops changing, and new records until the pause is over. */
static void
consider(LacTimelineAnalysis *self)
{
  gint64 begin, end, now = g_get_monotonic_time(), wait_us = 0;
  if (lac_latest_job_is_busy(self->looking) || self->pending != 0 || !find_next(self, &begin, &end))
    return;
  const Look *known = begin < end ? self->range : self->whole;
  if (begin < end && (known == NULL || known->begin_ns != begin || known->end_ns != end))
    wait_us = self->moved_us + RANGE_MS * 1000 - now;
  if (known != NULL && is_late(self, known))
    wait_us = MAX(wait_us, self->rest_until_us - now);
  self->pending = g_timeout_add((guint) (MAX(wait_us, 0) / 1000), start, self);
}

static void
forget(LacTimelineAnalysis *self)
{
  lac_latest_job_cancel(self->looking);
  g_clear_handle_id(&self->pending, g_source_remove);
  g_clear_pointer(&self->whole, look_unref);
  g_clear_pointer(&self->range, look_unref);
  self->rest_until_us = 0;
  self->asked = FALSE;
}

static void
on_scope(LacTimelineAnalysis *self, guint what)
{
  if ((what & LAC_SCOPE_DATA) && (what & LAC_SCOPE_VIEW)) /* another recording */
    forget(self);
  if (what & LAC_SCOPE_RANGE) { /* also emitted for another recording */
    self->moved_us = g_get_monotonic_time();
    g_clear_handle_id(&self->pending, g_source_remove);
    g_signal_emit(self, signals[CHANGED], 0);
  }
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_RANGE))
    consider(self);
}

/* ---- the object ---- */

static void
lac_timeline_analysis_dispose(GObject *object)
{
  LacTimelineAnalysis *self = LAC_TIMELINE_ANALYSIS(object);
  forget(self);
  g_clear_pointer(&self->looking, lac_latest_job_free);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_timeline_analysis_parent_class)->dispose(object);
}

static void
lac_timeline_analysis_class_init(LacTimelineAnalysisClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_timeline_analysis_dispose;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_TIMELINE_ANALYSIS, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_timeline_analysis_init(LacTimelineAnalysis *self)
{
  self->looking = lac_latest_job_new(
    self, &(LacJobKind){.work = look_through, .show = on_looked, .free_request = look_unref});
}

LacTimelineAnalysis *
lac_timeline_analysis_new(LacTimelineScope *scope)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(scope), NULL);
  LacTimelineAnalysis *self = g_object_new(LAC_TYPE_TIMELINE_ANALYSIS, NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  return self;
}

LacTimelineScope *
lac_timeline_analysis_get_scope(LacTimelineAnalysis *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_ANALYSIS(self), NULL);
  return self->scope;
}

void
lac_timeline_analysis_watch(LacTimelineAnalysis *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_ANALYSIS(self));
  self->n_watching++;
  consider(self);
}

void
lac_timeline_analysis_unwatch(LacTimelineAnalysis *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_ANALYSIS(self) && self->n_watching > 0);
  self->n_watching--;
}

const LacAnalysis *
lac_timeline_analysis_get(LacTimelineAnalysis *self)
{
  gint64 begin, end;
  g_return_val_if_fail(LAC_IS_TIMELINE_ANALYSIS(self), NULL);
  const Look *look =
    lac_timeline_scope_get_range(self->scope, &begin, &end) ? self->range : self->whole;
  return look != NULL ? &look->analysis : NULL;
}

const GArray *
lac_timeline_analysis_get_advice(LacTimelineAnalysis *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_ANALYSIS(self), NULL);
  return self->whole != NULL ? self->whole->advice : NULL;
}

const LacFinding *
lac_timeline_analysis_explain(LacTimelineAnalysis *self, const LacTimelineBar *bar)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_ANALYSIS(self) && bar != NULL, NULL);
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  if (recording == NULL)
    return NULL;
  const LacIterations *all = lac_recording_get_iterations(recording);
  gssize               i = lac_timeline_find_iteration(all, bar->begin_ns);
  if (i < 0 || all->iterations[i].record != bar->record || !all->iterations[i].is_outlier)
    return NULL;
  const LacFinding *outlier =
    self->whole != NULL ? lac_analysis_find_outlier(&self->whole->analysis, all->iterations[i].step)
                        : NULL;
  if (outlier == NULL && is_late(self, self->whole)) {
    self->asked = TRUE;
    consider(self);
  }
  return outlier;
}
