/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One graph, one program, one evaluation. */
#include "equation-bench.h"

#include "base/pool.h"
#include "base/rng.h"
#include "graph/program/program.h"

BenchPoints
bench_points(guint n_axes, double low)
{
  BenchPoints points = {.low = low, .n_axes = n_axes};
  LacRng      rng = lac_rng(17, n_axes);

  for (gsize i = 0; i < G_N_ELEMENTS(points.points); i++)
    points.points[i] = low + lac_rng_uniform(&rng);
  return points;
}

LacNode
bench_seed(const LacPde *pde, LacNode leaf)
{
  double       directions[LAC_PDE_MAX_AXES * LAC_PDE_MAX_AXES] = {0};
  const LacJet jet = lac_pde_get_jet(pde);

  for (guint i = 0; i < pde->n_axes; i++)
    directions[i * pde->n_axes + i] = 1;
  return lac_graph_seed(leaf, &jet, directions);
}

/* Builds different waves in space for each field, between 1 and 3. */
static void
random_fields(const LacPde *pde, LacNode x, LacNode *fields)
{
  LacRng rng = lac_rng(5, 0);

  for (guint i = 0; i < pde->n_fields; i++) {
    LacNode phase = LAC_NO_NODE;

    for (guint axis = 0; axis < pde->n_axes; axis++) {
      LacNode term = lac_scale(lac_columns(x, axis, 1), 1 + lac_rng_uniform(&rng));
      phase = phase.graph ? lac_add(phase, term) : term;
    }
    fields[i] = lac_offset(lac_map(lac_offset(phase, i), LAC_SCALAR_SIN), 2);
  }
}

void
bench_evaluate(const BenchPoints *points,
               BenchBuild         build,
               gconstpointer      data,
               guint              n_nodes,
               double            *values)
{
  g_autoptr(LacGraph)   graph = lac_graph_new();
  LacNode               nodes[16];
  LacDevice             device;
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacProgram) program = NULL;
  LacPool              *pool = lac_pool_new(1);
  LacNode               leaf = lac_graph_points(graph, "points", 0, BENCH_N_POINTS, points->n_axes);

  g_assert_cmpuint(n_nodes, <=, G_N_ELEMENTS(nodes));
  lac_device_open(&device, "cpu", &error);
  g_assert_no_error(error);
  build(data, leaf, nodes);
  program =
    lac_program_new(graph, LAC_NO_NODE, nodes, n_nodes,
                    &(LacProgramOptions){.device = device, .type = LAC_F64, .pool = pool}, &error);
  g_assert_no_error(error);
  lac_program_feed(program, leaf, points->points);
  lac_program_run(program, NULL, 0, NULL, &error);
  g_assert_no_error(error);
  for (guint i = 0; i < n_nodes; i++)
    lac_program_read(program, nodes[i], values + i * BENCH_N_POINTS);
  g_clear_pointer(&program, lac_program_free);
  lac_pool_free(pool);
  lac_device_close(&device);
}

typedef struct {
  const LacPde *pde;
  BenchFields   fields;
  gboolean      are_nodes;
} Wanted;

static void
build_residuals(gconstpointer data, LacNode leaf, LacNode *nodes)
{
  const Wanted *wanted = data;
  const LacPde *pde = wanted->pde;
  LacPdeTerms   terms = {.x = leaf};

  (wanted->fields ? wanted->fields : random_fields)(pde, bench_seed(pde, leaf), terms.fields);
  for (guint i = 0; i < pde->n_coefficients; i++) {
    const double value = pde->test_coefficients[i];

    terms.coefficients[i] =
      wanted->are_nodes
        ? (LacQuantity){.node = lac_offset(lac_scale(lac_columns(leaf, 0, 1), 0), value)}
        : lac_number(value);
  }
  pde->residuals(pde, &terms, nodes);
}

void
bench_residuals(const LacPde      *pde,
                BenchFields        fields,
                gboolean           are_nodes,
                const BenchPoints *points,
                double            *values)
{
  const Wanted wanted = {pde, fields, are_nodes};

  bench_evaluate(points, build_residuals, &wanted, pde->n_residuals, values);
}
