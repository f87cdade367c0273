/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponential solvers against exact solutions of their equations. */
#include "base/error.h"
#include "solver/cole-hopf.h"
#include "solver/solver.h"

#include <glib.h>

#include <math.h>
#include <string.h>

typedef struct {
  LacDevice         device;
  LacPool          *pool;
  const LacSolver  *row;
  LacSolverSettings settings;
} Case;

static void
case_init(Case *at, const char *name, gsize nx, gsize ny, double length)
{
  g_autoptr(GError) error = NULL;

  lac_device_open(&at->device, "cpu", &error);
  g_assert_no_error(error);
  at->pool = lac_pool_new(1);
  at->row = lac_solver_find(name);
  at->settings = (LacSolverSettings){
    .device = at->device,
    .pool = at->pool,
    .type = LAC_F64,
    .nx = nx,
    .ny = ny,
    .length = {length, length},
    .time_step = 0.01,
    .n_members = 1,
  };
}

static void
case_clear(Case *at)
{
  lac_pool_free(at->pool);
  lac_device_close(&at->device);
}

static void
advance(const Case *at, double *state, const double *parameters, gsize n_steps)
{
  g_autoptr(GError) error = NULL;
  gpointer          solver = at->row->create(at->row, &at->settings, &error);

  g_assert_no_error(error);
  at->row->advance(solver, state, 1, parameters, n_steps, &error);
  g_assert_no_error(error);
  at->row->destroy(solver);
}

/* Modes of a rod of length 2, including the fastest resolved by 17 points. */
static void
test_rod(void)
{
  const double diffusivity = 0.4, time = 0.1;
  double       state[17];
  Case         at;

  case_init(&at, "heat-1d", 17, 1, 2);
  for (gsize i = 0; i < 17; i++)
    state[i] = sin(G_PI * (double) i / 16) + 0.5 * sin(15 * G_PI * (double) i / 16);
  advance(&at, state, &diffusivity, 10);
  for (gsize i = 0; i < 17; i++) {
    const double x = G_PI * (double) i / 16, rate = diffusivity * G_PI * G_PI / 4;
    const double exact = exp(-rate * time) * sin(x) + 0.5 * exp(-225 * rate * time) * sin(15 * x);

    g_assert_cmpfloat_with_epsilon(state[i], exact, 1e-14);
  }
  case_clear(&at);
}

static void
test_plate(void)
{
  const double diffusivity = 1.3, time = 20, k = 2 * G_PI / 100;
  double       state[12 * 16];
  Case         at;

  case_init(&at, "heat-2d", 12, 16, 100);
  at.settings.time_step = 5;
  for (gsize i = 0; i < 12 * 16; i++)
    state[i] = 2 + cos(2 * G_PI * (2 * (double) (i % 12) / 12 - 3 * (double) (i / 12) / 16));
  advance(&at, state, &diffusivity, 4);
  for (gsize i = 0; i < 12 * 16; i++) {
    const double wave = cos(2 * G_PI * (2 * (double) (i % 12) / 12 - 3 * (double) (i / 12) / 16));

    g_assert_cmpfloat_with_epsilon(state[i], 2 + exp(-diffusivity * 13 * k * k * time) * wave,
                                   1e-13);
  }
  case_clear(&at);
}

static void
test_transport(void)
{
  const double parameters[] = {1.2, -0.7, 0.05}, time = 0.5;
  double       state[16 * 16];
  Case         at;

  case_init(&at, "advection-diffusion-2d", 16, 16, 2 * G_PI);
  for (gsize i = 0; i < 256; i++)
    state[i] = sin(2 * G_PI * (2 * (double) (i % 16) + (double) (i / 16)) / 16);
  advance(&at, state, parameters, 50);
  for (gsize i = 0; i < 256; i++) {
    const double x = 2 * G_PI * (double) (i % 16) / 16 - parameters[0] * time;
    const double y = 2 * G_PI * (double) (i / 16) / 16 - parameters[1] * time;

    g_assert_cmpfloat_with_epsilon(state[i], exp(-parameters[2] * 5 * time) * sin(2 * x + y),
                                   1e-13);
  }
  case_clear(&at);
}

/* The steepening wave of Raissi et al. at viscosity 0.05, with periodic ends: it is odd, so both ends of [-1, 1] stay
 * at 0. */
static void
test_burgers(void)
{
  const double parameters[] = {1, 0.05}, time = 0.5;
  LacColeHopf *exact = lac_cole_hopf_new(parameters[1], 140);
  double       state[128];
  Case         at;

  case_init(&at, "burgers-1d", 128, 1, 2);
  at.settings.time_step = 0.002;
  for (gsize i = 0; i < 128; i++)
    state[i] = -sin(G_PI * (-1 + 2 * (double) i / 128));
  advance(&at, state, parameters, 250);
  for (gsize i = 0; i < 128; i++)
    g_assert_cmpfloat_with_epsilon(state[i],
                                   lac_cole_hopf_at(exact, time, -1 + 2 * (double) i / 128), 1e-8);
  lac_cole_hopf_free(exact);
  case_clear(&at);
}

/* u = -2 nu grad ln phi with phi = 1 + a exp(-2 nu k^2 t) cos kx cos ky, a solution of the heat equation. */
static double
potential_flow(double a, double nu, double kx, double ky)
{
  return 2 * nu * a * sin(kx) * cos(ky) / (1 + a * cos(kx) * cos(ky));
}

static void
test_burgers_plane(void)
{
  const double viscosity = 0.4, time = 2, k = 2 * G_PI / 10, a = 0.5;
  const double after = a * exp(-2 * viscosity * k * k * time);
  double       state[2 * 1024];
  Case         at;

  case_init(&at, "burgers-2d", 32, 32, 10);
  for (gsize i = 0; i < 1024; i++) {
    const double x = 2 * G_PI * (double) (i % 32) / 32, y = 2 * G_PI * (double) (i / 32) / 32;

    state[i] = k * potential_flow(a, viscosity, x, y);
    state[1024 + i] = k * potential_flow(a, viscosity, y, x);
  }
  advance(&at, state, &viscosity, 200);
  for (gsize i = 0; i < 1024; i++) {
    const double x = 2 * G_PI * (double) (i % 32) / 32, y = 2 * G_PI * (double) (i / 32) / 32;

    /* first omitted wavenumber, 11: about (a/4)^11 initially */
    g_assert_cmpfloat_with_epsilon(state[i], k * potential_flow(after, viscosity, x, y), 1e-7);
    g_assert_cmpfloat_with_epsilon(state[1024 + i], k * potential_flow(after, viscosity, y, x),
                                   1e-7);
  }
  case_clear(&at);
}

/* The solitary wave (3 c / s) sech^2(sqrt(c / d) (x - c t) / 2) of u_t + s u u_x + d u_xxx = 0 on a much longer
 * periodic interval. */
static double
solitary(double x, double length, double time)
{
  const double c = 0.5, s = 1.2, d = 0.3;
  const double from = remainder(x - length / 2 - c * time, length);
  const double sech = 1 / cosh(sqrt(c / d) * from / 2);

  return 3 * c / s * sech * sech;
}

static void
test_solitary_wave(void)
{
  const double parameters[] = {1.2, 0.3}, length = 60;
  double       state[512];
  Case         at;

  case_init(&at, "kdv", 512, 1, length);
  at.settings.time_step = 0.005;
  for (gsize i = 0; i < 512; i++)
    state[i] = solitary(length * (double) i / 512, length, 0);
  advance(&at, state, parameters, 2000);
  /* the tails overlap by 4 * 1.25 exp(-1.29 * 30), and time steps have an error of 1e-10 */
  for (gsize i = 0; i < 512; i++)
    g_assert_cmpfloat_with_epsilon(state[i], solitary(length * (double) i / 512, length, 10), 1e-9);
  case_clear(&at);
}

/* A uniform phase follows u' = r (u - u^3): u^2 = 1 / (1 + (1/u0^2 - 1) exp(-2 r t)). */
static void
test_phase(void)
{
  const double parameters[] = {0.01, 3}, time = 0.5, first = 0.2;
  double       state[8];
  Case         at;

  case_init(&at, "allen-cahn", 8, 1, 1);
  at.settings.time_step = 0.001;
  for (gsize i = 0; i < 8; i++)
    state[i] = first;
  advance(&at, state, parameters, 500);
  for (gsize i = 0; i < 8; i++)
    g_assert_cmpfloat_with_epsilon(
      state[i], 1 / sqrt(1 + (1 / (first * first) - 1) * exp(-2 * parameters[1] * time)), 1e-11);
  case_clear(&at);
}

/* A wave too small for nonlinear effects grows at the rate given by instability and damping. */
static void
test_growth(void)
{
  const double parameters[] = {1, 0.9, 1.1}, time = 1, k = 2 * G_PI / 12, size = 1e-9;
  const double rate = parameters[1] * k * k - parameters[2] * k * k * k * k;
  double       state[32];
  Case         at;

  case_init(&at, "kuramoto-sivashinsky", 32, 1, 12);
  for (gsize i = 0; i < 32; i++)
    state[i] = size * cos(2 * G_PI * (double) i / 32);
  advance(&at, state, parameters, 100);
  for (gsize i = 0; i < 32; i++) /* the nonlinear term is size^2 */
    g_assert_cmpfloat_with_epsilon(state[i] / size,
                                   exp(rate * time) * cos(2 * G_PI * (double) i / 32), 1e-8);
  case_clear(&at);
}

static void
refuse(Case *at, const char *word)
{
  g_autoptr(GError) error = NULL;

  g_assert_null(at->row->create(at->row, &at->settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, word));
}

static void
test_refusals(void)
{
  Case at;

  case_init(&at, "kdv", 33, 1, 2);
  refuse(&at, "33");
  at.settings.nx = 32;
  at.settings.ny = 4;
  refuse(&at, "one dimension");
  at.settings.ny = 1;
  at.settings.length[0] = -2;
  refuse(&at, "-2");
  at.settings.length[0] = 2;
  at.settings.time_step = 0;
  refuse(&at, "time step");
  case_clear(&at);
  case_init(&at, "heat-2d", 8, 7, 2);
  refuse(&at, "7");
  case_clear(&at);
  case_init(&at, "heat-1d", 2, 1, 2);
  refuse(&at, "2");
  case_clear(&at);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/exponential/rod-cools-mode-by-mode", test_rod);
  g_test_add_func("/solver/exponential/plate-cools-mode-by-mode", test_plate);
  g_test_add_func("/solver/exponential/substance-is-carried-and-spreads", test_transport);
  g_test_add_func("/solver/exponential/burgers-is-cole-hopf", test_burgers);
  g_test_add_func("/solver/exponential/burgers-in-the-plane-is-cole-hopf", test_burgers_plane);
  g_test_add_func("/solver/exponential/solitary-wave-keeps-its-shape", test_solitary_wave);
  g_test_add_func("/solver/exponential/uniform-phase-follows-its-own-law", test_phase);
  g_test_add_func("/solver/exponential/small-wave-grows-at-its-rate", test_growth);
  g_test_add_func("/solver/exponential/what-it-cannot-take-is-refused", test_refusals);
  return g_test_run();
}
