/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recomputation of a run up to one of its steps. */
#include "run/core/replay.h"

#include "base/error.h"
#include "io/export/times.h"
#include "io/runfile/checkpoint.h"
#include "run/core/run-private.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SETUP_SHARE 0.2 /* of the reported progress */

typedef struct {
  const LacRunFile     *run;
  const LacExperiment  *experiment;
  const LacReplayWatch *watch;
  LacDraft             *draft, *live;
  LacInputs             inputs;
  LacDevice             device;
  gboolean              device_open;
  LacPool              *pool;
  LacPerf              *perf;
  LacOutline            outline;
  gpointer              state;
  double               *metrics, *last_metrics; /* [n_metrics] */
  gint64                step;
  gsize                 event; /* of the run: the first event not yet applied */
} Replay;

static gboolean
is_cancelled(gpointer user_data)
{
  const LacReplayWatch *watch = ((Replay *) user_data)->watch;
  return watch != NULL && watch->cancelled != NULL && watch->cancelled(watch->user_data);
}

static void
notify(Replay *replay, double fraction, const char *what)
{
  const LacReplayWatch *watch = replay->watch;
  if (watch != NULL && watch->progress != NULL)
    watch->progress(fraction, what, watch->user_data);
}

static void
on_progress(double fraction, const char *what, gpointer user_data)
{
  notify(user_data, SETUP_SHARE * fraction, what);
}

static void
clear(Replay *replay)
{
  if (replay->state != NULL)
    replay->experiment->destroy(replay->state);
  if (replay->experiment != NULL)
    lac_outline_clear(&replay->outline);
  if (replay->device_open)
    lac_device_close(&replay->device);
  g_clear_pointer(&replay->pool, lac_pool_free);
  g_clear_pointer(&replay->perf, lac_perf_free);
  g_clear_pointer(&replay->draft, lac_draft_free);
  g_clear_pointer(&replay->live, lac_draft_free);
  lac_inputs_clear(&replay->inputs);
  g_free(replay->metrics);
  g_free(replay->last_metrics);
}

static gboolean
prepare(Replay *replay, GError **error)
{
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(replay->run->path, error);
  if (origin == NULL)
    return FALSE;
  if (replay->experiment == NULL)
    replay->experiment = lac_experiment_find(origin->experiment, error);
  if (replay->experiment == NULL)
    return FALSE;
  replay->draft = lac_run_dup_draft(replay->experiment, origin, error);
  if (replay->draft == NULL)
    return FALSE;
  replay->live = lac_draft_copy(replay->draft);
  replay->outline = lac_experiment_outline(replay->experiment, lac_draft_get_values(replay->draft));
  replay->metrics = g_new0(double, replay->outline.n_metrics + 1);
  replay->last_metrics = g_new(double, replay->outline.n_metrics + 1);
  for (gsize m = 0; m < replay->outline.n_metrics; m++)
    replay->last_metrics[m] = NAN;
  lac_inputs_init(&replay->inputs);
  replay->pool = lac_pool_new(0);
  replay->perf = lac_perf_new(LAC_PERF_OFF);
  replay->device_open = lac_device_open(&replay->device, origin->backend, error);
  return replay->device_open && lac_inputs_load(&replay->inputs, replay->draft, error);
}

static gboolean
create(Replay *replay, GError **error)
{
  LacContext context = {
    .device = replay->device,
    .pool = replay->pool,
    .perf = replay->perf,
    .lane = lac_perf_lane(replay->perf, "replay"),
    .seed = replay->run->seed,
    .precision = replay->run->precision,
    .cancelled = is_cancelled,
    .progress = on_progress,
    .user_data = replay,
  };
  lac_inputs_borrow(&replay->inputs, &context);
  lac_run_import_wisdom(replay->run->path);
  replay->state = replay->experiment->create(replay->experiment,
                                             lac_draft_get_values(replay->draft), &context, error);
  return replay->state != NULL;
}

/* Applies live changes up to the current step: they take effect from the next one on. */
static gboolean
heed_changes(Replay *replay, GError **error)
{
  gboolean changed = FALSE;
  for (; replay->event < replay->run->n_events; replay->event++) {
    const LacRunEvent *event = &replay->run->events[replay->event];
    const char        *equals = strstr(event->detail, " = ");
    if (event->step > replay->step)
      break;
    if (!g_str_equal(event->what, LAC_EVENT_SET) || equals == NULL)
      continue;
    g_autofree char *key = g_strndup(event->detail, (gsize) (equals - event->detail));
    if (!lac_draft_set(replay->live, key, equals + 3, error))
      return FALSE;
    changed = TRUE;
  }
  if (changed && replay->experiment->retune != NULL)
    replay->experiment->retune(replay->state, lac_draft_get_values(replay->live));
  return TRUE;
}

/* Restores the run's checkpoint if it is before @step. */
static gboolean
restore(Replay *replay, gint64 step, GError **error)
{
  g_autoptr(LacStore) store = NULL;
  LacCheckpointEntry  at;
  if (!lac_run_checkpoint_read(replay->run->path, &at, &store, error))
    return FALSE;
  if (lac_store_get_n_entries(store) == 0 || at.step > step || at.step == 0)
    return TRUE;
  if (!replay->experiment->load(replay->state, store, error))
    return FALSE;
  gsize n = replay->outline.n_metrics;
  if (n > 0) {
    gconstpointer metrics = lac_store_get(store, LAC_RUN_STORE_METRICS, n, 1, 8, error);
    if (metrics == NULL)
      return FALSE;
    memcpy(replay->last_metrics, metrics, n * sizeof(double));
  }
  replay->step = at.step;
  return TRUE;
}

static gboolean
advance(Replay *replay, GError **error)
{
  LacStepReport report = {.outcome = LAC_OUTCOME_CONTINUE, .metrics = replay->metrics};
  for (gsize m = 0; m < replay->outline.n_metrics; m++)
    replay->metrics[m] = NAN;
  if (!lac_experiment_step(replay->experiment, replay->state, &report, error))
    return FALSE;
  for (gsize m = 0; m < replay->outline.n_metrics; m++)
    if (isfinite(replay->metrics[m]))
      replay->last_metrics[m] = replay->metrics[m];
  replay->step++;
  return TRUE;
}

static gboolean
compute(Replay *replay, gint64 step, GError **error)
{
  if (!restore(replay, step, error) || !heed_changes(replay, error))
    return FALSE;
  gint64 first = replay->step;
  while (replay->step < step && !is_cancelled(replay)) {
    if (!advance(replay, error) || (replay->step < step && !heed_changes(replay, error)))
      return FALSE;
    notify(replay,
           SETUP_SHARE +
             (1 - SETUP_SHARE) * (double) (replay->step - first) / (double) (step - first),
           _("Recomputing the step"));
  }
  return TRUE;
}

static double
seconds_at(const LacRunFile *run, gint64 step)
{
  for (gsize i = 0; i < run->n_series; i++)
    if (run->series_step[i] == step)
      return run->series_seconds[i];
  return step == 0 ? 0 : (double) NAN;
}

static LacFrame *
make_frame(const Replay *replay)
{
  gsize             n_channels = replay->outline.n_channels, n_markers = 0;
  g_autofree gsize *sizes = g_new0(gsize, 2 * n_channels + 1);
  replay->experiment->shapes(replay->state, (gsize(*)[2]) sizes, &n_markers);
  return lac_frame_new(n_channels, (const gsize(*)[2]) sizes, n_markers, replay->outline.n_metrics);
}

static void
complete_frame(const Replay *replay, LacFrame *frame)
{
  for (gsize i = 0; i < frame->n_planes; i++)
    lac_plane_measure(&frame->planes[i]);
  frame->step = replay->step;
  frame->seconds = seconds_at(replay->run, replay->step);
  if (frame->n_metrics > 0)
    memcpy(frame->metrics, replay->last_metrics, frame->n_metrics * sizeof(double));
}

static LacFrame *
take_frame(Replay *replay)
{
  LacFrame *frame = make_frame(replay);
  replay->experiment->snapshot(replay->state, frame, NULL);
  complete_frame(replay, frame);
  return frame;
}

/* Computes the state after @step. */
static gboolean
reach(Replay *replay, gint64 step, GError **error)
{
  if (!prepare(replay, error) || !create(replay, error) || !compute(replay, step, error) ||
      is_cancelled(replay)) {
    if (is_cancelled(replay)) {
      g_clear_error(error);
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                          _("recomputing the step was cancelled"));
    }
    return FALSE;
  }
  return TRUE;
}

LacFrame *
lac_replay_frame(const LacRunFile     *run,
                 const LacExperiment  *experiment,
                 gint64                step,
                 const LacReplayWatch *watch,
                 GError              **error)
{
  Replay    replay = {.run = run, .experiment = experiment, .watch = watch};
  LacFrame *frame = NULL;
  g_return_val_if_fail(run != NULL, NULL);
  if (step < 0 || step > run->steps) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("this run has no step %" PRId64 "; choose 0 to %" PRId64), step, run->steps);
    return NULL;
  }
  if (reach(&replay, step, error))
    frame = take_frame(&replay);
  clear(&replay);
  return frame;
}

static gboolean
pass_times(Replay *replay, LacReplayTimeFunc func, gpointer user_data, GError **error)
{
  const LacExperiment *experiment = replay->experiment;
  const gsize n = experiment->count_times != NULL ? experiment->count_times(replay->state) : 0;
  gboolean    done = TRUE;
  if (n == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                _("the estimate of %s has no times beyond those that a frame shows"),
                experiment->name);
    return FALSE;
  }
  LacFrame *frame = make_frame(replay);
  for (gsize i = 0; done && i < n; i++) {
    const double time = experiment->snapshot_at(replay->state, i, frame);
    complete_frame(replay, frame);
    done = func(i, n, time, frame, user_data, error);
  }
  lac_frame_unref(frame);
  return done;
}

gboolean
lac_replay_times(const LacRunFile     *run,
                 const LacExperiment  *experiment,
                 const LacReplayWatch *watch,
                 LacReplayTimeFunc     func,
                 gpointer              user_data,
                 GError              **error)
{
  Replay replay = {.run = run, .experiment = experiment, .watch = watch};
  g_return_val_if_fail(run != NULL && func != NULL, FALSE);
  const gboolean done =
    reach(&replay, run->steps, error) && pass_times(&replay, func, user_data, error);
  clear(&replay);
  return done;
}

static gboolean
add_time(gsize i         G_GNUC_UNUSED,
         gsize           n,
         double          time,
         const LacFrame *frame,
         gpointer        user_data,
         GError        **error)
{
  return lac_times_export_add(user_data, n, time, frame, error);
}

gboolean
lac_replay_export_times(const LacRunFile     *run,
                        const char           *channel,
                        const char           *path,
                        const LacReplayWatch *watch,
                        GError              **error)
{
  g_autoptr(LacTimesExport) file = lac_times_export_new(run, channel, path, error);

  return file != NULL && lac_replay_times(run, NULL, watch, add_time, file, error) &&
         lac_times_export_finish(file, error);
}
