/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps that a device records: forwards and backwards they agree with the processor's, for parameters that change between
 * replays, and a step is a replay and a copy. */
#include "base/pool.h"
#include "contract/helpers/counted-device.h"
#include "solver/solver.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define MEMBERS 3
#define MORE    40

/* States and gradients of a solver at its example. */
typedef struct {
  double *states, *bar;
  double  bars[LAC_SOLVER_MAX_PARAMETERS];
  gsize   length;
  guint64 calls; /* of the device, by MORE steps */
} Outcome;

static void
outcome_clear(Outcome *outcome)
{
  g_free(outcome->states);
  g_free(outcome->bar);
}

static guint64
count_calls(const LacSolver *row, gpointer solver, double *state, const double *parameters, gsize n)
{
  const guint64     before = counted_device_get_calls();
  g_autoptr(GError) error = NULL;

  row->advance(solver, state, 1, parameters, n, &error);
  g_assert_no_error(error);
  return counted_device_get_calls() - before;
}

static gboolean
find_outcome(const LacSolver *row, const char *backend, Outcome *outcome)
{
  LacSolverSettings  settings = {.type = LAC_F64, .n_members = MEMBERS, .is_reversed = TRUE};
  double             parameters[MEMBERS * LAC_SOLVER_MAX_PARAMETERS] = {0};
  g_autofree double *state = NULL;
  g_autoptr(GError)  error = NULL;
  LacDevice          device;
  gpointer           solver;

  *outcome = (Outcome){0};
  if (!counted_device_open(&device, backend))
    return FALSE;
  settings.device = device;
  settings.pool = lac_pool_new(1);
  row->example(&settings, parameters, NULL);
  outcome->length = row->n_fields * settings.nx * settings.ny;
  state = g_new0(double, outcome->length);
  row->example(&settings, parameters, state);
  solver = row->create(row, &settings, &error);
  g_assert_no_error(error);
  outcome->states = g_new(double, MEMBERS * outcome->length);
  outcome->bar = g_memdup2(state, outcome->length * sizeof *state);
  for (gsize m = 0; m < MEMBERS; m++) {
    memcpy(outcome->states + m * outcome->length, state, outcome->length * sizeof *state);
    for (guint p = 0; p < row->n_parameters; p++)
      parameters[m * row->n_parameters + p] = parameters[p] * (1 + 0.1 * (double) m);
  }
  for (guint i = 0; i < 2; i++) {
    row->advance(solver, outcome->states, MEMBERS, parameters, 3, &error);
    g_assert_no_error(error);
    row->reverse(solver, outcome->states, parameters + i * row->n_parameters, 5, outcome->bar,
                 outcome->bars, &error);
    g_assert_no_error(error);
  }
  count_calls(row, solver, state, parameters, 10);
  outcome->calls = count_calls(row, solver, state, parameters, 10 + MORE);
  outcome->calls -= count_calls(row, solver, state, parameters, 10);
  row->destroy(solver);
  lac_pool_free(settings.pool);
  lac_device_close(&device);
  return TRUE;
}

static double
find_largest(const double *values, gsize n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = fmax(largest, fabs(values[i]));
  return largest;
}

static void
compare(const double *found, const double *expected, gsize n)
{
  const double allowed = 1e-11 * find_largest(expected, n);

  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(found[i], expected[i], allowed);
}

static void
test_row(gconstpointer data)
{
  const LacSolver *row = data;
  Outcome          here, there;

  if (find_outcome(row, "cpu", &here) && find_outcome(row, "cuda-emulated", &there)) {
    compare(there.states, here.states, MEMBERS * here.length);
    compare(there.bar, here.bar, here.length);
    compare(there.bars, here.bars, row->n_parameters);
    g_assert_cmpuint(there.calls, <=, 2 * MORE);
    outcome_clear(&there);
  }
  outcome_clear(&here);
}

int
main(int argc, char **argv)
{
  gsize                   n_solvers;
  const LacSolver *const *solvers = lac_solvers(&n_solvers);

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < n_solvers; i++) {
    g_autofree char *path = g_strdup_printf("/solver/recorded-steps/%s", solvers[i]->name);

    if (solvers[i]->reverse && !solvers[i]->on_host)
      g_test_add_data_func(path, solvers[i], test_row);
  }
  return g_test_run();
}
