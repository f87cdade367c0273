/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/device-log.h"

#include "perf/recorder/gauges.h"

struct _LacDeviceLog {
  LacLane   *lane;
  gint64     step;
  guint32    name_upload, name_download, name_wait;
  GPtrArray *times; /* LacDeviceTimes, borrowed */
};

void
lac_device_log_free(LacDeviceLog *log)
{
  if (!log)
    return;
  g_ptr_array_unref(log->times);
  g_free(log);
}

void
lac_device_log_open(LacDevice *device, LacPerf *perf, LacLane *lane)
{
  g_clear_pointer(&device->log, lac_device_log_free);
  if (!perf || !lane || lac_perf_get_detail(perf) == LAC_PERF_OFF || !device->table->record_begin)
    return;
  device->log = g_new0(LacDeviceLog, 1);
  *device->log = (LacDeviceLog){
    .lane = lane,
    .step = -1,
    .name_upload = lac_perf_name(perf, LAC_SPAN_UPLOAD),
    .name_download = lac_perf_name(perf, LAC_SPAN_DOWNLOAD),
    .name_wait = lac_perf_name(perf, LAC_SPAN_DEVICE_WAIT),
    .times = g_ptr_array_new(),
  };
}

void
lac_device_log_set_step(LacDeviceLog *log, gint64 step)
{
  if (log)
    log->step = step;
}

gint64
lac_device_log_get_step(const LacDeviceLog *log)
{
  return log ? log->step : -1;
}

void
lac_device_log_add_times(LacDeviceLog *log, LacDeviceTimes *times)
{
  if (log && times)
    g_ptr_array_add(log->times, times);
}

void
lac_device_log_remove_times(LacDeviceLog *log, LacDeviceTimes *times)
{
  if (log)
    g_ptr_array_remove(log->times, times);
}

LacSpan
lac_device_log_begin_wait(LacDeviceLog *log)
{
  return log ? lac_span_begin(log->lane, log->name_wait) : (LacSpan){0};
}

void
lac_device_log_end_wait(LacDeviceLog *log, LacSpan span)
{
  if (!log)
    return;
  for (guint i = 0; i < log->times->len; i++)
    lac_device_times_report(g_ptr_array_index(log->times, i));
  lac_span_end(log->lane, span, log->step);
}

static void
end_copy(LacDeviceLog *log, LacSpan span, gsize n_bytes)
{
  span.bytes = (double) n_bytes;
  lac_span_end(log->lane, span, log->step);
}

LacStatus
lac_device_upload(LacDevice device, gpointer to, gconstpointer from, gsize n_bytes)
{
  LacDeviceLog *log = device.log;
  const LacSpan span = log ? lac_span_begin(log->lane, log->name_upload) : (LacSpan){0};
  LacStatus     status = device.table->upload(device.self, to, from, n_bytes);

  if (log)
    end_copy(log, span, n_bytes);
  return status;
}

/* A copy from the device waits anyway; its own time is recorded apart from that. */
LacStatus
lac_device_download(LacDevice device, gpointer to, gconstpointer from, gsize n_bytes)
{
  LacDeviceLog *log = device.log;
  LacStatus     status;
  LacSpan       span;

  if (!log)
    return device.table->download(device.self, to, from, n_bytes);
  span = lac_device_log_begin_wait(log);
  status = device.table->synchronise(device.self);
  lac_device_log_end_wait(log, span);
  span = lac_span_begin(log->lane, log->name_download);
  if (status == LAC_STATUS_OK)
    status = device.table->download(device.self, to, from, n_bytes);
  end_copy(log, span, n_bytes);
  return status;
}
