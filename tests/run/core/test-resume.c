/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that is killed or stopped and then resumed ends like one that never stopped. */
#include "base/error.h"
#include "base/rng.h"
#include "io/runfile/run-file.h"
#include "run/helpers/lorenz.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS    "600"
#define PAUSE_US "300"

/* ---- the process that is killed: this program with other arguments ---- */

static int
run_child(const char *out, const char *resume)
{
  g_autoptr(LacDraft) draft = lorenz_draft("steps", STEPS, "pause_us", PAUSE_US, NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;

  settings.checkpoint_seconds = 0.03;
  settings.resume = resume;
  g_autoptr(LacRun) run = lac_run_new(&settings, &error);
  if (run == NULL) {
    g_printerr("%s\n", error->message);
    return 1;
  }
  lac_run_start(run, FALSE);
  return lac_run_wait(run, NULL) ? 0 : 1;
}

static GPid
spawn_child(const char *out, const char *resume)
{
  const char       *arguments[] = {"/proc/self/exe", "--child", out, resume, NULL};
  GPid              pid;
  g_autoptr(GError) error = NULL;
  g_autofree char  *self = g_file_read_link("/proc/self/exe", NULL);

  arguments[0] = self;
  g_spawn_async(NULL, (char **) arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                &error);
  g_assert_no_error(error);
  return pid;
}

static void
kill_after(GPid pid, gulong microseconds)
{
  g_usleep(microseconds);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  g_spawn_close_pid(pid);
}

/* Returns: (transfer full) (nullable): the only run folder in @out with a journal. */
static char *
find_run(const char *out)
{
  g_autoptr(GDir) directory = g_dir_open(out, 0, NULL);
  const char     *name;

  while ((name = g_dir_read_name(directory)) != NULL) {
    char            *path = g_build_filename(out, name, NULL);
    g_autofree char *journal = g_build_filename(path, "journal", NULL);
    GStatBuf         about;
    if (g_stat(journal, &about) == 0 && about.st_size > 0)
      return path;
    g_free(path);
  }
  return NULL;
}

static LacRun *
resume(const char *folder)
{
  LacRunSettings settings = {
    .experiment = &lorenz, .backend = "cpu", .threads = 1, .resume = folder};

  return lorenz_run(&settings);
}

static void
test_killed(void)
{
  g_autofree char    *plain = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", STEPS, "pause_us", PAUSE_US, NULL);
  LacRunSettings      settings = lorenz_settings(draft, plain);
  g_autoptr(LacRun)   never_stopped = lorenz_run(&settings);
  LacRng              rng = lac_rng((guint64) g_test_rand_int(), 7);
  guint               n_from_checkpoint = 0;
  gulong              earliest = 10000; /* increased on slow machines */

  for (guint i = 0; i < 20; i++) {
    g_autofree char  *out = test_folder_new();
    g_autofree char  *folder = NULL;
    gulong            moment = (gulong) (lac_rng_uniform(&rng) * 250e3);
    g_autoptr(GError) error = NULL;

    kill_after(spawn_child(out, NULL), earliest + moment);
    folder = find_run(out);
    if (folder != NULL && i % 2 == 1) /* kill it again while it is being resumed */
      kill_after(spawn_child(out, folder), earliest + (gulong) (lac_rng_uniform(&rng) * 150e3));
    if (folder == NULL) {
      earliest += 25000;
      g_test_message("kill %u after %lu us: before the folder had a header", i, moment);
      test_folder_remove(g_steal_pointer(&out));
      continue;
    }
    g_autoptr(LacRunFile) file = lac_run_file_open(folder, &error);
    g_assert_no_error(error);
    g_test_message("kill %u after %lu us: %s at step %" G_GINT64_FORMAT, i, moment, file->outcome,
                   file->steps);
    g_autofree char *checkpoint = g_build_filename(folder, "checkpoint", NULL);
    if (g_file_test(checkpoint, G_FILE_TEST_EXISTS))
      n_from_checkpoint++;
    else
      earliest += 25000;

    g_autoptr(LacRun) run = resume(folder);
    assert_same_results(folder, lac_run_get_folder(never_stopped));
    test_folder_remove(g_steal_pointer(&out));
  }
  g_assert_cmpuint(n_from_checkpoint, >, 3);
  test_folder_remove(g_steal_pointer(&plain));
}

static void
wait_for_step(LacRun *run, gint64 step)
{
  LacRunStatus status;

  do {
    g_usleep(200);
    lac_run_get_status(run, &status);
  } while (status.step < step && status.state != LAC_RUN_ENDED);
}

static void
test_stopped_twice(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "2000", "pause_us", "50", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   never_stopped = lorenz_run(&settings);
  g_autoptr(LacRun)   first = lac_run_new(&settings, NULL);
  g_autoptr(GError)   error = NULL;
  LacRunStatus        status;

  lac_run_start(first, FALSE);
  wait_for_step(first, 300);
  lac_run_stop(first);
  lac_run_wait(first, &error);
  g_assert_no_error(error);
  lac_run_get_status(first, &status);
  g_assert_cmpstr(status.outcome, ==, "stopped");

  LacRunSettings again = {
    .experiment = &lorenz, .backend = "cpu", .threads = 1, .resume = lac_run_get_folder(first)};
  g_autoptr(LacRun) second = lac_run_new(&again, &error);
  g_assert_no_error(error);
  lac_run_start(second, FALSE);
  wait_for_step(second, status.step + 300);
  g_clear_pointer(&second, lac_run_free); /* like closing the window: stops and joins */

  g_autoptr(LacRun) third = resume(lac_run_get_folder(first));
  assert_same_results(lac_run_get_folder(first), lac_run_get_folder(never_stopped));
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(first), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(file->outcome, ==, "finished");
  guint n_resumed = 0;
  for (gsize i = 0; i < file->n_events; i++)
    n_resumed += g_str_equal(file->events[i].what, "resumed");
  g_assert_cmpuint(n_resumed, ==, 2);
  /* one clock across the records of three processes */
  for (gsize i = 1; i < lac_capture_get_n_records(file->capture); i++)
    g_assert_cmpint(lac_capture_at(file->capture, i)->start_ns, >=,
                    lac_capture_at(file->capture, 0)->start_ns - G_GINT64_CONSTANT(1000000000));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_finished(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "40", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   run = lorenz_run(&settings);
  g_autoptr(LacRun)   again = resume(lac_run_get_folder(run));
  LacRunStatus        status;

  lac_run_get_status(again, &status);
  g_assert_cmpint(status.state, ==, LAC_RUN_ENDED);
  g_assert_cmpstr(status.outcome, ==, "finished");
  g_assert_nonnull(strstr(status.message, "already ended"));
  g_assert_cmpint(status.step, ==, 40);
  g_assert_cmpmem(lac_run_get_metrics(run), 3 * sizeof(double), lac_run_get_metrics(again),
                  3 * sizeof(double));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_live_change_survives(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "400", "pause_us", "100", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacRun)   run = lac_run_new(&settings, &error);
  LacRunStatus        status;

  g_assert_no_error(error);
  lac_run_start(run, TRUE);
  g_assert_true(lac_run_set_live(run, "rho", "35", &error));
  g_assert_no_error(error);
  lac_run_resume(run);
  wait_for_step(run, 100);
  lac_run_stop(run);
  lac_run_wait(run, &error);
  g_assert_no_error(error);

  g_autoptr(LacRun) rest = resume(lac_run_get_folder(run));
  lac_run_get_status(rest, &status);
  g_assert_cmpint(status.step, ==, 400);
  /* same results as a run with rho = 35 from its first step */
  lac_draft_set(draft, "rho", "35", &error);
  g_assert_no_error(error);
  g_autoptr(LacRun) plain = lorenz_run(&settings);
  g_assert_cmpmem(lac_run_get_metrics(rest), 3 * sizeof(double), lac_run_get_metrics(plain),
                  3 * sizeof(double));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_locked(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "100000", "pause_us", "1000", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacRun)   run = lac_run_new(&settings, &error);
  g_assert_no_error(error);

  lac_run_start(run, FALSE);
  wait_for_step(run, 5);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(file->outcome, ==, "running");
  LacRunSettings again = {.experiment = &lorenz, .resume = lac_run_get_folder(run)};
  g_assert_null(lac_run_new(&again, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_nonnull(strstr(error->message, "written by another"));
  test_folder_remove(g_steal_pointer(&out));
}

static gpointer
let_go(gpointer lock)
{
  g_usleep(100000);
  close(GPOINTER_TO_INT(lock));
  return NULL;
}

/* As after a run that was killed while it started another process. */
static void
test_lock_of_an_instant(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "40", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   run = lorenz_run(&settings);
  g_autofree char    *path = g_build_filename(lac_run_get_folder(run), "lock", NULL);
  const int           lock = open(path, O_RDWR | O_CLOEXEC);

  g_assert_cmpint(lock, >=, 0);
  g_assert_cmpint(flock(lock, LOCK_EX | LOCK_NB), ==, 0);
  GThread          *thread = g_thread_new("holder", let_go, GINT_TO_POINTER(lock));
  g_autoptr(LacRun) again = resume(lac_run_get_folder(run));
  g_thread_join(thread);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_not_a_run(void)
{
  g_autofree char  *out = test_folder_new();
  LacRunSettings    settings = {.experiment = &lorenz, .resume = out};
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_run_new(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "journal"));
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  if (argc >= 3 && strcmp(argv[1], "--child") == 0)
    return run_child(argv[2], argc > 3 ? argv[3] : NULL);
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/resume/after-20-kills-equals-never-stopped", test_killed);
  g_test_add_func("/run/resume/stopped-twice-equals-never-stopped", test_stopped_twice);
  g_test_add_func("/run/resume/finished-run-says-so", test_finished);
  g_test_add_func("/run/resume/live-change-survives", test_live_change_survives);
  g_test_add_func("/run/resume/one-writer-a-folder", test_locked);
  g_test_add_func("/run/resume/waits-for-a-lock-of-an-instant", test_lock_of_an_instant);
  g_test_add_func("/run/resume/folder-that-is-no-run-is-refused", test_not_a_run);
  return g_test_run();
}
