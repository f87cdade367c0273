/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of the optimisers compared with the formulas evaluated on the full derivative matrix: iterations whose moves have
 * no width, so that the walkers stay. */
#include "backend/dense.h"
#include "base/rng.h"
#include "experiment/quantum/methods/iteration.h"
#include "experiment/quantum/sampling/local-energy.h"

#include <math.h>
#include <string.h>

enum { WALKERS = 10, MOST_BAD = 1, N_WALK = LAC_N_WALK + 7 * WALKERS };

#define CLIP 5

typedef struct {
  LacPool         *pool;
  LacMolecule     *molecule;
  LacWavefunction *wave;
  gsize            n_params;
  double          *theta;
  double           positions[WALKERS][2][3], energies[WALKERS]; /* clipped and centred */
  double
    *centred;  /* [WALKERS][n_params]: O minus its mean, divided by the square root of WALKERS */
  double *raw; /* [WALKERS][n_params]: O */
} Batch;

static void
fill_derivatives(Batch *batch)
{
  g_autofree double *unit = g_new0(double, batch->n_params);

  for (gsize p = 0; p < batch->n_params; p++) {
    double column[WALKERS], mean = 0;

    unit[p] = 1;
    lac_wavefunction_apply(batch->wave, unit, column);
    unit[p] = 0;
    for (gsize b = 0; b < WALKERS; b++)
      mean += column[b] / WALKERS;
    for (gsize b = 0; b < WALKERS; b++) {
      batch->raw[b * batch->n_params + p] = column[b];
      batch->centred[b * batch->n_params + p] = (column[b] - mean) / sqrt(WALKERS);
    }
  }
}

static void
fill_energies(Batch *batch)
{
  double energies[WALKERS], scratch[WALKERS];

  lac_wavefunction_local(batch->wave, batch->theta, &batch->positions[0][0][0], WALKERS,
                         &(LacLocal){.kinetic = energies});
  for (gsize b = 0; b < WALKERS; b++) {
    double attraction, repulsion;

    lac_local_energy_potential(batch->molecule, &batch->positions[b][0][0], &attraction,
                               &repulsion);
    energies[b] += attraction + repulsion;
  }
  lac_local_energy_clip(energies, WALKERS, CLIP, batch->energies, scratch);
}

static Batch *
batch_new(void)
{
  static const LacNucleus nucleus = {2, {0, 0, 0}};
  static const LacAnsatz  ansatz = {.one_width = 4,
                                    .pair_width = 2,
                                    .n_layers = 2,
                                    .n_determinants = 2,
                                    .full_determinant = TRUE,
                                    .jastrow = TRUE};
  Batch                  *batch = g_new0(Batch, 1);
  LacRng                  rng = lac_rng(4, 4);
  g_autoptr(GError)       error = NULL;

  batch->pool = lac_pool_new(1);
  batch->molecule = lac_molecule_new("He", 1, &nucleus, 1, 1);
  batch->wave = lac_wavefunction_new(batch->molecule, &ansatz, "f64", batch->pool, &error);
  g_assert_no_error(error);
  batch->n_params = lac_wavefunction_get_n_params(batch->wave);
  batch->theta = g_new0(double, batch->n_params);
  batch->raw = g_new0(double, WALKERS * batch->n_params);
  batch->centred = g_new0(double, WALKERS * batch->n_params);
  lac_wavefunction_init(batch->wave, 3, batch->theta);
  lac_rng_normals(&rng, &batch->positions[0][0][0], WALKERS * 6);
  fill_energies(batch);
  lac_wavefunction_tape(batch->wave, batch->theta, &batch->positions[0][0][0], WALKERS, NULL, NULL);
  fill_derivatives(batch);
  return batch;
}

static void
batch_free(Batch *batch)
{
  lac_wavefunction_free(batch->wave);
  lac_molecule_unref(batch->molecule);
  lac_pool_free(batch->pool);
  g_free(batch->theta);
  g_free(batch->raw);
  g_free(batch->centred);
  g_free(batch);
}

static const LacEnergyMethod *
find_method(const char *name)
{
  gsize                         n;
  const LacEnergyMethod *const *methods = lac_energy_methods(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(methods[i]->name, name))
      return methods[i];
  g_error("there is no method %s", name);
}

/* A method in an iteration over the walkers of a batch. */
typedef struct {
  const Batch           *batch;
  const LacEnergyMethod *method;
  gpointer               self;
  LacIteration          *iteration;
  LacIterationState      state;
  double                 walkers[N_WALK];
} Walk;

static void
walk_init(Walk *walk, const Batch *batch, const char *name, gsize at_once)
{
  const LacMethodSettings of_method = {
    .wave = batch->wave, .n_walkers = WALKERS, .at_once = at_once, .pool = batch->pool};
  g_autoptr(GError)    error = NULL;
  LacIterationSettings settings = {
    .wave = batch->wave,
    .n_walkers = WALKERS,
    .at_once = at_once,
    .moves = {.n_moves = 1, .n_up = 1, .seed = 3},
    .clip = CLIP,
    .most_bad = MOST_BAD,
  };

  *walk = (Walk){.batch = batch, .method = settings.method = find_method(name)};
  walk->self = settings.method_self = walk->method->create(&of_method, &error);
  g_assert_no_error(error);
  walk->method->describe(walk->self, &settings.update);
  settings.n_memory = lac_packing_get_length(walk->method->pack, walk->self);
  walk->iteration = lac_iteration_new(&settings, &error);
  g_assert_no_error(error);
  walk->state = (LacIterationState){
    .theta = g_new0(double, batch->n_params),
    .theta_before = g_new0(double, batch->n_params),
    .theta_sum = g_new0(double, batch->n_params),
    .memory = g_new0(double, settings.n_memory),
    .memory_before = g_new0(double, settings.n_memory),
    .walkers = walk->walkers,
  };
  memcpy(walk->walkers + LAC_N_WALK, batch->positions, sizeof batch->positions);
  lac_wavefunction_value(batch->wave, batch->theta, &batch->positions[0][0][0], WALKERS,
                         walk->walkers + LAC_N_WALK + 6 * WALKERS, (gint8[WALKERS]){0});
}

static void
walk_clear(Walk *walk)
{
  lac_iteration_free(walk->iteration);
  walk->method->destroy(walk->self);
  g_free(walk->state.theta);
  g_free(walk->state.theta_before);
  g_free(walk->state.theta_sum);
  g_free(walk->state.memory);
  g_free(walk->state.memory_before);
}

/* Performs one iteration from the parameters of the batch. Returns: the number of steps undone in a row. */
static double
walk_step(Walk *walk, const LacMethodTunables *tunables)
{
  LacIterationReport report;
  LacPending         pending;
  g_autoptr(GError)  error = NULL;

  memcpy(walk->state.theta, walk->batch->theta, walk->batch->n_params * sizeof(double));
  walk->walkers[LAC_WALK_WIDTH] = 0;
  lac_iteration_enter(walk->iteration, &walk->state, 0);
  pending = lac_iteration_enqueue(walk->iteration, tunables, FALSE);
  g_assert_true(lac_pending_is_ready(&pending));
  g_assert_true(lac_pending_finish(&pending, &report, &error));
  g_assert_no_error(error);
  lac_iteration_leave(walk->iteration, &walk->state);
  return report.reported[LAC_REPORTED_RESTORED];
}

/* Returns the change of theta in the last of @n_steps steps on the same batch of derivatives: [n_params]. */
static double *
last_step_by_parts(const Batch             *batch,
                   const char              *name,
                   guint                    n_steps,
                   gsize                    at_once,
                   const LacMethodTunables *tunables)
{
  Walk    walk;
  double *step = g_new(double, batch->n_params);

  walk_init(&walk, batch, name, at_once);
  for (guint k = 0; k < n_steps; k++)
    g_assert_cmpfloat(walk_step(&walk, tunables), ==, 0);
  for (gsize p = 0; p < batch->n_params; p++)
    step[p] = walk.state.theta[p] - batch->theta[p];
  walk_clear(&walk);
  return step;
}

static double *
last_step(const Batch *batch, const char *name, guint n_steps, const LacMethodTunables *tunables)
{
  return last_step_by_parts(batch, name, n_steps, 0, tunables);
}

static double
norm_of(const double *x, gsize n)
{
  double square = 0;

  for (gsize i = 0; i < n; i++)
    square += x[i] * x[i];
  return sqrt(square);
}

static void
assert_near(const double *x, const double *y, gsize n, double relative)
{
  double square = 0;

  for (gsize i = 0; i < n; i++)
    square += (x[i] - y[i]) * (x[i] - y[i]);
  g_assert_cmpfloat(norm_of(y, n), >, 0);
  g_assert_cmpfloat(sqrt(square), <=, relative * norm_of(y, n));
}

/* Solves (O^T O + lambda) step = right over all parameters: stochastic reconfiguration. */
static double *
solve_in_parameters(const Batch *batch, double lambda, const double *right)
{
  const gsize        n = batch->n_params;
  g_autofree double *matrix = g_new0(double, n *n);
  double            *step = g_memdup2(right, n * sizeof *right);

  lac_dense_gemm(TRUE, FALSE, n, n, WALKERS, 1, batch->centred, n, batch->centred, n, 0, matrix, n);
  for (gsize p = 0; p < n; p++)
    matrix[p * n + p] += lambda;
  g_assert_true(lac_dense_cholesky_solve(matrix, n, step, 1));
  return step;
}

/* Returns O^T epsilon with epsilon = e / sqrt(B). */
static double *
gradient_of(const Batch *batch)
{
  double *gradient = g_new0(double, batch->n_params);

  for (gsize b = 0; b < WALKERS; b++)
    for (gsize p = 0; p < batch->n_params; p++)
      gradient[p] += batch->centred[b * batch->n_params + p] * batch->energies[b] / sqrt(WALKERS);
  return gradient;
}

static const LacMethodTunables plain = {.rate = 1, .damping = 1e-2, .norm = 1e30};

/* Solving over the walkers or over the parameters gives the same step to rounding, 1e-8 at a condition number of some
 * 1e4. */
static void
test_minsr(void)
{
  Batch             *batch = batch_new();
  g_autofree double *gradient = gradient_of(batch);
  g_autofree double *expected = solve_in_parameters(batch, plain.damping, gradient);
  g_autofree double *step = last_step(batch, "spring", 1, &plain);

  for (gsize p = 0; p < batch->n_params; p++)
    expected[p] = -expected[p];
  assert_near(step, expected, batch->n_params, 1e-8);
  batch_free(batch);
}

/* Without momentum the second step on the same batch equals the first; with momentum it solves (O^T O + lambda) (phi
 * - mu phi_before) = O^T (epsilon - mu O phi_before). */
static void
test_memory(void)
{
  Batch             *batch = batch_new();
  const gsize        n = batch->n_params;
  LacMethodTunables  with = plain;
  g_autofree double *first = last_step(batch, "spring", 1, &plain);
  g_autofree double *second = last_step(batch, "spring", 2, &plain);
  g_autofree double *right = gradient_of(batch);
  g_autofree double *expected = NULL, *remembered = NULL;

  assert_near(second, first, n, 1e-12);
  with.momentum = 0.9;
  remembered = last_step(batch, "spring", 2, &with);
  for (gsize b = 0; b < WALKERS; b++) {
    const double *row = batch->centred + b * n;
    double        along = 0;

    for (gsize p = 0; p < n; p++)
      along -= row[p] * first[p]; /* first is minus phi */
    for (gsize p = 0; p < n; p++)
      right[p] -= with.momentum * row[p] * along;
  }
  expected = solve_in_parameters(batch, with.damping, right);
  for (gsize p = 0; p < n; p++)
    expected[p] = -expected[p] + with.momentum * first[p];
  assert_near(remembered, expected, n, 1e-8);
  batch_free(batch);
}

static void
test_bound(void)
{
  Batch             *batch = batch_new();
  LacMethodTunables  tunables = plain;
  g_autofree double *step = NULL;

  tunables.norm = 1e-4;
  step = last_step(batch, "spring", 1, &tunables);
  g_assert_cmpfloat(fabs(norm_of(step, batch->n_params) - 1e-2), <, 1e-10);
  batch_free(batch);
}

/* With any preconditioner the step is downhill. */
static void
test_downhill(gconstpointer data)
{
  Batch             *batch = batch_new();
  const char        *name = data;
  LacMethodTunables  tunables = plain;
  g_autofree double *gradient = gradient_of(batch), *step = NULL;
  double             along = 0;

  tunables.rate = 1e-3;
  step = last_step(batch, name, 1, &tunables);
  for (gsize p = 0; p < batch->n_params; p++)
    along += step[p] * gradient[p];
  g_assert_cmpfloat(along, <, 0);
  batch_free(batch);
}

/* Processing the walkers three at a time gives the same step except for the order of sums. */
static void
test_parts(gconstpointer data)
{
  Batch             *batch = batch_new();
  g_autofree double *whole = last_step_by_parts(batch, data, 1, 0, &plain);
  g_autofree double *parts = last_step_by_parts(batch, data, 1, 3, &plain);

  assert_near(parts, whole, batch->n_params,
              1e-7); /* adam divides by the square root of a square */
  batch_free(batch);
}

/* With more walkers without an energy than may be, the last step is undone. */
static void
test_no_number(gconstpointer data)
{
  Batch *batch = batch_new();
  Walk   walk;

  walk_init(&walk, batch, data, 0);
  for (guint b = 0; b <= MOST_BAD; b++)
    walk.walkers[LAC_N_WALK + 6 * b] = NAN;
  for (gsize p = 0; p < batch->n_params; p++)
    walk.state.theta_before[p] = (double) p;
  g_assert_cmpfloat(walk_step(&walk, &plain), ==, 1);
  for (gsize p = 0; p < batch->n_params; p++)
    g_assert_cmpfloat(walk.state.theta[p], ==, (double) p);
  walk_clear(&walk);
  batch_free(batch);
}

/* A step that is not finite leaves theta and the method unchanged. */
static void
test_no_step(gconstpointer data)
{
  Batch             *batch = batch_new();
  const gsize        n_bytes = batch->n_params * sizeof(double);
  LacMethodTunables  tunables = plain;
  Walk               walk;
  g_autofree double *memory = NULL;

  walk_init(&walk, batch, data, 0);
  g_assert_cmpfloat(walk_step(&walk, &tunables), ==, 0);
  memory = g_memdup2(walk.state.memory, n_bytes);
  tunables.damping = NAN;
  g_assert_cmpfloat(walk_step(&walk, &tunables), ==, 1);
  g_assert_cmpmem(walk.state.theta, n_bytes, batch->theta, n_bytes);
  g_assert_cmpmem(walk.state.memory, n_bytes, memory, n_bytes);
  walk_clear(&walk);
  batch_free(batch);
}

int
main(int argc, char **argv)
{
  static const char *const names[] = {"spring", "kfac", "adam"};

  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/quantum/spring/without-memory-it-is-stochastic-reconfiguration",
                  test_minsr);
  g_test_add_func("/experiment/quantum/spring/with-memory-it-solves-for-what-is-new", test_memory);
  g_test_add_func("/experiment/quantum/spring/no-step-is-longer-than-its-bound", test_bound);
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *downhill =
      g_strdup_printf("/experiment/quantum/%s/a-step-goes-downhill", names[k]);
    g_autofree char *number = g_strdup_printf(
      "/experiment/quantum/%s/too-many-walkers-without-an-energy-undo-a-step", names[k]);

    g_test_add_data_func(downhill, names[k], test_downhill);
    g_test_add_data_func(number, names[k], test_no_number);
    if (g_str_equal(names[k], "adam")) /* has no damping */
      continue;
    g_autofree char *step =
      g_strdup_printf("/experiment/quantum/%s/a-step-that-is-not-finite-changes-nothing", names[k]);

    g_test_add_data_func(step, names[k], test_no_step);
  }
  g_test_add_data_func("/experiment/quantum/kfac/walkers-part-by-part-are-the-same-batch", "kfac",
                       test_parts);
  g_test_add_data_func("/experiment/quantum/adam/walkers-part-by-part-are-the-same-batch", "adam",
                       test_parts);
  return g_test_run();
}
