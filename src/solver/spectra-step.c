/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/spectra-step.h"

#include "backend/device-log.h"
#include "solver/trajectory.h"

/* A failure while the step is recorded is not one of the spectra: the step is then called. */
static LacStatus
enqueue(gpointer user_data)
{
  LacSpectraStep          *step = user_data;
  LacSpectra              *spectra = step->spectra;
  const LacStatus          kept = spectra->status;
  const LacDeviceOperation operation = {
    .name = step->name,
    .flops = step->flops,
    .bytes = step->bytes,
    .memory = (gint64) (spectra->n_taken * sizeof(double)),
  };
  LacStatus status;

  spectra->status = LAC_STATUS_OK;
  spectra->n_bytes = 0;
  lac_device_times_mark(lac_recorded_step_get_times(step->recorded), &operation);
  step->enqueue(step->user_data);
  step->bytes = spectra->n_bytes;
  status = spectra->status;
  spectra->status = kept;
  return status;
}

void
lac_spectra_step_init(LacSpectraStep               *step,
                      LacSpectra                   *spectra,
                      const LacSpectraStepSettings *settings)
{
  const LacRecordedStepSettings recorded = {
    .device = spectra->device,
    .enqueue = enqueue,
    .user_data = step,
    .is_called =
      spectra->device.table->concurrent, /* by several threads, which cannot record at once */
    .perf = settings->perf,
    .lane = settings->lane,
  };

  *step = (LacSpectraStep){
    .spectra = spectra,
    .recorded = lac_recorded_step_new(&recorded),
    .enqueue = settings->enqueue,
    .user_data = settings->user_data,
    .from = settings->from,
    .to = settings->to,
    .length = settings->length,
    .name = settings->perf ? lac_perf_name(settings->perf, settings->name) : 0,
    .flops = settings->flops,
  };
}

void
lac_spectra_step_clear(LacSpectraStep *step)
{
  g_clear_pointer(&step->recorded, lac_recorded_step_free);
}

void
lac_spectra_step_run(LacSpectraStep *step, gsize n_steps)
{
  LacSpectra  *spectra = step->spectra;
  const gint64 number = lac_device_log_get_step(spectra->device.log);

  for (gsize i = 0; i < n_steps && spectra->status == LAC_STATUS_OK; i++) {
    if (i > 0)
      lac_spectra_copy(spectra, step->from, step->to, step->length);
    spectra->status = lac_recorded_step_run(step->recorded, number);
  }
}

/* ---- trajectories ---- */

typedef struct {
  LacSpectraStep *forwards, *backwards;
} Both;

static LacStatus
advance(gpointer user_data, double *to, const double *from, gsize n_steps)
{
  LacSpectraStep *step = ((const Both *) user_data)->forwards;

  lac_spectra_copy(step->spectra, n_steps > 0 ? step->from : to, from, step->length);
  lac_spectra_step_run(step, n_steps);
  if (n_steps > 0)
    lac_spectra_copy(step->spectra, to, step->to, step->length);
  return step->spectra->status;
}

static LacStatus
reverse_step(gpointer user_data, const double *before, double *bar G_GNUC_UNUSED)
{
  LacSpectraStep *step = ((const Both *) user_data)->backwards;

  lac_spectra_copy(step->spectra, step->from, before, step->length);
  lac_spectra_step_run(step, 1);
  return step->spectra->status;
}

void
lac_spectra_step_reverse(LacSpectraStep *forwards,
                         LacSpectraStep *backwards,
                         double         *slots,
                         const double   *state,
                         gsize           n_steps)
{
  static const LacTrajectoryFuncs funcs = {advance, reverse_step};
  Both                            both = {forwards, backwards};
  const LacTrajectory             trajectory = {&funcs, &both, slots, forwards->length};

  lac_trajectory_reverse(&trajectory, state, n_steps, backwards->to);
}
