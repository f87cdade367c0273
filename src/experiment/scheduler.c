/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods that advance in a step depend only on the step number. */
#include "experiment/scheduler.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static gboolean
records(const LacScheduler *scheduler, const LacSchedulerSlot *place)
{
  return scheduler->context != NULL && scheduler->context->perf != NULL &&
         scheduler->context->lane != NULL && place->method.title != NULL;
}

void
lac_scheduler_add(LacScheduler             *scheduler,
                  const LacScheduledMethod *method,
                  gpointer                  self,
                  gsize                     curves,
                  gsize                     n_curves)
{
  g_return_if_fail(scheduler->n < MIN(scheduler->n_kept, LAC_SCHEDULER_MAX));
  LacSchedulerSlot *place = &scheduler->places[scheduler->n++];

  *place = (LacSchedulerSlot){
    .method = *method,
    .self = self,
    .curves = curves,
    .n_curves = n_curves,
    .n_steps = MAX(1, method->n_steps(self)),
  };
  if (records(scheduler, place))
    place->span = lac_perf_name(scheduler->context->perf, method->title);
  scheduler->n_steps = MAX(scheduler->n_steps, place->n_steps);
}

void
lac_scheduler_clear(LacScheduler *scheduler)
{
  for (guint i = 0; i < scheduler->n; i++)
    scheduler->places[i].method.destroy(scheduler->places[i].self);
  scheduler->n = 0;
}

/* Sets the method aside; if no other is left, the run has diverged. */
static void
set_aside(const LacScheduler    *scheduler,
          LacSchedulerSlot      *place,
          const LacMethodReport *done,
          LacStepReport         *report)
{
  gboolean is_last = TRUE;

  g_strlcpy(place->failure, *done->why ? done->why : "diverged", sizeof place->failure);
  place->ended = TRUE;
  place->n_open = 0;
  for (guint i = 0; i < scheduler->n; i++)
    is_last = is_last && lac_scheduler_has_failed(scheduler, i);
  if (is_last)
    report->outcome = LAC_OUTCOME_DIVERGED;
  g_strlcpy(report->why, place->failure, sizeof report->why);
  g_strlcpy(report->who, place->method.name, sizeof report->who);
}

static void
report_step(const LacScheduler    *scheduler,
            LacSchedulerSlot      *place,
            const LacMethodReport *done,
            double                *metrics,
            LacStepReport         *report)
{
  for (gsize i = 0; i < place->n_curves; i++)
    if (isfinite(done->curves[i]))
      metrics[place->curves + i] = done->curves[i];
  if (done->outcome == LAC_OUTCOME_DIVERGED)
    set_aside(scheduler, place, done, report);
}

static void
forget(LacMethodReport *report)
{
  *report = (LacMethodReport){.outcome = LAC_OUTCOME_CONTINUE};
  for (gsize i = 0; i < LAC_SCHEDULER_MAX_CURVES; i++)
    report->curves[i] = NAN;
}

/* ---- curves that come later ---- */

/* Returns the step of the slot's oldest pending curves. */
static guint64
get_oldest(const LacSchedulerSlot *place)
{
  return (guint64) place->done - place->n_open + 1;
}

static gboolean
row_is_ready(gpointer owner, guint64 step)
{
  const LacScheduler *scheduler = owner;

  for (guint i = 0; i < scheduler->n; i++) {
    const LacSchedulerSlot *place = &scheduler->places[i];

    for (guint k = 0; k < place->n_open && get_oldest(place) + k <= step; k++)
      if (!lac_pending_is_ready(&place->pending[k]))
        return FALSE;
  }
  return TRUE;
}

static gboolean
finish_oldest(const LacScheduler *scheduler,
              LacSchedulerSlot   *place,
              LacStepReport      *report,
              GError            **error)
{
  LacPending      oldest = place->pending[0];
  LacMethodReport done;

  forget(&done);
  memmove(place->pending, place->pending + 1, --place->n_open * sizeof *place->pending);
  if (!lac_pending_finish(&oldest, &done, error))
    return FALSE;
  report_step(scheduler, place, &done, report->metrics, report);
  return TRUE;
}

static gboolean
has_ended(const LacScheduler *scheduler)
{
  gboolean all = TRUE;

  for (guint i = 0; i < scheduler->n; i++)
    all = all &&
          (scheduler->places[i].ended || scheduler->places[i].done == scheduler->places[i].n_steps);
  return all;
}

static gboolean
finish_row(gpointer owner, guint64 step, gpointer result, GError **error)
{
  LacScheduler  *scheduler = owner;
  LacStepReport *report = result;

  for (guint i = 0; i < scheduler->n; i++) {
    LacSchedulerSlot *place = &scheduler->places[i];

    while (place->n_open > 0 && get_oldest(place) <= step)
      if (!finish_oldest(scheduler, place, report, error))
        return FALSE;
  }
  if (step == (guint64) scheduler->step && has_ended(scheduler) &&
      lac_scheduler_has_failed(scheduler, 0))
    report->outcome = LAC_OUTCOME_DIVERGED;
  return TRUE;
}

/* ---- steps ---- */

/* Advances one step. Only a method with as many steps as the run has may leave its curves pending: they belong to the
 * row of this step. */
static gboolean
take_turn(const LacScheduler *scheduler,
          LacSchedulerSlot   *place,
          LacStepReport      *report,
          GError            **error)
{
  LacMethodReport done;

  forget(&done);
  if (!place->method.step(place->self, &done, error))
    return FALSE;
  place->done++;
  report->samples += done.samples;
  if (place == &scheduler->places[0]) {
    report->epoch = done.epoch;
    report->batch = done.batch;
  }
  if (done.outcome == LAC_OUTCOME_FINISHED)
    place->ended = TRUE;
  report_step(scheduler, place, &done, report->metrics, report);
  if (!lac_pending_is_open(&done.pending) || *place->failure)
    return TRUE;
  g_return_val_if_fail(place->n_open < LAC_STEP_MOST_OPEN, FALSE);
  place->pending[place->n_open++] = done.pending;
  return place->n_steps == scheduler->n_steps || finish_oldest(scheduler, place, report, error);
}

/* Advances the method to @step of the run, in one span of its name. */
static gboolean
take_turns(const LacScheduler *scheduler,
           LacSchedulerSlot   *place,
           gint64              step,
           LacStepReport      *report,
           GError            **error)
{
  const gint64   until = step * place->n_steps / scheduler->n_steps;
  const gboolean is_recorded = records(scheduler, place) && !place->ended && place->done < until &&
                               report->outcome == LAC_OUTCOME_CONTINUE;
  gboolean      is_right = TRUE;
  const LacSpan span =
    is_recorded ? lac_span_begin(scheduler->context->lane, place->span) : (LacSpan){0};

  while (is_right && !place->ended && place->done < until &&
         report->outcome == LAC_OUTCOME_CONTINUE)
    is_right = take_turn(scheduler, place, report, error);
  if (is_recorded)
    lac_span_end(scheduler->context->lane, span, step);
  return is_right;
}

gboolean
lac_scheduler_has_failed(const LacScheduler *scheduler, guint i)
{
  return *scheduler->places[i].failure != '\0';
}

/* Names the first method that was set aside. */
static void
report_failure(const LacScheduler *scheduler, LacStepReport *report)
{
  for (guint i = 0; i < scheduler->n; i++) {
    const LacSchedulerSlot *place = &scheduler->places[i];

    if (!*place->failure)
      continue;
    g_strlcpy(report->who, place->method.name, sizeof report->who);
    g_snprintf(report->why, sizeof report->why, _("%s diverged: %s"),
               place->method.title ? g_dgettext(GETTEXT_PACKAGE, place->method.title)
                                   : place->method.name,
               place->failure);
    return;
  }
}

void
lac_scheduler_conclude(const LacScheduler *scheduler, LacStepReport *report)
{
  if (report->outcome == LAC_OUTCOME_FINISHED && lac_scheduler_has_failed(scheduler, 0))
    report->outcome = LAC_OUTCOME_DIVERGED;
}

gboolean
lac_scheduler_step(LacScheduler *scheduler, LacStepReport *report, GError **error)
{
  static const LacPendingType row = {row_is_ready, finish_row};
  const gint64                step = scheduler->step + 1;
  gboolean                    is_open = FALSE;

  for (guint i = 0; i < scheduler->n; i++) {
    if (!take_turns(scheduler, &scheduler->places[i], step, report, error))
      return FALSE;
    is_open = is_open || scheduler->places[i].n_open > 0;
  }
  if (report->outcome == LAC_OUTCOME_DIVERGED)
    return TRUE;
  scheduler->step = step;
  if (is_open)
    report->pending = (LacPending){&row, scheduler, (guint64) step};
  if (!has_ended(scheduler))
    return TRUE;
  report->outcome = LAC_OUTCOME_FINISHED;
  report_failure(scheduler, report);
  return TRUE;
}

/* ---- checkpoints ---- */

/* "progress" contains the step of the run, then for each slot the number of completed steps, then whether it ended. A
 * method that diverged has stored only "failure". */
static gsize
get_progress_length(const LacScheduler *scheduler)
{
  return 1 + 2 * (gsize) scheduler->n_kept;
}

void
lac_scheduler_save(const LacScheduler *scheduler, LacStore *store)
{
  gint64 progress[1 + 2 * LAC_SCHEDULER_MAX] = {scheduler->step};

  for (guint i = 0; i < scheduler->n; i++) {
    const LacSchedulerSlot *place = &scheduler->places[i];
    g_autoptr(LacStore)     own = lac_store_new();

    progress[1 + i] = place->done;
    progress[1 + scheduler->n_kept + i] = place->ended;
    if (*place->failure)
      lac_store_put_bytes(own, "failure", place->failure, sizeof place->failure);
    else
      lac_visit_save(place->method.visit, place->self, own);
    lac_store_put_all(store, place->method.name, own);
  }
  lac_store_put_bytes(store, "progress", progress,
                      get_progress_length(scheduler) * sizeof *progress);
}

/* Returns: FALSE for a method that has not diverged. */
static gboolean
load_failure(LacSchedulerSlot *place, const LacStore *own)
{
  const char *failure = lac_store_get_bytes(own, "failure", sizeof place->failure, NULL);

  g_strlcpy(place->failure, failure ? failure : "", sizeof place->failure);
  return failure != NULL;
}

gboolean
lac_scheduler_load(LacScheduler *scheduler, const LacStore *store, GError **error)
{
  const gint64 *progress = lac_store_get_bytes(
    store, "progress", get_progress_length(scheduler) * sizeof *progress, error);

  if (!progress)
    return FALSE;
  for (guint i = 0; i < scheduler->n; i++) {
    LacSchedulerSlot   *place = &scheduler->places[i];
    g_autoptr(LacStore) own = lac_store_take_all(store, place->method.name);

    if (!load_failure(place, own) && !lac_visit_load(place->method.visit, place->self, own, error))
      return FALSE;
    place->done = progress[1 + i];
    place->n_open = 0;
    place->ended = progress[1 + scheduler->n_kept + i] != 0;
  }
  scheduler->step = progress[0];
  return TRUE;
}

void
lac_scheduler_retune(LacScheduler *scheduler, guint i, gconstpointer params)
{
  g_return_if_fail(i < scheduler->n);
  if (scheduler->places[i].method.retune)
    scheduler->places[i].method.retune(scheduler->places[i].self, params);
}
