/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined equations against those of the registry, exact solutions, and rejected input. */
#include "base/error.h"
#include "pde/helpers/equation-bench.h"
#include "pde/written.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* The texts of a row; axes, fields and coefficients have the same names as in the registry. */
typedef struct {
  const char *name;
  const char *residuals[LAC_PDE_MAX_RESIDUALS];
} Row;

static const Row rows[] = {
  {"heat-1d", {"u_t - diffusivity*u_xx"}},
  {"heat-2d", {"u_t = diffusivity*(u_xx + u_yy)"}},
  {"heat-2d-varying", {"u_t - k*(u_xx + u_yy) - k_x*u_x - k_y*u_y", "k_t"}},
  {"advection-diffusion-2d", {"u_t + speed_x*u_x + speed_y*u_y - diffusivity*(u_xx + u_yy)"}},
  {"burgers", {"u_t + advection*u*u_x - viscosity*u_xx"}},
  {"allen-cahn", {"u_t - diffusivity*u_xx + reaction*(u^3 - u)"}},
  {"kdv", {"u_t + advection*u*u_x + dispersion*u_xxx"}},
  {"kuramoto-sivashinsky", {"u_t + advection*u*u_x + instability*u_xx + damping*u_xxxx"}},
  {"navier-stokes-2d",
   {"u_t + advection*(u*u_x + v*u_y) + p_x/density - viscosity*(u_xx + u_yy)",
    "v_t + advection*(u*v_x + v*v_y) + p_y/density - viscosity*(v_xx + v_yy)", "u_x + v_y"}},
  {"navier-stokes-2d-steady",
   {"u*u_x + v*u_y + p_x - viscosity*(u_xx + u_yy)",
    "u*v_x + v*v_y + p_y - viscosity*(v_xx + v_yy)", "u_x + v_y"}},
  {"kolmogorov",
   {"u_t + u*u_x + v*u_y + p_x - viscosity*(u_xx + u_yy) + friction*u - force*sin(wave_number*y)",
    "v_t + u*v_x + v*v_y + p_y - viscosity*(v_xx + v_yy) + friction*v", "u_x + v_y"}},
  {"channel-slice",
   {"u_t + u*u_x + v*u_y + p_x - viscosity*(u_xx + u_yy) - S_x",
    "v_t + u*v_x + v*v_y + p_y - viscosity*(v_xx + v_yy) - S_y", "u_x + v_y - S_c"}},
};

static const LacPde *
find_pde(const char *name)
{
  gsize                n;
  const LacPde *const *pdes = lac_pdes(&n);

  for (gsize i = 0; i < n; i++)
    if (strcmp(pdes[i]->name, name) == 0)
      return pdes[i];
  g_assert_not_reached();
}

static LacPde *
write_row(const LacPde *pde, const char *const *residuals, guint n_residuals)
{
  LacPdeText text = {
    .name = "own",
    .symbols = {.n_axes = pde->n_axes,
                .axes = pde->axes,
                .n_fields = pde->n_fields,
                .fields = pde->fields,
                .n_coefficients = pde->n_coefficients,
                .coefficients = pde->coefficients},
    .n_residuals = n_residuals,
  };
  g_autoptr(GError) error = NULL;
  LacPde           *written;

  for (guint r = 0; r < n_residuals; r++)
    text.residuals[r] = residuals[r];
  for (guint i = 0; i < pde->n_coefficients; i++)
    text.coefficients[i] = pde->test_coefficients[i];
  written = lac_pde_from_expressions(&text, &error);
  g_assert_no_error(error);
  return written;
}

/* Both are sums of about ten terms below 100, added in different order. */
static void
test_equals_the_registry(gconstpointer data)
{
  const Row        *row = data;
  const LacPde     *pde = find_pde(row->name);
  const BenchPoints points = bench_points(pde->n_axes, -0.5);
  g_autoptr(LacPde) written = write_row(pde, row->residuals, pde->n_residuals);
  double            wanted[LAC_PDE_MAX_RESIDUALS * BENCH_N_POINTS];
  double            found[LAC_PDE_MAX_RESIDUALS * BENCH_N_POINTS];

  for (guint i = 0; i < pde->n_axes; i++)
    g_assert_cmpuint(written->orders[i], ==, pde->orders[i]);
  bench_residuals(pde, NULL, FALSE, &points, wanted);
  for (int are_nodes = 0; are_nodes < 2; are_nodes++) {
    bench_residuals(written, NULL, are_nodes, &points, found);
    for (gsize i = 0; i < pde->n_residuals * BENCH_N_POINTS; i++)
      g_assert_cmpfloat_with_epsilon(found[i], wanted[i], 1e-13);
  }
}

static void
exact_fields(const LacPde *pde, LacNode x, LacNode *fields)
{
  pde->exact(pde, x, pde->test_coefficients, fields);
}

/* Taylor-Green vortices as text; and a manufactured solution with its source in the residual. */
static void
test_exact_solution(void)
{
  static const char *const axes[] = {"t", "x", "y"}, *const fields[] = {"u", "v", "p"};
  static const char *const coefficients[] = {"nu"};
  const LacPdeText         text = {
            .name = "own",
            .symbols = {.n_axes = 3,
                        .axes = axes,
                        .n_fields = 3,
                        .fields = fields,
                        .n_coefficients = 1,
                        .coefficients = coefficients},
            .n_residuals = 3,
            .residuals = {"u_t + u*u_x + v*u_y + p_x - nu*(u_xx + u_yy)",
                          "v_t + u*v_x + v*v_y + p_y - nu*(v_xx + v_yy)", "u_x + v_y"},
            .exact = {"cos(x)*sin(y)*exp(-2*nu*t)", "-sin(x)*cos(y)*exp(-2*nu*t)",
                      "-(cos(2*x) + cos(2*y))*exp(-4*nu*t)/4"},
            .coefficients = {0.07},
  };
  const BenchPoints points = bench_points(3, -0.5);
  g_autoptr(GError) error = NULL;
  g_autoptr(LacPde) pde = lac_pde_from_expressions(&text, &error);
  double            found[3 * BENCH_N_POINTS];

  g_assert_no_error(error);
  bench_residuals(pde, exact_fields, FALSE, &points, found);
  for (gsize i = 0; i < G_N_ELEMENTS(found); i++)
    g_assert_cmpfloat(fabs(found[i]), <, 1e-12);
  pde->test_coefficients[0] = 0.1; /* both depend on the coefficient */
  bench_residuals(pde, exact_fields, FALSE, &points, found);
  for (gsize i = 0; i < G_N_ELEMENTS(found); i++)
    g_assert_cmpfloat(fabs(found[i]), <, 1e-12);
}

/* A constant solution is valid: v = 0. */
static void
test_exact_constant(void)
{
  static const char *const axes[] = {"x"}, *const fields[] = {"u"};
  const LacPdeText  text = {.name = "own",
                            .symbols = {.n_axes = 1, .axes = axes, .n_fields = 1, .fields = fields},
                            .n_residuals = 1,
                            .residuals = {"u_xx + (u - 3)*x"},
                            .exact = {"3"}};
  const BenchPoints points = bench_points(1, 0);
  g_autoptr(GError) error = NULL;
  g_autoptr(LacPde) pde = lac_pde_from_expressions(&text, &error);
  double            found[BENCH_N_POINTS];

  g_assert_no_error(error);
  bench_residuals(pde, exact_fields, FALSE, &points, found);
  for (gsize i = 0; i < G_N_ELEMENTS(found); i++)
    g_assert_cmpfloat(found[i], ==, 0);
}

/* ---- what is refused ---- */

typedef struct {
  const char *axes[2], *fields[2], *coefficients[2];
  const char *residuals[2], *exact[2];
  const char *says;
} Refusal;

static const Refusal refusals[] = {
  {{"t", "x"},
   {"u"},
   {"nu"},
   {"u_t - nu*u_xx", "u_q"},
   {NULL},
   "residual 2, column 1: u_q is not a derivative of u: q is not an axis"},
  {{"t", "x"}, {"u", "v"}, {"nu"}, {"u_t - nu*u_xx"}, {NULL}, "field v is in no residual"},
  {{"t", "time"}, {"u"}, {"nu"}, {"u_t"}, {NULL}, "axis time: an axis has one letter"},
  {{"t", "x"}, {"u", "u"}, {"nu"}, {"u_t"}, {NULL}, "u is named twice"},
  {{"t", "x"}, {"u"}, {"sin"}, {"u_t"}, {NULL}, "sin is a function"},
  {{"t", "x"}, {"u"}, {"2a"}, {"u_t"}, {NULL}, "2a is not a valid name"},
  {{"t", "x"}, {"u"}, {"pi"}, {"u_t"}, {NULL}, "pi is a number"},
  {{"t", "x"}, {"u"}, {"nu"}, {NULL}, {NULL}, "0 residuals; 1 to 6 are possible"},
  {{"t", "x"}, {"u"}, {"nu"}, {"u_t"}, {"u + x"}, "exact u, column 1: u is not known here"},
  {{"t", "x"}, {"u", "v"}, {"nu"}, {"u_t + v"}, {"x"}, "an exact solution gives all 2 fields"},
};

static guint
length(const char *const *names)
{
  return names[0] ? (names[1] ? 2 : 1) : 0;
}

static void
test_refusals(void)
{
  for (gsize c = 0; c < G_N_ELEMENTS(refusals); c++) {
    const Refusal    *row = &refusals[c];
    LacPdeText        text = {.name = "own", .n_residuals = length(row->residuals)};
    g_autoptr(GError) error = NULL;

    text.symbols = (LacSymbols){.n_axes = length(row->axes),
                                .axes = row->axes,
                                .n_fields = length(row->fields),
                                .fields = row->fields,
                                .n_coefficients = length(row->coefficients),
                                .coefficients = row->coefficients};
    for (guint i = 0; i < 2; i++) {
      text.residuals[i] = row->residuals[i];
      text.exact[i] = row->exact[i];
    }
    g_test_message("%s", row->says);
    g_assert_null(lac_pde_from_expressions(&text, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
    g_test_message("%s", error->message);
    g_assert_true(g_str_has_prefix(error->message, row->says));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autofree char *name = g_strdup_printf("/pde/written/%s-is-that-of-c", rows[i].name);
    g_test_add_data_func(name, &rows[i], test_equals_the_registry);
  }
  g_test_add_func("/pde/written/exact-solution-solves-it", test_exact_solution);
  g_test_add_func("/pde/written/exact-solution-may-be-constant", test_exact_constant);
  g_test_add_func("/pde/written/what-cannot-be-is-refused", test_refusals);
  return g_test_run();
}
