/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph, its data, and programs for it. */
#include "program-scene.h"

#include <math.h>
#include <string.h>

typedef struct {
  LacNode weight, bias;
} Layer;

static LacNode
network(const ProgramShape *shape, const Layer *layers, LacNode x)
{
  for (guint i = 0; i < shape->depth; i++) {
    x = shape->fused ? lac_layer(x, layers[i].weight, layers[i].bias, LAC_SCALAR_TANH)
                     : lac_map(lac_linear(x, layers[i].weight, layers[i].bias), LAC_SCALAR_TANH);
  }
  return lac_linear(x, layers[shape->depth].weight, layers[shape->depth].bias);
}

double *
draw_numbers(LacRng *rng, gsize n, double low, double high)
{
  double *values = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    values[i] = low + (high - low) * lac_rng_uniform(rng);
  return values;
}

void
scene_init(ProgramScene *scene, const ProgramShape *shape, const char *backend)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(3, 0);
  LacJet            plain = lac_jet_value();
  Layer             layers[8];
  LacNode           u, seeded;

  memset(scene, 0, sizeof *scene);
  g_assert_true(lac_device_open(&scene->device, backend, &error));
  scene->graph = lac_graph_new();
  scene->points = lac_graph_points(scene->graph, "at", 0, shape->n_points, shape->n_columns);
  scene->weight = lac_graph_points(scene->graph, "weight", 0, shape->n_points, 1);
  scene->data = lac_graph_points(scene->graph, "data at", 1, shape->n_data, shape->n_columns);
  scene->wanted = lac_graph_points(scene->graph, "data", 1, shape->n_data, 1);
  for (guint i = 0; i <= shape->depth; i++) {
    gsize n_in = i ? shape->width : shape->n_columns, n_out = i < shape->depth ? shape->width : 1;

    layers[i].weight = lac_graph_parameter(scene->graph, "w", n_out, n_in);
    layers[i].bias = lac_graph_parameter(scene->graph, "b", 1, n_out);
  }
  u = network(shape, layers, lac_graph_seed(scene->points, &shape->jet, shape->directions));
  scene->value = lac_value(u);
  scene->residual =
    lac_add(lac_derivative(u, 0, 1), lac_multiply(scene->value, lac_derivative(u, 0, 1)));
  scene->residual = lac_subtract(scene->residual, lac_scale(lac_laplacian(u), 0.1));
  seeded = lac_graph_seed(scene->data, &plain, NULL);
  scene->equation = lac_mean_square(scene->residual, scene->weight);
  scene->misfit = lac_mean_square(
    lac_subtract(lac_value(network(shape, layers, seeded)), scene->wanted), LAC_NO_NODE);
  scene->loss = lac_weighted_sum((LacNode[]){scene->equation, scene->misfit}, (double[]){1, 10}, 2);
  scene->n_parameters = lac_graph_get_n_parameters(scene->graph);
  scene->theta = draw_numbers(&rng, scene->n_parameters, -1, 1);
  for (gsize i = 0; i < scene->n_parameters; i++)
    scene->theta[i] *= sqrt(3.0 / (double) shape->width);
  scene->at = draw_numbers(&rng, shape->n_points * shape->n_columns, -1, 1);
  scene->weights = draw_numbers(&rng, shape->n_points, 0.5, 2);
  scene->at_data = draw_numbers(&rng, shape->n_data * shape->n_columns, -1, 1);
  scene->values = draw_numbers(&rng, shape->n_data, -1, 1);
}

void
scene_clear(ProgramScene *scene)
{
  g_free(scene->theta);
  g_free(scene->at);
  g_free(scene->at_data);
  g_free(scene->values);
  g_free(scene->weights);
  lac_graph_free(scene->graph);
  lac_device_close(&scene->device);
}

ProgramShape
shape_small(void)
{
  ProgramShape shape = {
    .n_points = 203, .n_data = 37, .width = 9, .depth = 3, .fused = TRUE, .n_columns = 2};

  shape.jet = lac_jet(2, (unsigned[]){1, 1}, (double[]){1, 1});
  memcpy(shape.directions, (double[]){1, 0, 0, 1}, 4 * sizeof(double));
  return shape;
}

LacProgram *
scene_new_program(ProgramScene *scene, const LacProgramOptions *options)
{
  g_autoptr(GError) error = NULL;
  LacNode           outputs[] = {scene->residual, scene->value};
  LacProgram *program = lac_program_new(scene->graph, scene->loss, outputs, 2, options, &error);

  g_assert_no_error(error);
  lac_program_set_theta(program, scene->theta);
  lac_program_feed(program, scene->points, scene->at);
  lac_program_feed(program, scene->weight, scene->weights);
  lac_program_feed(program, scene->data, scene->at_data);
  lac_program_feed(program, scene->wanted, scene->values);
  return program;
}

double
program_run(LacProgram *program)
{
  g_autoptr(GError) error = NULL;
  double            loss = 0;

  lac_program_run(program, NULL, 1, &loss, &error);
  g_assert_no_error(error);
  return loss;
}

void
program_read_gradient(LacProgram *program, double *gradient)
{
  LacDevice device = lac_program_get_device(program);
  gsize     n = lac_program_get_n_parameters(program);

  if (lac_program_get_type(program) == LAC_F64) {
    device.table->download(device.self, gradient, lac_program_get_gradient(program),
                           n * sizeof *gradient);
    return;
  }
  g_autofree float *narrow = g_new(float, n);

  device.table->download(device.self, narrow, lac_program_get_gradient(program),
                         n * sizeof *narrow);
  for (gsize i = 0; i < n; i++)
    gradient[i] = (double) narrow[i];
}
