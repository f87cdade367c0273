/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisations of psi with whole iterations on a device. */
#include "emulated.h"

#include "experiment/helpers/late-run.h"
#include "experiment/quantum/helpers/electrons.h"
#include "experiment/quantum/methods/iteration.h"
#include "experiment/quantum/sampling/local-energy.h"
#include "helpers/sanitized.h"

#include <math.h>
#include <string.h>

#define SMALL                                                                                    \
  "layers", "1", "width", "5", "pair_width", "2", "determinants", "1", "walkers", "11", "moves", \
    "3", "burn_in", "2", "iterations", "18", "evaluation", "8", "evaluation_moves", "2",         \
    "picture", "16", "volume", "8", "pretraining", "0"

static const char *const spring[] = {SMALL, "determinants", "2", "layers", "2", NULL};
static const char *const pretrained[] = {SMALL, "pretraining", "3", NULL};
static const char *const adam[] = {SMALL, "optimizer", "adam", NULL};
static const char *const in_parts[] = {SMALL, "optimizer", "adam", "at_once", "4", NULL};
static const char *const drifting[] = {SMALL, "proposal", "langevin", NULL};
static const char *const harmonic[] = {SMALL, "proposal", "harmonic", "exchange", "20", NULL};
static const char *const in_single[] = {SMALL, "averaging", "0", NULL};
/* its step is in host memory, between two parts of the iteration */
static const char *const kfac[] = {SMALL, "optimizer", "kfac", NULL};

typedef struct {
  const char *name;
  LateBed     bed;
  gboolean    is_whole; /* used in every test */
} Case;

static const Case cases[] = {
  {"spring", {"h2", spring, 7, "f64"}, TRUE},
  {"pretrained", {"be", pretrained, 7, "f64"}},
  {"adam", {"li", adam, 7, "f64"}},
  {"in-parts", {"li", in_parts, 7, "f64"}, TRUE},
  {"langevin", {"he", drifting, 7, "f64"}, TRUE},
  {"harmonic", {"li", harmonic, 7, "f64"}},
  {"in-single", {"he", in_single, 7, "f32"}},
  {"kfac", {"he", kfac, 7, "f64"}},
};

static gboolean
is_there(void)
{
  if (emulated_backend())
    return TRUE;
  g_test_skip("there is no C++ compiler: the emulated device was not built");
  return FALSE;
}

static void
numbers_come_later_and_are_the_same(gconstpointer data)
{
  if (is_there())
    late_run_compare(data, emulated_backend());
}

/* Compares with the CPU: sums over walkers and parameters have another order, and 18 iterations amplify rounding a
 * thousandfold at most. */
static void
the_processor_says_the_same(gconstpointer data)
{
  const LateBed       *bed = data;
  LacDevice            device = {0};
  g_autofree LateRows *here = NULL, *there = NULL;

  if (!emulated_open_strict(&device)) /* also checks every access to device memory */
    return;
  emulated_set_order(EMULATED_RANDOM, 5);
  there = late_run_walk(bed, device, TRUE);
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_device_close(&device);
  g_assert_true(lac_device_open(&device, "cpu", NULL));
  here = late_run_walk(bed, device, FALSE);
  lac_device_close(&device);
  g_assert_cmpuint(here->n_steps, ==, there->n_steps);
  for (gsize i = 0; i < here->n_steps; i++)
    for (gsize k = 0; k < LATE_MOST_METRICS; k++) {
      const double right = here->rows[i][k], found = there->rows[i][k];

      g_assert_true(isnan(right) == isnan(found));
      if (!isnan(right))
        g_assert_cmpfloat(fabs(found - right), <=, 1e-9 * MAX(1, fabs(right)));
    }
}

static gboolean
is_spring(const LacDraft *draft)
{
  const LacParam  *row = lac_param_find(lac_draft_get_table(draft), "optimizer");
  g_autofree char *text = lac_draft_dup_text(draft, row);

  return g_str_equal(text, "spring");
}

/* Counts submissions per step: tunables, one graph, and the readback with its event. SPRING has two graphs, and between them three kernels and two
 * library calls for the solve. */
static void
steady_steps_wait_for_nothing(gconstpointer data)
{
  enum { FIRST = 10, LAST = 18, SUBMITTED = 4, OF_SPRING = 6 };
  const LateBed       *bed = data;
  const LacExperiment *experiment = lac_experiment_find(bed->experiment, NULL);
  g_autoptr(LacPool)   pool = lac_pool_new(1);
  g_autoptr(LacDraft)  draft = NULL;
  g_autofree LateRows *rows = g_new0(LateRows, 1);
  LacContext           context = {.pool = pool};
  EmulatedCounts       before = {0}, after;
  gpointer             state;

  if (!emulated_open_counted(&context.device))
    return;
  state = late_run_new(bed, &context, &draft);
  while (rows->n_steps < LAST) {
    if (rows->n_steps == FIRST)
      before = emulated_get_counts();
    late_rows_step(rows, experiment, state, TRUE);
  }
  after = emulated_get_counts();
  g_assert_cmpuint(after.graphs - before.graphs, ==, (is_spring(draft) ? 2 : 1) * (LAST - FIRST));
  g_assert_cmpuint(after.submitted - before.submitted, ==,
                   (SUBMITTED + (is_spring(draft) ? OF_SPRING : 0)) * (LAST - FIRST));
  g_assert_cmpuint(after.captures, ==, before.captures);
  g_assert_cmpuint(after.allocations, ==, before.allocations);
  g_assert_cmpuint(after.drains, ==, before.drains);
  experiment->destroy(state);
  lac_device_close(&context.device);
}

static void
assert_same_frame(const LacFrame *wanted, const LacFrame *found)
{
  for (gsize p = 0; p < wanted->n_planes; p++) {
    const gsize n = wanted->planes[p].nx * wanted->planes[p].ny;

    g_assert_cmpmem(wanted->planes[p].data, n * sizeof(float), found->planes[p].data,
                    n * sizeof(float));
  }
  for (gsize i = 0; i < wanted->n_markers; i++)
    g_assert_cmpmem(wanted->markers[i].space, sizeof wanted->markers[i].space,
                    found->markers[i].space, sizeof found->markers[i].space);
}

/* Checks that a run paused at a step shows the same as one that has continued since, and that a resumed run gets the
 * same results. */
static void
frames_and_checkpoints_are_of_their_step(gconstpointer data)
{
  enum { FIRST = 10, MORE = 9, ALL = FIRST + MORE };
  const LateBed       *bed = data;
  const LacExperiment *experiment = lac_experiment_find(bed->experiment, NULL);
  g_autoptr(LacPool)   pool = lac_pool_new(1);
  g_autoptr(LacDraft)  draft = NULL, one = NULL, other = NULL;
  g_autofree LateRows *rows = g_new0(LateRows, 1), *again = g_new0(LateRows, 1);
  g_autoptr(LacStore)  store = lac_store_new();
  LacContext           context = {.pool = pool};
  LacPending           pending = {NULL};
  gpointer             state, still;

  if (!emulated_open(&context.device))
    return;
  state = late_run_new(bed, &context, &draft);
  still = late_run_new(bed, &context, &one);
  g_autoptr(LacFrame) found = late_run_new_frame(experiment, lac_draft_get_values(draft), state);
  g_autoptr(LacFrame) wanted = late_run_new_frame(experiment, lac_draft_get_values(draft), state);

  while (rows->n_steps < ALL) {
    if (rows->n_steps == FIRST) {
      experiment->snapshot(state, found, &pending);
      g_assert_true(lac_pending_is_open(&pending));
    }
    late_rows_step(rows, experiment, state, TRUE);
  }
  for (guint n = 0; !lac_pending_is_ready(&pending); n++)
    g_assert_cmpuint(n, <, 10000);
  g_assert_true(lac_pending_finish(&pending, found, NULL));
  late_rows_finish(rows, 0);
  while (again->n_steps < FIRST)
    late_rows_step(again, experiment, still, TRUE);
  experiment->snapshot(still, wanted, NULL);
  assert_same_frame(wanted, found);
  late_rows_finish(again, 0);
  experiment->save(still, store);
  experiment->destroy(still);
  still = late_run_new(bed, &context, &other);
  g_assert_true(experiment->load(still, store, NULL));
  while (again->n_steps < ALL)
    late_rows_step(again, experiment, still, TRUE);
  late_rows_finish(again, 0);
  for (gsize i = 0; i < ALL; i++)
    g_assert_cmpmem(rows->rows[i], sizeof rows->rows[i], again->rows[i], sizeof again->rows[i]);
  experiment->destroy(state);
  experiment->destroy(still);
  lac_device_close(&context.device);
}

static LacStatus
refuse(void *self G_GNUC_UNUSED)
{
  return LAC_STATUS_UNSUPPORTED;
}

/* Returns: the number of graph nodes replayed. */
static guint64
walk_with(const LateBed *bed, LacDevice device, const EmulatedFaults *faults, LateRows **rows)
{
  const EmulatedCounts before = emulated_get_counts();

  emulated_set_faults(faults);
  *rows = late_run_walk(bed, device, TRUE);
  emulated_set_faults(NULL);
  return emulated_get_counts().nodes - before.nodes;
}

/* Checks a device whose libraries cannot be captured, and devices that refuse one node of a capture, each in turn. */
static void
what_cannot_be_recorded_is_called(gconstpointer data)
{
  const LateBed       *bed = data;
  LacBackend           table;
  LacDevice            device, other;
  EmulatedFaults       faults = {.node = 1};
  g_autofree LateRows *recorded = NULL, *called = NULL;

  if (!emulated_open_counted(&device))
    return;
  table = *device.table;
  table.record_begin = refuse;
  other = (LacDevice){&table, device.self};
  const guint64 whole = walk_with(bed, device, NULL, &recorded);

  g_assert_cmpuint(walk_with(bed, other, NULL, &called), ==, 0);
  g_assert_cmpmem(recorded->rows, sizeof recorded->rows, called->rows, sizeof called->rows);
  for (guint64 part = 0; part != whole; faults.node += TEST_IS_SANITIZED ? 11 : 1) {
    g_autofree LateRows *partly = NULL;

    part = walk_with(bed, device, &faults, &partly);
    g_assert_cmpmem(recorded->rows, sizeof recorded->rows, partly->rows, sizeof partly->rows);
  }
  g_assert_cmpuint(faults.node, >, 12);
  lac_device_close(&device);
}

/* Compares the peak device memory once every phase has begun with the estimate. */
static void
the_device_holds_what_was_estimated(gconstpointer data)
{
  const LateBed       *bed = data;
  const LacExperiment *experiment = lac_experiment_find(bed->experiment, NULL);
  g_autoptr(LacPool)   pool = lac_pool_new(1);
  g_autoptr(LacDraft)  draft = NULL;
  g_autofree LateRows *rows = g_new0(LateRows, 1);
  LacContext           context = {.pool = pool};
  LacEstimate          estimate = {0};
  LacMemoryUse         before, after;
  gpointer             state;

  if (!emulated_open(&context.device))
    return;
  context.device.table->memory_use(context.device.self, &before);
  state = late_run_new(bed, &context, &draft);
  experiment->estimate(experiment, lac_draft_get_values(draft), &estimate);
  while (late_rows_step(rows, experiment, state, TRUE) == LAC_OUTCOME_CONTINUE)
    ;
  context.device.table->memory_use(context.device.self, &after);
  const double found = (double) (after.peak - before.used);

  g_test_message("%.0f of %.0f estimated", found, estimate.device_bytes);
  g_assert_cmpfloat(found, <=, estimate.device_bytes);
  g_assert_cmpfloat(estimate.device_bytes, <=, 1.2 * found);
  experiment->destroy(state);
  lac_device_close(&context.device);
}

#define LARGER                                                                                     \
  "layers", "1", "pair_width", "4", "moves", "1", "burn_in", "0", "iterations", "3", "evaluation", \
    "8", "evaluation_moves", "1", "picture", "16", "volume", "8", "pretraining", "1"

static const char *const many_walkers[] = {LARGER, "walkers", "256", "width", "8", NULL};
static const char *const many_params[] = {LARGER, "walkers",      "40", "width",
                                          "64",   "determinants", "4",  NULL};
static const char *const many_in_parts[] = {LARGER, "walkers",     "64",   "width",
                                            "64",   "optimizer",   "adam", "at_once",
                                            "16",   "pretraining", "0",    NULL};
/* Largest memory: the Gram matrix; the derivatives; the derivatives of part of the walkers. */
static const Case large_cases[] = {
  {"gram", {"he", many_walkers, 0, "f32"}, FALSE},
  {"derivatives", {"li", many_params, 0, "f32"}, FALSE},
  {"parts", {"he", many_in_parts, 0, "f32"}, FALSE},
};

/* ---- walkers without an energy ---- */

enum { N_WALKERS = 9, MOST_BAD = 1, RESTORED = 2, HELIUM = 2 };

typedef struct {
  LacWavefunction  *wave;
  gsize             n_params, n_coordinates;
  LacIteration     *iteration;
  LacIterationState state;
} Walk;

static double *
new_numbers(gsize n, double first)
{
  double *numbers = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    numbers[i] = first + 1e-3 * (double) i;
  return numbers;
}

static gsize
count_walkers(const Walk *walk)
{
  return LAC_N_WALK + N_WALKERS * (walk->n_coordinates + 1);
}

/* @n_bad: number of walkers, the last ones, with psi = 0. */
static void
walk_init(Walk *walk, LacDevice *device, guint n_bad)
{
  LacIterationSettings settings = {
    .n_walkers = N_WALKERS,
    .moves = {.n_moves = 1, .seed = 3},
    .gain = 0.05,
    .clip = 5,
    .most_bad = MOST_BAD,
    .update = {.kind = LAC_UPDATE_SPRING},
  };
  double *walkers;

  walk->wave = settings.wave = lac_electron_system_new(&lac_electron_systems[HELIUM], "f64", NULL);
  settings.moves.n_up = lac_electron_systems[HELIUM].n_up;
  g_assert_true(lac_wavefunction_set_device(walk->wave, device, NULL));
  walk->n_params = settings.n_memory = lac_wavefunction_get_n_params(walk->wave);
  walk->n_coordinates = 3 * lac_wavefunction_get_n_electrons(walk->wave);
  g_autofree double *positions =
    lac_electron_system_walkers(&lac_electron_systems[HELIUM], 11, N_WALKERS);

  walk->state = (LacIterationState){
    .theta = lac_electron_system_theta(walk->wave, 5, 0.1),
    .theta_before = new_numbers(walk->n_params, 0.2),
    .theta_sum = new_numbers(walk->n_params, 0.3),
    .memory = new_numbers(walk->n_params, 0),
    .memory_before = new_numbers(walk->n_params, 0.1),
    .walkers = walkers = new_numbers(count_walkers(walk), 0),
  };
  walkers[LAC_WALK_WIDTH] = 0.2;
  walkers[LAC_WALK_STEP] = 7;
  for (guint b = N_WALKERS - n_bad; b < N_WALKERS; b++)
    positions[b * walk->n_coordinates] = NAN;
  memcpy(walkers + LAC_N_WALK, positions, N_WALKERS * walk->n_coordinates * sizeof *positions);
  walk->iteration = lac_iteration_new(&settings, NULL);
  lac_iteration_enter(walk->iteration, &walk->state, RESTORED);
}

static void
walk_clear(Walk *walk)
{
  lac_iteration_free(walk->iteration);
  lac_wavefunction_free(walk->wave);
  g_free(walk->state.theta);
  g_free(walk->state.theta_before);
  g_free(walk->state.theta_sum);
  g_free(walk->state.memory);
  g_free(walk->state.memory_before);
  g_free(walk->state.walkers);
}

static void
assert_batch_is_the_processors(const LacIterationReport *report)
{
  double               clipped[N_WALKERS], scratch[N_WALKERS];
  const LacEnergyBatch batch =
    lac_local_energy_clip(report->energies, N_WALKERS, 5, clipped, scratch);

  g_assert_cmpfloat(report->reported[LAC_REPORTED_N_GOOD], ==, (double) batch.n_good);
  g_assert_cmpfloat_with_epsilon(report->reported[LAC_REPORTED_MEAN], batch.mean,
                                 1e-13 * fabs(batch.mean));
  g_assert_cmpfloat_with_epsilon(report->reported[LAC_REPORTED_VARIANCE], batch.variance,
                                 1e-12 * batch.variance);
}

/* With the maximum number of bad walkers they are reseeded from others; with one more the last step is undone. */
static void
walkers_without_an_energy(gconstpointer data)
{
  const guint             n_bad = GPOINTER_TO_UINT(data);
  const gboolean          right = n_bad <= MOST_BAD;
  const LacMethodTunables tunables = {.rate = 0.05, .damping = 1e-3, .momentum = 0.9, .norm = 0.1};
  LacDevice               device;
  LacIterationReport      report;
  Walk                    walk = {0};

  if (!emulated_open(&device))
    return;
  walk_init(&walk, &device, n_bad);
  const gsize        n_bytes = walk.n_params * sizeof(double), width = walk.n_coordinates;
  g_autofree double *theta = g_memdup2(walk.state.theta, n_bytes);
  g_autofree double *before = g_memdup2(walk.state.theta_before, n_bytes);
  g_autofree double *sum = g_memdup2(walk.state.theta_sum, n_bytes);
  g_autofree double *memory = g_memdup2(walk.state.memory_before, n_bytes);
  const double      *positions = walk.state.walkers + LAC_N_WALK;

  LacPending pending = lac_iteration_enqueue(walk.iteration, &tunables, TRUE);

  g_assert_true(lac_pending_finish(&pending, &report, NULL));
  assert_batch_is_the_processors(&report);
  g_assert_cmpfloat(report.reported[LAC_REPORTED_N_GOOD], ==, N_WALKERS - n_bad);
  g_assert_cmpfloat(report.reported[LAC_REPORTED_RESTORED], ==, right ? 0 : RESTORED + 1);
  g_assert_true(isnan(report.positions[(N_WALKERS - 1) * width]));
  lac_iteration_leave(walk.iteration, &walk.state);
  for (guint b = N_WALKERS - n_bad; b < N_WALKERS; b++)
    g_assert_cmpmem(positions + b * width, width * sizeof(double), positions,
                    width * sizeof(double));
  g_assert_cmpfloat(walk.state.walkers[LAC_WALK_STEP], ==, 8);
  g_assert_cmpmem(walk.state.theta_before, n_bytes, right ? theta : before, n_bytes);
  g_assert_true((memcmp(walk.state.theta, walk.state.theta_before, n_bytes) == 0) == !right);
  g_assert_true((memcmp(walk.state.memory, memory, n_bytes) == 0) == !right);
  for (gsize p = 0; p < walk.n_params; p++)
    g_assert_cmpfloat(walk.state.theta_sum[p], ==, sum[p] + walk.state.theta[p]);
  walk_clear(&walk);
  lac_device_close(&device);
}

static void
add(const char *what, const Case *c, void (*test)(gconstpointer bed))
{
  g_autofree char *path = g_strdup_printf("/quantum/ahead/%s/%s", what, c->name);

  g_test_add_data_func(path, &c->bed, test);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    add("numbers-come-later-and-are-the-same", &cases[i], numbers_come_later_and_are_the_same);
    if (g_str_equal(cases[i].bed.precision, "f64"))
      add("the-processor-says-the-same", &cases[i], the_processor_says_the_same);
    if (!cases[i].is_whole)
      continue;
    add("steady-steps-wait-for-nothing", &cases[i], steady_steps_wait_for_nothing);
    add("frames-and-checkpoints-are-of-their-step", &cases[i],
        frames_and_checkpoints_are_of_their_step);
    add("what-cannot-be-recorded-is-called", &cases[i], what_cannot_be_recorded_is_called);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(large_cases); i++)
    add("the-device-holds-what-was-estimated", &large_cases[i],
        the_device_holds_what_was_estimated);
  g_test_add_data_func("/quantum/ahead/a-walker-without-an-energy-begins-anew",
                       GUINT_TO_POINTER(MOST_BAD), walkers_without_an_energy);
  g_test_add_data_func("/quantum/ahead/too-many-without-one-take-the-step-back",
                       GUINT_TO_POINTER(MOST_BAD + 1), walkers_without_an_energy);
  return g_test_run();
}
