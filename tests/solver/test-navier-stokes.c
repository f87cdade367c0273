/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Navier-Stokes behind the solvers' face: each member its own viscosity, and what it refuses. */
#include "base/error.h"
#include "base/rng.h"
#include "solver/solver.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define SIDE    24
#define LENGTH  (2 * SIDE * SIDE)
#define N_STEPS 30 /* more than one level of checkpoints */

typedef struct {
  LacDevice         device;
  LacPool          *pool;
  LacSolverSettings settings;
} Place;

static void
place_init(Place *place, const char *backend, guint n_threads)
{
  g_autoptr(GError) error = NULL;

  lac_device_open(&place->device, backend, &error);
  g_assert_no_error(error);
  place->pool = lac_pool_new(n_threads);
  place->settings = (LacSolverSettings){
    .device = place->device,
    .pool = place->pool,
    .type = LAC_F64,
    .nx = SIDE,
    .ny = SIDE,
    .length = {2 * G_PI, 2 * G_PI},
    .time_step = 0.02,
    .n_members = 4,
    .constants = {0.01,     3       },
  };
}

static void
place_clear(Place *place)
{
  lac_pool_free(place->pool);
  lac_device_close(&place->device);
}

/* A flow of a few wavenumbers; every member its own. */
static void
fill(double *states, gsize n_members)
{
  for (gsize m = 0; m < n_members; m++)
    for (gsize y = 0; y < SIDE; y++)
      for (gsize x = 0; x < SIDE; x++) {
        const double px = 2 * G_PI * (double) x / SIDE, py = 2 * G_PI * (double) y / SIDE;
        double      *at = states + m * LENGTH + y * SIDE + x;

        at[0] = sin(2 * py + (double) m) * cos(px) + cos(3 * py);
        at[SIDE * SIDE] = sin(2 * px) - cos(px + py + (double) m);
      }
}

static double *
run(const char   *backend,
    guint         n_threads,
    const double *states,
    gsize         n_members,
    const double *viscosities)
{
  const LacSolver  *solver = lac_solver_find("navier-stokes-2d");
  const double      others[4] = {0.3, 0.02, 0.02, 0.2};
  g_autoptr(GError) error = NULL;
  double           *after = g_memdup2(states, n_members * LENGTH * sizeof *states);
  Place             place;
  gpointer          flow;

  place_init(&place, backend, n_threads);
  flow = solver->create(&place.settings, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < 2; i++) { /* the second time in the memory of other viscosities */
    memcpy(after, states, n_members * LENGTH * sizeof *states);
    solver->advance(flow, after, n_members, i == 0 ? others : viscosities, 10, &error);
    g_assert_no_error(error);
  }
  solver->destroy(flow);
  place_clear(&place);
  return after;
}

static void
test_own_viscosities(void)
{
  const double       viscosities[4] = {0.02, 0.05, 0.02, 0.1};
  const double       same[4] = {0.05, 0.05, 0.05, 0.05};
  g_autofree double *states = g_new(double, 4 * LENGTH), *together = NULL, *equal = NULL;
  g_autofree double *threads = NULL, *strict = NULL;

  fill(states, 4);
  together = run("cpu", 1, states, 4, viscosities);
  equal = run("cpu", 1, states, 4, same);
  threads = run("cpu", 3, states, 4, viscosities);
  strict = run("strict", 1, states, 4, viscosities);
  for (gsize m = 0; m < 4; m++) {
    g_autofree double *alone = run("cpu", 1, states + m * LENGTH, 1, viscosities + m);

    g_assert_cmpmem(together + m * LENGTH, LENGTH * sizeof(double), alone, LENGTH * sizeof(double));
  }
  g_assert_cmpmem(together + LENGTH, LENGTH * sizeof(double), equal + LENGTH,
                  LENGTH * sizeof(double));
  g_assert_cmpmem(together, 4 * LENGTH * sizeof(double), threads, 4 * LENGTH * sizeof(double));
  g_assert_cmpmem(together, 4 * LENGTH * sizeof(double), strict, 4 * LENGTH * sizeof(double));
}

static void
refuse(LacSolverSettings settings, const char *sentence)
{
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_solver_find("navier-stokes-2d")->create(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, sentence));
}

static void
test_refusals(void)
{
  LacSolverSettings settings;
  Place             place;

  place_init(&place, "cpu", 1);
  settings = place.settings;
  settings.nx = 26;
  refuse(settings, "26 by 24");
  settings = place.settings;
  settings.length[1] = 1;
  refuse(settings, "not 1");
  settings = place.settings;
  settings.constants[1] = 8;
  refuse(settings, "below a third of the 24");
  settings.constants[1] = 1.5;
  refuse(settings, "1.5");
  place_clear(&place);
}

/* f(state + h direction, viscosity + h slope) - f(state - h ...): twice the odd part. */
static void
difference(const LacSolver *solver,
           gpointer         flow,
           const double    *state,
           const double    *direction, /* of the state, then of the viscosity */
           double           h,
           double          *out)
{
  g_autofree double *sides = g_new(double, 2 * LENGTH);
  g_autoptr(GError)  error = NULL;
  const double       viscosities[2] = {0.05 + h * direction[LENGTH], 0.05 - h * direction[LENGTH]};

  for (gsize i = 0; i < LENGTH; i++) {
    sides[i] = state[i] + h * direction[i];
    sides[LENGTH + i] = state[i] - h * direction[i];
  }
  solver->advance(flow, sides, 2, viscosities, N_STEPS, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < LENGTH; i++)
    out[i] = sides[i] - sides[LENGTH + i];
}

/* The derivative along @direction by the central difference of order 10: what it cuts off is below 1e-13 here, since a step
 * is smooth and h times the direction small against the flow. */
static void
differentiate(const LacSolver *solver,
              gpointer         flow,
              const double    *state,
              const double    *direction,
              double          *out)
{
  static const double weights[5] = {5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};
  g_autofree double  *term = g_new(double, LENGTH);
  const double        h = 0.02;

  memset(out, 0, LENGTH * sizeof *out);
  for (gsize k = 0; k < 5; k++) {
    difference(solver, flow, state, direction, (double) (k + 1) * h, term);
    for (gsize i = 0; i < LENGTH; i++)
      out[i] += weights[k] * term[i] / h;
  }
}

static void
test_adjoint(gconstpointer backend)
{
  const LacSolver   *solver = lac_solver_find("navier-stokes-2d");
  const double       viscosity = 0.05;
  g_autofree double *state = g_new(double, LENGTH), *direction = g_new(double, LENGTH + 1);
  g_autofree double *y = g_new(double, LENGTH), *tangent = g_new(double, LENGTH);
  g_autofree double *bar = NULL;
  g_autoptr(GError)  error = NULL;
  LacRng             rng = lac_rng(3, 1);
  double             forwards = 0, backwards = 0, viscosity_bar = 0, size = 0;
  Place              place;
  gpointer           flow;

  place_init(&place, backend, 1);
  flow = solver->create(&place.settings, &error);
  g_assert_no_error(error);
  fill(state, 1);
  for (gsize i = 0; i < LENGTH; i++) {
    direction[i] = lac_rng_normal(&rng);
    y[i] = lac_rng_normal(&rng);
  }
  for (gsize of_viscosity = 0; of_viscosity < 2; of_viscosity++) {
    direction[LENGTH] = of_viscosity ? 0.1 : 0;
    for (gsize i = 0; i < LENGTH && of_viscosity; i++)
      direction[i] = 0;
    differentiate(solver, flow, state, direction, tangent);
    g_free(bar);
    bar = g_memdup2(y, LENGTH * sizeof *y);
    forwards = backwards = size = viscosity_bar = 0;
    solver->reverse(flow, state, &viscosity, N_STEPS, bar, &viscosity_bar, &error);
    g_assert_no_error(error);
    for (gsize i = 0; i < LENGTH; i++) {
      forwards += tangent[i] * y[i];
      size += fabs(tangent[i] * y[i]);
      backwards += bar[i] * direction[i];
    }
    backwards += viscosity_bar * direction[LENGTH];
    g_test_message("%s: forwards %.15g, backwards %.15g", of_viscosity ? "viscosity" : "state",
                   forwards, backwards);
    g_assert_cmpfloat(fabs(forwards - backwards), <, 1e-12 * size);
  }
  solver->destroy(flow);
  place_clear(&place);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/navier-stokes/each-member-has-its-own-viscosity", test_own_viscosities);
  g_test_add_func("/solver/navier-stokes/what-it-cannot-take-is-refused", test_refusals);
  g_test_add_data_func("/solver/navier-stokes/backwards-is-the-transpose", "cpu", test_adjoint);
  g_test_add_data_func("/solver/navier-stokes/backwards-on-the-strict-backend", "strict",
                       test_adjoint);
  return g_test_run();
}
