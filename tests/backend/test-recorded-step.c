/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded steps: results are those of single calls, and the records of a device's times account for every step and
 * every kernel. */
#include "emulated.h"

#include "backend/recorded-step.h"
#include "backend/strict/strict.h"
#include "perf/recorder/gauges.h"

#include <string.h>

#define N       100
#define N_STEPS 70

typedef struct {
  LacDevice        device;
  double          *numbers; /* on the device */
  LacRecordedStep *step;
  guint32          names[2];
  guint            n_calls; /* of enqueue() */
} Bed;

/* Two operations: the first of one kernel, 1 FLOP for each of N numbers, and the second, twice, of two. */
static LacStatus
enqueue(gpointer user_data)
{
  Bed             *bed = user_data;
  const LacDevice  device = bed->device;
  const LacStrided add = {.type = LAC_F64,
                          .n_rows = 1,
                          .n_columns = N,
                          .alpha = 0.5,
                          .beta = 1,
                          .x = bed->numbers,
                          .y = bed->numbers + N};
  LacStatus        status = LAC_STATUS_OK;

  bed->n_calls++;
  for (guint i = 0; i < 3 && status == LAC_STATUS_OK; i++) {
    const LacDeviceOperation operation = {bed->names[i > 0], i == 0 ? N : 0, 8 * N, -1};

    lac_device_times_mark(lac_recorded_step_get_times(bed->step), &operation);
    for (guint k = 0; k < (i == 0 ? 1 : 2) && status == LAC_STATUS_OK; k++)
      status = device.table->strided(device.self, &add);
  }
  return status;
}

static void
init(Bed *bed, LacDevice device, LacPerf *perf, gboolean is_called)
{
  LacLane                      *lane = perf ? lac_perf_lane(perf, "compute") : NULL;
  const LacRecordedStepSettings settings = {.device = device,
                                            .enqueue = enqueue,
                                            .user_data = bed,
                                            .is_called = is_called,
                                            .perf = perf,
                                            .lane = lane};
  void                         *memory;

  *bed = (Bed){.device = device};
  g_assert_cmpint(device.table->alloc(device.self, 2 * N * sizeof(double), &memory), ==,
                  LAC_STATUS_OK);
  bed->numbers = memory;
  g_assert_cmpint(device.table->fill(device.self, LAC_F64, memory, 1, 2 * N), ==, LAC_STATUS_OK);
  bed->names[0] = perf ? lac_perf_name(perf, "first") : 0;
  bed->names[1] = perf ? lac_perf_name(perf, "second") : 0;
  bed->step = lac_recorded_step_new(&settings);
}

static double
take_result(Bed *bed)
{
  double result[2 * N];

  g_assert_cmpint(
    bed->device.table->download(bed->device.self, result, bed->numbers, sizeof result), ==,
    LAC_STATUS_OK);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpfloat(result[N + i], ==, result[N]);
  return result[N];
}

static void
clear(Bed *bed)
{
  lac_recorded_step_free(bed->step);
  bed->device.table->release(bed->device.self, bed->numbers);
}

/* Runs the steps, reporting after every third. */
static void
walk(Bed *bed)
{
  for (guint i = 0; i < N_STEPS; i++) {
    g_assert_cmpint(lac_recorded_step_run(bed->step, i), ==, LAC_STATUS_OK);
    if (i % 3 < 2)
      continue;
    g_assert_cmpint(bed->device.table->synchronise(bed->device.self), ==, LAC_STATUS_OK);
    lac_device_times_report(lac_recorded_step_get_times(bed->step));
  }
  g_assert_cmpint(bed->device.table->synchronise(bed->device.self), ==, LAC_STATUS_OK);
  lac_device_times_report(lac_recorded_step_get_times(bed->step));
}

/* ---- what was recorded ---- */

typedef struct {
  LacPerf *perf;
  guint64  n_calls[2]; /* of the operations */
  double   flops, total_ns[2];
  guint    n_spans, n_steps, n_kernels;
  gint64   step, end_ns;
  gint64   kernels_begin, kernels_end; /* of the operation to come */
} Found;

static gsize
kind_of(const Found *found, const LacRecord *record)
{
  const char *name = lac_perf_get_name(found->perf, record->name);

  g_assert_true(g_str_equal(name, "first") || g_str_equal(name, "second"));
  return g_str_equal(name, "second");
}

static void
look(const LacRecord *records, gsize n, gpointer user_data)
{
  Found *found = user_data;

  for (gsize i = 0; i < n; i++) {
    const LacRecord *record = &records[i];
    const gboolean   on_device =
      g_str_equal(lac_perf_get_lane_name(found->perf, record->lane), LAC_LANE_DEVICE);

    g_assert_cmpint(record->duration_ns, >=, 0);
    if (record->kind == LAC_RECORD_AGGREGATE) {
      g_assert_false(on_device);
      found->n_calls[kind_of(found, record)] += record->count;
      found->total_ns[kind_of(found, record)] += (double) record->duration_ns;
      found->flops += record->flops;
    } else if (record->kind == LAC_RECORD_KERNEL) {
      g_assert_true(on_device);
      g_assert_cmpstr(lac_perf_get_name(found->perf, record->name), ==, "strided_kernel");
      if (found->kernels_end == 0)
        found->kernels_begin = record->start_ns;
      else
        g_assert_cmpint(record->start_ns, ==, found->kernels_end);
      found->kernels_end = record->start_ns + record->duration_ns;
      found->n_kernels++;
    } else if (record->kind == LAC_RECORD_SPAN && on_device) {
      g_assert_cmpint(record->start_ns, ==, found->kernels_begin);
      g_assert_cmpint(record->start_ns + record->duration_ns, ==, found->kernels_end);
      found->kernels_end = 0;
      if (record->step == found->step)
        g_assert_cmpint(record->start_ns, ==, found->end_ns);
      else
        g_assert_cmpint(record->start_ns, >=, found->end_ns);
      found->n_steps += record->step != found->step;
      found->step = record->step;
      found->end_ns = record->start_ns + record->duration_ns;
      found->n_spans++;
    }
  }
}

/* All steps have operations, though few are timed; a step's spans are contiguous, and steps do not overlap. */
static void
check_times(LacPerfDetail detail, gboolean is_called)
{
  g_autoptr(LacPerf) perf = lac_perf_new(detail);
  Found              found = {.perf = perf, .step = -1};
  LacDevice          device;
  Bed                bed;

  if (!emulated_open(&device))
    return;
  init(&bed, device, perf, is_called);
  walk(&bed);
  g_assert_cmpfloat(take_result(&bed), ==, 1 + 2.5 * N_STEPS);
  lac_perf_drain(perf, look, &found);
  g_assert_cmpuint(found.n_calls[0], ==, N_STEPS - 1); /* the first runs without a clock */
  g_assert_cmpuint(found.n_calls[1], ==, 2 * (N_STEPS - 1));
  g_assert_cmpfloat(found.flops, ==, N * (N_STEPS - 1));
  g_assert_cmpuint(found.n_spans, ==, 3 * found.n_steps);
  g_assert_cmpuint(found.n_kernels, ==, 5 * found.n_steps);
  if (detail == LAC_PERF_FULL)
    g_assert_cmpuint(found.n_steps, >=, N_STEPS / 3);
  else
    g_assert_true(found.n_steps >= 4 && found.n_steps <= 8);
  if (!is_called)
    g_assert_cmpuint(bed.n_calls, ==, 3); /* once called, recorded without times and with them */
  clear(&bed);
  lac_device_close(&device);
}

static void
all_steps_are_accounted_for(void)
{
  check_times(LAC_PERF_COARSE, FALSE);
  check_times(LAC_PERF_FULL, FALSE);
}

static void
so_are_steps_that_are_called(void)
{
  check_times(LAC_PERF_COARSE, TRUE);
  check_times(LAC_PERF_FULL, TRUE);
}

/* Stamps name each kernel and its operation; times increase from the device's begin on. */
static void
stamps_name_the_kernels(void)
{
  const LacStamp *stamps = NULL;
  size_t          n = 0;
  double          last = 0;
  void           *timing;
  LacDevice       device;
  Bed             bed;

  if (!emulated_open(&device))
    return;
  init(&bed, device, NULL, FALSE);
  g_assert_cmpint(device.table->timing_new(device.self, &timing), ==, LAC_STATUS_OK);
  for (guint round = 0; round < 3; round++) {
    g_assert_cmpint(device.table->timing_begin(device.self, timing), ==, LAC_STATUS_OK);
    for (uint32_t operation = 1; operation <= 3; operation++) {
      device.table->timing_operation(device.self, operation);
      g_assert_cmpint(enqueue(&bed), ==, LAC_STATUS_OK);
    }
    g_assert_cmpint(device.table->timing_end(device.self, &stamps, &n), ==, LAC_STATUS_OK);
    g_assert_cmpuint(n, ==, 16);
    n = 0;
    for (guint n_polls = 0; n == 0; n_polls++) {
      g_assert_cmpint(device.table->timing_read(device.self, timing, &stamps, &n), ==,
                      LAC_STATUS_OK);
      g_assert_cmpuint(n_polls, <, 10000);
    }
    g_assert_cmpuint(n, ==, 16);
    g_assert_null(stamps[0].kernel);
    for (gsize i = 0; i < n; i++) {
      if (i > 0)
        g_assert_true(g_str_has_prefix(stamps[i].kernel, "strided_kernel"));
      if (i > 0)
        g_assert_true(stamps[i].occupancy > 0 && stamps[i].occupancy <= 1);
      g_assert_cmpuint(stamps[i].operation, ==, i == 0 ? 0 : 1 + (i - 1) / 5);
      g_assert_cmpfloat(stamps[i].ms, >=, last);
      last = stamps[i].ms;
    }
    n = 0;
  }
  device.table->timing_free(device.self, timing);
  clear(&bed);
  lac_device_close(&device);
}

/* A step whose arguments change is recorded anew, and timed again, though its last times were in flight. */
static void
a_forgotten_step_is_recorded_anew(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_FULL);
  Found              before_that = {.perf = perf, .step = -1}, after = {.perf = perf, .step = -1};
  LacDevice          device;
  Bed                bed, other;

  if (!emulated_open(&device))
    return;
  init(&bed, device, perf, FALSE);
  init(&other, device, NULL, FALSE);
  walk(&bed);
  g_assert_cmpint(lac_recorded_step_run(bed.step, N_STEPS), ==, LAC_STATUS_OK);
  lac_perf_drain(perf, look, &before_that);
  double *before = bed.numbers;
  bed.numbers = other.numbers;
  lac_recorded_step_forget(bed.step);
  walk(&bed);
  g_assert_cmpfloat(take_result(&bed), ==, 1 + 2.5 * N_STEPS);
  lac_perf_drain(perf, look, &after);
  g_assert_cmpuint(after.n_steps, >=, N_STEPS / 3);
  bed.numbers = before;
  g_assert_cmpfloat(take_result(&bed), ==, 1 + 2.5 * (N_STEPS + 1));
  clear(&bed);
  clear(&other);
  lac_device_close(&device);
}

/* Devices without a clock, or without recordings, run the same steps. */
static void
a_clock_is_not_needed(void)
{
  const char *const  names[] = {"cpu", "strict"};
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_FULL);
  Found              found = {.perf = perf, .step = -1};

  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    LacDevice device;
    Bed       bed;

    g_assert_true(lac_device_open(&device, names[i], NULL));
    init(&bed, device, perf, FALSE);
    walk(&bed);
    g_assert_cmpfloat(take_result(&bed), ==, 1 + 2.5 * N_STEPS);
    g_assert_cmpuint(bed.n_calls, ==, i == 0 ? N_STEPS : 2);
    clear(&bed);
    lac_device_close(&device);
  }
  lac_perf_drain(perf, look, &found);
  g_assert_cmpuint(found.n_calls[0] + found.n_spans, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/recorded-step/all-steps-are-accounted-for", all_steps_are_accounted_for);
  g_test_add_func("/recorded-step/so-are-steps-that-are-called", so_are_steps_that_are_called);
  g_test_add_func("/recorded-step/stamps-name-the-kernels", stamps_name_the_kernels);
  g_test_add_func("/recorded-step/a-forgotten-step-is-recorded-anew",
                  a_forgotten_step_is_recorded_anew);
  g_test_add_func("/recorded-step/a-clock-is-not-needed", a_clock_is_not_needed);
  return g_test_run();
}
