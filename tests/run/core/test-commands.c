/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands: pause, step, resume, stop, checkpoint, live parameters; the time limit; unwritable locations. */
#define _DEFAULT_SOURCE /* setrlimit, seteuid */
#include "base/error.h"
#include "io/runfile/run-file.h"
#include "run/helpers/lorenz.h"

#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static LacRun *
start(const char *out, gboolean paused, double time_limit)
{
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "1000000", "pause_us", "200", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  settings.time_limit = time_limit;
  LacRun *run = lac_run_new(&settings, &error);

  g_assert_no_error(error);
  lac_run_start(run, paused);
  return run;
}

static LacRunStatus
wait_until(LacRun *run, LacRunState state, gint64 step)
{
  LacRunStatus status;

  for (guint i = 0; i < 100000; i++) {
    lac_run_get_status(run, &status);
    if (status.state == state && status.step >= step)
      return status;
    g_usleep(200);
  }
  g_error("state %d, step %d was not reached", state, (int) step);
}

static gboolean
has_event(const LacRunFile *file, const char *what, const char *detail)
{
  for (gsize i = 0; i < file->n_events; i++) {
    if (g_str_equal(file->events[i].what, what) &&
        (detail == NULL || g_str_equal(file->events[i].detail, detail)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_mark(const LacRunFile *file, const char *name)
{
  for (gsize i = 0; i < lac_capture_get_n_records(file->capture); i++) {
    const LacRecord *record = lac_capture_at(file->capture, i);
    if (record->kind == LAC_RECORD_MARK &&
        g_str_equal(lac_capture_get_name(file->capture, record->name), name))
      return TRUE;
  }
  return FALSE;
}

static void
test_pause_step_resume(void)
{
  g_autofree char  *out = test_folder_new();
  g_autoptr(LacRun) run = start(out, TRUE, 0);
  g_autoptr(GError) error = NULL;
  LacRunStatus      status = wait_until(run, LAC_RUN_PAUSED, 0);

  g_assert_cmpint(status.step, ==, 0);
  g_autoptr(LacFrame) first = lac_run_take_frame(run);
  g_assert_nonnull(first);
  lac_run_step(run);
  lac_run_step(run);
  status = wait_until(run, LAC_RUN_PAUSED, 2);
  g_usleep(20000);
  lac_run_get_status(run, &status);
  g_assert_cmpint(status.step, ==, 2);
  double seconds = status.seconds;
  g_usleep(50000);
  lac_run_resume(run);
  status = wait_until(run, LAC_RUN_RUNNING, 10);
  g_assert_cmpfloat(status.seconds, <, seconds + 0.05 + 8 * 0.1); /* the pause does not count */
  lac_run_pause(run);
  status = wait_until(run, LAC_RUN_PAUSED, 10);
  gint64           paused_at = status.step;
  g_autofree char *checkpoint = g_build_filename(lac_run_get_folder(run), "checkpoint", NULL);
  g_assert_true(g_file_test(checkpoint, G_FILE_TEST_EXISTS));
  g_usleep(20000);
  lac_run_get_status(run, &status);
  g_assert_cmpint(status.step, ==, paused_at);
  g_assert_true(lac_run_set_live(run, "rho", "20", &error));
  g_assert_no_error(error);
  lac_run_stop(run);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  status = wait_until(run, LAC_RUN_ENDED, paused_at);
  g_assert_cmpstr(status.outcome, ==, "stopped");

  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_true(has_event(file, "pause", NULL));
  g_assert_true(has_event(file, "step", NULL));
  g_assert_true(has_event(file, "resume", NULL));
  g_assert_true(has_event(file, "stop", NULL));
  g_assert_true(has_mark(file, "command: pause"));
  g_assert_true(has_mark(file, "command: step"));
  g_assert_true(has_mark(file, "command: resume"));
  g_assert_true(has_mark(file, "command: stop"));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_live_parameter(void)
{
  g_autofree char  *out = test_folder_new();
  g_autoptr(LacRun) run = start(out, FALSE, 0);
  g_autoptr(GError) error = NULL;

  g_assert_false(lac_run_set_live(run, "steps", "5", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  g_clear_error(&error);
  g_assert_false(lac_run_set_live(run, "rho", "-1", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  g_assert_false(lac_run_set_live(run, "sigma", "1", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  g_clear_error(&error);
  wait_until(run, LAC_RUN_RUNNING, 5);
  g_assert_true(lac_run_set_live(run, "rho", "12.5", &error));
  lac_run_checkpoint(run);
  gint64 step = wait_until(run, LAC_RUN_RUNNING, 5).step;
  wait_until(run, LAC_RUN_RUNNING, step + 5);
  lac_run_stop(run);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_true(has_event(file, "set", "rho = 12.5"));
  g_assert_true(has_event(file, "checkpoint", NULL));
  g_assert_true(has_mark(file, "command: set"));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_time_limit(void)
{
  g_autofree char  *out = test_folder_new();
  g_autoptr(LacRun) run = start(out, FALSE, 0.15);
  g_autoptr(GError) error = NULL;

  lac_run_wait(run, &error);
  g_assert_no_error(error);
  LacRunStatus status = wait_until(run, LAC_RUN_ENDED, 1);
  g_assert_cmpstr(status.outcome, ==, "stopped");
  g_assert_nonnull(strstr(status.message, "0.15 s"));
  g_autofree char *checkpoint = g_build_filename(lac_run_get_folder(run), "checkpoint", NULL);
  g_assert_true(g_file_test(checkpoint, G_FILE_TEST_EXISTS));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_bad_settings(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "5", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;

  settings.time_limit = -1;
  g_assert_null(lac_run_new(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  settings.time_limit = 0;
  settings.precision = "bf16x3"; /* a precision that only devices have */
  settings.backend = "cpu";
  g_assert_null(lac_run_new(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DEVICE);
  g_assert_nonnull(strstr(error->message, "precision = bf16x3"));
  g_clear_error(&error);
  settings.precision = "f16";
  g_assert_null(lac_run_new(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_unwritable(void)
{
  g_autofree char    *out = test_folder_new();
  g_autofree char    *blocked = g_build_filename(out, "a-file", NULL);
  g_autofree char    *beneath = g_build_filename(blocked, "runs", NULL);
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "5", NULL);
  LacRunSettings      settings = lorenz_settings(draft, beneath);
  g_autoptr(GError)   error = NULL;

  g_assert_true(g_file_set_contents(blocked, "", 0, NULL));
  g_assert_null(lac_run_new(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_nonnull(strstr(error->message, "a-file"));
  g_clear_error(&error);

  if (geteuid() != 0) {
    settings.out = out;
    g_assert_cmpint(g_chmod(out, 0500), ==, 0);
    g_assert_null(lac_run_new(&settings, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
    g_assert_cmpint(g_chmod(out, 0700), ==, 0);
  }
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- a disk that fills up: the largest file this process may write ---- */

#define SMALL_DISK (96 * 1024)

static void
test_full_disk(void)
{
  struct rlimit     before, small;
  g_autofree char  *out = test_folder_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(LacRun) run = start(out, FALSE, 0);

  signal(SIGXFSZ, SIG_IGN);
  g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = SMALL_DISK;
  wait_until(run, LAC_RUN_RUNNING, 20);
  lac_run_checkpoint(run);
  wait_until(run, LAC_RUN_RUNNING, 60);
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
  g_assert_false(lac_run_wait(run, &error));
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DISK_FULL);
  g_assert_nonnull(strstr(error->message, out));
  g_assert_nonnull(strstr(error->message, "free"));
  g_assert_cmpstr(wait_until(run, LAC_RUN_ENDED, 0).outcome, ==, "failed");

  /* nothing is lost: it opens, and resumes once there is room */
  g_clear_error(&error);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_cmpuint(file->n_series, >, 20);
  LacRunSettings again = {
    .experiment = &lorenz, .backend = "cpu", .threads = 1, .resume = lac_run_get_folder(run)};
  g_autoptr(LacRun) rest = lac_run_new(&again, &error);
  g_assert_no_error(error);
  lac_run_start(rest, FALSE);
  wait_until(rest, LAC_RUN_RUNNING, 100);
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/commands/pause-step-resume-stop", test_pause_step_resume);
  g_test_add_func("/run/commands/live-parameter-is-checked-and-journalled", test_live_parameter);
  g_test_add_func("/run/commands/time-limit-stops-with-a-checkpoint", test_time_limit);
  g_test_add_func("/run/commands/bad-settings-are-refused", test_bad_settings);
  g_test_add_func("/run/commands/unwritable-folder-is-a-sentence", test_unwritable);
  g_test_add_func("/run/commands/full-disk-loses-nothing", test_full_disk);
  return g_test_run();
}
