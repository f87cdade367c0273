/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs on an emulated device with injected faults: a capture at some node, or any allocation. */
#include "emulated.h"

#include "base/error.h"
#include "helpers/folder.h"
#include "helpers/sanitized.h"
#include "run/core/run.h"

#include <string.h>

/* Steps between nodes, which tests/graph and tests/experiment/quantum test one by one, and between allocations. */
#ifdef __SANITIZE_THREAD__
enum { EVERY_NODE = 81, EVERY_ALLOCATION = 17 };
#else
enum { EVERY_NODE = TEST_IS_SANITIZED ? 27 : 9, EVERY_ALLOCATION = TEST_IS_SANITIZED ? 5 : 1 };
#endif

typedef struct {
  const char *name, *experiment, *settings;
} Bed;

static const Bed beds[] = {
  {"pinn", "taylor-green",
   "grid=12 times=6 family=4 sensors=4 members=6 engines=pinn width=4 depth=2 points=64 "
   "adam_steps=6 quasi_steps=3"},
  {"spring", "h2",
   "layers=1 width=5 pair_width=2 determinants=1 walkers=8 moves=2 burn_in=2 iterations=6 "
   "evaluation=8 evaluation_moves=2 picture=16 volume=8 pretraining=0"},
};

typedef struct {
  char    *backend, *fallback, *error; /* fallback, error: (nullable) */
  double   metrics[64];
  guint64  n_graphs, n_nodes, n_allocations;
  gboolean is_finished;
} Result;

static void
result_clear(Result *result)
{
  g_free(result->backend);
  g_free(result->fallback);
  g_free(result->error);
}

static LacDraft *
new_draft(const Bed *bed)
{
  const LacExperiment *experiment = lac_experiment_find(bed->experiment, NULL);
  LacDraft            *draft = lac_draft_new(&experiment->params);
  g_auto(GStrv)        all = g_strsplit(bed->settings, " ", -1);

  for (char **setting = all; *setting; setting++) {
    g_autoptr(GError) error = NULL;
    g_auto(GStrv)     pair = g_strsplit(*setting, "=", 2);

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
  return draft;
}

static void
finish(LacRun *run, Result *result)
{
  g_autoptr(GError) error = NULL;
  const LacOutline *outline = lac_run_get_outline(run);
  LacRunStatus      status;

  lac_run_start(run, FALSE);
  lac_run_wait(run, &error);
  lac_run_get_status(run, &status);
  result->is_finished = g_str_equal(status.outcome, "finished");
  result->error = error ? g_strdup(error->message) : NULL;
  result->backend = g_strdup(lac_run_get_backend(run));
  result->fallback = g_strdup(lac_run_get_fallback(run));
  memcpy(result->metrics, lac_run_get_metrics(run),
         MIN(outline->n_metrics, G_N_ELEMENTS(result->metrics)) * sizeof(double));
}

/* Runs with @faults; in every case nothing remains allocated on the device. */
static void
run_with(const Bed *bed, const EmulatedFaults *faults, Result *result)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacDraft)  draft = new_draft(bed);
  g_autofree char     *out = test_folder_new();
  const EmulatedCounts before = emulated_get_counts();

  *result = (Result){NULL};
  emulated_set_faults(faults);
  LacRun *run =
    lac_run_new(&(LacRunSettings){.experiment = lac_experiment_find(bed->experiment, NULL),
                                  .draft = draft,
                                  .backend = "cuda",
                                  .threads = 1,
                                  .out = out},
                &error);
  if (run)
    finish(run, result);
  else
    result->error = g_strdup(error->message);
  lac_run_free(run);
  emulated_set_faults(NULL);
  const EmulatedCounts after = emulated_get_counts();

  g_assert_cmpint(after.alive, ==, before.alive);
  result->n_graphs = after.graphs - before.graphs;
  result->n_nodes = after.nodes - before.nodes;
  result->n_allocations = after.asked_allocations - before.asked_allocations;
  test_folder_remove(g_steal_pointer(&out));
}

static gboolean
is_there(void)
{
  if (emulated_backend())
    return TRUE;
  g_test_skip("the emulated device was not built");
  return FALSE;
}

static void
assert_same(const Result *wanted, const Result *found)
{
  g_assert_cmpstr(found->error, ==, NULL);
  g_assert_cmpstr(found->fallback, ==, NULL);
  g_assert_cmpstr(found->backend, ==, "cuda");
  g_assert_cmpmem(found->metrics, sizeof found->metrics, wanted->metrics, sizeof wanted->metrics);
}

static void
a_run_goes_on_without_recordings(gconstpointer data)
{
  const Bed     *bed = data;
  EmulatedFaults faults = {.node = 1};
  Result         wanted, found;

  if (!is_there())
    return;
  run_with(bed, NULL, &wanted);
  g_assert_true(wanted.is_finished);
  g_assert_cmpuint(wanted.n_graphs, >, 0);
  for (gboolean is_whole = FALSE; !is_whole; faults.node += EVERY_NODE) {
    run_with(bed, &faults, &found);
    assert_same(&wanted, &found);
    is_whole = found.n_nodes == wanted.n_nodes;
    result_clear(&found);
  }
  g_assert_cmpuint(faults.node, >, 2 * EVERY_NODE);
  result_clear(&wanted);
}

/* Returns the allocations for opening a device; tests/cuda injects a fault into each of them. */
static guint64
count_opening(void)
{
  const LacBackend *table = emulated_backend();
  const guint64     before = emulated_get_counts().asked_allocations;
  void             *self;

  g_assert_cmpint(table->open(&self, 0), ==, LAC_STATUS_OK);
  table->close(self);
  return emulated_get_counts().asked_allocations - before;
}

/* Asserts that the run was on the device, on the CPU with a message, or failed with a message. */
static void
assert_is_reported(const Result *result)
{
  g_assert_true(result->is_finished || result->error);
  if (g_strcmp0(result->backend, "cpu") == 0 || result->error) {
    const char *sentence = result->error ? result->error : result->fallback;

    g_assert_nonnull(sentence);
    if (!strstr(sentence, "exhausted"))
      g_error("a full device is reported as: %s", sentence);
  }
}

static void
any_allocation_may_fail(gconstpointer data, guint64 n_allocations)
{
  const Bed *bed = data;
  Result     whole, found;

  if (!is_there())
    return;
  run_with(bed, NULL, &whole);
  guint64 first = count_opening();

  g_assert_cmpuint(whole.n_allocations, >, first + 10);
  for (; first <= whole.n_allocations; first += EVERY_ALLOCATION) {
    run_with(bed, &(EmulatedFaults){.allocation = first, .n_allocations = n_allocations}, &found);
    assert_is_reported(&found);
    result_clear(&found);
  }
  result_clear(&whole);
}

static void
one_allocation_may_fail(gconstpointer data)
{
  any_allocation_may_fail(data, 1);
}

static void
all_later_allocations_may_fail(gconstpointer data)
{
  any_allocation_may_fail(data, G_MAXUINT64);
}

static void
add(const char *what, const Bed *bed, void (*test)(gconstpointer))
{
  g_autofree char *path = g_strdup_printf("/run/device-faults/%s/%s", bed->name, what);

  g_test_add_data_func(path, bed, test);
}

int
main(int argc, char **argv)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);

  g_test_init(&argc, &argv, NULL);
  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS(beds); i++) {
    add("goes-on-without-recordings", &beds[i], a_run_goes_on_without_recordings);
    add("one-allocation-may-fail", &beds[i], one_allocation_may_fail);
    add("all-later-allocations-may-fail", &beds[i], all_later_allocations_may_fail);
  }
  return g_test_run();
}
