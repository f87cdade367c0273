/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choice between CPU and GPU by a measured step: the faster one is chosen, with its reason, and times are cached by
 * what they depend on. The devices are the CPU under two names, with steps that sleep; the last tests run on the
 * emulated device. */
#include "emulated.h"

#include "base/error.h"
#include "io/runfile/run-file.h"
#include "run/core/device-choice.h"
#include "run/core/result-json.h"
#include "run/core/run.h"
#include "run/helpers/lorenz.h"

#include <math.h>
#include <string.h>

/* Duration of the measured step; the step fails on the device named by fails_on. */
static struct {
  gulong      processor_us, device_us;
  const char *fails_on;
  double      estimated_seconds;
  guint       n_steps;
} fake;

static const char *where;

static gpointer
create(const LacExperiment *self, gconstpointer params, const LacContext *context, GError **error)
{
  where = context->device.table->name;
  return lorenz.create(self, params, context, error);
}

static gboolean
step(gpointer state, LacStepReport *report, GError **error)
{
  fake.n_steps++;
  if (g_strcmp0(where, fake.fails_on) == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "%s", lac_status_text(LAC_STATUS_DEVICE_LOST));
    return FALSE;
  }
  g_usleep(g_str_equal(where, "cuda") ? fake.device_us : fake.processor_us);
  return lorenz.step(state, report, error);
}

static void
estimate(const LacExperiment *self, gconstpointer params, LacEstimate *out)
{
  *out = (LacEstimate){.n_steps = 100, .seconds_per_step = fake.estimated_seconds / 100};
}

static gboolean
open_as_asked(LacDevice *device, const char *name, GError **error)
{
  static LacBackend table;

  if (!lac_device_open(device, "cpu", error))
    return FALSE;
  table = *device->table;
  table.name = "cuda";
  if (g_str_has_prefix(name, "cuda"))
    device->table = &table;
  return TRUE;
}

static gboolean
open_no_device(LacDevice *device, const char *name, GError **error)
{
  if (!g_str_has_prefix(name, "cuda"))
    return open_as_asked(device, name, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "device memory is exhausted");
  return FALSE;
}

typedef struct {
  LacExperiment     experiment;
  LacDraft         *draft;
  LacPool          *pool;
  char             *folder;
  LacMachinePart    device;
  LacDeviceQuestion question;
} Fixture;

static void
set_up(Fixture *f, gconstpointer unused)
{
  fake.processor_us = fake.device_us = 3000;
  fake.fails_on = NULL;
  fake.estimated_seconds = 10;
  fake.n_steps = 0;
  memcpy(&f->experiment, &lorenz, sizeof lorenz);
  f->experiment.name = "sleeping";
  f->experiment.create = create;
  f->experiment.step = step;
  f->experiment.estimate = estimate;
  f->draft = lorenz_draft("steps", "100000", NULL);
  f->pool = lac_pool_new(1);
  f->folder = test_folder_new();
  f->device = (LacMachinePart){.name = (char *) "cuda", .is_device = TRUE};
  g_strlcpy(f->device.device.name, "a card", sizeof f->device.device.name);
  f->device.device.driver = 12040;
  f->question = (LacDeviceQuestion){
    .subject = {.experiment = &f->experiment,
                .draft = f->draft,
                .pool = f->pool,
                .precision = "f64"},
    .device = &f->device,
    .threads = 1,
    .cache = lac_content_cache_new(f->folder, 0),
    .open = open_as_asked,
  };
}

static void
tear_down(Fixture *f, gconstpointer unused)
{
  lac_content_cache_unref(f->question.cache);
  lac_pool_free(f->pool);
  lac_draft_free(f->draft);
  test_folder_remove(f->folder);
}

static void
assert_says(const LacDeviceChoice *choice, gboolean takes_device, const char *words)
{
  g_test_message("%s", choice->reason);
  g_assert_cmpint(choice->takes_device, ==, takes_device);
  g_assert_nonnull(strstr(choice->reason, words));
}

/* A sleep takes at least the requested time, and rarely a third more. */
static void
faster_device_is_taken(Fixture *f, gconstpointer unused)
{
  LacDeviceChoice choice;

  fake.processor_us = 12000;
  g_assert_false(lac_device_choice_recall(&f->question, &choice));
  lac_device_choice_measure(&f->question, &choice);
  assert_says(&choice, TRUE, "GPU: ");
  assert_says(&choice, TRUE, "times as fast as the processor at this size");
  g_assert_cmpfloat(choice.processor_seconds, >=, 0.012);
  g_assert_cmpfloat(choice.device_seconds, >=, 0.003);
  g_assert_cmpfloat(choice.processor_seconds / choice.device_seconds, >, 2);
}

static void
slower_device_is_not_taken(Fixture *f, gconstpointer unused)
{
  LacDeviceChoice choice;

  fake.device_us = 12000;
  lac_device_choice_measure(&f->question, &choice);
  assert_says(&choice, FALSE, "Processor: ");
  assert_says(&choice, FALSE, "times as fast as the GPU at this size");
}

static void
device_that_fails_is_not_taken(Fixture *f, gconstpointer unused)
{
  LacDeviceChoice choice;

  fake.fails_on = "cuda";
  lac_device_choice_measure(&f->question, &choice);
  assert_says(&choice, FALSE, "the device stopped responding");
  g_assert_false(
    lac_device_choice_recall(&f->question, &choice)); /* not cached: the device may recover */
  f->question.open = open_no_device;
  lac_device_choice_measure(&f->question, &choice);
  assert_says(&choice, FALSE, "device memory is exhausted");
}

static gboolean
always(gpointer user_data)
{
  return TRUE;
}

static void
cancelled_measurement_is_not_kept(Fixture *f, gconstpointer unused)
{
  LacDeviceChoice choice;

  f->question.subject.cancelled = always;
  lac_device_choice_measure(&f->question, &choice);
  assert_says(&choice, FALSE, "no timing");
  g_assert_false(lac_device_choice_recall(&f->question, &choice));
}

/* A choice is neither measured nor decided again until something changes that the time depends on. */
static void
times_are_cached_by_what_they_depend_on(Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  LacDeviceChoice   first, again;
  guint             n_steps;

  fake.processor_us = 9000;
  lac_device_choice_measure(&f->question, &first);
  n_steps = fake.n_steps;
  fake.processor_us = 1000; /* now the opposite choice */
  g_assert_true(lac_device_choice_recall(&f->question, &again));
  g_assert_cmpmem(&first, sizeof first, &again, sizeof again);
  g_assert_true(lac_draft_set(f->draft, "rho", "20", &error)); /* does not affect the size */
  g_assert_true(lac_draft_set(f->draft, "swell", "1.5", &error));
  g_assert_true(lac_device_choice_recall(&f->question, &again));
  g_assert_cmpuint(fake.n_steps, ==, n_steps);
  g_assert_true(lac_draft_set(f->draft, "pause_us", "1", &error));
  g_assert_false(lac_device_choice_recall(&f->question, &again));
  g_assert_true(lac_draft_set(f->draft, "pause_us", "0", &error));
  f->question.subject.precision = "f32";
  g_assert_false(lac_device_choice_recall(&f->question, &again));
  f->question.subject.precision = "f64";
  f->question.threads = 2;
  g_assert_false(lac_device_choice_recall(&f->question, &again));
  f->question.threads = 1;
  f->device.device.driver = 13000;
  g_assert_false(lac_device_choice_recall(&f->question, &again));
  f->device.device.driver = 12040;
  g_assert_true(lac_device_choice_recall(&f->question, &again));
}

static void
short_run_is_the_processors(Fixture *f, gconstpointer unused)
{
  LacDeviceChoice choice;

  fake.estimated_seconds = 1;
  g_assert_true(lac_device_choice_recall(&f->question, &choice));
  assert_says(&choice, FALSE, "too short");
  g_assert_cmpuint(fake.n_steps, ==, 0);
}

/* ---- whole runs on the emulated device ---- */

typedef struct {
  const char *path;
  void (*test)(void);
} Whole;

static const char *const training[] = {
  "grid=12",  "times=6", "family=4",   "sensors=4",       "members=6",     "engines=pinn",
  "width=16", "depth=3", "points=512", "adam_steps=4000", "quasi_steps=0", NULL,
};

static LacRun *
new_run(const char *out, LacContentCache *cache, const char *backend)
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
                                      .backend = backend,
                                      .threads = 1,
                                      .out = out,
                                      .cache = cache},
                    &error);
  g_assert_no_error(error);
  return run;
}

static void
do_one_step(LacRun *run)
{
  g_autoptr(GError) error = NULL;
  LacRunStatus      status;

  lac_run_start(run, TRUE);
  lac_run_step(run);
  do { /* a stopped run would not measure */
    g_usleep(1000);
    lac_run_get_status(run, &status);
  } while (status.step < 1 && status.state != LAC_RUN_ENDED);
  lac_run_stop(run);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
}

static const char *
find_fact(const LacRunFile *file, const char *key)
{
  for (gsize i = 0; i < file->n_facts; i++)
    if (g_str_equal(file->facts[i].key, key))
      return file->facts[i].value;
  return NULL;
}

/* Asserts that header, journal and status name the CPU and the reason. */
static void
assert_on_processor(LacRun *run)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  LacRunStatus          status;

  g_assert_no_error(error);
  lac_run_get_status(run, &status);
  g_assert_cmpstr(lac_run_get_backend(run), ==, "cpu");
  g_assert_cmpstr(status.device, ==, "");
  g_assert_nonnull(strstr(status.choice, "times as fast as the GPU at this size"));
  g_assert_cmpstr(file->backend, ==, "cpu");
  g_assert_cmpstr(find_fact(file, "computed by"), ==, status.choice);
  g_assert_null(find_fact(file, "device"));
  g_assert_cmpuint(file->n_events, >=, 1);
  g_assert_cmpstr(file->events[0].what, ==, LAC_RUN_EVENT_DEVICE);
  g_assert_cmpstr(file->events[0].detail, ==, status.choice);
  g_assert_null(lac_run_get_fallback(run));
  g_autoptr(JsonObject) result = lac_run_dup_result(run);
  g_autofree char      *json = lac_json_object_to_text(result);
  g_autofree char      *member = g_strdup_printf("\"choice\":\"%s\"", status.choice);
  g_assert_nonnull(strstr(json, member));
}

static void
runs_take_what_is_faster(void)
{
  g_autofree char  *module = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_autofree char  *out = test_folder_new(), *kept = test_folder_new();
  LacContentCache  *cache = lac_content_cache_new(kept, 0);
  g_autoptr(GError) error = NULL;

  g_setenv("LACUNA_MODULE_DIR", module, TRUE);
  g_setenv("LACUNA_EMULATED_DELAY", "1000",
           TRUE); /* much slower than the processor, also beside other tests */
  g_autoptr(LacRun) first = new_run(out, cache, "auto");
  g_assert_cmpstr(lac_run_get_backend(first), ==, "cuda"); /* until measured */
  do_one_step(first);
  assert_on_processor(first);
  g_autoptr(LacRun) second = new_run(out, cache, "auto");
  g_assert_cmpstr(lac_run_get_backend(second), ==, "cpu"); /* from the cache */
  do_one_step(second);
  assert_on_processor(second);
  g_autoptr(LacRun) named = new_run(out, cache, "cuda");
  do_one_step(named);
  g_assert_cmpstr(lac_run_get_backend(named), ==, "cuda");
  g_autoptr(LacRun) resumed =
    lac_run_new(&(LacRunSettings){.resume = lac_run_get_folder(named), .cache = cache}, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(lac_run_get_backend(resumed), ==, "cuda"); /* resumes on the same device */
  lac_content_cache_unref(cache);
  g_clear_pointer(&resumed, lac_run_free);
  test_folder_remove(g_steal_pointer(&out));
  test_folder_remove(g_steal_pointer(&kept));
}

/* Uses the second device, on the thread that made the run and on the run's own. */
static void
devices_are_numbered(void)
{
  g_autofree char  *module = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_autofree char  *out = test_folder_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(LacRunFile) file = NULL;
  LacDevice             device;

  g_setenv("LACUNA_MODULE_DIR", module, TRUE);
  g_setenv("LACUNA_EMULATED_DEVICES", "2", TRUE);
  g_setenv("LACUNA_EMULATED_CAPABILITY", "90,86", TRUE);
  g_autoptr(LacRun) run = new_run(out, NULL, "cuda:1");
  do_one_step(run);
  g_assert_cmpstr(lac_run_get_backend(run), ==, "cuda:1");
  file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(file->backend, ==, "cuda:1");
  g_assert_cmpstr(find_fact(file, "compute capability"), ==, "8.6");
  g_autoptr(LacRun) resumed =
    lac_run_new(&(LacRunSettings){.resume = lac_run_get_folder(run)}, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(lac_run_get_backend(resumed), ==, "cuda:1");
  g_clear_pointer(&resumed, lac_run_free);
  g_assert_false(lac_device_open(&device, "cuda:2", &error));
  g_assert_nonnull(strstr(error->message, "this machine has 2 GPUs, numbered from 0"));
  test_folder_remove(g_steal_pointer(&out));
}

static const Whole wholes[] = {
  {"/run/device-choice/runs-take-what-is-faster", runs_take_what_is_faster},
  {"/run/device-choice/devices-are-numbered", devices_are_numbered},
};

/* Runs a test in a child process, which loads the emulated module. */
static void
apart(gconstpointer data)
{
  const Whole *whole = data;

  if (g_test_subprocess()) {
    whole->test();
    return;
  }
  if (emulated_backend() == NULL) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

#define ADD(name, test) \
  g_test_add("/run/device-choice/" name, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("a-faster-device-is-taken", faster_device_is_taken);
  ADD("a-slower-device-is-not-taken", slower_device_is_not_taken);
  ADD("a-device-that-fails-is-not-taken", device_that_fails_is_not_taken);
  ADD("a-cancelled-measurement-is-not-kept", cancelled_measurement_is_not_kept);
  ADD("times-are-cached-by-what-they-depend-on", times_are_cached_by_what_they_depend_on);
  ADD("a-short-run-is-the-processor's", short_run_is_the_processors);
  for (gsize i = 0; i < G_N_ELEMENTS(wholes); i++)
    g_test_add_data_func(wholes[i].path, &wholes[i], apart);
  return g_test_run();
}
