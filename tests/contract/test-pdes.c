/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every equation of the registry: its rows are valid, its exact solution solves it, and the residual's gradient
 * agrees with finite differences. Every registered equation is tested. */
#include "base/rng.h"
#include "graph/program/program.h"
#include "pde/pde.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_POINTS 64

typedef struct {
  LacDevice device;
  LacPool  *pool;
} Bench;

static LacProgram *
plan(const Bench *bench, LacGraph *graph, LacNode loss, const LacNode *outputs, gsize n_outputs)
{
  const LacProgramOptions options = {
    .device = bench->device,
    .type = LAC_F64,
    .pool = bench->pool,
    .gradient = loss.graph != NULL,
  };
  g_autoptr(GError) error = NULL;
  LacProgram       *program = lac_program_new(graph, loss, outputs, n_outputs, &options, &error);

  g_assert_no_error(error);
  return program;
}

static void
fill_points(const LacPde *pde, double *points)
{
  LacRng rng = lac_rng(11, 1);

  for (gsize i = 0; i < N_POINTS * pde->n_axes; i++)
    points[i] = 2 * lac_rng_uniform(&rng) - 1;
}

/* Returns all residuals, minus the sources of a manufactured solution. */
static void
build_residuals(const LacPde *pde,
                LacNode       leaf,
                LacNode      *fields,
                const double *coefficients,
                LacNode      *result)
{
  LacPdeTerms terms = {.x = leaf};

  memcpy(terms.fields, fields, pde->n_fields * sizeof *fields);
  for (guint i = 0; i < pde->n_coefficients; i++)
    terms.coefficients[i] = lac_number(coefficients[i]);
  pde->residuals(pde, &terms, result);
}

static void
subtract_sources(const LacPde *pde, LacNode leaf, LacNode *residuals)
{
  LacNode sources[LAC_PDE_MAX_RESIDUALS] = {{NULL, 0}};

  if (!pde->sources)
    return;
  pde->sources(pde, leaf, pde->test_coefficients, sources);
  for (guint r = 0; r < pde->n_residuals; r++)
    if (sources[r].graph)
      residuals[r] = lac_subtract(residuals[r], sources[r]);
}

/* Returns the coordinates with the jet that the residual needs, direction i along axis i. */
static LacNode
seed(const LacPde *pde, LacNode leaf)
{
  double       directions[LAC_PDE_MAX_AXES * LAC_PDE_MAX_AXES] = {0};
  const LacJet jet = lac_pde_get_jet(pde);

  for (guint i = 0; i < pde->n_axes; i++)
    directions[i * pde->n_axes + i] = 1;
  return lac_graph_seed(leaf, &jet, directions);
}

static void
bench_init(Bench *bench)
{
  g_autoptr(GError) error = NULL;

  lac_device_open(&bench->device, "cpu", &error);
  g_assert_no_error(error);
  bench->pool = lac_pool_new(1);
}

static void
bench_clear(Bench *bench)
{
  lac_pool_free(bench->pool);
  lac_device_close(&bench->device);
}

static void
test_row(gconstpointer data)
{
  const LacPde *pde = data;

  g_assert_true(pde->name && *pde->name && pde->formula && *pde->formula);
  g_assert_true(pde->source && *pde->source);
  g_assert_cmpuint(pde->n_axes, >=, 1);
  g_assert_cmpuint(pde->n_axes, <=, LAC_PDE_MAX_AXES);
  for (guint i = 0; i < pde->n_axes; i++) {
    g_assert_nonnull(pde->axes[i]);
    g_assert_cmpuint(pde->orders[i], >=, 1);
    g_assert_cmpuint(pde->orders[i], <=, 4);
  }
  g_assert_cmpuint(pde->n_fields, >=, 1);
  g_assert_cmpuint(pde->n_fields, <=, LAC_PDE_MAX_FIELDS);
  for (guint i = 0; i < pde->n_fields; i++)
    g_assert_nonnull(pde->fields[i]);
  g_assert_cmpuint(pde->n_residuals, >=, 1);
  g_assert_cmpuint(pde->n_residuals, <=, LAC_PDE_MAX_RESIDUALS);
  for (guint i = 0; i < pde->n_residuals; i++)
    g_assert_nonnull(pde->residual_names[i]);
  g_assert_cmpuint(pde->n_coefficients, <=, LAC_PDE_MAX_COEFFICIENTS);
  for (guint i = 0; i < pde->n_coefficients; i++) {
    g_assert_nonnull(pde->coefficients[i]);
    g_assert_true(isfinite(pde->test_coefficients[i]));
  }
}

/* Also excludes trivial solutions: with other coefficients the residuals must not vanish. */
static void
test_exact(gconstpointer data)
{
  const LacPde *pde = data;
  double        points[N_POINTS * LAC_PDE_MAX_AXES], values[N_POINTS];
  double        largest[2] = {0, 0}, others[LAC_PDE_MAX_COEFFICIENTS];
  Bench         bench;

  bench_init(&bench);
  fill_points(pde, points);
  for (guint i = 0; i < pde->n_coefficients; i++)
    others[i] = (1.5 + 0.2 * i) * pde->test_coefficients[i];
  for (gsize c = 0; c < 2 && (c == 0 || pde->n_coefficients); c++) {
    g_autoptr(LacGraph)   graph = lac_graph_new();
    LacNode               leaf = lac_graph_points(graph, "points", 0, N_POINTS, pde->n_axes);
    LacNode               fields[LAC_PDE_MAX_FIELDS], residuals[LAC_PDE_MAX_RESIDUALS];
    g_autoptr(LacProgram) program = NULL;
    g_autoptr(GError)     error = NULL;

    pde->exact(pde, seed(pde, leaf), pde->test_coefficients, fields);
    build_residuals(pde, leaf, fields, c ? others : pde->test_coefficients, residuals);
    subtract_sources(pde, leaf, residuals);
    program = plan(&bench, graph, LAC_NO_NODE, residuals, pde->n_residuals);
    lac_program_feed(program, leaf, points);
    lac_program_run(program, NULL, 0, NULL, &error);
    g_assert_no_error(error);
    for (guint r = 0; r < pde->n_residuals; r++) {
      lac_program_read(program, residuals[r], values);
      for (gsize i = 0; i < N_POINTS; i++)
        largest[c] = MAX(largest[c], fabs(values[i]));
    }
  }
  g_assert_cmpfloat(largest[0], <, 1e-10);
  if (pde->n_coefficients)
    g_assert_cmpfloat(largest[1], >, 1e-3);
  bench_clear(&bench);
}

static double
loss_at(LacProgram *program, const double *theta)
{
  g_autoptr(GError) error = NULL;
  double            loss = 0;

  lac_program_set_theta(program, theta);
  lac_program_run(program, NULL, 0, &loss, &error);
  g_assert_no_error(error);
  return loss;
}

/* Through a small network; fourth-order central differences along a random direction. */
static void
test_gradient(gconstpointer data)
{
  const LacPde       *pde = data;
  const double        h = 1e-3;
  double              points[N_POINTS * LAC_PDE_MAX_AXES], along = 0, difference;
  g_autoptr(LacGraph) graph = lac_graph_new();
  LacNode             leaf = lac_graph_points(graph, "points", 0, N_POINTS, pde->n_axes);
  LacNode      hidden = lac_layer(seed(pde, leaf), lac_graph_parameter(graph, "w", 6, pde->n_axes),
                                  lac_graph_parameter(graph, "b", 1, 6), LAC_SCALAR_TANH);
  LacNode      output = lac_linear(hidden, lac_graph_parameter(graph, "v", pde->n_fields, 6),
                                   lac_graph_parameter(graph, "c", 1, pde->n_fields));
  LacNode      fields[LAC_PDE_MAX_FIELDS], residuals[LAC_PDE_MAX_RESIDUALS];
  LacNode      terms[LAC_PDE_MAX_RESIDUALS];
  const double factors[LAC_PDE_MAX_RESIDUALS] = {1, 0.7, 1.3, 0.9, 1.1, 0.8};
  const gsize  n = lac_graph_get_n_parameters(graph);
  g_autofree double    *theta = g_new(double, n), *moved = g_new(double, n);
  g_autofree double    *direction = g_new(double, n);
  g_autoptr(LacProgram) program = NULL;
  LacRng                rng = lac_rng(13, 1);
  double                losses[4];
  Bench                 bench;

  bench_init(&bench);
  for (guint i = 0; i < pde->n_fields; i++)
    fields[i] = lac_columns(output, i, 1);
  build_residuals(pde, leaf, fields, pde->test_coefficients, residuals);
  for (guint r = 0; r < pde->n_residuals; r++)
    terms[r] = lac_mean_square(residuals[r], LAC_NO_NODE);
  program = plan(&bench, graph, lac_weighted_sum(terms, factors, pde->n_residuals), NULL, 0);
  fill_points(pde, points);
  lac_program_feed(program, leaf, points);
  for (gsize i = 0; i < n; i++) {
    theta[i] = lac_rng_normal(&rng);
    direction[i] = lac_rng_normal(&rng) / sqrt((double) n);
  }
  for (int k = 0; k < 4; k++) {
    static const int offsets[] = {-2, -1, 1, 2};

    for (gsize i = 0; i < n; i++)
      moved[i] = theta[i] + h * offsets[k] * direction[i];
    losses[k] = loss_at(program, moved);
  }
  difference = (losses[0] - 8 * losses[1] + 8 * losses[2] - losses[3]) / (12 * h);
  loss_at(program, theta);
  for (gsize i = 0; i < n; i++)
    along += direction[i] * ((const double *) lac_program_get_gradient(program))[i];
  g_assert_cmpfloat(fabs(difference), >, 1e-4);
  g_assert_cmpfloat_with_epsilon(along / difference, 1, 1e-8);
  g_clear_pointer(&program, lac_program_free);
  bench_clear(&bench);
}

int
main(int argc, char **argv)
{
  const LacPde *const *pdes;
  gsize                n_pdes;

  g_test_init(&argc, &argv, NULL);
  pdes = lac_pdes(&n_pdes);
  g_assert_cmpuint(n_pdes, >=, 1);
  for (gsize i = 0; i < n_pdes; i++) {
    g_autofree char *row = g_strdup_printf("/contract/pdes/%s/row-is-complete", pdes[i]->name);
    g_autofree char *exact =
      g_strdup_printf("/contract/pdes/%s/exact-solution-solves-it", pdes[i]->name);
    g_autofree char *gradient =
      g_strdup_printf("/contract/pdes/%s/gradient-is-that-of-differences", pdes[i]->name);

    g_test_add_data_func(row, pdes[i], test_row);
    g_test_add_data_func(exact, pdes[i], test_exact);
    g_test_add_data_func(gradient, pdes[i], test_gradient);
  }
  return g_test_run();
}
