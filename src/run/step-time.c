/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment stepped by the clock, without a folder. */
#include "run/step-time.h"

#include "base/clock.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { WARM_STEPS = 3, N_GROUPS = 3 };
#define GROUP_SECONDS 0.1

typedef struct {
  const LacStepSubject *subject;
  LacDevice             device;
  gint64                end_ns;
  gpointer              state;
  LacRunRows            rows;
  gint64                n_steps;
  gboolean              has_ended;
} Stepping;

static gboolean
is_over(gpointer user_data)
{
  const Stepping       *self = user_data;
  const LacStepSubject *subject = self->subject;

  return lac_clock_ns() >= self->end_ns ||
         (subject->cancelled != NULL && subject->cancelled(subject->user_data));
}

static void
ignore_progress(double fraction, const char *what, gpointer user_data)
{
}

/* Steps before those that most of the run consists of are left out. */
static LacDraft *
dup_draft(const LacStepSubject *subject)
{
  const LacExperiment *experiment = subject->experiment;
  LacDraft            *draft = lac_draft_copy(subject->draft);

  for (const char *const *key = experiment->preludes; key != NULL && *key != NULL; key++) {
    const LacParam *row = lac_param_find(&experiment->params, *key);
    if (row != NULL) {
      g_autofree char *least = g_strdup_printf("%.0f", row->min);
      lac_draft_set(draft, *key, least, NULL);
    }
  }
  return draft;
}

static gboolean
set_up(Stepping *self, const LacDraft *draft, LacPerf *perf, GError **error)
{
  const LacStepSubject *subject = self->subject;
  LacContext            context = {
               .device = self->device,
               .pool = subject->pool,
               .perf = perf,
               .lane = lac_perf_lane(perf, "measure"),
               .seed = subject->seed,
               .precision = lac_precision_storage(subject->precision),
               .cancelled = is_over,
               .progress = ignore_progress,
               .user_data = self,
               .memory = subject->memory,
  };

  if (!lac_device_set_precision(self->device, subject->precision, error))
    return FALSE;
  if (subject->inputs != NULL)
    lac_inputs_lend(subject->inputs, &context);
  self->state =
    subject->experiment->create(subject->experiment, lac_draft_get_values(draft), &context, error);
  return self->state != NULL;
}

static gboolean
step(Stepping *self, GError **error)
{
  LacRunRow    *row = lac_run_rows_add(&self->rows);
  LacStepReport report = {.metrics = row->metrics, .earlier = self->rows.earlier};

  if (!self->subject->experiment->step(self->state, &report, error))
    return FALSE;
  while (lac_run_rows_take(&self->rows, report.n_open) != NULL)
    ;
  self->n_steps++;
  self->has_ended = report.outcome != LAC_OUTCOME_CONTINUE;
  return TRUE;
}

static gboolean
wait_for_device(const Stepping *self, GError **error)
{
  const LacStatus status = self->device.table->synchronise(self->device.self);

  if (status != LAC_STATUS_OK)
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "%s", lac_status_text(status));
  return status == LAC_STATUS_OK;
}

/* Returns: seconds of a step; NaN with an error. At least one step is done. */
static double
time_group(Stepping *self, gint64 most_steps, GError **error)
{
  const gint64 begin_ns = lac_clock_ns(), first = self->n_steps;

  do
    if (!step(self, error))
      return NAN;
  while (!self->has_ended && self->n_steps - first < most_steps &&
         (double) (lac_clock_ns() - begin_ns) * 1e-9 < GROUP_SECONDS);
  if (!wait_for_device(self, error))
    return NAN;
  return (double) (lac_clock_ns() - begin_ns) * 1e-9 / (double) (self->n_steps - first);
}

/* A run that ends within the first steps, or takes long over them, is measured by these. */
static double
time_steps(Stepping *self, GError **error)
{
  double fastest = time_group(self, WARM_STEPS, error);

  for (guint i = 0; i < N_GROUPS && isfinite(fastest) && !self->has_ended && !is_over(self); i++) {
    const double seconds = time_group(self, G_MAXINT64, error);
    if (!isfinite(seconds))
      return NAN;
    fastest = i == 0 ? seconds : MIN(fastest, seconds);
  }
  return fastest;
}

/* A set-up that was given up may have a result that is none. Returns: FALSE with the reason in the place of what it said. */
static gboolean
is_in_time(const Stepping *self, double most_seconds, GError **error)
{
  if (!is_over((gpointer) self))
    return TRUE;
  g_clear_error(error);
  if (lac_clock_ns() >= self->end_ns)
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, _("its set-up takes more than %.0f s"),
                most_seconds);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, _("cancelled"));
  return FALSE;
}

double
lac_step_time_measure(const LacStepSubject *subject,
                      const LacDevice      *device,
                      double                most_seconds,
                      GError              **error)
{
  Stepping            self = {.subject = subject, .device = *device};
  g_autoptr(LacDraft) draft = dup_draft(subject);
  g_auto(LacOutline)  outline =
    lac_experiment_outline(subject->experiment, lac_draft_get_values(draft));
  LacPerf *perf = lac_perf_new(LAC_PERF_OFF);
  GError  *problem = NULL;
  double   seconds = NAN;

  self.end_ns = lac_clock_ns() + (gint64) (most_seconds * 1e9);
  lac_run_rows_init(&self.rows, outline.n_metrics);
  const gboolean is_made = set_up(&self, draft, perf, &problem);
  if (is_in_time(&self, most_seconds, &problem) && is_made)
    seconds = time_steps(&self, &problem);
  if (self.state != NULL)
    subject->experiment->destroy(self.state);
  lac_run_rows_clear(&self.rows);
  lac_perf_free(perf);
  if (problem != NULL)
    g_propagate_error(error, problem);
  return problem != NULL ? (double) NAN : seconds;
}
