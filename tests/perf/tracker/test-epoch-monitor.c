/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop of epochs and batches that really takes its time: the lines it prints and its statistics. */
#include "base/clock.h"
#include "perf/helpers/work.h"
#include "perf/tracker/epoch-monitor.h"

#include <math.h>

#define MS G_GINT64_CONSTANT(1000000)

enum { EPOCHS = 3, BATCHES = 4, VERBOSE = 5 };

/* The first batch of all is slow and the device holds more within each. */
static void
run_loop(LacEpochMonitor *monitor, WorkDevice *device)
{
  for (guint epoch = 0; epoch < EPOCHS; epoch++) {
    lac_epoch_monitor_begin_epoch(monitor);
    for (guint batch = 0; batch < BATCHES; batch++) {
      lac_epoch_monitor_begin_batch(monitor, batch);
      work_device_take(device, 2865600000);
      work_for(epoch == 0 && batch == 0 ? 12 * MS : MS);
      work_device_take(device, -2865600000);
      lac_epoch_monitor_end_batch(monitor, batch, 0.016763 / (double) (batch + 1));
    }
    lac_epoch_monitor_end_epoch(monitor);
  }
}

static void
test_lines(void)
{
  WorkDevice              device = {.used = 14400000, .reserved = 3236000000};
  LacMemoryProbe          probe = work_device_probe(&device);
  LacEpochMonitorSettings settings = {.enabled = TRUE, .verbose_batches = VERBOSE, .probe = &probe};
  WorkSink                sink;

  work_sink_open(&sink);
  settings.sink = sink.file;
  g_autoptr(LacEpochMonitor) monitor = lac_epoch_monitor_new(&settings);
  run_loop(monitor, &device);
  g_autofree char *text = work_sink_close(&sink);
#define SECONDS        "\\d+\\.\\d{3}s"
#define BATCH(i, loss) "  Batch " i ": " SECONDS ", GPU 14\\.4MB, CPU \\d+\\.\\dMB, loss=" loss "\n"
#define EPOCH                                                                    \
  "  Epoch end: " SECONDS " total, GPU 14\\.4MB, 3236MB reserved, peak 2880MB\n" \
  "  Batch timing: avg=" SECONDS ", min=" SECONDS ", max=" SECONDS "\n"
  /* five batches have a line: four of the first epoch and one of the second */
  work_assert_matches(text,
                      BATCH("0", "0\\.016763") BATCH("1", "0\\.008382") BATCH("2", "0\\.005588")
                        BATCH("3", "0\\.004191") EPOCH BATCH("0", "0\\.016763") EPOCH EPOCH);
  double slowest = work_assert_matches(text, "  Batch 0: (?<x>" SECONDS
                                             ")(?s:.)*"); /* the number ends before the s */
  g_assert_cmpfloat(slowest, >=, 0.012);
}

/* Without a device there is nothing to say about one; a batch need not have a loss. */
static void
test_lines_without_device(void)
{
  LacEpochMonitorSettings settings = {.enabled = TRUE, .verbose_batches = 1};
  WorkSink                sink;

  work_sink_open(&sink);
  settings.sink = sink.file;
  g_autoptr(LacEpochMonitor) monitor = lac_epoch_monitor_new(&settings);
  lac_epoch_monitor_begin_epoch(monitor);
  lac_epoch_monitor_begin_batch(monitor, 0);
  lac_epoch_monitor_end_batch(monitor, 0, NAN);
  lac_epoch_monitor_end_epoch(monitor);
  g_autofree char *text = work_sink_close(&sink);
  work_assert_matches(text, "  Batch 0: " SECONDS ", CPU \\d+\\.\\dMB\n"
                            "  Epoch end: " SECONDS " total, CPU \\d+\\.\\dMB, peak \\d+MB\n"
                            "  Batch timing: avg=" SECONDS ", min=" SECONDS ", max=" SECONDS "\n");
}

static void
assert_close(double a, double b)
{
  g_assert_cmpfloat(fabs(a - b), <=, 1e-9);
}

static void
test_statistics(void)
{
  LacEpochMonitorSettings    settings = {.enabled = TRUE};
  g_autoptr(LacEpochMonitor) monitor = lac_epoch_monitor_new(&settings);
  WorkDevice                 device = {0};
  LacEpochStatistics         s;

  lac_epoch_monitor_get_statistics(monitor, &s);
  g_assert_cmpuint(s.num_batches + s.num_epochs, ==, 0);
  g_assert_cmpfloat(s.total_epoch_time + s.avg_batch_time + s.min_batch_time, ==, 0);
  gint64 start_ns = lac_clock_ns();
  run_loop(monitor, &device);
  double elapsed = (double) (lac_clock_ns() - start_ns) * 1e-9;

  lac_epoch_monitor_get_statistics(monitor, &s);
  g_assert_cmpuint(s.num_epochs, ==, EPOCHS);
  g_assert_cmpuint(s.num_batches, ==, EPOCHS * BATCHES);
  assert_close(s.avg_epoch_time * EPOCHS, s.total_epoch_time);
  assert_close(s.avg_batch_time * EPOCHS * BATCHES, s.total_batch_time);
  g_assert_cmpfloat(s.min_batch_time, >=, 1e-3);
  g_assert_cmpfloat(s.min_batch_time, <=, s.avg_batch_time);
  g_assert_cmpfloat(s.max_batch_time, >=, 12e-3);
  g_assert_cmpfloat(s.total_batch_time, <=, s.total_epoch_time); /* batches lie within epochs */
  g_assert_cmpfloat(s.total_epoch_time, <=, elapsed);
}

/* Each batch is a span that knows where it belongs, and its loss is a counter of the same recording. */
static void
test_recording(void)
{
  LacEpochMonitorSettings    settings = {.enabled = TRUE};
  g_autoptr(LacEpochMonitor) monitor = lac_epoch_monitor_new(&settings);
  WorkDevice                 device = {0};
  guint                      batches = 0, epochs = 0, losses = 0;

  run_loop(monitor, &device);
  const LacCapture *capture = lac_epoch_monitor_get_capture(monitor);
  gint64            batch = lac_capture_find_name(capture, "batch");
  gint64            loss = lac_capture_find_name(capture, "loss");
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind == LAC_RECORD_SPAN && record->name == batch) {
      g_assert_cmpuint(record->epoch, ==, batches / BATCHES + 1);
      g_assert_cmpuint(record->batch, ==, batches % BATCHES + 1);
      g_assert_cmpuint(record->depth, ==, 1);
      batches++;
    } else if (record->kind == LAC_RECORD_SPAN) {
      g_assert_cmpuint(record->epoch, ==, ++epochs);
      g_assert_cmpuint(record->batch, ==, 0);
    } else if (record->kind == LAC_RECORD_COUNTER) {
      g_assert_cmpint(record->name, ==, loss);
      g_assert_cmpfloat(record->value, ==, 0.016763 / (double) (losses % BATCHES + 1));
      losses++;
    }
  }
  g_assert_cmpuint(epochs, ==, EPOCHS);
  g_assert_cmpuint(batches, ==, EPOCHS * BATCHES);
  g_assert_cmpuint(losses, ==, EPOCHS * BATCHES);
}

static void
test_disabled(void)
{
  LacEpochMonitorSettings settings = {.enabled = FALSE, .verbose_batches = 10};
  WorkDevice              device = {0};
  LacEpochStatistics      s;
  WorkSink                sink;

  work_sink_open(&sink);
  settings.sink = sink.file;
  g_autoptr(LacEpochMonitor) monitor = lac_epoch_monitor_new(&settings);
  run_loop(monitor, &device);
  g_autofree char *text = work_sink_close(&sink);
  g_assert_cmpstr(text, ==, "");
  lac_epoch_monitor_get_statistics(monitor, &s);
  g_assert_cmpuint(s.num_batches, ==, 0);
}

/* An epoch that never ends leaves no scope open behind it. */
static void
test_left_in_the_middle(void)
{
  LacEpochMonitorSettings settings = {.enabled = TRUE};
  LacEpochMonitor        *monitor = lac_epoch_monitor_new(&settings);
  LacMemoryScope          scope;
  LacMemoryChange         change;

  lac_epoch_monitor_begin_epoch(monitor);
  lac_epoch_monitor_begin_batch(monitor, 0);
  lac_epoch_monitor_free(monitor);
  lac_memory_scope_begin(&scope, NULL); /* would touch the freed one */
  lac_memory_scope_end(&scope, &change);
  g_assert_cmpint(change.cpu_peak, >, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/epoch-monitor/lines-of-batches-and-epochs", test_lines);
  g_test_add_func("/perf/epoch-monitor/nothing-is-said-of-no-device", test_lines_without_device);
  g_test_add_func("/perf/epoch-monitor/statistics-agree-with-each-other", test_statistics);
  g_test_add_func("/perf/epoch-monitor/spans-know-epoch-and-batch", test_recording);
  g_test_add_func("/perf/epoch-monitor/disabled-says-nothing", test_disabled);
  g_test_add_func("/perf/epoch-monitor/left-in-the-middle", test_left_in_the_middle);
  return g_test_run();
}
