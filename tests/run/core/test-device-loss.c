/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs whose emulated device is lost or out of memory: they continue on the CPU from the last checkpoint, report it
 * once, and have one row per step. Each in a process of its own, since a lost device stays lost. */
#include "emulated.h"

#include "backend/registry.h"
#include "base/error.h"
#include "helpers/folder.h"
#include "io/runfile/run-file.h"
#include "run/plan/run-child.h"

#include <math.h>
#include <string.h>

#define LOST \
  "the device stopped responding: cudaErrorLaunchFailure: unspecified launch failure, in "

static const char *const training[] = {
  "grid=12", "times=6", "family=4",  "sensors=4",      "members=6",     "engines=enkf,pinn",
  "width=4", "depth=2", "points=64", "adam_steps=150", "quasi_steps=0", NULL,
};

static LacRun *
new_run(const char *out)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("taylor-green", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  LacRun              *run;

  for (gsize i = 0; training[i]; i++) {
    g_auto(GStrv) pair = g_strsplit(training[i], "=", 2);

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
  run = lac_run_new(&(LacRunSettings){.experiment = experiment,
                                      .draft = draft,
                                      .backend = "cuda",
                                      .threads = 1,
                                      .out = out,
                                      .checkpoint_seconds = 1e-3},
                    &error);
  g_assert_no_error(error);
  g_assert_cmpstr(lac_run_get_backend(run), ==, "cuda");
  return run;
}

/* Asserts that there is one row for every step, and one journal entry with the message. */
static void
assert_whole(LacRun *run)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  const char           *fallback = lac_run_get_fallback(run);
  guint                 n = 0;

  g_assert_no_error(error);
  g_assert_cmpstr(file->outcome, ==, "finished");
  g_assert_cmpuint(file->n_series, ==, (gsize) file->steps);
  for (gsize i = 0; i < file->n_series; i++)
    g_assert_cmpint(file->series_step[i], ==, (gint64) i + 1);
  for (gsize i = 0; i < file->n_events; i++)
    n += fallback != NULL && g_str_equal(file->events[i].detail, fallback);
  g_assert_cmpuint(n, ==, fallback != NULL);
  for (gsize m = 0; m < file->n_metrics; m++)
    g_assert_true(isfinite(file->metrics[m].last));
}

/* Asserts that loss of a device is permanent for the process, and that its memory was freed for others. */
static void
assert_left(gboolean is_lost)
{
  const LacExperiment *experiment = lac_experiment_find("taylor-green", NULL);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(LacDraft)  small = lac_draft_new(&lac_experiment_find("lorenz96", NULL)->params);
  LacRunSettings       settings = {.experiment = experiment, .draft = draft};

  lac_draft_set(draft, "engines", "pinn", NULL);
  g_assert_true(lac_device_is_lost() == is_lost);
  g_assert_true(lac_run_wants_child(&settings) == is_lost);
  settings.backend = "cpu";
  g_assert_false(lac_run_wants_child(&settings));
  settings.backend = "cuda";
  settings.experiment = lac_experiment_find("lorenz96", NULL);
  settings.draft = small;
  lac_draft_set(small, "engines", "enkf", NULL); /* nothing to compute on a device */
  g_assert_false(lac_run_wants_child(&settings));
  g_assert_cmpint(emulated_get_counts().alive, ==, 0);
}

static void
run_on(const char *variable, const char *value, const char *backend, const char *why)
{
  g_autofree char  *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char  *out = test_folder_new();

  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  if (variable != NULL)
    g_setenv(variable, value, TRUE);
  LacRun *run = new_run(out);
  lac_run_start(run, FALSE);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(lac_run_get_backend(run), ==, backend);
  if (why != NULL)
    g_assert_nonnull(strstr(lac_run_get_fallback(run), why));
  else
    g_assert_null(lac_run_get_fallback(run));
  assert_whole(run);
  lac_run_free(run);
  assert_left(g_strcmp0(why, LOST) == 0);
  test_folder_remove(g_steal_pointer(&out));
}

static void
whole(const char *unused G_GNUC_UNUSED)
{
  run_on(NULL, NULL, "cuda", NULL);
}

/* @after: number of submissions after which the device is lost: in the set-up, the first steps, after checkpoints,
 * near the end. */
static void
lost(const char *after)
{
  run_on("LACUNA_EMULATED_LOST_AFTER", after, "cpu", LOST);
}

/* @n_bytes: device memory: enough to open it, too little for the run. */
static void
full(const char *n_bytes)
{
  run_on("LACUNA_EMULATED_MEMORY", n_bytes, "cpu",
         "exhausted: cudaErrorMemoryAllocation: out of memory, in cudaMalloc");
}

/* A run that began on a device continues from its checkpoint on a machine without one. */
static void
gone(const char *unused G_GNUC_UNUSED)
{
  g_autofree char  *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char  *out = test_folder_new();
  LacRunStatus      status;

  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  LacRun *before = new_run(out);
  lac_run_start(before, TRUE);
  lac_run_step(before);
  lac_run_stop(before);
  lac_run_wait(before, &error);
  g_assert_no_error(error);
  g_autofree char *path = g_strdup(lac_run_get_folder(before));
  lac_run_free(before);
  g_setenv("LACUNA_EMULATED_DEVICES", "0", TRUE);
  g_autoptr(LacRun) run = lac_run_new(&(LacRunSettings){.resume = path, .backend = "auto"}, &error);
  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(lac_run_get_backend(run), ==, "cpu");
  g_assert_nonnull(strstr(lac_run_get_fallback(run), "No NVIDIA GPU responds on this machine"));
  lac_run_get_status(run, &status);
  g_assert_cmpstr(status.fallback, ==, lac_run_get_fallback(run));
  g_assert_cmpstr(status.device, ==, "");
  assert_whole(run);
  test_folder_remove(g_steal_pointer(&out));
}

/* An experiment that cannot use a device is on the CPU, asked for one by name or not. */
static void
nothing_to_do(const char *unused G_GNUC_UNUSED)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("lorenz96", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_autofree char *out = test_folder_new();
  LacRunSettings   settings = {.experiment = experiment, .draft = draft, .out = out};

  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  lac_draft_set(draft, "engines", "enkf", &error);
  g_assert_no_error(error);
  settings.backend = "cuda";
  g_autoptr(LacRun) named = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(lac_run_get_backend(named), ==, "cpu");
  settings.backend = "auto";
  g_autoptr(LacRun) run = lac_run_new(&settings, NULL);
  g_assert_cmpstr(lac_run_get_backend(run), ==, "cpu");
  test_folder_remove(g_steal_pointer(&out));
}

/* A test in a process of its own, since a lost device stays lost. */
typedef struct {
  const char *path;
  void (*test)(const char *number);
  const char *number;
} Part;

static const Part parts[] = {
  {"/run/device-loss/nothing-happens", whole, NULL},
  {"/run/device-loss/lost-while-it-is-set-up", lost, "10"},
  {"/run/device-loss/lost-in-the-first-steps", lost, "400"},
  {"/run/device-loss/lost-behind-checkpoints", lost, "2500"},
  {"/run/device-loss/lost-later-still", lost, "6000"},
  {"/run/device-loss/too-small-for-the-run", full, "25170000"},
  {"/run/device-loss/gone-when-it-is-resumed", gone, NULL},
  {"/run/device-loss/what-has-nothing-to-do-is-not-opened", nothing_to_do, NULL},
};

static void
apart(gconstpointer data)
{
  const Part *part = data;

  if (g_test_subprocess()) { /* the module is loaded with the fault to inject */
    part->test(part->number);
    return;
  }
  if (emulated_backend() == NULL) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
    g_test_add_data_func(parts[i].path, &parts[i], apart);
  return g_test_run();
}
