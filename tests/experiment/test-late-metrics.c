/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delayed metrics and frames: the same values in the same rows as when every step waits for its own. */
#include "emulated.h"

#include "backend/strict/strict.h"
#include "experiment/helpers/late-run.h"

#include <string.h>

#define SMALL                                                                              \
  "engines", "pinn", "depth", "2", "width", "8", "points", "64", "condition_points", "16", \
    "sensors", "4", "adam_steps", "34", "quasi_steps", "6", "refresh", "13", "pool", "3"

static const char *const plain[] = {SMALL, NULL};
static const char *const unknown[] = {
  SMALL, "diffusivity_unknown", "true", "watch", "7", "ensemble", "3", NULL};
static const char *const balanced[] = {SMALL, "term_weights", "gradient", "balance_every", "9",
                                       NULL};
static const char *const patient[] = {SMALL, "patience", "30", NULL};
static const char *const weighed[] = {SMALL, "point_weights", "rba", NULL};

static const LateBed plain_bed = {"heat1d", plain, 7}, unknown_bed = {"heat1d", unknown, 6},
                     balanced_bed = {"heat1d", balanced, 7};
/* Methods that decide by the loss of each step wait for it. */
static const LateBed patient_bed = {"heat1d", patient, 0}, weighed_bed = {"heat1d", weighed, 0};

/* Between two selections of points a step consists of the optimiser's parameters, one graph, the readback and its
 * event. No memory is allocated, no graph recorded, and the device has further steps queued while the host waits. */
static void
steady_steps_wait_for_nothing(void)
{
  enum { FIRST = 15, LAST = 25 };
  static const char *const settings[] = {SMALL, "judge", "1000", NULL};
  const LacExperiment     *experiment = lac_experiment_find("heat1d", NULL);
  g_autoptr(LacDraft)      draft = lac_draft_new(&experiment->params);
  g_autoptr(LacPool)       pool = lac_pool_new(1);
  g_autofree LateRows     *rows = g_new0(LateRows, 1);
  LacContext               context = {.pool = pool, .seed = 3, .precision = "f32"};
  EmulatedCounts           before = {0}, after;
  gpointer                 state;

  if (!emulated_open_counted(&context.device))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  for (gsize i = 0; settings[i]; i += 2)
    g_assert_true(lac_draft_set(draft, settings[i], settings[i + 1], NULL));
  state = experiment->create(experiment, lac_draft_get_values(draft), &context, NULL);
  while (rows->n_steps < LAST) {
    if (rows->n_steps == FIRST)
      before = emulated_get_counts();
    late_rows_step(rows, experiment, state, TRUE);
  }
  after = emulated_get_counts();
  g_assert_cmpuint(after.graphs - before.graphs, ==, LAST - FIRST);
  g_assert_cmpuint(after.submitted - before.submitted, ==, 4 * (LAST - FIRST));
  g_assert_cmpuint(after.captures, ==, before.captures);
  g_assert_cmpuint(after.allocations, ==, before.allocations);
  g_assert_cmpuint(after.drains, ==, before.drains);
  experiment->destroy(state);
  lac_device_close(&context.device);
}

/* Compares a synchronous frame of a state with an asynchronous one that overlaps later steps, for an ensemble with
 * held-out positions. The device is never idle in between. */
static void
frames_come_beside_the_steps(void)
{
  static const char *const settings[] = {SMALL, "judge",    "1000", "ensemble",
                                         "2",   "held_out", "50",   NULL};
  const LacExperiment     *experiment = lac_experiment_find("heat1d", NULL);
  g_autoptr(LacDraft)      draft = lac_draft_new(&experiment->params);
  gconstpointer            params = lac_draft_get_values(draft);
  g_autoptr(LacPool)       pool = lac_pool_new(1);
  g_autofree LateRows     *rows = g_new0(LateRows, 1);
  LacContext               context = {.pool = pool, .seed = 3, .precision = "f32"};
  EmulatedCounts           before, after;
  gpointer                 state;
  gsize                    n_numbers = 0;

  if (!emulated_open_counted(&context.device))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  for (gsize i = 0; settings[i]; i += 2)
    g_assert_true(lac_draft_set(draft, settings[i], settings[i + 1], NULL));
  state = experiment->create(experiment, params, &context, NULL);
  g_autoptr(LacFrame) wanted = late_run_new_frame(experiment, params, state);
  g_autoptr(LacFrame) found = late_run_new_frame(experiment, params, state);

  for (guint round = 0; round < 2; round++) {
    LacPending pending = {NULL};

    for (guint i = 0; i < 4; i++)
      late_rows_step(rows, experiment, state, TRUE);
    experiment->snapshot(state, wanted, NULL);
    before = emulated_get_counts();
    experiment->snapshot(state, found, &pending);
    g_assert_true(lac_pending_is_open(&pending));
    for (guint i = 0; i < 4; i++)
      late_rows_step(rows, experiment, state, TRUE);
    for (guint n = 0; !lac_pending_is_ready(&pending); n++)
      g_assert_cmpuint(n, <, 10000);
    after = emulated_get_counts();
    g_assert_true(lac_pending_finish(&pending, found, NULL));
    g_assert_cmpuint(after.drains, ==, before.drains);
    g_assert_true(round == 0 || after.allocations == before.allocations);
    for (gsize p = 0; p < wanted->n_planes; p++) {
      const gsize n = wanted->planes[p].nx * wanted->planes[p].ny;

      g_assert_cmpmem(wanted->planes[p].data, n * sizeof(float), found->planes[p].data,
                      n * sizeof(float));
      n_numbers += n;
    }
  }
  g_assert_cmpuint(n_numbers, >, 0);
  experiment->destroy(state);
  lac_device_close(&context.device);
}

static void
compare_on_strict(gconstpointer bed)
{
  late_run_compare(bed, &lac_backend_strict);
}

static void
compare_on_emulated(gconstpointer bed)
{
  if (!emulated_backend()) {
    g_test_skip("there is no C++ compiler: the emulated device was not built");
    return;
  }
  late_run_compare(bed, emulated_backend());
}

int
main(int argc, char **argv)
{
  static const struct {
    const char    *name;
    const LateBed *bed;
  } beds[] = {
    {"plain", &plain_bed},       {"unknown-coefficients", &unknown_bed},
    {"balanced", &balanced_bed}, {"patient", &patient_bed},
    {"weighed", &weighed_bed},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(beds); i++) {
    g_autofree char *strict = g_strconcat("/experiment/late-metrics/strict/", beds[i].name, NULL);
    g_autofree char *emulated = g_strconcat("/experiment/late-metrics/cuda/", beds[i].name, NULL);

    g_test_add_data_func(strict, beds[i].bed, compare_on_strict);
    if (beds[i].bed->most_open > 0)
      g_test_add_data_func(emulated, beds[i].bed, compare_on_emulated);
  }
  g_test_add_func("/experiment/late-metrics/cuda/steady-steps-wait-for-nothing",
                  steady_steps_wait_for_nothing);
  g_test_add_func("/experiment/late-metrics/cuda/frames-come-beside-the-steps",
                  frames_come_beside_the_steps);
  return g_test_run();
}
