/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recomputed step is bitwise identical to the saved frame. */
#include "base/error.h"
#include "run/core/replay.h"
#include "run/helpers/lorenz.h"

#include <gio/gio.h>

#include <math.h>
#include <string.h>

static void
assert_same_frame(const LacFrame *frame, const LacFrame *kept)
{
  g_assert_cmpint(frame->step, ==, kept->step);
  g_assert_cmpuint(frame->n_planes, ==, kept->n_planes);
  for (gsize i = 0; i < frame->n_planes; i++) {
    gsize n_bytes = frame->planes[i].nx * frame->planes[i].ny * sizeof(float);
    g_assert_cmpmem(frame->planes[i].data, n_bytes, kept->planes[i].data, n_bytes);
  }
  g_assert_cmpmem(frame->metrics, frame->n_metrics * sizeof(double), kept->metrics,
                  kept->n_metrics * sizeof(double));
}

/* Checks every eleventh saved frame, the first and the last; live changes are repeated at their step. */
static void
assert_replays(const char *folder, gsize n_frames)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(run->n_frames, >=, n_frames);
  for (gsize i = 0; i < run->n_frames;
       i = i + 1 == run->n_frames ? i + 1 : MIN(i + 11, run->n_frames - 1)) {
    g_autoptr(LacFrame) kept = lac_run_file_load_frame(run, i, &error);
    g_assert_no_error(error);
    g_autoptr(LacFrame) frame = lac_replay_frame(run, &lorenz, run->frame_step[i], NULL, &error);
    g_assert_no_error(error);
    assert_same_frame(frame, kept);
  }
}

static void
test_kept_frames_come_again(gconstpointer data)
{
  const LorenzCase *subject = data;
  g_autofree char  *out = test_folder_new();
  {
    g_autoptr(LacRun) run = lorenz_run_case(subject, out);
    assert_replays(lac_run_get_folder(run), subject->n_frames);
  }
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_steps_that_are_none_are_refused(void)
{
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "20", NULL);
  g_autofree char    *out = test_folder_new();
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  {
    g_autoptr(LacRun)     run = lorenz_run(&settings);
    g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), NULL);
    g_assert_null(lac_replay_frame(file, &lorenz, 21, NULL, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    g_assert_nonnull(strstr(error->message, "0 to 20"));
    g_clear_error(&error);
    g_assert_null(lac_replay_frame(file, &lorenz, -1, NULL, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  }
  test_folder_remove(g_steal_pointer(&out));
}

/* The velocity of Taylor-Green vortices at time t is that at the start times exp(-2 nu t); one of the estimates is that of
 * the last frame. */
typedef struct {
  const LacRunFile *run;
  double first[2]; /* root mean squares at the start: of the true vorticity, of the estimate */
  const LacFrame *last;
  gsize           n, n_shown; /* times so far, and those that the last frame shows */
} Times;

static gboolean
check_time(gsize           i,
           gsize n         G_GNUC_UNUSED,
           double          time,
           const LacFrame *frame,
           gpointer        user_data,
           GError **error  G_GNUC_UNUSED)
{
  Times       *times = user_data;
  const gssize channels[2] = {lac_run_file_find_channel(times->run, "vorticity.truth"),
                              lac_run_file_find_channel(times->run, "vorticity.solver")};

  g_assert_cmpuint(i, ==, times->n++);
  for (guint c = 0; c < 2; c++) {
    g_assert_cmpint(channels[c], >=, 0);
    const double size = sqrt(frame->planes[channels[c]].mean_square);
    if (i == 0)
      times->first[c] = size;
    g_assert_cmpfloat_with_epsilon(size / times->first[c], exp(-2 * 0.05 * time), c ? 1e-3 : 1e-5);
  }
  times->n_shown += memcmp(frame->planes[channels[1]].data, times->last->planes[channels[1]].data,
                           24 * 24 * sizeof(float)) == 0;
  return TRUE;
}

static void
test_all_times(void)
{
  const char *const    settings[][2] = {{"grid", "24"}, {"times", "12"}, {"engines", "solver"}};
  const LacExperiment *experiment = lac_experiment_find("taylor-green", NULL);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autofree char     *out = test_folder_new();
  g_autoptr(GError)    error = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    g_assert_true(lac_draft_set(draft, settings[i][0], settings[i][1], NULL));
  const LacRunSettings asked = {.experiment = experiment,
                                .draft = draft,
                                .backend = "cpu",
                                .precision = "f64",
                                .threads = 1,
                                .out = out};
  {
    g_autoptr(LacRun) run = lac_run_new(&asked, &error);
    g_assert_no_error(error);
    lac_run_start(run, FALSE);
    g_assert_true(lac_run_wait(run, &error));
    g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
    g_autoptr(LacFrame)   last = lac_run_file_load_frame(file, file->n_frames - 1, &error);
    Times                 times = {.run = file, .last = last};
    g_assert_true(lac_replay_times(file, NULL, NULL, check_time, &times, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(times.n, ==, 12);
    g_assert_cmpuint(times.n_shown, ==, 1);
    g_assert_false(lac_replay_times(file, &lorenz, NULL, check_time, &times, &error));
    g_assert_nonnull(error);
  }
  test_folder_remove(g_steal_pointer(&out));
}

static gboolean
cancel_after_a_while(gpointer user_data)
{
  int *n_asked = user_data;
  return ++*n_asked > 10;
}

static void
test_it_can_be_cancelled(void)
{
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "200", NULL);
  g_autofree char    *out = test_folder_new();
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  {
    g_autoptr(LacRun)     run = lorenz_run(&settings);
    g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), NULL);
    int                   n_asked = 0;
    LacReplayWatch        watch = {.cancelled = cancel_after_a_while, .user_data = &n_asked};
    g_assert_null(lac_replay_frame(file, &lorenz, 150, &watch, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_cmpint(n_asked, <, 20);
  }
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  lorenz_add_cases("/run/replay/kept-frames-come-again/", test_kept_frames_come_again);
  g_test_add_func("/run/replay/steps-that-are-none-are-refused",
                  test_steps_that_are_none_are_refused);
  g_test_add_func("/run/replay/the-last-estimate-at-all-its-times", test_all_times);
  g_test_add_func("/run/replay/it-can-be-cancelled", test_it_can_be_cancelled);
  return g_test_run();
}
