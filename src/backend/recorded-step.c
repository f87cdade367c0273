/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of a step: a plain one, and one that takes the times of its kernels. */
#include "backend/recorded-step.h"

#include "backend/device-log.h"
#include "base/clock.h"

struct _LacRecordedStep {
  LacRecordedStepSettings settings;
  LacDeviceTimes         *times; /* (nullable) */
  gpointer                plain, timed;
  gboolean                is_called, is_warm, is_prepared;
};

LacRecordedStep *
lac_recorded_step_new(const LacRecordedStepSettings *settings)
{
  LacRecordedStep *step = g_new0(LacRecordedStep, 1);

  step->settings = *settings;
  step->is_called = settings->is_called || !settings->device.table->record_begin;
  return step;
}

static void
free_recording(const LacRecordedStep *step, gpointer *recording)
{
  const LacDevice device = step->settings.device;

  if (*recording)
    device.table->recording_free(device.self, g_steal_pointer(recording));
}

void
lac_recorded_step_forget(LacRecordedStep *step)
{
  if (!step)
    return;
  free_recording(step, &step->plain);
  free_recording(step, &step->timed);
  step->is_prepared = FALSE;
}

static void
drop_times(LacRecordedStep *step)
{
  lac_device_log_remove_times(step->settings.device.log, step->times);
  g_clear_pointer(&step->times, lac_device_times_free);
}

void
lac_recorded_step_free(LacRecordedStep *step)
{
  if (!step)
    return;
  lac_recorded_step_forget(step);
  drop_times(step);
  g_free(step);
}

LacDeviceTimes *
lac_recorded_step_get_times(LacRecordedStep *step)
{
  return step ? step->times : NULL;
}

static LacStatus
call(LacRecordedStep *step, gboolean timed)
{
  LacDeviceTimes *times = timed ? step->times : NULL;
  LacStatus       status = lac_device_times_begin(times), ended;

  if (status == LAC_STATUS_OK)
    status = step->settings.enqueue(step->settings.user_data);
  ended = lac_device_times_end(times);
  return status == LAC_STATUS_OK ? ended : status;
}

/* Errors are ignored: the step is then called, which reports the error of a lost device. */
static gpointer
record(LacRecordedStep *step, gboolean timed)
{
  const LacDevice device = step->settings.device;
  gpointer        recording = NULL;
  LacStatus       status = device.table->record_begin(device.self), ended;
  const char     *why;

  if (status == LAC_STATUS_OK) {
    status = call(step, timed);
    ended = device.table->record_end(device.self, &recording);
    status = status == LAC_STATUS_OK ? ended : status;
  }
  if (status == LAC_STATUS_OK)
    return recording;
  free_recording(step, &recording);
  why = device.table->failure ? device.table->failure(status)
                              : NULL; /* clears it, so that no later failure is blamed on it */
  g_debug("a step is called, for it cannot be recorded: %s", why ? why : lac_status_text(status));
  return NULL;
}

static LacStatus
replay(const LacRecordedStep *step, gpointer recording)
{
  const LacDevice device = step->settings.device;

  return device.table->replay(device.self, recording);
}

/* Makes the recordings that are missing, so that later steps allocate nothing. */
static void
prepare(LacRecordedStep *step)
{
  const LacRecordedStepSettings *settings = &step->settings;

  step->is_prepared = TRUE;
  if (!step->is_called && !step->plain)
    step->plain = record(step, FALSE);
  step->is_called = !step->plain;
  if (!step->times) {
    step->times = lac_device_times_new(settings->device, settings->perf, settings->lane);
    lac_device_log_add_times(settings->device.log, step->times);
  }
  if (step->times && !step->is_called && !step->timed)
    step->timed = record(step, TRUE);
  if (!step->timed && !step->is_called)
    drop_times(step);
}

void
lac_recorded_step_record_times(LacRecordedStep *step, LacPerf *perf, LacLane *lane)
{
  step->settings.perf = perf;
  step->settings.lane = lane;
  if (step->is_prepared)
    prepare(step);
}

static LacStatus
run(LacRecordedStep *step, gboolean timed)
{
  if (step->is_called)
    return call(step, timed);
  return replay(step, timed ? step->timed : step->plain);
}

LacStatus
lac_recorded_step_run(LacRecordedStep *step, gint64 number)
{
  if (!step->is_warm) {
    step->is_warm = TRUE;
    return call(step, FALSE);
  }
  if (!step->is_prepared)
    prepare(step);
  const gint64    start_ns = step->times ? lac_clock_ns() : 0;
  const gboolean  timed = lac_device_times_are_due(step->times);
  const LacSpan   span = timed ? lac_device_times_begin_launch(step->times) : (LacSpan){0};
  const LacStatus status = run(step, timed);

  if (timed)
    lac_device_times_end_launch(step->times, span, number);
  if (status == LAC_STATUS_OK)
    lac_device_times_note(step->times, number, start_ns, timed);
  return status;
}
