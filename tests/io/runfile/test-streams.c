/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No data are stored twice: run.h5 replaces streams, decimation shrinks them, and both are safe at any moment. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/kept-run.h"
#include "io/runfile/frame-stream.h"

#include <glib/gstdio.h>

static gboolean
has(const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);
  return g_file_test(path, G_FILE_TEST_EXISTS);
}

static goffset
size_of(const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);
  GStatBuf         about;
  return g_stat(path, &about) == 0 ? about.st_size : 0;
}

static void
test_finished(void)
{
  g_autofree char  *out = test_folder_new();
  g_autofree char  *folder = kept_run_write_until(out, 8, "finished");
  g_autoptr(GError) error = NULL;

  g_assert_false(has(folder, "frames"));
  g_assert_false(has(folder, "records"));
  g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  kept_run_assert(run, 8);
  g_autoptr(LacRunFile) fields = lac_run_file_open_fields(folder, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(fields->n_frames, ==, 8);
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(fields, 6, &error);
  g_assert_no_error(error);
  g_assert_cmpint(frame->step, ==, 7);
  g_assert_cmpfloat(frame->planes[1].data[3], ==, kept_run_value(7, 1, 3));
  test_folder_remove(g_steal_pointer(&out));
}

static void
assert_reopens(const char *folder)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacStore)     store = NULL;
  gint64                  step;
  double                  seconds;
  g_autoptr(LacRunFolder) again = lac_run_folder_reopen(folder, &store, &step, &seconds, &error);

  g_assert_no_error(error);
  g_assert_cmpint(step, ==, 5);
}

/* The state after a resume, or after a kill right after it: the checkpoint refers to a stream that no longer exists. */
static void
test_stopped(void)
{
  g_autofree char  *out = test_folder_new();
  g_autofree char  *folder = kept_run_write_until(out, 9, "stopped");
  g_autoptr(GError) error = NULL;

  g_assert_false(has(folder, "frames"));
  g_assert_true(has(folder, "records")); /* needed to truncate it */
  g_autoptr(LacRunFile) whole = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  kept_run_assert(whole, 9);
  for (guint i = 0; i < 2; i++) {
    assert_reopens(folder);
    g_assert_true(has(folder, "frames"));
    g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
    g_assert_no_error(error);
    kept_run_assert(run, 5);
  }
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_lost_file(void)
{
  g_autofree char  *out = test_folder_new();
  g_autofree char  *folder = kept_run_write_until(out, 9, "stopped");
  g_autofree char  *h5 = g_build_filename(folder, "run.h5", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_true(g_file_set_contents(h5, "no run", -1, NULL));
  assert_reopens(folder);
  g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(run->n_series, ==, 5);
  g_assert_cmpuint(run->n_frames, ==, 0);
  g_assert_true(has(folder, "run.h5.damaged"));
  test_folder_remove(g_steal_pointer(&out));
}

/* A file that cannot be read now may be readable later: it is never replaced by one with less data. */
static void
test_unreadable_file(void)
{
  g_autofree char  *out = test_folder_new();
  g_autofree char  *folder = kept_run_write_until(out, 9, "finished");
  g_autofree char  *h5 = g_build_filename(folder, "run.h5", NULL);
  g_autofree char  *whole = NULL, *now = NULL;
  gsize             length, n;
  g_autoptr(GError) error = NULL;

  g_assert_true(g_file_get_contents(h5, &whole, &length, NULL));
  g_assert_true(g_file_set_contents(h5, whole, (gssize) length / 2, NULL));
  g_autoptr(LacRunFile) less = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(less->n_series, ==, 9);
  g_assert_cmpuint(less->n_frames, ==, 0);
  g_assert_true(g_file_get_contents(h5, &now, &n, NULL));
  g_assert_cmpmem(now, n, whole, length / 2);
  g_assert_true(g_file_set_contents(h5, whole, (gssize) length, NULL));
  g_autoptr(LacRunFile) all = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  kept_run_assert(all, 9);
  test_folder_remove(g_steal_pointer(&out));
}

static void
assert_loads(const LacRunFile *run, gsize i, gint64 step)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, &error);

  g_assert_no_error(error);
  g_assert_cmpint(frame->step, ==, step);
  g_assert_cmpfloat(frame->planes[0].data[1], ==, kept_run_value(step, 0, 1));
}

/* A reader follows a run while its frames are decimated and while it ends. */
static void
test_follower(void)
{
  g_autofree char        *out = test_folder_new();
  g_autoptr(LacRunFolder) folder = kept_run_open(out);
  const char             *path = lac_run_folder_get_path(folder);
  g_autoptr(GError)       error = NULL;

  for (gint64 step = 0; step <= 40; step++)
    kept_run_add_frame(folder, step);
  g_assert_true(lac_run_folder_flush(folder, &error));
  goffset               before = size_of(path, "frames");
  g_autoptr(LacRunFile) early = lac_run_file_open_fields(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(early->n_frames, ==, 41);
  g_assert_true(lac_run_folder_decimate(folder, 8, &error));
  g_assert_cmpint(size_of(path, "frames"), <, before / 5);
  assert_loads(early, 0, 0);
  assert_loads(early, 24, 24);
  g_assert_null(lac_run_file_load_frame(early, 25, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_clear_error(&error);

  kept_run_add_frame(folder, 48);
  LacRunEnd end = {.outcome = "finished", .steps = 48};
  g_assert_true(lac_run_folder_finish(folder, &end, &error));
  g_assert_false(has(path, "frames"));
  assert_loads(early, 24, 24);
  g_autoptr(LacRunFile) late = lac_run_file_open_fields(path, &error);
  g_assert_cmpuint(late->n_frames, ==, 7);
  assert_loads(late, 6, 48);
  g_clear_pointer(&folder, lac_run_folder_close);
  test_folder_remove(g_steal_pointer(&out));
}

/* Frames after the checkpoint are removed by step number, wherever they are in a stream decimated since. */
static void
test_thinned_after_checkpoint(void)
{
  g_autofree char        *out = test_folder_new();
  g_autoptr(LacRunFolder) folder = kept_run_open(out);
  g_autofree char        *path = g_strdup(lac_run_folder_get_path(folder));
  g_autoptr(LacStore)     store = lac_store_new(), kept = NULL;
  g_autoptr(GError)       error = NULL;
  gint64                  step;
  double                  seconds;

  for (step = 0; step <= 20; step++)
    kept_run_add_frame(folder, step);
  g_assert_true(lac_run_folder_checkpoint(folder, 20, 2, store, &error));
  for (step = 21; step <= 32; step++)
    kept_run_add_frame(folder, step);
  g_assert_true(lac_run_folder_decimate(folder, 4, &error));
  kept_run_add_frame(folder, 36);
  g_clear_pointer(&folder, lac_run_folder_close);

  folder = lac_run_folder_reopen(path, &kept, &step, &seconds, &error);
  g_assert_no_error(error);
  g_assert_cmpint(step, ==, 20);
  g_assert_cmpint(lac_run_folder_get_stride(folder), ==, 4);
  kept_run_add_frame(folder, 24);
  g_assert_true(lac_run_folder_flush(folder, &error));
  g_autoptr(LacRunFile) run = lac_run_file_open_fields(path, &error);
  const gint64          left[] = {0, 4, 8, 12, 16, 20, 24};
  g_assert_cmpmem(run->frame_step, run->n_frames * sizeof(gint64), left, sizeof left);
  g_clear_pointer(&folder, lac_run_folder_close);
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/run-streams/of-a-finished-run-only-the-file-stays", test_finished);
  g_test_add_func("/io/run-streams/a-stopped-run-gets-its-frames-back-when-it-goes-on",
                  test_stopped);
  g_test_add_func("/io/run-streams/without-its-file-a-stopped-run-goes-on-without-old-frames",
                  test_lost_file);
  g_test_add_func("/io/run-streams/what-only-the-file-holds-is-never-written-over",
                  test_unreadable_file);
  g_test_add_func("/io/run-streams/a-follower-finds-frames-where-they-are-by-now", test_follower);
  g_test_add_func("/io/run-streams/thinned-after-the-checkpoint-and-cut-back-to-it",
                  test_thinned_after_checkpoint);
  return g_test_run();
}
