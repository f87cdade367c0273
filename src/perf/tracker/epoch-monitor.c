/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The epoch monitor: spans and counters in a lane; its statistics are sums over what the lane hands over. */
#include "perf/tracker/epoch-monitor.h"

#include "base/clock.h"
#include "perf/recorder/heap.h"
#include "perf/recorder/lane.h"

#include <math.h>

enum { DRAIN_BATCHES = 1024 };

#define NS 1e-9
#define MB 1e6

typedef struct {
  guint64 n;
  gint64  total_ns, min_ns, max_ns;
} Times;

struct _LacEpochMonitor {
  LacPerf       *perf;
  LacLane       *lane;
  guint          verbose_batches;
  FILE          *sink;
  LacMemoryProbe probe;
  gboolean       has_probe;
  LacCapture    *capture;
  guint32        name_epoch, name_batch, name_loss;

  LacMemorySpan epoch_span;
  LacSpan       batch_span;
  gboolean      in_epoch, in_batch;
  guint32       epoch; /* from 1 */
  guint64       n_begun;
  guint         n_waiting;

  Times  epochs, batches;
  Times  batches_of_epoch; /* of the epoch that goes on, or of the last one */
  gint64 last_epoch_ns, epoch_peak, epoch_device_peak;
};

LacEpochMonitor *
lac_epoch_monitor_new(const LacEpochMonitorSettings *settings)
{
  LacEpochMonitor *monitor = g_new0(LacEpochMonitor, 1);

  monitor->perf = lac_perf_new(settings->enabled ? LAC_PERF_FULL : LAC_PERF_OFF);
  monitor->lane = lac_perf_lane(monitor->perf, "epochs");
  monitor->capture = lac_capture_new("epochs");
  monitor->name_epoch = lac_perf_name(monitor->perf, "epoch");
  monitor->name_batch = lac_perf_name(monitor->perf, "batch");
  monitor->name_loss = lac_perf_name(monitor->perf, "loss");
  monitor->verbose_batches = settings->verbose_batches;
  monitor->sink = settings->sink;
  monitor->has_probe = settings->probe != NULL;
  if (settings->probe != NULL)
    monitor->probe = *settings->probe;
  return monitor;
}

static const LacMemoryProbe *
get_probe(const LacEpochMonitor *monitor)
{
  return monitor->has_probe ? &monitor->probe : NULL;
}

static void
wait_for_device(const LacEpochMonitor *monitor)
{
  if (monitor->has_probe && monitor->probe.wait != NULL)
    monitor->probe.wait(monitor->probe.user_data);
}

/* ---- the consumer ---- */

static void
add_time(Times *times, gint64 ns)
{
  times->min_ns = times->n == 0 ? ns : MIN(times->min_ns, ns);
  times->max_ns = MAX(times->max_ns, ns);
  times->total_ns += ns;
  times->n++;
}

static void
on_records(const LacRecord *records, gsize n, gpointer user_data)
{
  LacEpochMonitor *monitor = user_data;

  lac_capture_append(monitor->capture, records, n);
  for (gsize i = 0; i < n; i++) {
    const LacRecord *record = &records[i];

    if (record->kind == LAC_RECORD_MEMORY) {
      monitor->epoch_peak = record->cpu_peak;
      monitor->epoch_device_peak = record->gpu_peak;
    } else if (record->kind == LAC_RECORD_SPAN && record->name == monitor->name_epoch) {
      add_time(&monitor->epochs, record->duration_ns);
      monitor->last_epoch_ns = record->duration_ns;
    } else if (record->kind == LAC_RECORD_SPAN) {
      add_time(&monitor->batches, record->duration_ns);
      add_time(&monitor->batches_of_epoch, record->duration_ns);
    }
  }
}

static void
drain(LacEpochMonitor *monitor)
{
  lac_perf_drain(monitor->perf, on_records, monitor);
  lac_capture_follow(monitor->capture, monitor->perf);
  monitor->n_waiting = 0;
}

/* ---- lines ---- */

/* @format: printf's, for one double */
static void
put(const LacEpochMonitor *monitor, const char *before, const char *format, double value)
{
  char text[64];

  fputs(before, monitor->sink);
  fputs(g_ascii_formatd(text, sizeof text, format, value), monitor->sink);
}

static void
put_bytes(const LacEpochMonitor *monitor,
          const char            *before,
          const char            *format,
          gint64                 n_bytes,
          const char            *after)
{
  if (n_bytes == LAC_RECORD_UNKNOWN)
    return;
  put(monitor, before, format, (double) n_bytes / MB);
  fputs(after, monitor->sink);
}

static void
read_memory(const LacEpochMonitor *monitor, gint64 *resident, LacDeviceMemory *device)
{
  gsize n_bytes = lac_heap_get_resident();

  *resident = n_bytes > 0 ? (gint64) n_bytes : LAC_RECORD_UNKNOWN;
  *device = (LacDeviceMemory){LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN};
  if (monitor->has_probe)
    monitor->probe.read(device, monitor->probe.user_data);
}

/* "  Batch 0: 0.538s, GPU 23.1MB, CPU 1648.9MB, loss=0.009458" */
static void
put_batch(const LacEpochMonitor *monitor, guint batch, double seconds, double loss)
{
  gint64          resident;
  LacDeviceMemory device;

  read_memory(monitor, &resident, &device);
  fprintf(monitor->sink, "  Batch %u", batch);
  put(monitor, ": ", "%.3f", seconds);
  fputs("s", monitor->sink);
  put_bytes(monitor, ", GPU ", "%.1f", device.used, "MB");
  put_bytes(monitor, ", CPU ", "%.1f", resident, "MB");
  if (!isnan(loss))
    put(monitor, ", loss=", "%.6f", loss);
  fputs("\n", monitor->sink);
}

/* "  Epoch end: 4.774s total, GPU 14.4MB, 3236MB reserved, peak 2880MB", where there is no device "CPU 1648.9MB, peak
 * 1720MB"; then "  Batch timing: avg=0.201s, min=0.082s, max=0.538s" */
static void
put_epoch(const LacEpochMonitor *monitor)
{
  const Times    *times = &monitor->batches_of_epoch;
  gint64          resident;
  LacDeviceMemory device;

  read_memory(monitor, &resident, &device);
  put(monitor, "  Epoch end: ", "%.3f", (double) monitor->last_epoch_ns * NS);
  fputs("s total", monitor->sink);
  if (device.used != LAC_RECORD_UNKNOWN) {
    put_bytes(monitor, ", GPU ", "%.1f", device.used, "MB");
    put_bytes(monitor, ", ", "%.0f", device.reserved, "MB reserved");
    put_bytes(monitor, ", peak ", "%.0f", monitor->epoch_device_peak, "MB");
  } else {
    put_bytes(monitor, ", CPU ", "%.1f", resident, "MB");
    put_bytes(monitor, ", peak ", "%.0f", monitor->epoch_peak, "MB");
  }
  fputs("\n", monitor->sink);
  if (times->n == 0)
    return;
  put(monitor, "  Batch timing: avg=", "%.3f", (double) times->total_ns / (double) times->n * NS);
  put(monitor, "s, min=", "%.3f", (double) times->min_ns * NS);
  put(monitor, "s, max=", "%.3f", (double) times->max_ns * NS);
  fputs("s\n", monitor->sink);
}

/* ---- the loop ---- */

void
lac_epoch_monitor_begin_epoch(LacEpochMonitor *monitor)
{
  g_return_if_fail(monitor != NULL && !monitor->in_epoch);
  if (!lac_lane_is_recording(monitor->lane))
    return;
  drain(monitor);
  monitor->in_epoch = TRUE;
  monitor->batches_of_epoch = (Times){0};
  lac_lane_set_batch(monitor->lane, ++monitor->epoch, 0);
  lac_memory_span_begin(&monitor->epoch_span, monitor->lane, monitor->name_epoch,
                        get_probe(monitor));
}

void
lac_epoch_monitor_begin_batch(LacEpochMonitor *monitor, guint batch)
{
  g_return_if_fail(monitor != NULL && !monitor->in_batch);
  if (!lac_lane_is_recording(monitor->lane))
    return;
  monitor->in_batch = TRUE;
  monitor->n_begun++;
  lac_lane_set_batch(monitor->lane, monitor->epoch, batch + 1);
  wait_for_device(monitor);
  monitor->batch_span = lac_span_begin(monitor->lane, monitor->name_batch);
}

static void
push_loss(LacEpochMonitor *monitor, double loss)
{
  lac_lane_push(monitor->lane, (LacRecord){
                                 .start_ns = lac_clock_ns(),
                                 .step = -1,
                                 .count = 1,
                                 .value = loss,
                                 .memory = -1,
                                 .name = monitor->name_loss,
                                 .kind = LAC_RECORD_COUNTER,
                               });
}

void
lac_epoch_monitor_end_batch(LacEpochMonitor *monitor, guint batch, double loss)
{
  g_return_if_fail(monitor != NULL);
  if (!lac_lane_is_recording(monitor->lane))
    return;
  g_return_if_fail(monitor->in_batch);
  monitor->in_batch = FALSE;
  wait_for_device(monitor);
  LacRecord record = lac_lane_end_span(monitor->lane, monitor->batch_span, -1);
  if (!isnan(loss))
    push_loss(monitor, loss);
  lac_lane_set_batch(monitor->lane, monitor->epoch, 0);
  if (++monitor->n_waiting >= DRAIN_BATCHES)
    drain(monitor);
  if (monitor->sink != NULL && monitor->n_begun <= monitor->verbose_batches)
    put_batch(monitor, batch, (double) record.duration_ns * NS, loss);
}

void
lac_epoch_monitor_end_epoch(LacEpochMonitor *monitor)
{
  g_return_if_fail(monitor != NULL);
  if (!lac_lane_is_recording(monitor->lane))
    return;
  g_return_if_fail(monitor->in_epoch && !monitor->in_batch);
  monitor->in_epoch = FALSE;
  lac_memory_span_end(&monitor->epoch_span, monitor->lane, -1);
  lac_lane_set_batch(monitor->lane, 0, 0);
  drain(monitor);
  if (monitor->sink != NULL)
    put_epoch(monitor);
}

/* An epoch that goes on no longer looks at memory that is not there: the scope it opened is taken off the list. */
void
lac_epoch_monitor_free(LacEpochMonitor *monitor)
{
  LacMemoryChange change;

  if (monitor == NULL)
    return;
  if (monitor->in_epoch)
    lac_memory_scope_end(&monitor->epoch_span.scope, &change);
  lac_capture_unref(monitor->capture);
  lac_perf_free(monitor->perf);
  g_free(monitor);
}

static double
mean_seconds(const Times *times)
{
  return times->n == 0 ? 0 : (double) times->total_ns * NS / (double) times->n;
}

void
lac_epoch_monitor_get_statistics(LacEpochMonitor *monitor, LacEpochStatistics *statistics)
{
  g_return_if_fail(monitor != NULL && statistics != NULL);
  drain(monitor);
  *statistics = (LacEpochStatistics){
    .total_epoch_time = (double) monitor->epochs.total_ns * NS,
    .avg_epoch_time = mean_seconds(&monitor->epochs),
    .total_batch_time = (double) monitor->batches.total_ns * NS,
    .avg_batch_time = mean_seconds(&monitor->batches),
    .min_batch_time = (double) monitor->batches.min_ns * NS,
    .max_batch_time = (double) monitor->batches.max_ns * NS,
    .num_batches = monitor->batches.n,
    .num_epochs = monitor->epochs.n,
  };
}

const LacCapture *
lac_epoch_monitor_get_capture(LacEpochMonitor *monitor)
{
  g_return_val_if_fail(monitor != NULL, NULL);
  drain(monitor);
  return monitor->capture;
}
