/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a device that computes beside the host: copies, and waits of the host, as spans. Thread: that of the device. */
#pragma once

#include "backend/device-times.h"

G_BEGIN_DECLS

typedef struct _LacDeviceLog LacDeviceLog;

/* Makes the log of a device, which copies of @device share, in place of an earlier one; lac_device_close() frees it. @perf:
 * (nullable); @lane: (nullable): of the thread. There is none when nothing is recorded, or when kernels are complete on
 * return. */
void lac_device_log_open(LacDevice *device, LacPerf *perf, LacLane *lane);
void lac_device_log_free(LacDeviceLog *log); /* accepts NULL, as all below */

/* Sets the step of later records; -1 before. */
void lac_device_log_set_step(LacDeviceLog *log, gint64 step);
/* Returns: the step of later records; -1 without a log. */
gint64 lac_device_log_get_step(const LacDeviceLog *log);

/* Enclose a wait for the device, whose times are then reported. */
LacSpan lac_device_log_begin_wait(LacDeviceLog *log);
void    lac_device_log_end_wait(LacDeviceLog *log, LacSpan span);

/* Reports @times, too, from now on; until they are removed. */
void lac_device_log_add_times(LacDeviceLog *log, LacDeviceTimes *times);
void lac_device_log_remove_times(LacDeviceLog *log, LacDeviceTimes *times);

/* Copy as the entries of the table, and wait as they do. */
LacStatus lac_device_upload(LacDevice device, gpointer to, gconstpointer from, gsize n_bytes);
LacStatus lac_device_download(LacDevice device, gpointer to, gconstpointer from, gsize n_bytes);

G_END_DECLS
