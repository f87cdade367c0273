/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timed step is slower by a microsecond or so for each stamp: at 100 kernels and 0.25 ms a step, by 0.6 % when one step
 * in TIMED_EVERY is timed. Stamps are read after a later step, so that nothing waits for them. */
#include "backend/device-times.h"

#include "base/clock.h"
#include "perf/recorder/gauges.h"

#include <string.h>

#define TIMED_EVERY 64

/* One operation of a step: all work of its name. */
typedef struct {
  LacDeviceOperation operation; /* sums over the calls */
  /* in the last timed step that was read: */
  guint64 n_calls;
  gint64  ns;
} Part;

typedef struct {
  const char *text; /* LacStamp.kernel */
  guint32     name;
  double      occupancy;
} Kernel;

struct _LacDeviceTimes {
  LacDevice device;
  LacPerf  *perf;
  LacLane  *lane, *device_lane;
  guint32   name_launch;
  gpointer  timing;
  gint64    origin_ns; /* host's time of the stamps' origin */
  gboolean  is_full, is_marking, has_times;
  guint64   n_steps, n_unreported;
  gint64    last;           /* number of the last step */
  gint64    step, start_ns; /* of the timed step in flight */
  gboolean  is_in_flight;
  GArray   *marks;   /* LacDeviceOperation, in order */
  GArray   *parts;   /* Part */
  GArray   *kernels; /* Kernel, one for each stamp */
};

LacDeviceTimes *
lac_device_times_new(LacDevice device, LacPerf *perf, LacLane *lane)
{
  gpointer        timing = NULL;
  LacDeviceTimes *times;

  if (!perf || !lane || lac_perf_get_detail(perf) == LAC_PERF_OFF || !device.table->timing_new ||
      device.table->timing_new(device.self, &timing) != LAC_STATUS_OK)
    return NULL;
  times = g_new0(LacDeviceTimes, 1);
  times->device = device;
  times->perf = perf;
  times->lane = lane;
  times->device_lane = lac_perf_lane(perf, LAC_LANE_DEVICE);
  times->name_launch = lac_perf_name(perf, LAC_SPAN_LAUNCH);
  times->timing = timing;
  times->origin_ns = lac_clock_ns();
  times->is_full = lac_perf_get_detail(perf) == LAC_PERF_FULL;
  times->marks = g_array_new(FALSE, FALSE, sizeof(LacDeviceOperation));
  times->parts = g_array_new(FALSE, TRUE, sizeof(Part));
  times->kernels = g_array_new(FALSE, TRUE, sizeof(Kernel));
  return times;
}

void
lac_device_times_free(LacDeviceTimes *times)
{
  if (!times)
    return;
  times->device.table->timing_free(times->device.self, times->timing);
  g_array_unref(times->marks);
  g_array_unref(times->parts);
  g_array_unref(times->kernels);
  g_free(times);
}

/* The first steps are timed more often, so that short runs have times. */
gboolean
lac_device_times_are_due(const LacDeviceTimes *times)
{
  if (!times || times->is_in_flight)
    return FALSE;
  return times->is_full || times->n_steps % TIMED_EVERY == 0 ||
         (times->n_steps < TIMED_EVERY && (times->n_steps & (times->n_steps - 1)) == 0);
}

LacSpan
lac_device_times_begin_launch(LacDeviceTimes *times)
{
  return lac_span_begin(times->lane, times->name_launch);
}

void
lac_device_times_end_launch(LacDeviceTimes *times, LacSpan span, gint64 number)
{
  lac_span_end(times->lane, span, number);
}

/* ---- marks ---- */

static Part *
find_part(LacDeviceTimes *times, guint32 name)
{
  for (guint i = 0; i < times->parts->len; i++) {
    Part *part = &g_array_index(times->parts, Part, i);

    if (part->operation.name == name)
      return part;
  }
  g_array_set_size(times->parts, times->parts->len + 1);
  Part *part = &g_array_index(times->parts, Part, times->parts->len - 1);

  part->operation = (LacDeviceOperation){.name = name, .memory = -1};
  return part;
}

LacStatus
lac_device_times_begin(LacDeviceTimes *times)
{
  if (!times)
    return LAC_STATUS_OK;
  times->is_in_flight = FALSE; /* stamps that were in flight are forgotten */
  g_array_set_size(times->marks, 0);
  for (guint i = 0; i < times->parts->len; i++) {
    Part *part = &g_array_index(times->parts, Part, i);

    part->operation = (LacDeviceOperation){.name = part->operation.name, .memory = -1};
  }
  times->is_marking = TRUE;
  return times->device.table->timing_begin(times->device.self, times->timing);
}

void
lac_device_times_mark(LacDeviceTimes *times, const LacDeviceOperation *operation)
{
  if (!times || !times->is_marking)
    return;
  g_array_append_val(times->marks, *operation);
  times->device.table->timing_operation(times->device.self, times->marks->len);

  Part *part = find_part(times, operation->name);

  part->operation.flops += operation->flops;
  part->operation.bytes += operation->bytes;
  part->operation.memory = MAX(part->operation.memory, operation->memory);
}

/* Returns (transfer full): the name in "narrow ? tile_kernel<Real, 2> : tile_kernel<Real, 4>" or "cublasSgemm(blas)". */
static char *
dup_kernel_name(const char *text)
{
  static const char letters[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_";
  const char                                             *begin = strstr(text, "_kernel");

  while (begin && begin > text && strchr(letters, begin[-1]))
    begin--;
  begin = begin ? begin : text;
  return g_strndup(begin, strspn(begin, letters));
}

/* Takes a lock for names that are new: in the first timed step, as a rule while it is recorded. */
static void
name_kernels(LacDeviceTimes *times, const LacStamp *stamps, gsize n)
{
  g_array_set_size(times->kernels, (guint) n);
  for (gsize i = 0; i < n; i++) {
    Kernel *kernel = &g_array_index(times->kernels, Kernel, i);

    kernel->occupancy = stamps[i].occupancy;
    if (!stamps[i].kernel || kernel->text == stamps[i].kernel)
      continue;
    g_autofree char *name = dup_kernel_name(stamps[i].kernel);
    kernel->text = stamps[i].kernel;
    kernel->name = lac_perf_name(times->perf, name);
  }
}

LacStatus
lac_device_times_end(LacDeviceTimes *times)
{
  const LacStamp *stamps;
  gsize           n;
  LacStatus       status;

  if (!times || !times->is_marking)
    return LAC_STATUS_OK;
  times->is_marking = FALSE;
  status = times->device.table->timing_end(times->device.self, &stamps, &n);
  name_kernels(times, stamps, n);
  return status;
}

/* ---- records ---- */

static gint64
to_ns(double ms)
{
  return (gint64) (ms * 1e6);
}

/* The two clocks drift apart: but the step began after it was enqueued, and ended before now. */
static gint64
find_shift(const LacDeviceTimes *times, const LacStamp *stamps, gsize n)
{
  const gint64 first = to_ns(stamps[0].ms), last = to_ns(stamps[n - 1].ms);
  const gint64 shift = MIN(times->origin_ns, lac_clock_ns() - last);

  return MAX(shift, times->start_ns - first);
}

static void
push_span(LacDeviceTimes *times, const LacDeviceOperation *operation, gint64 begin, gint64 end)
{
  Part *part = find_part(times, operation->name);

  part->ns += end - begin;
  part->n_calls++;
  lac_lane_push(times->device_lane, (LacRecord){
                                      .kind = LAC_RECORD_SPAN,
                                      .start_ns = begin,
                                      .duration_ns = end - begin,
                                      .step = times->step,
                                      .count = 1,
                                      .flops = operation->flops,
                                      .bytes = operation->bytes,
                                      .memory = operation->memory,
                                      .name = operation->name,
                                    });
}

/* @first: first stamp of the operation; @last: the one after its last */
static void
push_kernels(const LacDeviceTimes *times,
             const LacStamp       *stamps,
             gsize                 first,
             gsize                 last,
             gint64                shift)
{
  for (gsize i = first; i < MIN(last, times->kernels->len); i++) {
    const Kernel *kernel = &g_array_index(times->kernels, Kernel, i);
    const gint64  begin = shift + to_ns(stamps[i - 1].ms), end = shift + to_ns(stamps[i].ms);

    lac_lane_push(times->device_lane, (LacRecord){
                                        .kind = LAC_RECORD_KERNEL,
                                        .start_ns = begin,
                                        .duration_ns = end - begin,
                                        .step = times->step,
                                        .count = 1,
                                        .memory = -1,
                                        .value = kernel->occupancy,
                                        .name = kernel->name,
                                        .depth = 1,
                                      });
  }
}

/* Kernels before the first mark belong to no operation. */
static void
push_spans(LacDeviceTimes *times, const LacStamp *stamps, gsize n)
{
  const gint64 shift = find_shift(times, stamps, n);

  for (gsize i = 1, last; i < n; i = last) {
    const guint32 operation = stamps[i].operation;

    for (last = i; last < n && stamps[last].operation == operation; last++)
      continue;
    if (operation == 0 || operation > times->marks->len)
      continue;
    push_kernels(times, stamps, i, last, shift);
    push_span(times, &g_array_index(times->marks, LacDeviceOperation, operation - 1),
              shift + to_ns(stamps[i - 1].ms), shift + to_ns(stamps[last - 1].ms));
  }
}

static void
read_times(LacDeviceTimes *times)
{
  const LacStamp *stamps = NULL;
  gsize           n = 0;
  const LacDevice device = times->device;

  if (device.table->timing_read(device.self, times->timing, &stamps, &n) != LAC_STATUS_OK)
    times->is_in_flight = FALSE;
  if (n == 0)
    return;
  for (guint i = 0; i < times->parts->len; i++) {
    Part *part = &g_array_index(times->parts, Part, i);

    part->n_calls = 0;
    part->ns = 0;
  }
  push_spans(times, stamps, n);
  times->is_in_flight = FALSE;
  times->has_times = TRUE;
}

static void
push_operations(const LacDeviceTimes *times, gint64 start_ns)
{
  const double n = (double) times->n_unreported;

  for (guint i = 0; i < times->parts->len; i++) {
    const Part *part = &g_array_index(times->parts, Part, i);

    if (part->n_calls == 0)
      continue;
    lac_lane_push(times->lane, (LacRecord){
                                 .kind = LAC_RECORD_AGGREGATE,
                                 .start_ns = start_ns,
                                 .duration_ns = part->ns * (gint64) times->n_unreported,
                                 .step = times->last,
                                 .count = part->n_calls * times->n_unreported,
                                 .flops = n * part->operation.flops,
                                 .bytes = n * part->operation.bytes,
                                 .memory = part->operation.memory,
                                 .name = part->operation.name,
                               });
  }
}

void
lac_device_times_note(LacDeviceTimes *times, gint64 number, gint64 start_ns, gboolean timed)
{
  if (!times)
    return;
  times->n_steps++;
  times->n_unreported++;
  times->last = number;
  if (!timed)
    return;
  times->is_in_flight = TRUE;
  times->step = number;
  times->start_ns = start_ns;
}

void
lac_device_times_report(LacDeviceTimes *times)
{
  if (!times || times->n_unreported == 0)
    return;
  if (times->is_in_flight)
    read_times(times);
  if (!times->has_times)
    return;
  push_operations(times, lac_clock_ns());
  times->n_unreported = 0;
}
