/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task a run of the sweep: the chart fills while the next ones are measured. */
#include "app/sweep-bands.h"

#include "app/owned-task.h"

#include <gio/gio.h>

struct _LacSweepBands {
  GObject         parent_instance;
  LacSweepSeries *series;
  GArray         *bands;       /* LacRandomBand, of the first runs */
  GCancellable   *cancellable; /* of the task under way; NULL: there is none */
};

G_DEFINE_FINAL_TYPE(LacSweepBands, lac_sweep_bands, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* One run of the sweep: the thread alone has it while it works. */
typedef struct {
  LacDraft      *draft;
  LacRunSettings settings; /* @draft in it; its strings are static */
  LacRandomBand  band;
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;
  lac_draft_free(job->draft);
  g_free(job);
}

static gboolean
is_cancelled(gpointer cancellable)
{
  return g_cancellable_is_cancelled(cancellable);
}

static void
work(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  /* where nothing can run the run itself has said why */
  if (!lac_random_band_measure(&job->settings, is_cancelled, cancellable, &job->band, NULL))
    job->band.n = 0;
  g_task_return_boolean(task, TRUE);
}

static void measure_next(LacSweepBands *self);

static void
on_measured(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacSweepBands *self = LAC_SWEEP_BANDS(source);
  const Job     *job = g_task_get_task_data(G_TASK(result));
  if (self->cancellable != g_task_get_cancellable(G_TASK(result)))
    return; /* another sweep, or nobody waits any more */
  g_clear_object(&self->cancellable);
  g_array_append_val(self->bands, job->band);
  measure_next(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
measure_next(LacSweepBands *self)
{
  gsize i = self->bands->len;
  if (i >= lac_sweep_series_get_n_done(self->series))
    return;
  Job *job = g_new0(Job, 1);
  job->draft = lac_sweep_series_make(self->series, i, &job->settings);
  if (!lac_random_band_is_possible(&job->settings)) {
    job_free(job);
    return;
  }
  self->cancellable = g_cancellable_new();
  g_autoptr(GTask) task = lac_owned_task_new(self, self->cancellable, on_measured);
  g_task_set_task_data(task, job, job_free);
  g_task_run_in_thread(task, work);
}

/* Every run has ended by itself, and their numbers of sensors differ. */
static gboolean
is_wanted(LacSweepSeries *series)
{
  const LacSweep *sweep = lac_sweep_series_get_sweep(series);
  gsize           n = lac_sweep_series_get_n_done(series);
  if (n < lac_sweep_get_n(sweep) ||
      g_str_equal(lac_sweep_series_get_outcome(series, n - 1), "stopped"))
    return FALSE;
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++)
    if (g_str_equal(lac_sweep_get_key(sweep, k), "sensors"))
      return TRUE;
  return FALSE;
}

void
lac_sweep_bands_measure(LacSweepBands *self, LacSweepSeries *series)
{
  g_return_if_fail(LAC_IS_SWEEP_BANDS(self) && LAC_IS_SWEEP_SERIES(series));
  lac_sweep_bands_clear(self);
  g_set_object(&self->series, series);
  if (is_wanted(series))
    measure_next(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_sweep_bands_clear(LacSweepBands *self)
{
  g_return_if_fail(LAC_IS_SWEEP_BANDS(self));
  lac_sweep_bands_cancel(self);
  g_array_set_size(self->bands, 0);
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_sweep_bands_cancel(LacSweepBands *self)
{
  g_return_if_fail(LAC_IS_SWEEP_BANDS(self));
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel(self->cancellable);
  g_clear_object(&self->cancellable);
  g_signal_emit(self, signals[CHANGED], 0);
}

gboolean
lac_sweep_bands_is_measuring(LacSweepBands *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_BANDS(self), FALSE);
  return self->cancellable != NULL;
}

gsize
lac_sweep_bands_get_n(LacSweepBands *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_BANDS(self), 0);
  return self->bands->len;
}

const LacRandomBand *
lac_sweep_bands_get(LacSweepBands *self, gsize i)
{
  g_return_val_if_fail(LAC_IS_SWEEP_BANDS(self) && i < self->bands->len, NULL);
  return &g_array_index(self->bands, LacRandomBand, i);
}

static void
lac_sweep_bands_finalize(GObject *object)
{
  LacSweepBands *self = LAC_SWEEP_BANDS(object);
  g_clear_object(&self->cancellable);
  g_clear_object(&self->series);
  g_array_unref(self->bands);
  G_OBJECT_CLASS(lac_sweep_bands_parent_class)->finalize(object);
}

static void
lac_sweep_bands_class_init(LacSweepBandsClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_sweep_bands_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SWEEP_BANDS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_sweep_bands_init(LacSweepBands *self)
{
  self->bands = g_array_new(FALSE, FALSE, sizeof(LacRandomBand));
}
