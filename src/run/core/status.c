/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the run stands, as others see it; and waking them. */
#include "base/clock.h"
#include "run/core/run-private.h"

void
lac_run_wake(LacRun *run)
{
  if (run->wake != NULL && lac_wake_raise(&run->woken))
    run->wake(run->wake_data);
}

void
lac_run_mark(LacRun *run, guint32 name)
{
  lac_lane_push(run->lane, (LacRecord){
                             .start_ns = lac_clock_ns(),
                             .step = run->step,
                             .count = 1,
                             .memory = -1,
                             .name = name,
                             .kind = LAC_RECORD_MARK,
                           });
}

void
lac_run_set_state(LacRun *run, LacRunState state)
{
  pthread_mutex_lock(&run->status_lock);
  run->status.state = state;
  pthread_mutex_unlock(&run->status_lock);
  lac_run_update_status(run);
  lac_run_wake(run);
}

/* Under the lock. Phases reset the device's own peak. */
static void
note_device(LacRun *run)
{
  LacRunRecorder *recorder = &run->recorder;
  LacDeviceMemory memory;

  if (!recorder->has_probe)
    return;
  recorder->probe.read(&memory, recorder->probe.user_data);
  recorder->device_peak = MAX(recorder->device_peak, memory.peak);
  memory.peak = recorder->device_peak;
  run->status.memory = memory;
}

void
lac_run_set_phase(LacRun *run, double fraction, const char *phase)
{
  pthread_mutex_lock(&run->status_lock);
  run->status.fraction = CLAMP(fraction, 0, 1);
  g_strlcpy(run->status.phase, phase != NULL ? phase : "", sizeof run->status.phase);
  note_device(run);
  pthread_mutex_unlock(&run->status_lock);
  lac_run_wake(run);
}

void
lac_run_set_message(LacRun *run, const char *message)
{
  pthread_mutex_lock(&run->status_lock);
  g_strlcpy(run->status.message, message, sizeof run->status.message);
  pthread_mutex_unlock(&run->status_lock);
  lac_run_wake(run);
}

/* Steps to go times the mean of those of this process; not known before one second or three steps. */
static double
get_seconds_left(const LacRun *run)
{
  gint64 done = run->step - run->loop_first;

  if (run->n_steps <= 0 || done < 1 || (done < 3 && run->loop_seconds < 1))
    return -1;
  return run->loop_seconds / (double) done * (double) MAX(run->n_steps - run->step, 0);
}

void
lac_run_update_status(LacRun *run)
{
  LacRunStatus          *status = &run->status;
  const LacThinnerCounts counts = lac_thinner_get_counts(run->thinner);

  pthread_mutex_lock(&run->status_lock);
  status->step = run->step;
  status->n_steps = run->n_steps;
  status->seconds = run->seconds;
  status->setup_seconds = run->setup_seconds;
  status->seconds_left = get_seconds_left(run);
  if (status->state != LAC_RUN_SETTING_UP && run->n_steps > 0)
    status->fraction = MIN((double) run->step / (double) run->n_steps, 1);
  status->frames_published = run->frames.published;
  status->arena_bytes = (gsize) run->live_bytes;
  /* what was let go on purpose does not miss */
  status->records_pushed =
    lac_perf_get_n_pushed(run->perf) - counts.n_taken + counts.n_kept + counts.n_sums;
  status->record_stride = run->record_stride;
  note_device(run);
  pthread_mutex_unlock(&run->status_lock);
}
