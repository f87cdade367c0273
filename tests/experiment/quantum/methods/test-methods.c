/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of the optimisers compared with the formulas evaluated on the full derivative matrix. */
#include "backend/dense.h"
#include "base/rng.h"
#include "experiment/quantum/methods/energy-method.h"

#include <math.h>
#include <string.h>

enum { WALKERS = 10 };

typedef struct {
  LacPool         *pool;
  LacMolecule     *molecule;
  LacWavefunction *wave;
  gsize            n_params;
  double          *theta;
  double           positions[WALKERS][2][3], energies[WALKERS];
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
  double                  mean = 0;

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
  lac_rng_normals(&rng, batch->energies, WALKERS);
  for (gsize b = 0; b < WALKERS; b++)
    mean += batch->energies[b] / WALKERS;
  for (gsize b = 0; b < WALKERS; b++)
    batch->energies[b] -= mean;
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

/* Returns the change of theta in the last of @n_steps steps on the same batch of derivatives: [n_params]. */
static double *
last_step_by_parts(const Batch *batch,
                   const char  *name,
                   guint        n_steps,
                   gsize        at_once,
                   const LacMethodTunables *template)
{
  const LacMethodSettings settings = {
    .wave = batch->wave, .n_walkers = WALKERS, .at_once = at_once, .pool = batch->pool};
  LacMethodTunables      tunables = *template;
  const LacEnergyMethod *method = find_method(name);
  g_autoptr(GError)      error = NULL;
  gpointer               self = method->create(&settings, &error);
  g_autofree double     *theta = g_memdup2(batch->theta, batch->n_params * sizeof(double));
  double                *step = g_new(double, batch->n_params);

  g_assert_no_error(error);
  tunables.positions = &batch->positions[0][0][0];
  /* restart from the same psi, so that the derivatives are the same */
  for (guint k = 0; k < n_steps; k++) {
    memcpy(theta, batch->theta, batch->n_params * sizeof *step);
    g_assert_true(method->step(self, theta, batch->energies, &tunables));
  }
  for (gsize p = 0; p < batch->n_params; p++)
    step[p] = theta[p] - batch->theta[p];
  method->destroy(self);
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

/* A batch of NaN leaves theta unchanged. */
static void
test_no_number(gconstpointer data)
{
  Batch                  *batch = batch_new();
  const LacMethodSettings settings = {
    .wave = batch->wave, .n_walkers = WALKERS, .pool = batch->pool};
  const LacEnergyMethod *method = find_method(data);
  g_autoptr(GError)      error = NULL;
  gpointer               self = method->create(&settings, &error);
  g_autofree double     *theta = g_memdup2(batch->theta, batch->n_params * sizeof(double));
  LacMethodTunables      tunables = plain;

  tunables.positions = &batch->positions[0][0][0];
  batch->energies[3] = NAN;
  g_assert_false(method->step(self, theta, batch->energies, &tunables));
  g_assert_cmpmem(theta, batch->n_params * sizeof(double), batch->theta,
                  batch->n_params * sizeof(double));
  method->destroy(self);
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
    g_autofree char *number =
      g_strdup_printf("/experiment/quantum/%s/a-batch-without-a-number-changes-nothing", names[k]);

    g_test_add_data_func(downhill, names[k], test_downhill);
    g_test_add_data_func(number, names[k], test_no_number);
  }
  g_test_add_data_func("/experiment/quantum/kfac/walkers-part-by-part-are-the-same-batch", "kfac",
                       test_parts);
  g_test_add_data_func("/experiment/quantum/adam/walkers-part-by-part-are-the-same-batch", "adam",
                       test_parts);
  return g_test_run();
}
