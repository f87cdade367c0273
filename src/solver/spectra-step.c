/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/spectra-step.h"

#include "backend/device-log.h"

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
lac_spectra_step_run(LacSpectraStep *step)
{
  LacSpectra *spectra = step->spectra;

  if (spectra->status == LAC_STATUS_OK)
    spectra->status =
      lac_recorded_step_run(step->recorded, lac_device_log_get_step(spectra->device.log));
}
