/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk budget of a run: it is never exceeded, the recorded totals stay correct, and a full disk loses no result. */
#include "base/error.h"
#include "io/runfile/run-file.h"
#include "perf/analysis/aggregate.h"
#include "run/core/budget.h"
#include "run/core/result-json.h"
#include "run/helpers/lorenz.h"

#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#define STEPS 30000

static guint64
count_bytes(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char     *name;
  guint64         bytes = 0;

  while ((name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    GStatBuf         about;
    g_assert_cmpint(g_stat(path, &about), ==, 0);
    bytes += (guint64) about.st_size;
  }
  return bytes;
}

static guint
count_events(const LacRunFile *run, const char *what)
{
  guint n = 0;

  for (gsize i = 0; i < run->n_events; i++)
    n += g_str_equal(run->events[i].what, what);
  return n;
}

/* Returns the number of recorded steps. */
static guint64
count_steps(const LacRunFile *run)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gint64                   name = lac_capture_find_name(run->capture, "step");
  gsize                    n;

  lac_aggregates_add_capture(aggregates, run->capture);
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n);
  for (gsize i = 0; i < n; i++)
    if (rows[i].name == name)
      return rows[i].count;
  return 0;
}

/* ---- how coarse ---- */

/* For any bytes per step the share is never exceeded, and each level of decimation lasts twice as long as the one
 * before. */
static void
test_stride(void)
{
  const guint64 share = 1000000, a_step = 100;
  guint64       spent = 0;
  gint64        begun[10] = {0}, last = 1;
  guint         level = 0;

  for (gint64 step = 0; level < 6; step++) {
    gint64 stride = lac_disk_stride(spent, share);
    g_assert_cmpint(stride, >=, last);
    g_assert_cmpint(stride, <=, 4 * last);
    if (stride > last)
      begun[++level] = step;
    last = stride;
    if (step % stride == 0)
      spent += a_step;
    g_assert_cmpuint(spent, <=, share);
  }
  for (guint i = 1; i + 1 < level; i++) {
    double ratio = (double) (begun[i + 1] - begun[i]) / (double) (begun[i] - begun[i - 1]);
    g_assert_cmpfloat_with_epsilon(ratio, 2, 0.1);
  }
  g_assert_cmpint(lac_disk_stride(share, share), ==, 0);
  g_assert_cmpint(lac_disk_stride(0, G_MAXUINT64), ==, 1);
}

static void
test_parse(void)
{
  static const struct {
    const char *text;
    guint64     bytes;
  } good[] = {{"500 MB", 500000000},
              {"2GB", 2000000000},
              {"1.5 gib", 1610612736},
              {"none", G_MAXUINT64},
              {"1 MB", 1000000}};
  static const char *const bad[] = {"", "12", "0.5 MB", "-2 GB", "nan GB", "2 kB", "1e30 TB"};

  for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
    g_autoptr(GError) error = NULL;
    guint64           bytes = 0;
    g_assert_true(lac_disk_budget_parse(good[i].text, &bytes, &error));
    g_assert_cmpuint(bytes, ==, good[i].bytes);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;
    guint64           bytes = 7;
    g_assert_false(lac_disk_budget_parse(bad[i], &bytes, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    g_assert_cmpuint(bytes, ==, 7);
  }
}

/* ---- a run ---- */

static LacRunFile *
run_within(const char *out, guint64 budget, LacRunStatus *status)
{
  g_autofree char    *steps = g_strdup_printf("%d", STEPS);
  g_autoptr(LacDraft) draft = lorenz_draft("steps", steps, NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;

  settings.disk_budget_bytes = budget;
  g_autoptr(LacRun) run = lorenz_run(&settings);
  lac_run_get_status(run, status);
  LacRunFile *file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  return file;
}

static void
test_within(void)
{
  const guint64         budget = 2000000;
  g_autofree char      *out = test_folder_new(), *plenty = test_folder_new();
  LacRunStatus          status, all_status;
  g_autoptr(LacRunFile) run = run_within(out, budget, &status);
  g_autoptr(LacRunFile) all = run_within(plenty, G_MAXUINT64, &all_status);
  g_autofree char      *kept = lac_run_file_dup_records_kept(run);
  g_autofree char      *all_kept = lac_run_file_dup_records_kept(all);
  g_autofree char      *everything =
    g_strdup_printf("all %" G_GSIZE_FORMAT, lac_capture_get_n_records(all->capture));

  g_assert_cmpuint(count_bytes(run->path), <, budget);
  g_assert_cmpuint(count_bytes(all->path), >, budget);
  g_assert_cmpstr(status.outcome, ==, "finished");
  g_assert_cmpuint(count_events(run, "recording"), ==, 1);
  g_assert_cmpuint(count_events(run, LAC_EVENT_RECORDS_KEPT), ==, 1);
  g_assert_nonnull(strstr(kept, "recorded individually"));
  g_assert_cmpstr(all_kept, ==, everything);
  /* every step is in the totals, and only records dropped on purpose are missing */
  g_assert_cmpuint(count_steps(run), ==, STEPS);
  g_assert_cmpuint(count_steps(all), ==, STEPS);
  /* and the file has the span of its own assembly */
  g_assert_cmpuint(status.records_pushed + 1, ==, lac_capture_get_n_records(run->capture));
  g_assert_cmpuint(all_status.records_pushed + 1, ==, lac_capture_get_n_records(all->capture));
  /* rows: fewer, identical for the same steps, and including the last one */
  g_assert_cmpuint(run->n_series, <, all->n_series);
  g_assert_cmpuint(run->n_series, >, 1000);
  g_assert_cmpint(run->series_step[run->n_series - 1], ==, STEPS);
  for (gsize i = 0; i < run->n_series; i++) {
    gint64 step = run->series_step[i];
    g_assert_cmpint(all->series_step[step - 1], ==, step);
    g_assert_cmpfloat(run->series[3 * i], ==, all->series[3 * (step - 1)]);
  }
  g_assert_cmpfloat(run->metrics[0].last, ==, all->metrics[0].last);
  test_folder_remove(g_steal_pointer(&out));
  test_folder_remove(g_steal_pointer(&plenty));
}

static void
wait_for(LacRun *run, gint64 step)
{
  LacRunStatus status;

  do {
    g_usleep(200);
    lac_run_get_status(run, &status);
  } while (status.step < step && status.state != LAC_RUN_ENDED);
}

static void
test_resumed(void)
{
  g_autofree char    *out = test_folder_new(), *steps = g_strdup_printf("%d", STEPS);
  g_autoptr(LacDraft) draft = lorenz_draft("steps", steps, "pause_us", "1", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;

  settings.disk_budget_bytes = LAC_DISK_BUDGET_LEAST;
  g_autoptr(LacRun) first = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_start(first, FALSE);
  wait_for(first, STEPS / 4);
  lac_run_stop(first);
  g_assert_true(lac_run_wait(first, &error));
  settings.resume = lac_run_get_folder(first);
  g_autoptr(LacRun)     second = lorenz_run(&settings);
  g_autoptr(LacRunFile) run = lac_run_file_open(lac_run_get_folder(second), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(run->outcome, ==, "finished");
  g_assert_cmpint(run->steps, ==, STEPS);
  g_assert_cmpuint(count_steps(run), ==, STEPS);
  g_assert_cmpuint(count_bytes(run->path), <, LAC_DISK_BUDGET_LEAST);
  g_assert_cmpuint(run->n_frames, >, 2);
  for (gsize i = 0; i < run->n_frames; i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, &error);
    g_assert_no_error(error);
  }
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- a full disk: no file may grow beyond so much ---- */

static struct rlimit
fill_disk(rlim_t bytes)
{
  struct rlimit before, small;

  signal(SIGXFSZ, SIG_IGN);
  g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = bytes;
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
  return before;
}

/* Asserts that only the assembly of run.h5 failed and was reported; it is possible once there is room. */
static void
assert_unassembled(LacRun *run, const GError *error)
{
  const char           *folder = lac_run_get_folder(run);
  g_autofree char      *path = g_build_filename(folder, "run.h5", NULL);
  g_autoptr(JsonObject) result = lac_run_dup_result(run);
  g_autofree char      *json = lac_json_object_to_text(result);
  g_autofree char      *command = g_strdup_printf("lacuna info %s", folder);
  LacRunStatus          status;

  g_assert_error(error, LAC_ERROR, LAC_ERROR_DISK_FULL);
  g_assert_nonnull(strstr(error->message, command));
  lac_run_get_status(run, &status);
  g_assert_true(status.is_unassembled);
  g_assert_cmpstr(status.outcome, ==, "failed");
  g_assert_cmpstr(status.message, ==, error->message);
  g_assert_nonnull(strstr(json, "\"error\""));
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* Resumes such a run, which has nothing to compute. Returns: its result. */
static gboolean
resume_ended(const LacRunSettings *settings, const char *folder, GError **error)
{
  LacRunSettings    again = *settings;
  g_autoptr(GError) none = NULL;

  again.resume = folder;
  g_autoptr(LacRun) run = lac_run_new(&again, &none);
  g_assert_no_error(none);
  lac_run_start(run, FALSE);
  return lac_run_wait(run, error);
}

/* Records and frames fill the disk, the journal does not: everything is computed; only run.h5 is missing. */
static void
test_recording_gives_way(void)
{
  g_autofree char    *out = test_folder_new(), *plain = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "2000", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out), other = lorenz_settings(draft, plain);
  g_autoptr(GError)   error = NULL, still = NULL;
  struct rlimit       before;

  settings.checkpoint_seconds = 0.02;
  before = fill_disk(150000);
  g_autoptr(LacRun) run = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  g_assert_false(lac_run_wait(run, &error));
  assert_unassembled(run, error);
  g_assert_false(resume_ended(&settings, lac_run_get_folder(run), &still));
  g_assert_error(still, LAC_ERROR, LAC_ERROR_DISK_FULL);
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
  g_clear_error(&error);
  g_assert_true(resume_ended(&settings, lac_run_get_folder(run), &error));
  g_assert_no_error(error);
  g_autoptr(LacRun)     whole = lorenz_run(&other);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_autoptr(LacRunFile) model = lac_run_file_open(lac_run_get_folder(whole), &error);
  g_autofree char      *kept = lac_run_file_dup_records_kept(file);
  g_assert_no_error(error);
  g_assert_cmpstr(file->outcome, ==, "finished");
  g_assert_cmpuint(file->n_series, ==, 2000);
  g_assert_cmpmem(file->series, file->n_series * file->n_metrics * sizeof(double), model->series,
                  model->n_series * model->n_metrics * sizeof(double));
  g_assert_cmpuint(count_events(file, "recording"), >=, 1);
  g_assert_nonnull(strstr(kept, "the disk was full"));
  g_assert_cmpuint(count_steps(file), <, 2000);
  g_assert_cmpuint(lac_capture_get_n_records(file->capture), >, 100);
  test_folder_remove(g_steal_pointer(&out));
  test_folder_remove(g_steal_pointer(&plain));
}

/* The journal fills the disk too: the run ends with an error and its last checkpoint, from which it resumes once
 * there is room. */
static void
test_journal_is_needed(void)
{
  g_autofree char    *out = test_folder_new(), *plain = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "20000", "pause_us", "1", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out), other = lorenz_settings(draft, plain);
  g_autoptr(GError)   error = NULL, none = NULL;

  settings.checkpoint_seconds = 0.05;
  struct rlimit     before = fill_disk(400000);
  g_autoptr(LacRun) run = lac_run_new(&settings, &none);
  g_assert_no_error(none);
  lac_run_start(run, FALSE);
  g_assert_false(lac_run_wait(run, &error));
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DISK_FULL);
  g_assert_nonnull(strstr(error->message, "make room, then resume"));

  settings.resume = lac_run_get_folder(run);
  g_autoptr(LacRun) second = lac_run_new(&settings, &none);
  g_assert_no_error(none);
  LacRunStatus status;
  lac_run_get_status(second, &status);
  lac_run_start(second, TRUE);
  wait_for(second, 1);
  lac_run_get_status(second, &status);
  g_assert_cmpint(status.step, >, 1); /* starts from a checkpoint, even on a slow machine */
  lac_run_resume(second);
  g_assert_true(lac_run_wait(second, &none));
  g_autoptr(LacRun)     whole = lorenz_run(&other);
  g_autoptr(LacRunFile) a = lac_run_file_open(lac_run_get_folder(second), &none);
  g_autoptr(LacRunFile) b = lac_run_file_open(lac_run_get_folder(whole), &none);
  g_assert_no_error(none);
  g_assert_cmpmem(a->series, a->n_series * 3 * sizeof(double), b->series,
                  b->n_series * 3 * sizeof(double));
  test_folder_remove(g_steal_pointer(&out));
  test_folder_remove(g_steal_pointer(&plain));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/disk-budget/coarser-by-fours-never-passes-its-share", test_stride);
  g_test_add_func("/run/disk-budget/sizes-are-read-with-their-units", test_parse);
  g_test_add_func("/run/disk-budget/a-run-of-many-steps-stays-within-and-totals-are-of-all",
                  test_within);
  g_test_add_func("/run/disk-budget/resumed-within-totals-are-of-all", test_resumed);
  g_test_add_func("/run/disk-budget/on-a-full-disk-recording-gives-way-to-the-run",
                  test_recording_gives_way);
  g_test_add_func("/run/disk-budget/without-room-for-the-journal-the-checkpoint-is-whole",
                  test_journal_is_needed);
  return g_test_run();
}
