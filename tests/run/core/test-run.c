/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run from start to end: folder, result, records, frames. */
#include "base/error.h"
#include "io/runfile/checkpoint.h"
#include "io/runfile/run-file.h"
#include "perf/recorder/heap.h"
#include "run/core/outcome.h"
#include "run/core/result-json.h"
#include "run/helpers/lorenz.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static void
test_finishes(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "50", "rho", "27.5", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   run = lorenz_run(&settings);
  g_autoptr(GError)   error = NULL;
  LacRunStatus        status;

  lac_run_get_status(run, &status);
  g_assert_cmpint(status.state, ==, LAC_RUN_ENDED);
  g_assert_cmpstr(status.outcome, ==, "finished");
  g_assert_cmpint(status.step, ==, 50);

  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(file->experiment, ==, "lorenz");
  g_assert_cmpstr(file->outcome, ==, "finished");
  g_assert_cmpint(file->steps, ==, 50);
  g_assert_cmpuint(file->seed, ==, 11);
  g_assert_cmpuint(file->n_series, ==, 50);
  g_assert_cmpuint(file->n_frames, ==, 51); /* the start and every step */
  g_assert_cmpuint(file->n_settings, ==, 7);
  g_assert_cmpstr(file->settings[5].text, ==, "27.5");
  g_assert_false(file->settings[5].is_default);
  g_assert_true(file->settings[1].is_default);
  g_assert_cmpfloat(file->metrics[0].last, ==, lac_run_get_metrics(run)[0]);
  g_assert_cmpfloat(file->metrics[1].last, ==, file->series[48 * 3 + 1]); /* from step 49 */
  g_assert_true(isnan(file->series[49 * 3 + 1]));
  g_assert_cmpuint(file->n_facts, >, 4);
  g_assert_cmpint(file->channels[0].role, ==, LAC_ROLE_TRUTH);

  g_autoptr(LacFrame) frame = lac_run_file_load_frame(file, 50, &error);
  g_assert_no_error(error);
  g_assert_cmpint(frame->step, ==, 50);
  g_assert_cmpuint(frame->n_markers, ==, 2);
  g_assert_cmpstr(frame->markers[1].kind, ==, "sensor");
  g_assert_cmpfloat(frame->planes[0].x_max, ==, 2);
  g_assert_cmpfloat(frame->metrics[0], ==, file->metrics[0].last);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_result_json(void)
{
  g_autofree char      *out = test_folder_new();
  g_autoptr(LacDraft)   draft = lorenz_draft("steps", "5", NULL);
  LacRunSettings        settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)     run = lorenz_run(&settings);
  g_autoptr(JsonObject) result = lac_run_dup_result(run);
  g_autofree char      *text = lac_json_object_to_text(result);
  g_autoptr(JsonParser) parser = json_parser_new();

  g_assert_true(json_parser_load_from_data(parser, text, -1, NULL));
  JsonObject *object = json_node_get_object(json_parser_get_root(parser));
  g_assert_cmpstr(json_object_get_string_member(object, "outcome"), ==, "finished");
  g_assert_cmpint(json_object_get_int_member(object, "steps"), ==, 5);
  g_assert_cmpstr(json_object_get_string_member(object, "run"), ==, lac_run_get_folder(run));
  JsonObject *metrics = json_object_get_object_member(object, "metrics");
  g_assert_cmpfloat(json_object_get_double_member(metrics, "distance"), ==,
                    lac_run_get_metrics(run)[0]);
  g_assert_false(json_object_has_member(metrics, "now_and_then")); /* first reported at step 7 */
  g_assert_false(json_object_has_member(metrics, "height"));       /* a curve, not a result */
  g_assert_null(strchr(text, '\n'));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_same_seed_same_bits(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "300", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   one = lorenz_run(&settings);
  g_autoptr(LacRun)   two = lorenz_run(&settings);

  assert_same_results(lac_run_get_folder(one), lac_run_get_folder(two));
  settings.seed = 12;
  g_autoptr(LacRun) three = lorenz_run(&settings);
  g_assert_cmpfloat(lac_run_get_metrics(one)[0], !=, lac_run_get_metrics(three)[0]);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_failure(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("fail_at", "20", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacRun)   run = lac_run_new(&settings, &error);
  g_assert_no_error(error);

  lac_run_start(run, FALSE);
  g_assert_false(lac_run_wait(run, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_FAILED);
  g_autoptr(JsonObject) result = lac_run_dup_result(run);
  g_autofree char      *text = lac_json_object_to_text(result);
  g_assert_nonnull(strstr(text, "\"outcome\":\"failed\""));
  g_assert_nonnull(strstr(text, "the butterfly left at step 20"));
  g_clear_error(&error);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(file->outcome, ==, "failed");
  g_assert_cmpuint(file->n_series, ==, 19);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_divergence(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("diverge_at", "30", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   run = lorenz_run(&settings);
  LacRunStatus        status;

  lac_run_get_status(run, &status);
  g_assert_cmpstr(status.outcome, ==, "diverged");
  g_assert_cmpstr(status.message, ==, "the butterfly flew away");
  test_folder_remove(g_steal_pointer(&out));
}

/* After divergence the previous checkpoint remains, since the state is not resumable. */
static void
test_divergence_keeps_the_checkpoint(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("diverge_at", "30", "pause_us", "1000", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  settings.checkpoint_seconds = 1e-3;
  g_autoptr(LacRun)   run = lorenz_run(&settings);
  LacCheckpointEntry  entry;
  g_autoptr(LacStore) store = NULL;

  g_assert_true(lac_run_checkpoint_read(lac_run_get_folder(run), &entry, &store, NULL));
  g_assert_cmpint(entry.step, >, 0);
  g_assert_cmpint(entry.step, <, 30);
  test_folder_remove(g_steal_pointer(&out));
}

/* Divergence with finite values, detected by a millionfold growth. */
static void
test_blow_up(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("swell", "3", "steps", "100", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   run = lorenz_run(&settings);
  LacRunStatus        status;

  lac_run_get_status(run, &status);
  g_assert_cmpstr(status.outcome, ==, "diverged");
  g_assert_cmpint(status.step, >, 10);
  g_assert_cmpint(status.step, <, 40); /* 3^13 is more than a million */
  g_assert_nonnull(strstr(status.message, "Distance grew from "));
  test_folder_remove(g_steal_pointer(&out));
}

/* Neither an outlier nor the millionfold growth of a rounding error is divergence. */
static void
test_no_blow_up(void)
{
  LacBlowUp outlier = {0}, rounding = {0}, sound = {0};
  gboolean  any = FALSE;

  for (int i = 0; i < 100; i++) {
    any |= lac_blow_up_watch(&outlier, i % 10 == 9 && i > 10 ? 1e9 : 1);
    any |= lac_blow_up_watch(&rounding, 1e-16 * pow(2, i / 2));
    any |= lac_blow_up_watch(&sound, 1e-3 * (1 + 1e5 * fabs(sin(i))));
    any |= lac_blow_up_watch(&sound, NAN);
  }
  g_assert_false(any);
}

/* ---- everything that comes back while it runs ---- */

typedef struct {
  guint64 n_records, n_rows, n_shown, last_sequence;
  guint64 next[64]; /* expected sequence number per lane */
  gint    wakes;    /* atomic */
} Viewer;

static void
on_records(const LacRecord *records, gsize n, gpointer user_data)
{
  Viewer *viewer = user_data;

  for (gsize i = 0; i < n; i++) {
    guint lane = records[i].lane;
    if (viewer->next[lane] == 0)
      viewer->next[lane] = records[i].sequence;
    g_assert_cmpuint(records[i].sequence, ==, viewer->next[lane]);
    viewer->next[lane]++;
  }
  viewer->n_records += n;
}

static void
on_metrics(gint64 step, double seconds, const double *metrics, gpointer user_data)
{
  Viewer *viewer = user_data;

  g_assert_cmpint(step, ==, ++viewer->n_rows);
  g_assert_true(isfinite(metrics[0]));
}

static void
on_wake(gpointer user_data)
{
  g_atomic_int_inc((gint *) user_data);
}

static void
look(LacRun *run, Viewer *viewer)
{
  LacFrame *frame = lac_run_take_frame(run);

  if (frame != NULL) {
    g_assert_cmpuint(frame->sequence, >, viewer->last_sequence);
    viewer->last_sequence = frame->sequence;
    viewer->n_shown++;
    /* a frame is from a single step: planes differ from their first element by known amounts */
    const float *data = frame->planes[0].data;
    g_assert_cmpfloat_with_epsilon(data[100] - data[0], 1.0, 1e-4);
    lac_frame_unref(frame);
  }
  lac_run_drain(run, on_records, on_metrics, viewer);
}

static void
watch(const char *steps, gboolean eager)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", steps, NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacRun)   run = NULL;
  Viewer              viewer = {0};
  LacRunStatus        status = {0};

  settings.disk_budget_bytes = G_MAXUINT64; /* every record is checked */
  run = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_set_wake(run, on_wake, &viewer.wakes);
  lac_run_start(run, FALSE);
  while (status.state != LAC_RUN_ENDED) {
    lac_run_get_status(run, &status);
    if (eager)
      look(run, &viewer);
    g_usleep(200);
  }
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  lac_run_get_status(run, &status);
  look(run, &viewer);

  g_assert_cmpint(g_atomic_int_get(&viewer.wakes), >, 0);
  g_assert_cmpuint(viewer.n_rows, ==, (guint64) status.step);
  guint64 skipped = viewer.last_sequence - viewer.n_shown;
  g_assert_cmpuint(viewer.n_shown + skipped, ==, status.frames_published);
  g_assert_null(lac_run_take_frame(run));
  LacPerf *perf = lac_run_get_perf(run);
  g_assert_cmpuint(viewer.n_records, ==, lac_perf_get_n_pushed(perf));
  g_assert_cmpuint(viewer.n_records, ==, lac_perf_get_n_drained(perf));
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  /* all records, and the span of the file's own assembly */
  g_assert_cmpuint(viewer.n_records + 1, ==, lac_capture_get_n_records(file->capture));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_watched(void)
{
  watch("4000", TRUE);
}

static void
test_unwatched(void)
{
  watch("4000", FALSE);
}

/* With at most 32 MB of records queued, some of those of 500 000 steps go through the segment. */
static void
test_late_viewer(void)
{
  watch("500000", FALSE);
}

/* ---- the heap ---- */

static void
count_nothing(const LacRecord *records, gsize n, gpointer user_data)
{
}

enum { WINDOWS = 5, WINDOW_STEPS = 5000 };

/* A slow viewer causes a new maximum of batches once; a leak grows in every window. */
static void
test_heap_is_constant(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "1000000", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  settings.checkpoint_seconds = 0.1;
  g_autoptr(GError) error = NULL;
  g_autoptr(LacRun) run = lac_run_new(&settings, &error);
  LacRunStatus      status = {0};
  gsize             before = 0, least = G_MAXSIZE;

  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  for (int window = 0; window <= WINDOWS; window++) {
    while (status.step < 2000 + window * WINDOW_STEPS) {
      lac_run_get_status(run, &status);
      lac_run_drain(run, count_nothing, NULL, NULL);
      g_usleep(500);
    }
    gsize now = lac_heap_in_use();
    if (window > 0)
      least = MIN(least, now - MIN(now, before));
    before = now;
  }
  lac_run_stop(run);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  g_test_message("of %d windows of %d steps the least grew by %zu bytes", WINDOWS, WINDOW_STEPS,
                 least);
  /* timing noise: a leak of one byte per step would be more, a leaked record 16 times as much */
  g_assert_cmpuint(least, <, WINDOW_STEPS);
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/run/finishes-with-its-folder", test_finishes);
  g_test_add_func("/run/run/result-is-one-json-object", test_result_json);
  g_test_add_func("/run/run/same-seed-gives-same-bits", test_same_seed_same_bits);
  g_test_add_func("/run/run/failure-is-a-sentence-and-keeps-the-folder", test_failure);
  g_test_add_func("/run/run/divergence-is-an-outcome", test_divergence);
  g_test_add_func("/run/run/divergence-keeps-the-checkpoint-before",
                  test_divergence_keeps_the_checkpoint);
  g_test_add_func("/run/run/a-metric-that-grows-a-millionfold-is-divergence", test_blow_up);
  g_test_add_func("/run/run/outliers-and-rounding-are-no-divergence", test_no_blow_up);
  g_test_add_func("/run/run/watched-run-loses-nothing", test_watched);
  g_test_add_func("/run/run/unwatched-run-loses-nothing", test_unwatched);
  g_test_add_func("/run/run/late-viewer-gets-everything", test_late_viewer);
  g_test_add_func("/run/run/heap-is-constant", test_heap_is_constant);
  return g_test_run();
}
