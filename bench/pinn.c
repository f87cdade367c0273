/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Network, equations and data, built through the graph like an experiment. */
#include "pinn.h"

#include "backend/device-log.h"

#include <math.h>

#define VISCOSITY 0.01
#define N_STREAMS 5

static LacNode
column(LacNode node, gsize i)
{
  return lac_columns(node, i, 1);
}

/* q_t + u q_x + v q_y + grad p - nu lap q for q = u (component 0) or v (component 1) */
static LacNode
momentum(LacNode out, LacNode u, LacNode v, gsize component)
{
  LacNode dx = lac_derivative(out, 0, 1), dy = lac_derivative(out, 1, 1);
  LacNode dt = lac_derivative(out, 2, 1), laplacian = lac_laplacian(out);
  LacNode advection =
    lac_add(lac_multiply(u, column(dx, component)), lac_multiply(v, column(dy, component)));
  LacNode forces = lac_subtract(column(component == 0 ? dx : dy, 2),
                                lac_scale(column(laplacian, component), VISCOSITY));

  return lac_add(lac_add(column(dt, component), advection), forces);
}

static LacNode
network(BenchPinn *pinn, const BenchPinnShape *shape)
{
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  LacJet       jet = lac_jet(3, (unsigned[]){1, 1, 1}, (double[]){1, 1, 0});
  LacNode      x = lac_graph_seed(pinn->points, &jet, identity);
  gsize        n_in = 3;

  for (gsize k = 0; k <= shape->n_layers; k++) {
    g_autofree char *weight = g_strdup_printf("weight-%" G_GSIZE_FORMAT, k);
    g_autofree char *bias = g_strdup_printf("bias-%" G_GSIZE_FORMAT, k);
    gsize            n_out = k < shape->n_layers ? shape->width : 3;
    LacNode          w = lac_graph_parameter(pinn->graph, weight, n_out, n_in);
    LacNode          b = lac_graph_parameter(pinn->graph, bias, 1, n_out);
    double product = 2.0 * N_STREAMS * (double) shape->n_points * (double) n_in * (double) n_out;

    x = k < shape->n_layers ? lac_layer(x, w, b, LAC_SCALAR_TANH) : lac_linear(x, w, b);
    pinn->flops += product * (k == 0 ? 2 : 3); /* the gradient of the coordinates is not computed */
    n_in = n_out;
  }
  return x;
}

static void
build(BenchPinn *pinn, const BenchPinnShape *shape)
{
  LacNode out, value, u, v, divergence, terms[4];

  pinn->graph = lac_graph_new();
  pinn->points = lac_graph_points(pinn->graph, "points", 0, shape->n_points, 3);
  pinn->targets = lac_graph_points(pinn->graph, "targets", 0, shape->n_points, 2);
  out = network(pinn, shape);
  value = lac_value(out);
  u = column(value, 0);
  v = column(value, 1);
  divergence = lac_add(column(lac_derivative(out, 0, 1), 0), column(lac_derivative(out, 1, 1), 1));
  terms[0] = lac_mean_square(momentum(out, u, v, 0), LAC_NO_NODE);
  terms[1] = lac_mean_square(momentum(out, u, v, 1), LAC_NO_NODE);
  terms[2] = lac_mean_square(divergence, LAC_NO_NODE);
  terms[3] = lac_mean_square(lac_subtract(lac_columns(value, 0, 2), pinn->targets), LAC_NO_NODE);
  pinn->loss =
    lac_weighted_sum(terms, (double[]){1, 1, 1, 2}, 4); /* the last mean runs over two columns */
}

/* Returns a value in [-1, 1) that depends only on its index. */
static double
spread(guint64 i)
{
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return (double) ((i ^ (i >> 31)) >> 11) * 0x1p-52 - 1;
}

static void
feed(BenchPinn *pinn, const BenchPinnShape *shape)
{
  gsize              n = shape->n_points, n_theta = lac_graph_get_n_parameters(pinn->graph);
  g_autofree double *x = g_new(double, n * 3), *data = g_new(double, n * 2);
  g_autofree double *theta = g_new0(double, n_theta);
  gsize              n_in = 3, at = 0;

  for (gsize i = 0; i < n * 3; i++)
    x[i] = (double) (float) spread(i); /* the same points in both precisions */
  for (gsize i = 0; i < n; i++) {
    data[2 * i] = (double) (float) (sin(3 * x[3 * i]) * cos(3 * x[3 * i + 1]));
    data[2 * i + 1] = (double) (float) (-cos(3 * x[3 * i]) * sin(3 * x[3 * i + 1]));
  }
  for (gsize k = 0; k <= shape->n_layers; k++) {
    gsize  n_out = k < shape->n_layers ? shape->width : 3;
    double scale = sqrt(6.0 / (double) (n_in + n_out)); /* Glorot and Bengio (2010), equation 16 */
    for (gsize i = 0; i < n_in * n_out; i++, at++)
      theta[at] = (double) (float) (scale * spread(1000000 + at));
    for (gsize i = 0; i < n_out; i++, at++)
      theta[at] = (double) (float) (0.1 * spread(1000000 + at));
    n_in = n_out;
  }
  g_assert(at == n_theta);
  lac_program_feed(pinn->program, pinn->points, x);
  lac_program_feed(pinn->program, pinn->targets, data);
  lac_program_set_theta(pinn->program, theta);
}

void
bench_pinn_init(BenchPinn *pinn, const BenchPinnShape *shape)
{
  g_autoptr(GError)    error = NULL;
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  LacLane             *lane = shape->perf ? lac_perf_lane(shape->perf, "compute") : NULL;

  *pinn = (BenchPinn){0};
  if (!lac_device_open(&pinn->device, shape->backend ? shape->backend : "cpu", &error))
    g_error("%s", error->message);
  if (pinn->device.table->set_precision)
    pinn->device.table->set_precision(pinn->device.self, shape->precision);
  pinn->pool = lac_pool_new(shape->n_threads);
  build(pinn, shape);
  lac_device_log_open(&pinn->device, shape->perf, lane);
  pinn->program = lac_program_new(pinn->graph, pinn->loss, NULL, 0,
                                  &(LacProgramOptions){.device = pinn->device,
                                                       .type = shape->type,
                                                       .pool = pinn->pool,
                                                       .gradient = TRUE,
                                                       .tile_points = shape->tile_points,
                                                       .perf = shape->perf,
                                                       .lane = lane,
                                                       .without = shape->without},
                                  &error);
  if (!pinn->program)
    g_error("%s", error->message);
  feed(pinn, shape);
  pinn->optimiser = lac_optimiser_new(&settings, lac_program_get_n_parameters(pinn->program),
                                      pinn->device, shape->type, pinn->pool, &error);
  if (!pinn->optimiser)
    g_error("%s", error->message);
  pinn->objective = (LacObjective){.program = pinn->program};
}

void
bench_pinn_clear(BenchPinn *pinn)
{
  lac_optimiser_free(pinn->optimiser);
  lac_program_free(pinn->program);
  lac_graph_free(pinn->graph);
  lac_pool_free(pinn->pool);
  lac_device_close(&pinn->device);
}

double
bench_pinn_step(BenchPinn *pinn)
{
  g_autoptr(GError)  error = NULL;
  LacOptimiserReport report;

  if (!lac_optimiser_step(pinn->optimiser, lac_program_get_theta(pinn->program),
                          lac_program_evaluate, &pinn->objective, &report, &error))
    g_error("%s", error->message);
  return report.loss;
}
