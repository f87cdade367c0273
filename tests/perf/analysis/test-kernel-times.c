/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of a device are summed by the operation they belong to, and count in no other sum. */
#include "perf/analysis/aggregate.h"
#include "perf/analysis/analysis.h"
#include "perf/analysis/kernel-times.h"
#include "perf/recorder/gauges.h"

#include <math.h>

enum { STEP, WAIT, OPERATION, OTHER, TILE, SUM, N_NAMES };
enum { COMPUTE, DEVICE };

#define N_STEPS 40
#define US      1000 /* nanoseconds */

static LacRecord
make(LacRecordKind kind, guint16 lane, guint32 name, gint64 start_us, gint64 us, gint64 step)
{
  return (LacRecord){.kind = (guint8) kind,
                     .lane = lane,
                     .name = name,
                     .start_ns = start_us * US,
                     .duration_ns = us * US,
                     .step = step,
                     .count = 1,
                     .memory = -1,
                     .value = name == TILE ? (lane == DEVICE && us == 250 ? 0.5 : 1) : 0,
                     .depth = kind == LAC_RECORD_KERNEL || name == WAIT ? 1 : 0};
}

/* Every step waits 900 of 1000 microseconds, in which the device runs an operation of 800 and one of 100. Every tenth step is
 * timed: two kernels TILE of 250 and one SUM of 300 in the first operation, and a TILE of 100 in the other. */
static LacCapture *
record(void)
{
  static const char *const names[N_NAMES] = {"step",  LAC_SPAN_DEVICE_WAIT, "operation",
                                             "other", "tile_kernel",        "sum_kernel"};
  LacCapture              *capture = lac_capture_new("device");

  for (gsize i = 0; i < N_NAMES; i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, LAC_LANE_DEVICE);
  for (gint64 step = 0; step < N_STEPS; step++) {
    const gint64    at = 1000 * step;
    const LacRecord timed[] = {
      make(LAC_RECORD_KERNEL, DEVICE, TILE, at, 250, step),
      make(LAC_RECORD_KERNEL, DEVICE, TILE, at + 250, 250, step),
      make(LAC_RECORD_KERNEL, DEVICE, SUM, at + 500, 300, step),
      make(LAC_RECORD_SPAN, DEVICE, OPERATION, at, 800, step),
      make(LAC_RECORD_KERNEL, DEVICE, TILE, at + 800, 100, step),
      make(LAC_RECORD_SPAN, DEVICE, OTHER, at + 800, 100, step),
    };
    const LacRecord all[] = {
      make(LAC_RECORD_AGGREGATE, COMPUTE, OPERATION, at + 60, 800, step),
      make(LAC_RECORD_AGGREGATE, COMPUTE, OTHER, at + 60, 100, step),
      make(LAC_RECORD_SPAN, COMPUTE, WAIT, at + 50, 900, step),
      make(LAC_RECORD_SPAN, COMPUTE, STEP, at, 1000, step),
    };

    if (step % 10 == 0)
      lac_capture_append(capture, timed, G_N_ELEMENTS(timed));
    lac_capture_append(capture, all, G_N_ELEMENTS(all));
  }
  return capture;
}

static void
kernels_are_summed_by_operation(void)
{
  g_autoptr(LacCapture) capture = record();
  gsize                 n_steps;
  g_autoptr(GArray)     rows = lac_kernel_times_of_capture(capture, &n_steps);
  const LacKernelTime  *row = (const LacKernelTime *) (gpointer) rows->data;

  g_assert_cmpuint(n_steps, ==, 4);
  g_assert_cmpuint(rows->len, ==, 3);
  g_assert_true(row[0].kernel == TILE && row[0].operation == OPERATION);
  g_assert_true(row[1].kernel == SUM && row[1].operation == OPERATION);
  g_assert_true(row[2].kernel == TILE && row[2].operation == OTHER);
  g_assert_cmpuint(row[0].count, ==, 8);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint(row[i].n_operations, ==, 4);
  g_assert_cmpfloat(row[0].total_ns, ==, 4 * 500 * US);
  g_assert_cmpfloat(row[0].max_ns, ==, 250 * US);
  g_assert_cmpfloat(row[0].occupancy, ==, 0.5);
  g_assert_true(isnan(row[1].occupancy)); /* as of a library */
  g_assert_cmpfloat(row[2].occupancy, ==, 1);
  g_assert_cmpfloat_with_epsilon(row[0].share, 500.0 / 900, 1e-12);
  g_assert_cmpfloat_with_epsilon(row[0].share + row[1].share + row[2].share, 1, 1e-12);
}

/* They are no phases, and they are within the extent of the recording. */
static void
kernels_count_in_no_other_sum(void)
{
  g_autoptr(LacCapture)    capture = record();
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n;
  gint64                   begin_ns, end_ns;

  lac_aggregates_add_capture(aggregates, capture);
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n);
  g_assert_cmpuint(n, ==, 4);
  for (gsize i = 0; i < n; i++)
    g_assert_true(rows[i].name != TILE && rows[i].name != SUM);
  lac_capture_get_extent(capture, &begin_ns, &end_ns);
  g_assert_cmpint(end_ns - begin_ns, ==, N_STEPS * 1000 * US);
}

/* The operations that the host waits for are the bottleneck, not the wait. */
static void
the_wait_is_no_bottleneck(void)
{
  g_autoptr(LacCapture) capture = record();
  g_auto(LacAnalysis)   analysis = lac_analysis_make(capture);

  g_assert_cmpuint(analysis.n, ==, 1);
  g_assert_cmpint(analysis.findings[0].kind, ==, LAC_FINDING_BOTTLENECK);
  g_assert_cmpuint(analysis.findings[0].name, ==, OPERATION);
  g_assert_cmpfloat_with_epsilon(analysis.findings[0].ratio, 800.0 / 900, 1e-9);
}

static void
a_recording_without_a_device_has_none(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("none");
  gsize                 n_steps;
  g_autoptr(GArray)     rows = lac_kernel_times_of_capture(capture, &n_steps);

  g_assert_cmpuint(rows->len, ==, 0);
  g_assert_cmpuint(n_steps, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/kernel-times/kernels-are-summed-by-operation",
                  kernels_are_summed_by_operation);
  g_test_add_func("/perf/kernel-times/kernels-count-in-no-other-sum",
                  kernels_count_in_no_other_sum);
  g_test_add_func("/perf/kernel-times/the-wait-is-no-bottleneck", the_wait_is_no_bottleneck);
  g_test_add_func("/perf/kernel-times/a-recording-without-a-device-has-none",
                  a_recording_without_a_device_has_none);
  return g_test_run();
}
