/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jets in programs: mixed derivatives, and products of jets that are used many times. */
#include "graph/helpers/program-scene.h"

#include <math.h>

/* u_xy = (u_dd - u_ee) / 2 with d, e = (1, +-1) / sqrt 2, for u = sin(2 x) exp(y). */
static void
test_polarisation(void)
{
  const double        s = sqrt(0.5);
  const gsize         n = 17;
  g_autoptr(LacGraph) graph = lac_graph_new();
  g_autoptr(GError)   error = NULL;
  LacRng              rng = lac_rng(5, 0);
  LacJet              jet = lac_jet(2, (unsigned[]){2, 2}, NULL);
  LacNode             at = lac_graph_points(graph, "at", 0, n, 2);
  LacNode             x = lac_graph_seed(at, &jet, (double[]){s, s, s, -s});
  LacNode             u = lac_multiply(lac_map(lac_scale(lac_columns(x, 0, 1), 2), LAC_SCALAR_SIN),
                                       lac_map(lac_columns(x, 1, 1), LAC_SCALAR_EXP));
  LacNode   mixed = lac_scale(lac_subtract(lac_derivative(u, 0, 2), lac_derivative(u, 1, 2)), 0.5);
  LacDevice device;
  g_autofree double *points = draw_numbers(&rng, 2 * n, -1, 1);
  g_autofree double *found = g_new(double, n);

  g_assert_true(lac_device_open(&device, "strict", &error));
  LacProgramOptions     options = {.device = device, .type = LAC_F64};
  g_autoptr(LacProgram) program = lac_program_new(graph, LAC_NO_NODE, &mixed, 1, &options, &error);

  g_assert_no_error(error);
  lac_program_feed(program, at, points);
  program_run(program);
  lac_program_read(program, mixed, found);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(fabs(found[i] - 2 * cos(2 * points[2 * i]) * exp(points[2 * i + 1])), <,
                      1e-13);
  g_clear_pointer(&program, lac_program_free);
  lac_device_close(&device);
}

/* h <- h U + (1 - h) V at every layer (Wang, Teng, Perdikaris 2021): products of jets, operands used many times. */
static LacNode
modified_network(LacGraph *graph, LacNode x, gsize width)
{
  LacNode u = lac_layer(x, lac_graph_parameter(graph, "wu", width, 2),
                        lac_graph_parameter(graph, "bu", 1, width), LAC_SCALAR_TANH);
  LacNode v = lac_layer(x, lac_graph_parameter(graph, "wv", width, 2),
                        lac_graph_parameter(graph, "bv", 1, width), LAC_SCALAR_TANH);
  LacNode h = x;

  for (guint i = 0; i < 3; i++) {
    gsize n_in = i ? width : 2;

    h = lac_layer(h, lac_graph_parameter(graph, "w", width, n_in),
                  lac_graph_parameter(graph, "b", 1, width), LAC_SCALAR_TANH);
    h = lac_add(lac_multiply(h, u), lac_multiply(lac_offset(lac_scale(h, -1), 1), v));
  }
  return lac_linear(h, lac_graph_parameter(graph, "wo", 1, width),
                    lac_graph_parameter(graph, "bo", 1, 1));
}

static void
test_modified_network(void)
{
  const gsize         n = 50, width = 8;
  const double        h = 1e-3;
  g_autoptr(LacGraph) graph = lac_graph_new();
  g_autoptr(GError)   error = NULL;
  LacRng              rng = lac_rng(9, 0);
  LacJet              jet = lac_jet(2, (unsigned[]){1, 2}, NULL);
  LacNode             at = lac_graph_points(graph, "at", 0, n, 2);
  LacNode u = modified_network(graph, lac_graph_seed(at, &jet, (double[]){1, 0, 0, 1}), width);
  LacNode r = lac_subtract(lac_derivative(u, 0, 1), lac_derivative(u, 1, 2));
  LacNode loss = lac_mean_square(r, LAC_NO_NODE);
  gsize   n_theta = lac_graph_get_n_parameters(graph);
  g_autofree double *theta = draw_numbers(&rng, n_theta, -1, 1),
                    *way = draw_numbers(&rng, n_theta, -1, 1);
  g_autofree double *points = draw_numbers(&rng, 2 * n, -1, 1), *gradient = g_new(double, n_theta);
  g_autofree double *moved = g_new(double, n_theta);
  double             losses[5], slope = 0;
  LacDevice          device;

  g_assert_true(lac_device_open(&device, "strict", &error));
  LacProgramOptions     options = {.device = device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = lac_program_new(graph, loss, NULL, 0, &options, &error);

  g_assert_no_error(error);
  lac_program_feed(program, at, points);
  for (int k = -2; k <= 2; k++) {
    for (gsize i = 0; i < n_theta; i++)
      moved[i] = theta[i] + k * h * way[i];
    lac_program_set_theta(program, moved);
    losses[k + 2] = program_run(program);
  }
  lac_program_set_theta(program, theta);
  program_run(program);
  program_read_gradient(program, gradient);
  for (gsize i = 0; i < n_theta; i++)
    slope += gradient[i] * way[i];
  g_assert_cmpfloat(fabs((8 * (losses[3] - losses[1]) - losses[4] + losses[0]) / (12 * h) - slope),
                    <=, 1e-8 * fabs(slope));
  g_clear_pointer(&program, lac_program_free);
  lac_device_close(&device);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/program/mixed derivatives come from oblique directions", test_polarisation);
  g_test_add_func("/program/a modified network has the gradient of differences",
                  test_modified_network);
  return g_test_run();
}
