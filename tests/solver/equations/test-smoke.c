/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Smoke: an exact solution, its mass balance, the flow without density, and its adjoint. */
#include "base/error.h"
#include "solver/helpers/adjoint.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define SIDE  24
#define PLANE (SIDE * SIDE)

/* diffusivity, position, radius and rate */
static const double inflow[] = {0.01, 3, 1, 0.8, 0.5};

static void
advance(const char *name, const Place *place, double *state, const double *parameters, gsize n)
{
  const LacSolver  *solver = lac_solver_find(name);
  g_autoptr(GError) error = NULL;
  gpointer          flow = solver->create(solver, &place->settings, &error);

  g_assert_no_error(error);
  solver->advance(flow, state, 1, parameters, n, &error);
  g_assert_no_error(error);
  solver->destroy(flow);
}

static void
fill(double *state)
{
  for (gsize y = 0; y < SIDE; y++)
    for (gsize x = 0; x < SIDE; x++) {
      const double px = 2 * G_PI * (double) x / SIDE, py = 2 * G_PI * (double) y / SIDE;
      double      *at = state + y * SIDE + x;

      at[0] = sin(2 * py) * cos(px) + cos(3 * py);
      at[PLANE] = sin(2 * px) - cos(px + py);
      at[2 * PLANE] = 1 + cos(px) * sin(2 * py);
    }
}

/* Vertical layers of smoke shear the flow but are not advected by it: s = cos(k x) exp(-kappa k^2 t) and v = b cos(k
 * x) (exp(-kappa k^2 t) - exp(-nu k^2 t)) / ((nu - kappa) k^2). */
static void
test_layers(void)
{
  const double parameters[2] = {0.1, 0.7}, kappa = 0.03, k = 2, time = 1;
  const double fade = exp(-kappa * k * k * time), rest = exp(-parameters[0] * k * k * time);
  const double rise = parameters[1] * (fade - rest) / ((parameters[0] - kappa) * k * k);
  double       state[3 * PLANE] = {0};
  Place        place;

  place_init(&place, "cpu", 1, SIDE);
  place.settings.constants[0] = kappa;
  for (gsize i = 0; i < PLANE; i++)
    state[2 * PLANE + i] = cos(k * 2 * G_PI * (double) (i % SIDE) / SIDE);
  advance("smoke", &place, state, parameters, 50);
  for (gsize i = 0; i < PLANE; i++) {
    const double wave = cos(k * 2 * G_PI * (double) (i % SIDE) / SIDE);

    g_assert_cmpfloat_with_epsilon(state[i], 0, 1e-14);
    /* Runge-Kutta error for a rate of 0.4 and steps of 0.02: (0.008)^4 / 120 per unit of time */
    g_assert_cmpfloat_with_epsilon(state[PLANE + i], rise * wave, 1e-10);
    g_assert_cmpfloat_with_epsilon(state[2 * PLANE + i], fade * wave, 1e-14);
  }
  place_clear(&place);
}

static double
mean(const double *plane)
{
  double sum = 0;

  for (gsize i = 0; i < PLANE; i++)
    sum += plane[i];
  return sum / PLANE;
}

/* The mean density grows by the mean inflow, on which two runs of different length must agree. */
static void
test_balance(void)
{
  const double parameters[2] = {0.05, 1};
  double       state[3 * PLANE], first, second;
  Place        place;

  place_init(&place, "cpu", 1, SIDE);
  memcpy(place.settings.constants, inflow, sizeof inflow);
  fill(state);
  first = -mean(state + 2 * PLANE);
  advance("smoke", &place, state, parameters, 10);
  first += mean(state + 2 * PLANE);
  fill(state);
  second = -mean(state + 2 * PLANE);
  advance("smoke", &place, state, parameters, 30);
  second += mean(state + 2 * PLANE);
  g_assert_cmpfloat(first, >, 0);
  g_assert_cmpfloat_with_epsilon(second, 3 * first, 1e-14);
  place_clear(&place);
}

/* Without buoyancy the flow is that of Navier-Stokes. */
static void
test_weightless(void)
{
  const double parameters[2] = {0.05, 0};
  double       state[3 * PLANE], alone[2 * PLANE];
  Place        place;

  place_init(&place, "cpu", 1, SIDE);
  fill(state);
  memcpy(alone, state, sizeof alone);
  advance("smoke", &place, state, parameters, 50);
  advance("navier-stokes-2d", &place, alone, parameters, 50);
  for (gsize i = 0; i < 2 * PLANE; i++)
    g_assert_cmpfloat_with_epsilon(state[i], alone[i], 1e-13);
  place_clear(&place);
}

static void
test_members(void)
{
  const LacSolver   *solver = lac_solver_find("smoke");
  const double       parameters[4][2] = {{0.05, 1}, {0.02, 1}, {0.05, 0.4}, {0.1, 2}};
  const gsize        length = 3 * PLANE;
  g_autofree double *states = g_new(double, 4 * length);
  g_autoptr(GError)  error = NULL;
  gpointer           flow;
  Place              place;

  place_init(&place, "cpu", 3, SIDE);
  for (gsize m = 0; m < 4; m++)
    fill(states + m * length);
  flow = solver->create(solver, &place.settings, &error);
  g_assert_no_error(error);
  solver->advance(flow, states, 4, parameters[0], 10, &error);
  g_assert_no_error(error);
  solver->destroy(flow);
  for (gsize m = 0; m < 4; m++) {
    double alone[3 * PLANE];

    fill(alone);
    advance("smoke", &place, alone, parameters[m], 10);
    g_assert_cmpmem(alone, sizeof alone, states + m * length, sizeof alone);
  }
  place_clear(&place);
}

static void
test_adjoint(gconstpointer backend)
{
  const double       parameters[2] = {0.05, 0.8};
  g_autofree double *state = g_new(double, 3 * PLANE);
  Place              place;

  place_init(&place, backend, 1, SIDE);
  memcpy(place.settings.constants, inflow, sizeof inflow);
  fill(state);
  adjoint_check(lac_solver_find("smoke"), &place, state, parameters, 30);
  place_clear(&place);
}

static void
test_refusals(void)
{
  g_autoptr(GError) error = NULL;
  const LacSolver  *row = lac_solver_find("smoke");
  Place             place;

  place_init(&place, "cpu", 1, SIDE);
  place.settings.constants[4] = 1;
  g_assert_null(row->create(row, &place.settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  place.settings.constants[4] = 0;
  place.settings.length[1] = 1;
  g_assert_null(row->create(row, &place.settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  place_clear(&place);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/smoke/upright-layers-shear-the-flow", test_layers);
  g_test_add_func("/solver/smoke/density-grows-by-the-inflow", test_balance);
  g_test_add_func("/solver/smoke/weightless-smoke-is-navier-stokes", test_weightless);
  g_test_add_func("/solver/smoke/members-together-are-members-alone", test_members);
  g_test_add_data_func("/solver/smoke/backwards-is-the-transpose", "cpu", test_adjoint);
  g_test_add_data_func("/solver/smoke/backwards-on-the-strict-backend", "strict", test_adjoint);
  g_test_add_func("/solver/smoke/what-it-cannot-take-is-refused", test_refusals);
  return g_test_run();
}
