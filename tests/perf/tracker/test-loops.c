/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop of epochs and batches with real durations: its log lines and its statistics. */
#include "base/clock.h"
#include "perf/helpers/track.h"
#include "perf/helpers/work.h"

#include <glib/gstdio.h>

#include <math.h>

#define MS G_GINT64_CONSTANT(1000000)

enum { EPOCHS = 3, BATCHES = 4, VERBOSE = 5 };

/* The first batch of all is slow, and the device holds more memory within each. */
static void
run_loop(LacTracker *tracker, WorkDevice *device)
{
  for (guint epoch = 0; epoch < EPOCHS; epoch++) {
    lac_tracker_begin_epoch(tracker);
    for (guint batch = 0; batch < BATCHES; batch++) {
      lac_tracker_begin_batch(tracker, batch);
      work_device_take(device, 2865600000);
      work_for(epoch == 0 && batch == 0 ? 12 * MS : MS);
      work_device_take(device, -2865600000);
      lac_tracker_end_batch(tracker, 0.016763 / (double) (batch + 1));
    }
    lac_tracker_end_epoch(tracker);
  }
}

static void
test_lines(void)
{
  WorkDevice            device = {.used = 14400000, .reserved = 3236000000};
  LacTrackDevice        probe = track_device(&device);
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
  WorkSink              sink;

  work_sink_open(&sink);
  lac_tracker_set_device(tracker, &probe);
  lac_tracker_set_log(tracker, sink.file, VERBOSE);
  run_loop(tracker, &device);
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

/* Without a device no device memory is printed; a batch need not have a loss. */
static void
test_lines_without_device(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
  WorkSink              sink;

  work_sink_open(&sink);
  lac_tracker_set_log(tracker, sink.file, 1);
  lac_tracker_begin_epoch(tracker);
  lac_tracker_begin_batch(tracker, 0);
  lac_tracker_end_batch(tracker, NAN);
  lac_tracker_end_epoch(tracker);
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

/* An epoch is tracked once, a batch repeatedly; blocks within a batch count for its epoch. */
static void
test_statistics(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
  WorkDevice            device = {0};
  size_t                n;

  g_assert_cmpuint(lac_tracker_get_sum(tracker, "epoch").count, ==, 0);
  g_assert_cmpfloat(lac_tracker_get_sum(tracker, "batch").total_seconds, ==, 0);
  gint64 start_ns = lac_clock_ns();
  run_loop(tracker, &device);
  double elapsed = (double) (lac_clock_ns() - start_ns) * 1e-9;

  LacTrackRow epochs = lac_tracker_get_sum(tracker, "epoch");
  LacTrackRow batches = lac_tracker_get_sum(tracker, "batch");
  g_assert_cmpuint(epochs.count, ==, EPOCHS);
  g_assert_cmpuint(batches.count, ==, EPOCHS * BATCHES);
  assert_close(epochs.mean_seconds * EPOCHS, epochs.total_seconds);
  assert_close(batches.mean_seconds * EPOCHS * BATCHES, batches.total_seconds);
  g_assert_cmpfloat(batches.min_seconds, >=, 1e-3);
  g_assert_cmpfloat(batches.min_seconds, <=, batches.mean_seconds);
  g_assert_cmpfloat(batches.max_seconds, >=, 12e-3);
  g_assert_cmpfloat(batches.total_seconds, <=, epochs.total_seconds);
  g_assert_cmpfloat(epochs.total_seconds, <=, elapsed);
  assert_close(lac_tracker_get_total_time(tracker), epochs.total_seconds);
  lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n);
  g_assert_cmpuint(n, ==, EPOCHS);
  lac_tracker_get_rows(tracker, LAC_TRACK_REPEATED, &n);
  g_assert_cmpuint(n, ==, 1);
}

/* Each batch is a span with its epoch and batch number, and its loss is a counter of the same recording. */
static void
test_recording(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
  g_autofree char      *folder = g_dir_make_tmp("lacuna-loops-XXXXXX", NULL);
  g_autofree char      *path = g_build_filename(folder, "loops.csv", NULL);
  g_autofree char      *text = NULL;
  WorkDevice            device = {0};
  guint                 batches = 0, epochs = 0, losses = 0;

  run_loop(tracker, &device);
  g_assert_null(lac_tracker_write(tracker, path));
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint i = 1; lines[i][0] != '\0'; i++) {
    g_auto(GStrv) cells = g_strsplit(lines[i], ",", -1);
    const double  epoch = g_ascii_strtod(cells[7], NULL), batch = g_ascii_strtod(cells[8], NULL);
    if (g_str_equal(cells[0], "counter")) {
      g_assert_cmpstr(cells[1], ==, "loss");
      double loss = 0.016763 / (double) (losses++ % BATCHES + 1);
      g_assert_cmpfloat(g_ascii_strtod(cells[12], NULL), ==, loss);
    } else if (g_str_equal(cells[0], "span") && g_str_equal(cells[1], "batch")) {
      g_assert_cmpfloat(epoch, ==, batches / BATCHES + 1);
      g_assert_cmpfloat(batch, ==, batches % BATCHES + 1);
      g_assert_cmpstr(cells[3], ==, "1"); /* depth */
      batches++;
    } else if (g_str_equal(cells[0], "span")) {
      g_assert_cmpfloat(epoch, ==, ++epochs);
      g_assert_cmpstr(cells[8], ==, "");
    }
  }
  g_assert_cmpuint(epochs, ==, EPOCHS);
  g_assert_cmpuint(batches, ==, EPOCHS * BATCHES);
  g_assert_cmpuint(losses, ==, EPOCHS * BATCHES);
  g_assert_cmpint(g_unlink(path), ==, 0);
  g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static void
test_disabled(void)
{
  g_autoptr(LacTracker) tracker = lac_tracker_new(false);
  WorkDevice            device = {0};
  WorkSink              sink;

  work_sink_open(&sink);
  lac_tracker_set_log(tracker, sink.file, 10);
  run_loop(tracker, &device);
  g_autofree char *text = work_sink_close(&sink);
  g_assert_cmpstr(text, ==, "");
  g_assert_cmpuint(lac_tracker_get_sum(tracker, "batch").count, ==, 0);
}

/* An epoch that never ends leaves no block open. */
static void
test_left_in_the_middle(void)
{
  LacTracker           *left = lac_tracker_new(true);
  g_autoptr(LacTracker) tracker = lac_tracker_new(true);
  size_t                n;

  lac_tracker_begin_epoch(left);
  lac_tracker_begin_batch(left, 0);
  lac_tracker_free(left);
  {
    LAC_TRACK(tracker, "later"); /* would access the freed one */
  }
  g_assert_cmpint(lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n)->cpu_peak, >, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/tracker-loops/lines-of-batches-and-epochs", test_lines);
  g_test_add_func("/perf/tracker-loops/nothing-is-said-of-no-device", test_lines_without_device);
  g_test_add_func("/perf/tracker-loops/statistics-agree-with-each-other", test_statistics);
  g_test_add_func("/perf/tracker-loops/spans-know-epoch-and-batch", test_recording);
  g_test_add_func("/perf/tracker-loops/disabled-says-nothing", test_disabled);
  g_test_add_func("/perf/tracker-loops/left-in-the-middle", test_left_in_the_middle);
  return g_test_run();
}
