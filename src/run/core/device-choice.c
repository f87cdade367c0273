/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurement of a step, its cache entry, and the reason as text. */
#include "run/core/device-choice.h"

#include "base/clock.h"
#include "base/error.h"
#include "run/core/rows.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

/* ---- the time of a step ---- */

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

/* Returns a copy of the draft with the preliminary phases reduced to their minimum. */
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
    lac_inputs_borrow(subject->inputs, &context);
  self->state =
    subject->experiment->create(subject->experiment, lac_draft_get_values(draft), &context, error);
  return self->state != NULL;
}

static gboolean
step(Stepping *self, GError **error)
{
  LacRunRow    *row = lac_run_rows_add(&self->rows);
  LacStepReport report = {.metrics = row->metrics};

  if (!self->subject->experiment->step(self->state, &report, error))
    return FALSE;
  row->pending = report.pending;
  while ((row = lac_run_rows_get_due(&self->rows, FALSE)) != NULL) {
    LacStepReport late = {.metrics = row->metrics};

    if (!lac_pending_finish(&row->pending, &late, error))
      return FALSE;
    lac_run_rows_take(&self->rows);
  }
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

/* Returns: seconds per step; NaN with an error. Performs at least one step. */
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

/* Times groups of steps; if the run ends or time is up in the warm-up, that group is the result. */
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

/* Returns: FALSE, replacing @error, if the time is over: a cancelled set-up may have returned an invalid result. */
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

/* Measures steps in sequence as in a run, without waiting for results in flight. The first steps, which a device
 * captures, do not count; the fastest of three groups does. Set-up and steps are abandoned after @most_seconds,
 * except for the current step. Returns: seconds; NaN with an error, %LAC_ERROR_FAILED after cancellation or timeout. */
static double
measure_step(const LacStepSubject *subject,
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

/* ---- what was found ---- */

/* Limits of the time for set-up and steps on each of the two, otherwise the estimated duration of the run. */
#define LEAST_SECONDS 3.0
#define MOST_SECONDS  20.0
#define SHORT_SECONDS 2.0 /* a shorter run ends before both are measured */

/* Only findings up to TOO_SHORT are cached. */
typedef enum { MEASURED, DEVICE_SLOW, PROCESSOR_SLOW, TOO_SHORT, DEVICE_FAILED, CANCELLED } Finding;

/* Cache entry; the reason is composed later, in the language of the reader. */
typedef struct {
  guint32 version, finding;
  double  processor_seconds, device_seconds;
  char    detail[160]; /* error text */
} Kept;

#define KEPT_VERSION 1

static void
phrase(const Kept *kept, LacDeviceChoice *choice)
{
  const double     ratio = kept->processor_seconds / kept->device_seconds;
  const gboolean   is_faster = ratio >= 1;
  g_autofree char *times =
    g_strdup_printf("%.*f", MAX(ratio, 1 / ratio) < 9.95 ? 1 : 0, is_faster ? ratio : 1 / ratio);

  *choice = (LacDeviceChoice){.processor_seconds = kept->processor_seconds,
                              .device_seconds = kept->device_seconds};
  switch ((Finding) kept->finding) {
  case MEASURED:
    choice->takes_device = is_faster;
    g_snprintf(choice->reason, sizeof choice->reason,
               is_faster ? _("GPU: %s times as fast as the processor at this size")
                         : _("Processor: %s times as fast as the GPU at this size"),
               times);
    return;
  case DEVICE_FAILED:
    g_snprintf(choice->reason, sizeof choice->reason,
               _("Processor: the test step on the GPU failed (%s)"), kept->detail);
    return;
  case DEVICE_SLOW:
    g_snprintf(choice->reason, sizeof choice->reason, _("Processor: no timing on the GPU (%s)"),
               kept->detail);
    return;
  case PROCESSOR_SLOW:
    choice->takes_device = TRUE;
    g_snprintf(choice->reason, sizeof choice->reason, _("GPU: no timing on the processor (%s)"),
               kept->detail);
    return;
  case TOO_SHORT:
    g_strlcpy(choice->reason, _("Processor: the run is too short to time a step on the GPU"),
              sizeof choice->reason);
    return;
  case CANCELLED:
    g_strlcpy(choice->reason, _("Processor: no timing on the GPU"), sizeof choice->reason);
    return;
  }
}

/* ---- the key ---- */

static void
add_module(GString *key)
{
  const char *path = lac_device_get_module();
  GStatBuf    about;

  if (path != NULL && g_stat(path, &about) == 0)
    g_string_append_printf(key, "module %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", path,
                           (gint64) about.st_size, (gint64) about.st_mtim.tv_sec);
}

/* Appends what determines the speed: the experiment's choices, and the estimates, which depend on every costly
 * parameter. */
static void
add_size(GString *key, const LacStepSubject *subject)
{
  const LacExperiment *experiment = subject->experiment;
  LacEstimate          estimate = {0};

  experiment->estimate(experiment, lac_draft_get_values(subject->draft), &estimate);
  g_string_append_printf(key, "%s %s %.9g %.9g %.9g\n", experiment->name, subject->precision,
                         estimate.memory_bytes, estimate.device_bytes, estimate.frame_bytes);
  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    const LacParam *row = &experiment->params.rows[i];
    if (row->kind == LAC_PARAM_REAL || (row->flags & LAC_PARAM_LIVE) != 0 ||
        (experiment->preludes != NULL && g_strv_contains(experiment->preludes, row->key)))
      continue;
    g_autofree char *text = lac_draft_dup_text(subject->draft, row);
    g_string_append_printf(key, "%s=%s\n", row->key, text);
  }
}

/* Queries the processor once, because forms check on every keystroke. */
static gpointer
ask_processor(gpointer unused)
{
  LacProcessorFacts *facts = g_new(LacProcessorFacts, 1);

  lac_processor_query(facts);
  return facts;
}

static char *
dup_key(const LacDeviceQuestion *question)
{
  static GOnce             once = G_ONCE_INIT;
  const LacProcessorFacts *processor = g_once(&once, ask_processor, NULL);
  const LacDeviceFacts    *device = &question->device->device;
  GString                 *key = g_string_new("device choice\n");

  g_string_append_printf(key, "%s, %s, %u threads\n", processor->name, processor->level,
                         question->threads > 0 ? question->threads : processor->n_threads);
  g_string_append_printf(key, "%s %s %d.%d %d %d %d\n", question->device->name, device->name,
                         device->major, device->minor, device->driver, device->runtime,
                         device->toolkit);
  add_module(key);
  add_size(key, &question->subject);
  return g_string_free(key, FALSE);
}

/* ---- deciding ---- */

/* Returns the estimated duration of the run on the CPU. */
static double
estimate_seconds(const LacDeviceQuestion *question)
{
  const LacExperiment *experiment = question->subject.experiment;
  LacEstimate          estimate = {0};

  experiment->estimate(experiment, lac_draft_get_values(question->subject.draft), &estimate);
  return lac_estimate_seconds(&estimate, question->threads);
}

gboolean
lac_device_choice_recall(const LacDeviceQuestion *question, LacDeviceChoice *choice)
{
  g_autofree char  *key = question->cache != NULL ? dup_key(question) : NULL;
  g_autoptr(GBytes) bytes = key != NULL ? lac_content_cache_recall(question->cache, key) : NULL;
  Kept              kept = {.version = KEPT_VERSION, .finding = TOO_SHORT};

  if (bytes != NULL && g_bytes_get_size(bytes) == sizeof kept)
    memcpy(&kept, g_bytes_get_data(bytes, NULL), sizeof kept);
  else if (estimate_seconds(question) >= SHORT_SECONDS)
    return FALSE;
  if (kept.version != KEPT_VERSION || kept.finding > TOO_SHORT)
    return FALSE;
  kept.detail[sizeof kept.detail - 1] = '\0';
  phrase(&kept, choice);
  return TRUE;
}

static double
measure_on(const LacDeviceQuestion *question, const char *name, GError **error)
{
  const double most = CLAMP(estimate_seconds(question), LEAST_SECONDS, MOST_SECONDS);
  LacDevice    device;
  double       seconds;

  if (!(question->open != NULL ? question->open : lac_device_open)(&device, name, error))
    return NAN;
  seconds = measure_step(&question->subject, &device, most, error);
  lac_device_close(&device);
  return seconds;
}

static gboolean
is_cancelled(const LacDeviceQuestion *question)
{
  const LacStepSubject *subject = &question->subject;

  return subject->cancelled != NULL && subject->cancelled(subject->user_data);
}

/* Measures the device first: if it fails the CPU need not be measured. */
static Kept
measure(const LacDeviceQuestion *question)
{
  Kept              kept = {.version = KEPT_VERSION, .finding = MEASURED};
  g_autoptr(GError) error = NULL;

  kept.processor_seconds = NAN;
  kept.device_seconds = measure_on(question, question->device->name, &error);
  if (g_error_matches(error, LAC_ERROR, LAC_ERROR_FAILED))
    kept.finding = DEVICE_SLOW;
  else if (error != NULL)
    kept.finding = DEVICE_FAILED;
  else
    kept.processor_seconds = measure_on(question, "cpu", &error);
  if (error != NULL && kept.finding == MEASURED)
    kept.finding = PROCESSOR_SLOW;
  if (error != NULL)
    g_strlcpy(kept.detail, error->message, sizeof kept.detail);
  if (error != NULL && is_cancelled(question))
    kept.finding = CANCELLED;
  return kept;
}

void
lac_device_choice_measure(const LacDeviceQuestion *question, LacDeviceChoice *choice)
{
  const Kept       kept = measure(question);
  g_autofree char *key = question->cache != NULL ? dup_key(question) : NULL;

  phrase(&kept, choice);
  if (key != NULL && kept.finding <= TOO_SHORT) {
    g_autoptr(GBytes) bytes = g_bytes_new(&kept, sizeof kept);
    lac_content_cache_remember(question->cache, key, bytes);
  }
}
