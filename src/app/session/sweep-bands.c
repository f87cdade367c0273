/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One job per run of the sweep: the chart fills progressively. */
#include "app/session/sweep-bands.h"

#include "app/toolkit/latest-job.h"

struct _LacSweepBands {
  GObject         parent_instance;
  LacSweepSeries *series;
  GArray         *bands; /* LacRandomBand, of the first runs */
  LacLatestJob   *measuring;
};

G_DEFINE_FINAL_TYPE(LacSweepBands, lac_sweep_bands, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* One run of the sweep, accessed only by the thread while it works. */
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

static gpointer
work(gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  /* if no draw can be run, the run itself has reported why */
  if (!lac_random_band_measure(&job->settings, is_cancelled, cancellable, &job->band, NULL))
    job->band.n = 0;
  return NULL;
}

static void measure_next(LacSweepBands *self);

static void
on_measured(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacSweepBands *self = owner;
  const Job     *job = request;
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
  lac_latest_job_start(self->measuring, job);
}

/* Returns TRUE when all runs have ended, none stopped by the user, and the number of sensors is swept. */
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
  if (!lac_latest_job_is_busy(self->measuring))
    return;
  lac_latest_job_cancel(self->measuring);
  g_signal_emit(self, signals[CHANGED], 0);
}

gboolean
lac_sweep_bands_is_measuring(LacSweepBands *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_BANDS(self), FALSE);
  return lac_latest_job_is_busy(self->measuring);
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
  lac_latest_job_free(self->measuring);
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
  self->measuring = lac_latest_job_new(
    self, &(LacJobKind){.work = work, .show = on_measured, .free_request = job_free});
  self->bands = g_array_new(FALSE, FALSE, sizeof(LacRandomBand));
}
