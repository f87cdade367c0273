/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cavity flow against the table of Ghia, Ghia and Shin, its own refinement, and an independent finite-element
 * solution. */
#include "base/error.h"
#include "solver/lattice/cavity.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* Returns u, v or p of n cells per side at (x, y): bilinear between cell centres. */
static double
look_up(const double *field, gsize n, double x, double y)
{
  const double cx = CLAMP(x * (double) n - 0.5, 0, (double) n - 1.000001);
  const double cy = CLAMP(y * (double) n - 0.5, 0, (double) n - 1.000001);
  const gsize  i = (gsize) cx, j = (gsize) cy;
  const double fx = cx - (double) i, fy = cy - (double) j, *at = field + j * n + i;

  return (1 - fy) * ((1 - fx) * at[0] + fx * at[1]) + fy * ((1 - fx) * at[n] + fx * at[n + 1]);
}

typedef enum { PLAIN, SMOOTH } Lid;

static double *
solve(gsize n, double reynolds, Lid kind)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);
  g_autoptr(GError)  error = NULL;
  g_autofree double *lid = g_new(double, n);
  double            *fields = g_new(double, 3 * n * n);

  for (gsize i = 0; i < n; i++) {
    const double x = ((double) i + 0.5) / (double) n;

    lid[i] = kind == SMOOTH ? 4 * x * (1 - x) : 1;
  }
  lac_cavity_solve(&(LacCavitySettings){.pool = pool, .n = n, .reynolds = reynolds, .lid = lid},
                   fields, &error);
  g_assert_no_error(error);
  return fields;
}

/* Tables I and II at Re 100, without the end points: u at x = 1/2 over y, v at y = 1/2 over x. The table itself
 * differs by up to 0.009 from the spectral values of Botella and Peyret (1998), Comput. Fluids 27, 421: minimum of v
 * -0.2453 there, -0.2538 here. */
static void
test_table(void)
{
  static const double u[][2] = {{0.0547, -0.03717}, {0.0625, -0.04192}, {0.0703, -0.04775},
                                {0.1016, -0.06434}, {0.1719, -0.10150}, {0.2813, -0.15662},
                                {0.4531, -0.21090}, {0.5, -0.20581},    {0.6172, -0.13641},
                                {0.7344, 0.00332},  {0.8516, 0.23151},  {0.9531, 0.68717}};
  static const double v[][2] = {{0.0625, 0.09233},  {0.0703, 0.10091},  {0.0781, 0.10890},
                                {0.0938, 0.12317},  {0.1563, 0.16077},  {0.2266, 0.17507},
                                {0.2344, 0.17527},  {0.5, 0.05454},     {0.8047, -0.24533},
                                {0.8594, -0.22445}, {0.9063, -0.16914}, {0.9453, -0.10313}};
  const gsize         n = 96;
  g_autofree double  *fields = solve(n, 100, PLAIN);
  double              worst = 0;

  for (gsize i = 0; i < G_N_ELEMENTS(u); i++) {
    worst = MAX(worst, fabs(look_up(fields, n, 0.5, u[i][0]) - u[i][1]));
    worst = MAX(worst, fabs(look_up(fields + n * n, n, v[i][0], 0.5) - v[i][1]));
  }
  g_test_message("largest difference from the table %g", worst);
  g_assert_cmpfloat(worst, <, 0.0075);
}

static double
distance(const double *fine, gsize n_fine, const double *coarse, gsize n)
{
  double squares = 0;

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++) {
      const double x = ((double) i + 0.5) / (double) n, y = ((double) j + 0.5) / (double) n;
      const double d = look_up(fine, n_fine, x, y) - coarse[j * n + i];

      squares += d * d;
    }
  return sqrt(squares) / (double) n;
}

/* Twice the cells, a quarter of the error, if the lid speed is 0 at both ends: e(16) - e(32) = 4 (e(32) - e(64)).
 * Points of refined grids meet midway between four cells, where linear interpolation is second order as well; the
 * corners of a uniform lid reduce the order below two. */
static void
test_order(void)
{
  g_autofree double *coarse = solve(16, 50, SMOOTH), *medium = solve(32, 50, SMOOTH);
  g_autofree double *fine = solve(64, 50, SMOOTH);
  const double first = distance(medium, 32, coarse, 16), second = distance(fine, 64, medium, 32);

  g_test_message("differences %g and %g, order %g", first, second, log2(first / second));
  g_assert_cmpfloat(log2(first / second), >, 1.5);
}

/* No flux through the walls: the upward and downward fluxes are equal. The midpoint rule has an error of order h^2, a
 * thousandth, for a flow of magnitude 0.2 whose errors alternate in sign. */
static void
test_balance(void)
{
  const gsize        n = 32;
  g_autofree double *fields = solve(n, 100, SMOOTH);

  for (gsize j = 0; j < n; j++) {
    double up = 0, along = 0;

    for (gsize i = 0; i < n; i++) {
      up += fields[n * n + j * n + i];
      along += fields[i * n + j];
    }
    g_assert_cmpfloat_with_epsilon(up / (double) n, 0, 1e-4);
    g_assert_cmpfloat_with_epsilon(along / (double) n, 0, 1e-4);
  }
}

static char *
find_reference(void)
{
  const char *given = g_getenv("LACUNA_REFERENCE_DATA");

  return given ? g_build_filename(given, "flow", "pinnacle-lid_driven_a4.dat", NULL)
               : g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "..", "shared", "data", "flow",
                                  "pinnacle-lid_driven_a4.dat", NULL);
}

/* Computes the relative L2 error at its nodes at least half a cell from the walls; pressure without its mean. */
static void
compare(const double *fields, gsize n, const char *text, double *errors)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  double        sums[3] = {0}, sums_here[3] = {0}, squares[3] = {0}, norms[3] = {0};
  gsize         n_nodes = 0;

  for (gsize pass = 0; pass < 2; pass++)
    for (gsize k = 0; lines[k]; k++) {
      double values[5];
      char  *at = lines[k];

      if (*at == '%' || !*at)
        continue;
      for (gsize i = 0; i < 5; i++)
        values[i] = g_ascii_strtod(at, &at);
      if (fmin(fmin(values[0], 1 - values[0]), fmin(values[1], 1 - values[1])) < 0.5 / (double) n)
        continue;
      n_nodes += pass == 0;
      for (gsize f = 0; f < 3; f++) {
        const double here = look_up(fields + f * n * n, n, values[0], values[1]);
        const double mean = f == 2 ? sums[f] / (double) n_nodes : 0;
        const double mean_here = f == 2 ? sums_here[f] / (double) n_nodes : 0;
        const double d = (here - mean_here) - (values[2 + f] - mean);

        if (pass == 0) {
          sums[f] += values[2 + f];
          sums_here[f] += here;
        } else {
          squares[f] += d * d;
          norms[f] += (values[2 + f] - mean) * (values[2 + f] - mean);
        }
      }
    }
  g_assert_cmpuint(n_nodes, >, 1000);
  for (gsize f = 0; f < 3; f++)
    errors[f] = sqrt(squares[f] / norms[f]);
}

static void
test_reference(void)
{
  const gsize        n = 96;
  g_autofree char   *path = find_reference(), *text = NULL;
  g_autofree double *fields = NULL;
  double             errors[3];

  if (!g_file_get_contents(path, &text, NULL, NULL)) {
    g_assert_null(g_getenv("CI"));
    g_test_skip("no pinnacle-lid_driven_a4.dat");
    return;
  }
  fields = solve(n, 100, SMOOTH);
  compare(fields, n, text, errors);
  g_test_message("relative L2 of u %g, v %g, p %g", errors[0], errors[1], errors[2]);
  /* the table's flow is second order in 1/96: below one per cent, pressure likewise */
  g_assert_cmpfloat(errors[0], <, 0.005);
  g_assert_cmpfloat(errors[1], <, 0.005);
  g_assert_cmpfloat(errors[2], <, 0.02);
}

static void
test_refusal(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(1);
  g_autoptr(GError)  error = NULL;
  double             lid[8] = {0}, fields[3 * 64];

  g_assert_false(lac_cavity_solve(
    &(LacCavitySettings){.pool = pool, .n = 8, .reynolds = 1000, .lid = lid}, fields, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, "17 cells"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/cavity/the-table-of-ghia-is-met", test_table);
  g_test_add_func("/solver/cavity/cells-count-to-second-order", test_order);
  g_test_add_func("/solver/cavity/what-goes-up-goes-down", test_balance);
  g_test_add_func("/solver/cavity/a-finite-element-solution-is-met", test_reference);
  g_test_add_func("/solver/cavity/too-few-cells-are-refused", test_refusal);
  return g_test_run();
}
