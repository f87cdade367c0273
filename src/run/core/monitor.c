/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of the status under its lock. */
#include "run/core/monitor.h"

void
lac_run_monitor_init(LacRunMonitor *monitor)
{
  pthread_mutex_init(&monitor->lock, NULL);
}

void
lac_run_monitor_clear(LacRunMonitor *monitor)
{
  pthread_mutex_destroy(&monitor->lock);
}

void
lac_run_monitor_wake(LacRunMonitor *monitor)
{
  if (monitor->wake != NULL && lac_wake_raise(&monitor->woken))
    monitor->wake(monitor->wake_data);
}

LacRunStatus *
lac_run_monitor_lock(LacRunMonitor *monitor)
{
  pthread_mutex_lock(&monitor->lock);
  return &monitor->status;
}

void
lac_run_monitor_unlock(LacRunMonitor *monitor)
{
  pthread_mutex_unlock(&monitor->lock);
}

void
lac_run_monitor_set_message(LacRunMonitor *monitor, const char *message)
{
  LacRunStatus *status = lac_run_monitor_lock(monitor);

  g_strlcpy(status->message, message, sizeof status->message);
  lac_run_monitor_unlock(monitor);
  lac_run_monitor_wake(monitor);
}

void
lac_run_monitor_set_phase(LacRunMonitor         *monitor,
                          double                 fraction,
                          const char            *phase,
                          const LacDeviceMemory *memory)
{
  LacRunStatus *status = lac_run_monitor_lock(monitor);

  status->fraction = CLAMP(fraction, 0, 1);
  g_strlcpy(status->phase, phase != NULL ? phase : "", sizeof status->phase);
  if (memory != NULL)
    status->memory = *memory;
  lac_run_monitor_unlock(monitor);
  lac_run_monitor_wake(monitor);
}

void
lac_run_monitor_set_device(LacRunMonitor *monitor, const char *device, const char *choice)
{
  LacRunStatus *status = lac_run_monitor_lock(monitor);

  g_strlcpy(status->device, device != NULL ? device : "", sizeof status->device);
  g_strlcpy(status->choice, choice != NULL ? choice : "", sizeof status->choice);
  lac_run_monitor_unlock(monitor);
}

void
lac_run_monitor_set_fallback(LacRunMonitor *monitor, const char *sentence)
{
  lac_run_monitor_set_message(monitor, sentence);
  LacRunStatus *status = lac_run_monitor_lock(monitor);
  g_strlcpy(status->fallback, sentence, sizeof status->fallback);
  status->device[0] = '\0';
  status->memory = (LacDeviceMemory){0};
  lac_run_monitor_unlock(monitor);
}

void
lac_run_monitor_read(LacRunMonitor *monitor, LacRunStatus *status)
{
  lac_wake_clear(&monitor->woken);
  *status = *lac_run_monitor_lock(monitor);
  lac_run_monitor_unlock(monitor);
}
