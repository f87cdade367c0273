/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recomputed step is bitwise identical to the saved frame. */
#include "base/error.h"
#include "run/core/replay.h"
#include "run/helpers/lorenz.h"

#include <gio/gio.h>

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
  g_test_add_func("/run/replay/it-can-be-cancelled", test_it_can_be_cancelled);
  return g_test_run();
}
