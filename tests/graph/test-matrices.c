/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices derived from parameters, fixed matrices, and factors that change between replays. */
#include "backend/registry.h"
#include "base/rng.h"
#include "graph/program/program.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_POINTS 301 /* several chunks; not a multiple of a tile */
#define N_IN     2
#define WIDTH    7
#define MOST     128

/* u = v . tanh(W x + b) over (x, y), residual u_x + u_yy, misfit u - wanted */
typedef struct {
  LacDevice device;
  LacGraph *graph;
  LacNode   points, wanted, loss;
  gsize     n_parameters;
  double    at[N_POINTS * N_IN], data[N_POINTS], theta[MOST];
} Scene;

static void
draw(double *values, gsize n, guint64 stream)
{
  LacRng rng = lac_rng(5, stream);

  for (gsize i = 0; i < n; i++)
    values[i] = 2 * lac_rng_uniform(&rng) - 1;
}

static void
begin(Scene *scene, const char *backend)
{
  g_autoptr(GError) error = NULL;

  memset(scene, 0, sizeof *scene);
  g_assert_true(lac_device_open(&scene->device, backend, &error));
  scene->graph = lac_graph_new();
  scene->points = lac_graph_points(scene->graph, "at", 0, N_POINTS, N_IN);
  scene->wanted = lac_graph_points(scene->graph, "wanted", 0, N_POINTS, 1);
  draw(scene->at, G_N_ELEMENTS(scene->at), 1);
  draw(scene->data, G_N_ELEMENTS(scene->data), 2);
}

static void
end(Scene *scene)
{
  lac_graph_free(scene->graph);
  lac_device_close(&scene->device);
}

/* @factors: of the mean squares of equation and misfit */
static void
finish(Scene *scene, LacNode weight, const double *factors)
{
  static const double directions[] = {1, 0, 0, 1};
  const LacJet        jet = lac_jet(2, (unsigned[]){1, 2}, NULL);
  LacNode             bias = lac_graph_parameter(scene->graph, "bias", 1, WIDTH);
  LacNode             last = lac_graph_parameter(scene->graph, "last", 1, WIDTH);
  LacNode             x = lac_graph_seed(scene->points, &jet, directions);
  LacNode u = lac_linear(lac_layer(x, weight, bias, LAC_SCALAR_TANH), last, LAC_NO_NODE);
  LacNode terms[2];

  terms[0] =
    lac_mean_square(lac_add(lac_derivative(u, 0, 1), lac_derivative(u, 1, 2)), LAC_NO_NODE);
  terms[1] = lac_mean_square(lac_subtract(lac_value(u), scene->wanted), LAC_NO_NODE);
  scene->loss = lac_weighted_sum(terms, factors, 2);
  scene->n_parameters = lac_graph_get_n_parameters(scene->graph);
  draw(scene->theta, scene->n_parameters, 3);
}

static LacProgram *
program_for(Scene *scene, LacType type, LacPool *pool)
{
  g_autoptr(GError)       error = NULL;
  const LacProgramOptions options = {
    .device = scene->device, .type = type, .pool = pool, .gradient = TRUE, .tile_points = 16};
  LacProgram *program = lac_program_new(scene->graph, scene->loss, NULL, 0, &options, &error);

  g_assert_no_error(error);
  lac_program_feed(program, scene->points, scene->at);
  lac_program_feed(program, scene->wanted, scene->data);
  lac_program_set_theta(program, scene->theta);
  return program;
}

/* Returns loss and gradient of a program in double. */
static double
run(LacProgram *program, double *gradient)
{
  g_autoptr(GError) error = NULL;
  LacDevice         device = lac_program_get_device(program);
  gsize             n = lac_program_get_n_parameters(program);
  double            loss;

  lac_program_run(program, NULL, 0, &loss, &error);
  g_assert_no_error(error);
  if (lac_program_get_type(program) == LAC_F64) {
    device.table->download(device.self, gradient, lac_program_get_gradient(program),
                           n * sizeof *gradient);
  } else {
    float narrow[MOST];

    device.table->download(device.self, narrow, lac_program_get_gradient(program),
                           n * sizeof *narrow);
    for (gsize i = 0; i < n; i++)
      gradient[i] = (double) narrow[i];
  }
  return loss;
}

static void
assert_near(double found, double wanted, double tolerance)
{
  g_assert_cmpfloat(fabs(found - wanted), <=, tolerance * fmax(1, fabs(wanted)));
}

static LacNode
factorised(LacGraph *graph)
{
  LacNode s = lac_graph_parameter(graph, "logarithms", WIDTH, 1);
  LacNode v = lac_graph_parameter(graph, "directions", WIDTH, N_IN);

  return lac_multiply(lac_map(s, LAC_SCALAR_EXP), v);
}

/* W = diag(exp s) V equals the plain layer with those weights; s_bar = rowsum(W_bar o W), V_bar = diag(exp s) W_bar.
 * Source: Wang et al. (2022), arXiv 2210.01274, with the chain rule. */
static void
test_factorisation(gconstpointer data)
{
  const double tolerances[] = {
    [LAC_F32] = 2e-5, [LAC_F64] = 1e-13}; /* sums of 300 terms of size 1 */

  for (LacType type = LAC_F32; type <= LAC_F64; type++) {
    Scene  made, plain;
    double of_made[MOST], of_plain[MOST];

    begin(&made, data);
    finish(&made, factorised(made.graph), (double[]){1, 3});
    begin(&plain, data);
    finish(&plain, lac_graph_parameter(plain.graph, "weight", WIDTH, N_IN), (double[]){1, 3});
    memcpy(plain.theta + WIDTH * N_IN, made.theta + WIDTH * (1 + N_IN), 2 * WIDTH * sizeof(double));
    for (gsize i = 0; i < WIDTH * N_IN; i++)
      plain.theta[i] = exp(made.theta[i / N_IN]) * made.theta[WIDTH + i];
    LacProgram *one = program_for(&made, type, NULL), *two = program_for(&plain, type, NULL);

    assert_near(run(one, of_made), run(two, of_plain), tolerances[type]);
    for (gsize i = 0; i < WIDTH; i++) {
      double sum = 0;

      for (gsize j = 0; j < N_IN; j++) {
        gsize k = i * N_IN + j;

        sum += of_plain[k] * plain.theta[k];
        assert_near(of_made[WIDTH + k], exp(made.theta[i]) * of_plain[k], tolerances[type]);
      }
      assert_near(of_made[i], sum, tolerances[type]);
    }
    for (gsize i = 0; i < 2 * WIDTH; i++)
      assert_near(of_made[WIDTH * (1 + N_IN) + i], of_plain[WIDTH * N_IN + i], tolerances[type]);
    lac_program_free(one);
    lac_program_free(two);
    end(&made);
    end(&plain);
  }
}

static void
test_threads(void)
{
  Scene  scene;
  double gradients[3][MOST] = {{0}}, losses[3];

  begin(&scene, "cpu");
  finish(&scene, factorised(scene.graph), (double[]){1, 1});
  for (guint k = 0; k < 3; k++) {
    LacPool    *pool = lac_pool_new(k + 1);
    LacProgram *program = program_for(&scene, LAC_F64, pool);

    losses[k] = run(program, gradients[k]);
    lac_program_free(program);
    lac_pool_free(pool);
    g_assert_cmpmem(gradients[k], sizeof gradients[k], gradients[0], sizeof gradients[0]);
    g_assert_cmpmem(&losses[k], sizeof losses[k], &losses[0], sizeof losses[0]);
  }
  end(&scene);
}

/* A fixed matrix is not part of theta, serves as a weight, and is fed to one program without affecting another. */
static void
test_fixed(gconstpointer data)
{
  const double      values[N_IN * N_IN] = {1, 2, -0.5, 0.25}, others[N_IN * N_IN] = {3, 0, 0, -1};
  g_autoptr(GError) error = NULL;
  LacProgramOptions options = {.type = LAC_F64};
  Scene             scene;
  double            found[2][N_POINTS * N_IN];

  begin(&scene, data);
  options.device = scene.device;
  LacNode     matrix = lac_graph_fixed(scene.graph, "matrix", N_IN, N_IN, values);
  LacNode     y = lac_linear(scene.points, lac_scale(matrix, 2), LAC_NO_NODE);
  LacProgram *programs[2];

  g_assert_cmpuint(lac_graph_get_n_parameters(scene.graph), ==, 0);
  for (guint k = 0; k < 2; k++) {
    programs[k] = lac_program_new(scene.graph, LAC_NO_NODE, &y, 1, &options, &error);
    g_assert_no_error(error);
    lac_program_feed(programs[k], scene.points, scene.at);
  }
  lac_program_feed(programs[1], matrix, others);
  for (guint k = 0; k < 2; k++) {
    g_assert_true(lac_program_run(programs[k], NULL, 0, NULL, &error));
    lac_program_read(programs[k], y, found[k]);
  }
  for (gsize i = 0; i < N_POINTS; i++) {
    for (gsize j = 0; j < N_IN; j++) {
      const double *x = scene.at + i * N_IN;

      assert_near(found[0][i * N_IN + j],
                  2 * (values[j * N_IN] * x[0] + values[j * N_IN + 1] * x[1]), 1e-14);
      assert_near(found[1][i * N_IN + j],
                  2 * (others[j * N_IN] * x[0] + others[j * N_IN + 1] * x[1]), 1e-14);
    }
  }
  lac_program_free(programs[0]);
  lac_program_free(programs[1]);
  end(&scene);
}

/* Includes weights, plain or as a factor, but no biases, columns of scales, or fixed matrices. */
static void
test_weights_are_named(void)
{
  Scene                      scene;
  gsize                      n;
  const double               values[WIDTH] = {0};
  g_autofree LacMatrixShape *weights = NULL;

  begin(&scene, "strict");
  LacNode before = lac_graph_parameter(scene.graph, "before", 1, 3);
  LacNode weight = lac_graph_parameter(scene.graph, "weight", WIDTH, N_IN);
  LacNode scales = lac_graph_parameter(scene.graph, "scales", WIDTH, 1);
  LacNode fixed = lac_graph_fixed(scene.graph, "fixed", 1, WIDTH, values);
  LacNode factored = lac_multiply(weight, lac_map(scales, LAC_SCALAR_EXP));

  lac_linear(lac_linear(scene.points, factored, LAC_NO_NODE), fixed, LAC_NO_NODE);
  lac_broadcast(scene.points, before);
  finish(&scene, factored, (double[]){1, 1});
  weights = lac_graph_dup_weights(scene.graph, &n);
  g_assert_cmpuint(n, ==, 2);
  g_assert_cmpuint(weights[0].offset, ==, lac_node_get_parameter_offset(weight));
  g_assert_cmpuint(weights[0].n_rows, ==, WIDTH);
  g_assert_cmpuint(weights[0].n_columns, ==, N_IN);
  g_assert_cmpuint(weights[1].offset, ==, 3 + WIDTH * N_IN + WIDTH + WIDTH);
  g_assert_cmpuint(weights[1].n_rows, ==, 1);
  g_assert_cmpuint(weights[1].n_columns, ==, WIDTH);
  end(&scene);
}

int
main(int argc, char **argv)
{
  static const char *const backends[] = {"cpu", "strict"};
  static const struct {
    const char *name;
    void (*func)(gconstpointer);
  } parts[] = {
    {"weights times exponentials of a column are plain weights", test_factorisation},
    {"a fixed matrix is fed to one program", test_fixed},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize b = 0; b < G_N_ELEMENTS(backends); b++) {
    for (gsize k = 0; k < G_N_ELEMENTS(parts); k++) {
      g_autofree char *path = g_strdup_printf("/matrices/%s/%s", backends[b], parts[k].name);

      g_test_add_data_func(path, backends[b], parts[k].func);
    }
  }
  g_test_add_func("/matrices/weights are named", test_weights_are_named);
  g_test_add_func("/matrices/same bits for any number of threads", test_threads);
  return g_test_run();
}
