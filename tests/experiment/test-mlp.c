/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The perceptron: its parameters, how they begin, and its values against a plain loop. */
#include "backend/registry.h"
#include "experiment/mlp.h"
#include "graph/program.h"

#include <glib.h>

#include <math.h>

static const LacMlp mlps[] = {
  {2, 1, 1, 3,  LAC_SCALAR_TANH},
  {2, 1, 3, 20, LAC_SCALAR_TANH},
  {3, 2, 2, 7,  LAC_SCALAR_SIN },
};

static void
test_count(void)
{
  g_assert_cmpuint(lac_mlp_get_n_parameters(&mlps[0]), ==, 3 * 3 + 4);
  g_assert_cmpuint(lac_mlp_get_n_parameters(&mlps[1]), ==, 20 * 3 + 2 * 20 * 21 + 21);
  for (gsize i = 0; i < G_N_ELEMENTS(mlps); i++) {
    g_autoptr(LacGraph) graph = lac_graph_new();
    LacNode u = lac_mlp_build(&mlps[i], lac_graph_points(graph, "points", 0, 5, mlps[i].n_in));

    g_assert_cmpuint(lac_graph_get_n_parameters(graph), ==, lac_mlp_get_n_parameters(&mlps[i]));
    g_assert_cmpuint(lac_node_get_n_columns(u), ==, mlps[i].n_out);
  }
}

/* Per layer: zero biases; weights of mean 0 and variance 2 / (in + out), within five standard errors. */
static void
test_glorot(void)
{
  const LacMlp       mlp = {200, 150, 2, 180, LAC_SCALAR_TANH};
  const gsize        sizes[] = {200, 180, 180, 150};
  g_autofree double *theta = g_new(double, lac_mlp_get_n_parameters(&mlp));
  const double      *at = theta;
  LacRng             rng = lac_rng(1, 1);

  lac_mlp_initialise(&mlp, &rng, theta);
  for (gsize layer = 0; layer < 3; layer++) {
    const gsize  n = sizes[layer] * sizes[layer + 1];
    const double variance = 2.0 / (double) (sizes[layer] + sizes[layer + 1]);
    double       sum = 0, squares = 0;

    for (gsize i = 0; i < n; i++, at++) {
      sum += *at;
      squares += *at * *at;
    }
    g_assert_cmpfloat(fabs(sum / (double) n), <, 5 * sqrt(variance / (double) n));
    g_assert_cmpfloat(fabs(squares / (double) n / variance - 1), <, 5 * sqrt(2 / (double) n));
    for (gsize i = 0; i < sizes[layer + 1]; i++)
      g_assert_cmpfloat(*at++, ==, 0);
  }
  g_assert_true(at == theta + lac_mlp_get_n_parameters(&mlp));
}

static double
evaluate(const LacMlp *mlp, const double *theta, const double *x, gsize output)
{
  double values[2][32] = {{0}};

  for (gsize i = 0; i < mlp->n_in; i++)
    values[0][i] = x[i];
  for (gsize layer = 0; layer <= mlp->depth; layer++) {
    const gsize   n_in = layer ? mlp->width : mlp->n_in;
    const gsize   n_out = layer < mlp->depth ? mlp->width : mlp->n_out;
    const double *from = values[layer % 2], *bias = theta + n_in * n_out;

    for (gsize j = 0; j < n_out; j++) {
      double sum = bias[j];

      for (gsize i = 0; i < n_in; i++)
        sum += theta[j * n_in + i] * from[i];
      if (layer < mlp->depth)
        sum = mlp->activation == LAC_SCALAR_TANH ? tanh(sum) : sin(sum);
      values[(layer + 1) % 2][j] = sum;
    }
    theta = bias + n_out;
  }
  return values[(mlp->depth + 1) % 2][output];
}

static void
test_values(gconstpointer data)
{
  const LacMlp         *mlp = data;
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacGraph)   graph = lac_graph_new();
  LacNode               leaf = lac_graph_points(graph, "points", 0, 9, mlp->n_in);
  LacNode               u = lac_mlp_build(mlp, leaf);
  LacProgramOptions     options = {.type = LAC_F64};
  g_autoptr(LacProgram) program = NULL;
  g_autofree double    *theta = g_new(double, lac_mlp_get_n_parameters(mlp));
  double                points[9 * 3], values[9 * 2];
  LacRng                rng = lac_rng(2, 1);

  lac_device_open(&options.device, "cpu", &error);
  g_assert_no_error(error);
  options.pool = lac_pool_new(1);
  program = lac_program_new(graph, LAC_NO_NODE, &u, 1, &options, &error);
  g_assert_no_error(error);
  lac_mlp_initialise(mlp, &rng, theta);
  for (gsize i = 0; i < lac_mlp_get_n_parameters(mlp); i++)
    theta[i] += 0.1 * lac_rng_normal(&rng);
  for (gsize i = 0; i < 9 * mlp->n_in; i++)
    points[i] = 2 * lac_rng_uniform(&rng) - 1;
  lac_program_set_theta(program, theta);
  lac_program_feed(program, leaf, points);
  g_assert_true(lac_program_run(program, NULL, 0, NULL, &error));
  lac_program_read(program, u, values);
  for (gsize i = 0; i < 9; i++)
    for (gsize k = 0; k < mlp->n_out; k++)
      g_assert_cmpfloat_with_epsilon(values[i * mlp->n_out + k],
                                     evaluate(mlp, theta, points + i * mlp->n_in, k), 1e-13);
  g_clear_pointer(&program, lac_program_free);
  lac_pool_free(options.pool);
  lac_device_close(&options.device);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/mlp/parameters-are-counted-as-they-are-declared", test_count);
  g_test_add_func("/experiment/mlp/weights-begin-as-glorot-has-them", test_glorot);
  g_test_add_data_func("/experiment/mlp/one-hidden-layer-is-a-plain-loop", &mlps[0], test_values);
  g_test_add_data_func("/experiment/mlp/three-hidden-layers-are-a-plain-loop", &mlps[1],
                       test_values);
  g_test_add_data_func("/experiment/mlp/two-outputs-are-a-plain-loop", &mlps[2], test_values);
  return g_test_run();
}
