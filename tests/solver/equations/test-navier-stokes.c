/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Navier-Stokes as a registered solver: viscosity per member, and rejected settings. */
#include "base/error.h"
#include "solver/helpers/adjoint.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define SIDE    24
#define LENGTH  (2 * SIDE * SIDE)
#define N_STEPS 30 /* needs more than one level of checkpoints */

static void
init(Place *place, const char *backend, guint n_threads)
{
  place_init(place, backend, n_threads, SIDE);
  place->settings.constants[0] = 0.01; /* drag */
  place->settings.constants[1] = 3;    /* wavenumber of the force */
}

/* A flow of a few wavenumbers, different for every member. */
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

  init(&place, backend, n_threads);
  flow = solver->create(solver, &place.settings, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < 2; i++) { /* the second time with memory that held other viscosities */
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
  const LacSolver  *row = lac_solver_find("navier-stokes-2d");
  g_autoptr(GError) error = NULL;

  g_assert_null(row->create(row, &settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, sentence));
}

static void
test_refusals(void)
{
  LacSolverSettings settings;
  Place             place;

  init(&place, "cpu", 1);
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

static void
test_adjoint(gconstpointer backend)
{
  const double       viscosity = 0.05;
  g_autofree double *state = g_new(double, LENGTH);
  Place              place;

  init(&place, backend, 1);
  fill(state, 1);
  adjoint_check(lac_solver_find("navier-stokes-2d"), &place, state, &viscosity, N_STEPS);
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
