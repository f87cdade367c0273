/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sensor plan at a time, reference-counted by its jobs, and one evaluation of a layout at a time. */
#include "app/setup/sensor-plan.h"

#include "app/toolkit/latest-job.h"

#include <math.h>

#define LOOK_MS 100 /* interval of polling the set-up's progress */

typedef struct {
  GCancellable  *cancellable; /* of the plan, during and after its computation */
  LacDraft      *draft;
  LacRunSettings settings; /* @draft in it; its strings are static */
  GMutex         lock;     /* protects fraction and what */
  double         fraction;
  char          *what;
  LacPlanner    *planner; /* once it is open: used by one thread at a time */
} Job;

struct _LacSensorPlan {
  GObject            parent_instance;
  Job               *job; /* reference-counted */
  LacLatestJob      *opening, *judging;
  LacSensorPlanState state;
  char              *why;
  guint              ticker;
  LacFrame          *backdrop; /* (nullable): once the plan is ready */
  LacDraft          *changed;  /* the settings to choose positions for next; NULL: none */
  GArray            *wanted;   /* the layout to evaluate next; NULL: none */
  LacLayoutFigures   figures;
  char              *refusal; /* why the last layout has no scores */
};

G_DEFINE_FINAL_TYPE(LacSensorPlan, lac_sensor_plan, G_TYPE_OBJECT)

enum { CHANGED, REPLACED, SCORED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- the job ---- */

static void
job_clear(gpointer data)
{
  Job *job = data;
  g_clear_pointer(&job->planner, lac_planner_free);
  g_clear_pointer(&job->draft, lac_draft_free);
  g_object_unref(job->cancellable);
  g_free(job->what);
  g_mutex_clear(&job->lock);
}

static void
job_unref(gpointer job)
{
  g_atomic_rc_box_release_full(job, job_clear);
}

static gboolean
job_is_cancelled(gpointer data)
{
  return g_cancellable_is_cancelled(((Job *) data)->cancellable);
}

static void
job_progress(double fraction, const char *what, gpointer data)
{
  Job *job = data;
  g_mutex_lock(&job->lock);
  job->fraction = fraction;
  g_free(job->what);
  job->what = g_strdup(what);
  g_mutex_unlock(&job->lock);
}

static gpointer
work_open(gpointer data, GCancellable *cancellable, GError **error)
{
  Job                       *job = data;
  LacPlannerWatch            watch = {job_is_cancelled, job_progress, job};
  g_autoptr(LacContentCache) cache = lac_content_cache_new(NULL, 0);
  job->settings.cache = cache;
  job->planner = lac_planner_open(&job->settings, &watch, error);
  job->settings.cache = NULL;
  return NULL;
}

static void
set_state(LacSensorPlan *self, LacSensorPlanState state)
{
  self->state = state;
  if (state != LAC_SENSOR_PLAN_OPENING)
    g_clear_handle_id(&self->ticker, g_source_remove);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_opened(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacSensorPlan *self = owner;
  g_free(self->why);
  self->why = error == NULL ? NULL : g_strdup(error->message);
  if (error == NULL)
    self->backdrop = lac_frame_ref(lac_planner_get_backdrop(self->job->planner));
  set_state(self, error == NULL ? LAC_SENSOR_PLAN_READY : LAC_SENSOR_PLAN_REFUSED);
}

static gboolean
on_look(gpointer user_data)
{
  g_signal_emit(user_data, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

static void
drop_job(LacSensorPlan *self)
{
  lac_latest_job_cancel(self->opening);
  lac_latest_job_cancel(self->judging);
  if (self->job != NULL)
    g_cancellable_cancel(self->job->cancellable);
  g_clear_pointer(&self->job, job_unref);
  g_clear_pointer(&self->wanted, g_array_unref);
  g_clear_pointer(&self->changed, lac_draft_free);
  g_clear_pointer(&self->backdrop, lac_frame_unref);
  g_clear_pointer(&self->refusal, g_free);
  g_clear_handle_id(&self->ticker, g_source_remove);
  self->figures = (LacLayoutFigures){{NAN, NAN}};
}

void
lac_sensor_plan_open(LacSensorPlan *self, const LacRunSettings *settings)
{
  g_return_if_fail(LAC_IS_SENSOR_PLAN(self) && settings->draft != NULL);
  drop_job(self);
  self->job = g_atomic_rc_box_new0(Job);
  g_mutex_init(&self->job->lock);
  self->job->cancellable = g_cancellable_new();
  self->job->draft = lac_draft_copy(settings->draft);
  self->job->settings = *settings;
  self->job->settings.draft = self->job->draft;
  lac_latest_job_start(self->opening, g_atomic_rc_box_acquire(self->job));
  self->ticker = g_timeout_add(LOOK_MS, on_look, self);
  set_state(self, LAC_SENSOR_PLAN_OPENING);
}

void
lac_sensor_plan_close(LacSensorPlan *self)
{
  g_return_if_fail(LAC_IS_SENSOR_PLAN(self));
  drop_job(self);
  set_state(self, LAC_SENSOR_PLAN_CLOSED);
}

/* ---- questions to the planner: one at a time ---- */

/* Positions for other settings, or the scores of a layout. */
typedef struct {
  Job             *job;    /* reference-counted */
  LacDraft        *draft;  /* (nullable) */
  GArray          *places; /* (nullable) */
  LacLayoutFigures figures;
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  job_unref(question->job);
  g_clear_pointer(&question->draft, lac_draft_free);
  g_clear_pointer(&question->places, g_array_unref);
  g_free(question);
}

static gpointer
work_question(gpointer data, GCancellable *cancellable, GError **error)
{
  Question *question = data;
  if (question->draft != NULL)
    return lac_planner_replace(question->job->planner, question->draft, error);
  lac_planner_evaluate(question->job->planner, (const double(*)[2]) question->places->data,
                       question->places->len, &question->figures, error);
  return NULL;
}

static void ask(LacSensorPlan *self);

static void
on_answered(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacSensorPlan  *self = owner;
  const Question *question = request;
  self->figures =
    error == NULL && question->draft == NULL ? question->figures : (LacLayoutFigures){{NAN, NAN}};
  g_free(self->refusal);
  self->refusal = error == NULL ? NULL : g_strdup(error->message);
  if (result != NULL) {
    g_clear_pointer(&self->backdrop, lac_frame_unref);
    self->backdrop = result;
    g_clear_pointer(&self->wanted, g_array_unref); /* a layout of the earlier positions */
  }
  ask(self);
  g_signal_emit(self, signals[result != NULL ? REPLACED : SCORED], 0);
}

static void
ask(LacSensorPlan *self)
{
  if (lac_latest_job_is_busy(self->judging) || (self->changed == NULL && self->wanted == NULL))
    return;
  Question *question = g_new0(Question, 1);
  question->job = g_atomic_rc_box_acquire(self->job);
  question->draft = g_steal_pointer(&self->changed);
  if (question->draft == NULL)
    question->places = g_steal_pointer(&self->wanted);
  lac_latest_job_start(self->judging, question);
}

void
lac_sensor_plan_replace(LacSensorPlan *self, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_SENSOR_PLAN(self) && self->state == LAC_SENSOR_PLAN_READY);
  g_clear_pointer(&self->changed, lac_draft_free);
  self->changed = lac_draft_copy(draft);
  ask(self);
}

void
lac_sensor_plan_evaluate(LacSensorPlan *self, const LacSensorLayout *layout)
{
  g_return_if_fail(LAC_IS_SENSOR_PLAN(self) && self->state == LAC_SENSOR_PLAN_READY);
  g_clear_pointer(&self->wanted, g_array_unref);
  self->wanted = g_array_copy(layout->places);
  ask(self);
}

const char *
lac_sensor_plan_get_figures(LacSensorPlan *self, LacLayoutFigures *figures)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PLAN(self), NULL);
  *figures = self->figures;
  return self->refusal;
}

/* ---- the object ---- */

LacSensorPlanState
lac_sensor_plan_get_state(LacSensorPlan *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PLAN(self), LAC_SENSOR_PLAN_CLOSED);
  return self->state;
}

char *
lac_sensor_plan_dup_message(LacSensorPlan *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PLAN(self), NULL);
  if (self->state != LAC_SENSOR_PLAN_OPENING)
    return g_strdup(self->why);
  g_mutex_lock(&self->job->lock);
  char *what = g_strdup(self->job->what);
  g_mutex_unlock(&self->job->lock);
  return what;
}

double
lac_sensor_plan_get_fraction(LacSensorPlan *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PLAN(self), 0);
  if (self->state != LAC_SENSOR_PLAN_OPENING)
    return self->state == LAC_SENSOR_PLAN_READY ? 1 : 0;
  g_mutex_lock(&self->job->lock);
  double fraction = self->job->fraction;
  g_mutex_unlock(&self->job->lock);
  return fraction;
}

LacFrame *
lac_sensor_plan_get_backdrop(LacSensorPlan *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_PLAN(self), NULL);
  return self->state == LAC_SENSOR_PLAN_READY ? self->backdrop : NULL;
}

static void
lac_sensor_plan_dispose(GObject *object)
{
  LacSensorPlan *self = LAC_SENSOR_PLAN(object);
  drop_job(self);
  g_clear_pointer(&self->opening, lac_latest_job_free);
  g_clear_pointer(&self->judging, lac_latest_job_free);
  g_clear_pointer(&self->why, g_free);
  G_OBJECT_CLASS(lac_sensor_plan_parent_class)->dispose(object);
}

static void
lac_sensor_plan_class_init(LacSensorPlanClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_sensor_plan_dispose;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SENSOR_PLAN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[REPLACED] = g_signal_new("replaced", LAC_TYPE_SENSOR_PLAN, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[SCORED] = g_signal_new("scored", LAC_TYPE_SENSOR_PLAN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
lac_sensor_plan_init(LacSensorPlan *self)
{
  self->opening = lac_latest_job_new(
    self, &(LacJobKind){.work = work_open, .show = on_opened, .free_request = job_unref});
  self->judging =
    lac_latest_job_new(self, &(LacJobKind){.work = work_question,
                                           .show = on_answered,
                                           .free_request = question_free,
                                           .free_result = (GDestroyNotify) lac_frame_unref});
  self->figures = (LacLayoutFigures){{NAN, NAN}};
}
