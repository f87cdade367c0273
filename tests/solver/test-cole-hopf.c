/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact Burgers solution: its equation, conditions and symmetry, and convergence in the number of nodes. */
#include "solver/cole-hopf.h"

#include <glib.h>

#include <math.h>

#define VISCOSITY (0.01 / G_PI)

/* Differences of order 4; the shock is about viscosity / |u| wide, so the points stay clear of its centre. */
static double
residual(const LacColeHopf *exact, double viscosity, double t, double x)
{
  static const double first[] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  static const double second[] = {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12};
  const double        h = 1e-3;
  double              u_t = 0, u_x = 0, u_xx = 0;

  for (int i = 0; i < 5; i++) {
    u_t += first[i] * lac_cole_hopf_at(exact, t + (i - 2) * h, x) / h;
    u_x += first[i] * lac_cole_hopf_at(exact, t, x + (i - 2) * h) / h;
    u_xx += second[i] * lac_cole_hopf_at(exact, t, x + (i - 2) * h) / (h * h);
  }
  return u_t + lac_cole_hopf_at(exact, t, x) * u_x - viscosity * u_xx;
}

/* Truncation: h^4 times a fifth derivative, about (pi / (1 - pi t))^5 at most away from the shock; rounding of second
 * differences: 1e-14 nu / h^2. At a viscosity of 0.1 the solution is smooth. */
static void
test_equation(void)
{
  g_autoptr(LacColeHopf) smooth = lac_cole_hopf_new(0.1, 140);
  g_autoptr(LacColeHopf) sharp = lac_cole_hopf_new(VISCOSITY, 140);

  for (double t = 0.05; t < 1; t += 0.13)
    for (double x = -0.93; x < 0.95; x += 0.11)
      g_assert_cmpfloat(fabs(residual(smooth, 0.1, t, x)), <, 1e-7);
  for (double t = 0.02; t < 0.2; t += 0.05)
    for (double x = -0.93; x < 0.95; x += 0.11)
      g_assert_cmpfloat(fabs(residual(sharp, VISCOSITY, t, x)), <, 1e-6);
}

static void
test_conditions(void)
{
  g_autoptr(LacColeHopf) exact = lac_cole_hopf_new(VISCOSITY, 140);

  for (double x = -1; x <= 1; x += 0.0625) {
    g_assert_cmpfloat_with_epsilon(lac_cole_hopf_at(exact, 0, x), -sin(G_PI * x), 1e-15);
    g_assert_cmpfloat_with_epsilon(lac_cole_hopf_at(exact, 1e-9, x), -sin(G_PI * x), 1e-7);
  }
  for (double t = 0.1; t <= 1; t += 0.1) {
    g_assert_cmpfloat(fabs(lac_cole_hopf_at(exact, t, 1)), <, 1e-11);
    g_assert_cmpfloat(fabs(lac_cole_hopf_at(exact, t, -1)), <, 1e-11);
    g_assert_cmpfloat(fabs(lac_cole_hopf_at(exact, t, 0)), <, 1e-11);
    for (double x = 0.05; x < 1; x += 0.1)
      g_assert_cmpfloat_with_epsilon(lac_cole_hopf_at(exact, t, -x), -lac_cole_hopf_at(exact, t, x),
                                     1e-11);
  }
}

static double
largest_difference(double viscosity, gsize n_nodes, gsize n_other)
{
  g_autoptr(LacColeHopf) exact = lac_cole_hopf_new(viscosity, n_nodes);
  g_autoptr(LacColeHopf) other = lac_cole_hopf_new(viscosity, n_other);
  double                 largest = 0;

  for (double t = 0.01; t <= 1; t += 0.033)
    for (double x = -0.99; x < 1; x += 0.015)
      largest = MAX(largest, fabs(lac_cole_hopf_at(exact, t, x) - lac_cole_hopf_at(other, t, x)));
  return largest;
}

/* From the sharpest offered shock to the smoothest wave. */
static void
test_nodes(void)
{
  static const double viscosities[] = {0.001, VISCOSITY, 0.01, 0.1, 0.3, 1};

  for (gsize i = 0; i < G_N_ELEMENTS(viscosities); i++)
    g_assert_cmpfloat(largest_difference(viscosities[i], 140, 211), <, 1e-13);
  g_assert_cmpfloat(largest_difference(VISCOSITY, 60, 140), <, 1e-6);
  g_assert_cmpfloat(largest_difference(VISCOSITY, 100, 140), <, 1e-13);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/cole-hopf/solves-burgers-equation", test_equation);
  g_test_add_func("/solver/cole-hopf/meets-start-boundary-and-symmetry", test_conditions);
  g_test_add_func("/solver/cole-hopf/more-nodes-change-nothing", test_nodes);
  return g_test_run();
}
