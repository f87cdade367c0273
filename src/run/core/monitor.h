/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Status of a run for other threads, and the callback that wakes the controlling thread. */
#pragma once

#include "perf/recorder/wake.h"
#include "run/core/run.h"

#include <pthread.h>

G_BEGIN_DECLS

typedef struct {
  pthread_mutex_t
    lock; /* protects @status; not a GMutex, because ThreadSanitizer understands pthreads */
  LacRunStatus status;
  void (*wake)(gpointer user_data); /* (nullable): set before the compute thread starts */
  gpointer wake_data;
  LacWake  woken;
} LacRunMonitor;

void lac_run_monitor_init(LacRunMonitor *monitor); /* zeroes @monitor */
void lac_run_monitor_clear(LacRunMonitor *monitor);

/* ---- compute thread ---- */
void lac_run_monitor_wake(LacRunMonitor *monitor);
/* Returns the status for writing, until lac_run_monitor_unlock(). */
LacRunStatus *lac_run_monitor_lock(LacRunMonitor *monitor);
void          lac_run_monitor_unlock(LacRunMonitor *monitor);
void          lac_run_monitor_set_message(LacRunMonitor *monitor, const char *message);
/* @phase: (nullable); @memory: (nullable): of the device; NULL: unchanged */
void lac_run_monitor_set_phase(LacRunMonitor         *monitor,
                               double                 fraction,
                               const char            *phase,
                               const LacDeviceMemory *memory);
/* @device: (nullable): NULL: the CPU. @choice: (nullable): NULL: nothing was measured */
void lac_run_monitor_set_device(LacRunMonitor *monitor, const char *device, const char *choice);
/* Reports the switch to the CPU; @sentence also becomes the message. */
void lac_run_monitor_set_fallback(LacRunMonitor *monitor, const char *sentence);

/* ---- controlling thread ---- */
/* Copies the status and rearms the wake-up for later changes. */
void lac_run_monitor_read(LacRunMonitor *monitor, LacRunStatus *status);

G_END_DECLS
