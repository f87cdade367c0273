/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vorticity solver against known properties of its equation: exact solutions, budgets, invariants, order. */
#include "solver/helpers/flow.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* u = cos(a x) sin(a y), v = -sin(a x) cos(a y): decays as exp(-2 a^2 nu t), in addition to the drag. */
static void
fill_taylor_green(double *velocity, gsize n, double a, double factor)
{
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const double px = 2 * G_PI * a * (double) x / (double) n;
      const double py = 2 * G_PI * a * (double) y / (double) n;

      velocity[y * n + x] = factor * cos(px) * sin(py);
      velocity[n * n + y * n + x] = -factor * sin(px) * cos(py);
    }
}

static double
taylor_green_error(LacType type, double wavenumber, double drag)
{
  const FlowSettings settings = {"cpu", 1, type, 32, 1, 0, 0.05, drag, 0.01};
  double             start[2 * 32 * 32], end[2 * 32 * 32], exact[2 * 32 * 32], largest = 0;
  Flow               flow;

  flow_init(&flow, &settings);
  fill_taylor_green(start, 32, wavenumber, 1);
  flow_set(&flow, start);
  flow_advance(&flow, 100);
  flow_get(&flow, end);
  fill_taylor_green(exact, 32, wavenumber, exp(-2 * wavenumber * wavenumber * 0.05 - drag));
  for (gsize i = 0; i < G_N_ELEMENTS(end); i++)
    largest = MAX(largest, fabs(end[i] - exact[i]));
  flow_clear(&flow);
  return largest;
}

/* The nonlinear term vanishes, so only the integrating factor acts: the error is the rounding of a hundred steps. */
static void
test_taylor_green(void)
{
  g_assert_cmpfloat(taylor_green_error(LAC_F64, 1, 0), <, 1e-13);
  g_assert_cmpfloat(taylor_green_error(LAC_F64, 3, 0.2), <, 1e-13);
  g_assert_cmpfloat(taylor_green_error(LAC_F32, 1, 0), <, 1e-5);
}

/* The flow sustained by the force against viscosity and drag: u = sin(k y) / (nu k^2 + mu). */
static void
test_laminar(void)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, 32, 1, 4, 0.1, 0.05, 0.01};
  const double       peak = 1 / (0.1 * 16 + 0.05);
  double             velocity[2 * 32 * 32];
  Flow               flow;

  flow_init(&flow, &settings);
  flow_advance(&flow, 3000); /* from rest: exp(-1.65 t) at t = 30 */
  flow_get(&flow, velocity);
  for (gsize y = 0; y < 32; y++)
    for (gsize x = 0; x < 32; x++) {
      /* Runge-Kutta treats the force as constant within its stages, an error of (rate dt)^4 / 2880 of the peak */
      g_assert_cmpfloat_with_epsilon(velocity[y * 32 + x],
                                     peak * sin(4 * 2 * G_PI * (double) y / 32), 1e-10);
      g_assert_cmpfloat_with_epsilon(velocity[32 * 32 + y * 32 + x], 0, 1e-13);
    }
  flow_clear(&flow);
}

static double *
run_for(double time_step, gsize n_steps)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, 32, 1, 2, 0.02, 0, time_step};
  double            *velocity = g_new(double, 2 * 32 * 32);
  Flow               flow;

  flow_init(&flow, &settings);
  flow_randomise(&flow, 4, 3);
  flow_advance(&flow, n_steps);
  flow_get(&flow, velocity);
  flow_clear(&flow);
  return velocity;
}

static double
distance(const double *a, const double *b, gsize n)
{
  double squares = 0;

  for (gsize i = 0; i < n; i++)
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(squares / (double) n);
}

/* Halving the step divides the error by 16; the reference step is eight times smaller than the smallest. */
static void
test_order(void)
{
  g_autofree double *reference = run_for(1.0 / 2560, 2560);
  double             errors[3];

  for (gsize i = 0; i < 3; i++) {
    const gsize        n_steps = (gsize) 80 << i;
    g_autofree double *velocity = run_for(1 / (double) n_steps, n_steps);

    errors[i] = distance(velocity, reference, 2 * 32 * 32);
  }
  g_test_message("orders %g and %g", log2(errors[0] / errors[1]), log2(errors[1] / errors[2]));
  g_assert_cmpfloat_with_epsilon(log2(errors[1] / errors[2]), 4, 0.1);
}

typedef struct {
  double energy, enstrophy, input;
} Budget;

static Budget
measure(Flow *flow, gsize forcing)
{
  const gsize        n = flow->n, half = n * n;
  g_autofree double *velocity = g_new(double, 2 * half), *vorticity = g_new(double, half);
  Budget             budget = {0};

  flow_get(flow, velocity);
  flow_curl(flow, velocity, vorticity);
  budget.energy = flow_mean_product(velocity, velocity, 2 * half);
  budget.enstrophy = flow_mean_product(vorticity, vorticity, half) / 2;
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++)
      budget.input += velocity[y * n + x] *
                      sin((double) forcing * 2 * G_PI * (double) y / (double) n) / (double) half;
  return budget;
}

/* E(T) - E(0) is the integral of input - 2 nu Z - 2 mu E, here by Simpson's rule at every step. */
static void
test_energy_budget(void)
{
  const double       nu = 0.02, mu = 0.1, dt = 0.002;
  const FlowSettings settings = {"cpu", 1, LAC_F64, 32, 1, 4, nu, mu, dt};
  Budget             first, budget = {0};
  double             gain = 0, input = 0;
  Flow               flow;

  flow_init(&flow, &settings);
  flow_randomise(&flow, 6, 2);
  first = measure(&flow, 4);
  for (gsize i = 0; i <= 200; i++) {
    const double weight = dt / 3 * (i == 0 || i == 200 ? 1 : i % 2 ? 4 : 2);

    budget = measure(&flow, 4);
    gain += weight * (budget.input - 2 * nu * budget.enstrophy - 2 * mu * budget.energy);
    input += weight * fabs(budget.input);
    flow_advance(&flow, 1);
  }
  g_test_message("gain %g, by the budget %g", budget.energy - first.energy, gain);
  g_assert_cmpfloat(input, >, 1e-3);
  g_assert_cmpfloat(fabs(budget.energy - first.energy - gain), <, 1e-6 * fabs(gain));
  flow_clear(&flow);
}

/* The truncated Euler equation conserves both exactly; the loss is of order four in the step or better. */
static void
test_invariants(void)
{
  double drift[2];

  for (gsize i = 0; i < 2; i++) {
    const FlowSettings settings = {"cpu", 1, LAC_F64, 32, 1, 0, 0, 0, 0.02 / (double) (1 << i)};
    Budget             first, last;
    Flow               flow;

    flow_init(&flow, &settings);
    flow_randomise(&flow, 2, 2);
    first = measure(&flow, 0);
    flow_advance(&flow, (gsize) 50 << i);
    last = measure(&flow, 0);
    drift[i] = fabs(last.enstrophy / first.enstrophy - 1);
    g_test_message("energy drifts by %g, enstrophy by %g", last.energy / first.energy - 1,
                   drift[i]);
    g_assert_cmpfloat(fabs(last.energy / first.energy - 1), <, 1e-7);
    g_assert_cmpfloat(drift[i], <, 1e-6);
    flow_clear(&flow);
  }
  g_assert_cmpfloat(drift[1], <, drift[0] / 12);
}

/* Checks mean and divergence of a velocity field, relative to the magnitudes of the field and its gradients, by the
 * curl of the field rotated by a right angle: div (u, v) = curl (-v, u). */
static void
test_solenoidal(void)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, 48, 1, 4, 0.01, 0, 0.01};
  const gsize        half = 48 * 48;
  g_autofree double *velocity = g_new(double, 2 * half), *turned = g_new(double, 2 * half);
  g_autofree double *divergence = g_new(double, half), *vorticity = g_new(double, half);
  Flow               flow;

  flow_init(&flow, &settings);
  flow_randomise(&flow, 3, 2);
  flow_advance(&flow, 50);
  flow_get(&flow, velocity);
  for (gsize i = 0; i < half; i++) {
    turned[i] = -velocity[half + i];
    turned[half + i] = velocity[i];
  }
  flow_curl(&flow, turned, divergence);
  flow_curl(&flow, velocity, vorticity);
  for (gsize i = 0; i < half; i++)
    g_assert_cmpfloat(fabs(divergence[i]), <, 1e-12);
  for (gsize c = 0; c < 2; c++) {
    double mean = 0;

    for (gsize i = 0; i < half; i++)
      mean += velocity[c * half + i] / (double) half;
    g_assert_cmpfloat(fabs(mean), <, 1e-15);
  }
  for (gsize i = 1; i < half; i++)
    vorticity[0] += vorticity[i];
  g_assert_cmpfloat(fabs(vorticity[0] / (double) half), <, 1e-14);
  flow_clear(&flow);
}

static void
test_round_trip(void)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, 48, 1, 0, 0.01, 0, 0.01};
  const gsize        n = 2 * 48 * 48;
  g_autofree double *velocity = g_new(double, n), *again = g_new(double, n);
  Flow               flow;

  flow_init(&flow, &settings);
  flow_randomise(&flow, 5, 2);
  flow_get(&flow, velocity);
  flow_set(&flow, velocity);
  flow_get(&flow, again);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(again[i], velocity[i], 1e-14);
  flow_clear(&flow);
}

/* A shear flow of wavenumber k with a mean: preserved below n / 3 and removed from there on; the mean is always
 * removed. */
static void
test_dealias(void)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, 24, 1, 0, 0.01, 0, 0.01};
  double             velocity[2 * 24 * 24], found[2 * 24 * 24];
  Flow               flow;

  flow_init(&flow, &settings);
  for (gsize k = 1; k <= 12; k++) {
    memset(velocity, 0, sizeof velocity);
    for (gsize y = 0; y < 24; y++)
      for (gsize x = 0; x < 24; x++) {
        velocity[y * 24 + x] = 0.5 + cos((double) k * 2 * G_PI * (double) y / 24);
        velocity[24 * 24 + y * 24 + x] = cos((double) k * 2 * G_PI * (double) x / 24);
      }
    flow_set(&flow, velocity);
    flow_get(&flow, found);
    for (gsize i = 0; i < 2 * 24 * 24; i++)
      g_assert_cmpfloat_with_epsilon(found[i], k < 8 ? velocity[i] - (i < 24 * 24 ? 0.5 : 0) : 0,
                                     1e-13);
  }
  flow_clear(&flow);
}

/* Parseval: the RMS of the random vorticity is the requested one. */
static void
test_randomise(void)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, 32, 3, 0, 0.01, 0, 0.01};
  const gsize        half = 32 * 32;
  g_autofree double *velocity = g_new(double, 3 * 2 * half), *vorticity = g_new(double, half);
  Flow               flow;

  flow_init(&flow, &settings);
  flow_randomise(&flow, 5, 2.5);
  flow_get(&flow, velocity);
  for (gsize member = 0; member < 3; member++) {
    flow_curl(&flow, velocity + member * 2 * half, vorticity);
    g_assert_cmpfloat_with_epsilon(sqrt(flow_mean_product(vorticity, vorticity, half)), 2.5, 1e-12);
  }
  g_assert_cmpfloat(distance(velocity, velocity + 2 * half, 2 * half), >, 0.1);
  flow_clear(&flow);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/vorticity/taylor-green-decays-exactly", test_taylor_green);
  g_test_add_func("/solver/vorticity/the-force-holds-up-the-laminar-flow", test_laminar);
  g_test_add_func("/solver/vorticity/the-order-in-time-is-four", test_order);
  g_test_add_func("/solver/vorticity/energy-changes-by-input-less-dissipation", test_energy_budget);
  g_test_add_func("/solver/vorticity/euler-keeps-energy-and-enstrophy", test_invariants);
  g_test_add_func("/solver/vorticity/velocity-has-no-divergence-and-no-mean", test_solenoidal);
  g_test_add_func("/solver/vorticity/velocity-survives-the-way-through-vorticity", test_round_trip);
  g_test_add_func("/solver/vorticity/the-two-thirds-rule-drops-the-rest", test_dealias);
  g_test_add_func("/solver/vorticity/the-random-beginning-has-its-rms", test_randomise);
  return g_test_run();
}
