/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program: the same bits for any number of threads, the same numbers for any tile, no allocation, no stray write. */
#include "counting-malloc.h"

#include "base/error.h"
#include "base/rng.h"
#include "graph/program-private.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* A network u(x) with an equation on one set of points and data on another. */
typedef struct {
  gsize    n_points, n_data, width;
  guint    depth;
  gboolean fused; /* layer, or linear then map */
  LacJet   jet;
  double   directions[9];
  gsize    n_columns; /* of the points */
} Shape;

typedef struct {
  LacDevice device;
  LacGraph *graph;
  LacNode   points, data, wanted, weight, residual, value, misfit, equation, loss;
  gsize     n_parameters;
  double   *theta, *at, *at_data, *values, *weights;
} Scene;

typedef struct {
  LacNode weight, bias;
} Layer;

static LacNode
network(const Shape *shape, const Layer *layers, LacNode x)
{
  for (guint i = 0; i < shape->depth; i++) {
    x = shape->fused ? lac_layer(x, layers[i].weight, layers[i].bias, LAC_SCALAR_TANH)
                     : lac_map(lac_linear(x, layers[i].weight, layers[i].bias), LAC_SCALAR_TANH);
  }
  return lac_linear(x, layers[shape->depth].weight, layers[shape->depth].bias);
}

static double *
numbers(LacRng *rng, gsize n, double low, double high)
{
  double *values = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    values[i] = low + (high - low) * lac_rng_uniform(rng);
  return values;
}

/* r = u_0 + u u_0 - 0.1 laplacian u, weighted; misfit of the value on the second set with a plain jet */
static void
scene_init(Scene *scene, const Shape *shape, const char *backend)
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
  scene->theta = numbers(&rng, scene->n_parameters, -1, 1);
  for (gsize i = 0; i < scene->n_parameters; i++)
    scene->theta[i] *= sqrt(3.0 / (double) shape->width);
  scene->at = numbers(&rng, shape->n_points * shape->n_columns, -1, 1);
  scene->weights = numbers(&rng, shape->n_points, 0.5, 2);
  scene->at_data = numbers(&rng, shape->n_data * shape->n_columns, -1, 1);
  scene->values = numbers(&rng, shape->n_data, -1, 1);
}

static void
scene_clear(Scene *scene)
{
  g_free(scene->theta);
  g_free(scene->at);
  g_free(scene->at_data);
  g_free(scene->values);
  g_free(scene->weights);
  lac_graph_free(scene->graph);
  lac_device_close(&scene->device);
}

static Shape
small_shape(void)
{
  Shape shape = {
    .n_points = 203, .n_data = 37, .width = 9, .depth = 3, .fused = TRUE, .n_columns = 2};

  shape.jet = lac_jet(2, (unsigned[]){1, 1}, (double[]){1, 1});
  memcpy(shape.directions, (double[]){1, 0, 0, 1}, 4 * sizeof(double));
  return shape;
}

static LacProgram *
program_for(Scene *scene, const LacProgramOptions *options)
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

static double
run(LacProgram *program)
{
  g_autoptr(GError) error = NULL;
  double            loss = 0;

  lac_program_run(program, NULL, 1, &loss, &error);
  g_assert_no_error(error);
  return loss;
}

static void
read_gradient(LacProgram *program, double *gradient)
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

/* One program, run twice: loss, gradient and an output in one vector. */
static double *
everything(Scene *scene, const Shape *shape, LacProgramOptions options, gsize *length)
{
  options.device = scene->device;
  options.gradient = TRUE;
  g_autoptr(LacProgram) program = program_for(scene, &options);
  double               *all = g_new(double, 1 + scene->n_parameters + shape->n_points);

  run(program);
  all[0] = run(program);
  read_gradient(program, all + 1);
  lac_program_read(program, scene->residual, all + 1 + scene->n_parameters);
  *length = 1 + scene->n_parameters + shape->n_points;
  return all;
}

static double
relative_difference(const double *a, const double *b, gsize n)
{
  double difference = 0, size = 0;

  for (gsize i = 0; i < n; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return sqrt(difference / size);
}

static void
test_threads(gconstpointer data)
{
  LacType            type = (LacType) GPOINTER_TO_INT(data);
  Shape              shape = small_shape();
  Scene              scene;
  gsize              length;
  g_autofree double *first = NULL;

  scene_init(&scene, &shape, "cpu");
  for (guint n_threads = 1; n_threads <= 5; n_threads++) {
    g_autoptr(LacPool) pool = lac_pool_new(n_threads);
    g_autofree double *found = everything(
      &scene, &shape, (LacProgramOptions){.type = type, .pool = pool, .tile_points = 8}, &length);

    if (!first)
      first = g_steal_pointer(&found);
    else
      g_assert_cmpmem(found, length * sizeof *found, first, length * sizeof *first);
  }
  scene_clear(&scene);
}

/* Tiles only change the order of additions over points: eps times the square root of their number. */
static void
test_tiles(void)
{
  const gsize        tiles[] = {0, 1, 7, 8, 64, 203, 4096};
  const double       tolerances[] = {[LAC_F32] = 1e-5, [LAC_F64] = 1e-13};
  Shape              shape = small_shape();
  Scene              scene;
  gsize              length;
  g_autoptr(LacPool) pool = lac_pool_new(2);

  scene_init(&scene, &shape, "cpu");
  for (LacType type = LAC_F32; type <= LAC_F64; type++) {
    /* one tile for all is node by node */
    LacProgramOptions  options = {.type = type, .pool = pool, .tile_points = shape.n_points};
    g_autofree double *wanted = everything(&scene, &shape, options, &length);

    for (gsize i = 0; i < G_N_ELEMENTS(tiles); i++) {
      options.tile_points = tiles[i];
      g_autofree double *found = everything(&scene, &shape, options, &length);

      g_assert_cmpfloat(relative_difference(found, wanted, length), <, tolerances[type]);
    }
  }
  scene_clear(&scene);
}

/* The device that keeps its memory apart computes the same bits through the same kernels. */
static void
test_strict(void)
{
  Shape   shape = small_shape();
  gsize   length;
  double *results[2];

  for (guint i = 0; i < 2; i++) {
    Scene              scene;
    g_autoptr(LacPool) pool = lac_pool_new(2);

    scene_init(&scene, &shape, i ? "strict" : "cpu");
    results[i] =
      everything(&scene, &shape, (LacProgramOptions){.type = LAC_F64, .pool = pool}, &length);
    scene_clear(&scene);
  }
  g_assert_cmpmem(results[1], length * sizeof(double), results[0], length * sizeof(double));
  g_free(results[0]);
  g_free(results[1]);
}

static void
test_composed(void)
{
  const double tolerances[] = {[LAC_F32] = 1e-5, [LAC_F64] = 1e-13};

  for (LacType type = LAC_F32; type <= LAC_F64; type++) {
    Shape   shape = small_shape();
    gsize   length;
    double *results[2];

    for (guint i = 0; i < 2; i++) {
      Scene scene;

      shape.fused = i == 0;
      scene_init(&scene, &shape, "cpu");
      results[i] = everything(&scene, &shape, (LacProgramOptions){.type = type}, &length);
      scene_clear(&scene);
    }
    g_assert_cmpfloat(relative_difference(results[0], results[1], length), <, tolerances[type]);
    g_free(results[0]);
    g_free(results[1]);
  }
}

/* The gradient of the bench's network in single precision against double. */
static void
test_single_precision(void)
{
  Shape shape = {
    .n_points = 256, .n_data = 64, .width = 128, .depth = 4, .fused = TRUE, .n_columns = 3};
  Scene scene;
  gsize length;

  shape.jet = lac_jet(3, (unsigned[]){1, 1, 1}, (double[]){0, 1, 1});
  memcpy(shape.directions, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof(double));
  scene_init(&scene, &shape, "cpu");
  g_autofree double *single =
    everything(&scene, &shape, (LacProgramOptions){.type = LAC_F32}, &length);
  g_autofree double *twice =
    everything(&scene, &shape, (LacProgramOptions){.type = LAC_F64}, &length);

  g_assert_cmpfloat(relative_difference(single + 1, twice + 1, scene.n_parameters), <, 5e-7);
  g_assert_cmpfloat(fabs(single[0] - twice[0]), <, 5e-7 * twice[0]);
  scene_clear(&scene);
}

static void
test_allocations(void)
{
  Shape              shape = small_shape();
  Scene              scene;
  g_autoptr(LacPool) pool = lac_pool_new(2);
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_FULL);
  guint              before;

  if (!COUNTS_MALLOC) {
    g_test_skip("a sanitizer counts allocations in its own way");
    return;
  }
  scene_init(&scene, &shape, "cpu");
  LacProgramOptions options = {
    .device = scene.device,
    .type = LAC_F32,
    .pool = pool,
    .perf = perf,
    .lane = lac_perf_lane(perf, "compute"),
    .gradient = TRUE,
  };
  g_autoptr(LacProgram) program = program_for(&scene, &options);

  run(program);
  run(program);
  before = (guint) g_atomic_int_get(&n_allocations);
  run(program);
  lac_program_feed(program, scene.points, scene.at);
  g_assert_cmpuint((guint) g_atomic_int_get(&n_allocations), ==, before);
  scene_clear(&scene);
}

static void
test_guards(void)
{
  Shape  shape = small_shape();
  Scene  scene;
  double loss;

  scene_init(&scene, &shape, "cpu");
  LacProgramOptions options = {
    .device = scene.device, .type = LAC_F32, .gradient = TRUE, .tile_points = 13};
  LacPlanRequest request = {
    .graph = scene.graph,
    .loss = scene.equation,
    .device = scene.device,
    .type = LAC_F32,
    .gradient = TRUE,
    .tile_points = 13,
    .n_workers = 1,
    .guard_bytes = 64,
  };
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacProgram) guarded = lac_program_new_planned(&request, &options, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(guarded->plan->guards->len, >, 20);
  lac_program_set_theta(guarded, scene.theta);
  lac_program_feed(guarded, scene.points, scene.at);
  lac_program_feed(guarded, scene.weight, scene.weights);
  loss = run(guarded);
  g_assert_cmpuint(lac_program_check_guards(guarded), ==, 0);

  /* that buffers share memory by lifetimes changes nothing */
  g_autoptr(LacProgram) shared = program_for(&scene, &options);

  run(shared);
  double equation;
  lac_program_read(shared, scene.equation, &equation);
  g_assert_cmpfloat(equation, ==, loss);
  g_assert_cmpuint(shared->plan->scratch_stride, <, guarded->plan->scratch_stride);

  /* and a stray write is seen */
  scene.device.table->fill(scene.device.self, LAC_F32,
                           guarded->arena + guarded->plan->scratch_offset +
                             g_array_index(guarded->plan->guards, gsize, 3),
                           0, 1);
  g_assert_cmpuint(lac_program_check_guards(guarded), ==, sizeof(float));
  scene_clear(&scene);
}

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
  g_autofree double *points = numbers(&rng, 2 * n, -1, 1);
  g_autofree double *found = g_new(double, n);

  g_assert_true(lac_device_open(&device, "strict", &error));
  LacProgramOptions     options = {.device = device, .type = LAC_F64};
  g_autoptr(LacProgram) program = lac_program_new(graph, LAC_NO_NODE, &mixed, 1, &options, &error);

  g_assert_no_error(error);
  lac_program_feed(program, at, points);
  run(program);
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
  g_autofree double *theta = numbers(&rng, n_theta, -1, 1), *way = numbers(&rng, n_theta, -1, 1);
  g_autofree double *points = numbers(&rng, 2 * n, -1, 1), *gradient = g_new(double, n_theta);
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
    losses[k + 2] = run(program);
  }
  lac_program_set_theta(program, theta);
  run(program);
  read_gradient(program, gradient);
  for (gsize i = 0; i < n_theta; i++)
    slope += gradient[i] * way[i];
  g_assert_cmpfloat(fabs((8 * (losses[3] - losses[1]) - losses[4] + losses[0]) / (12 * h) - slope),
                    <=, 1e-8 * fabs(slope));
  g_clear_pointer(&program, lac_program_free);
  lac_device_close(&device);
}

/* Weights multiply squares; terms add with their factors; every term can be read. */
static void
test_terms(void)
{
  Shape              shape = small_shape();
  Scene              scene;
  double             sum = 0, equation, misfit, loss;
  g_autofree double *residual = g_new(double, shape.n_points);

  scene_init(&scene, &shape, "cpu");
  LacProgramOptions     options = {.device = scene.device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = program_for(&scene, &options);

  loss = run(program);
  lac_program_read(program, scene.residual, residual);
  lac_program_read(program, scene.equation, &equation);
  lac_program_read(program, scene.misfit, &misfit);
  for (gsize i = 0; i < shape.n_points; i++)
    sum += scene.weights[i] * residual[i] * residual[i] / (double) shape.n_points;
  g_assert_cmpfloat(fabs(equation - sum), <, 1e-13 * sum);
  g_assert_cmpfloat(loss, ==, equation + 10 * misfit);
  scene_clear(&scene);
}

/* theta may lie elsewhere, and a loss that is not finite is a value. */
static void
test_elsewhere(void)
{
  Shape  shape = small_shape();
  Scene  scene;
  double here, there;
  void  *other;

  scene_init(&scene, &shape, "strict");
  LacProgramOptions     options = {.device = scene.device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = program_for(&scene, &options);
  g_autoptr(GError)     error = NULL;
  gsize                 n_bytes = scene.n_parameters * sizeof(double);

  here = run(program);
  scene.device.table->alloc(scene.device.self, n_bytes, &other);
  scene.device.table->upload(scene.device.self, other, scene.theta, n_bytes);
  g_autofree double *zeros = g_new0(double, scene.n_parameters);
  lac_program_set_theta(program, zeros);
  g_assert_true(lac_program_run(program, other, 0, &there, &error));
  g_assert_cmpfloat(there, ==, here);
  scene.theta[0] = (double) NAN;
  lac_program_set_theta(program, scene.theta);
  g_assert_true(lac_program_run(program, NULL, 0, &there, &error));
  g_assert_true(isnan(there));
  scene.device.table->release(scene.device.self, other);
  g_clear_pointer(&program, lac_program_free);
  scene_clear(&scene);
}

typedef struct {
  LacPerf *perf;
  guint    n_aggregates, n_spans, n_tiles;
  double   flops, ns;
  gboolean reverse_seen;
} Tally;

static void
tally(const LacRecord *records, gsize n_records, gpointer user_data)
{
  Tally *sums = user_data;

  for (gsize i = 0; i < n_records; i++) {
    const char *name = lac_perf_get_name(sums->perf, records[i].name);

    sums->n_spans += records[i].kind == LAC_RECORD_SPAN;
    sums->n_tiles += records[i].kind == LAC_RECORD_SPAN && g_str_equal(name, "tile");
    if (records[i].kind != LAC_RECORD_AGGREGATE)
      continue;
    sums->n_aggregates++;
    sums->flops += records[i].flops;
    sums->ns += (double) records[i].duration_ns;
    sums->reverse_seen |= g_str_equal(name, "layer tanh 9x9 reverse");
    g_assert_cmpint(records[i].step, ==, 1);
    g_assert_cmpint(records[i].memory, >, 0);
    g_assert_cmpuint(records[i].count, >, 0);
  }
}

static void
test_records(void)
{
  Shape              shape = small_shape();
  Scene              scene;
  g_autoptr(LacPool) pool = lac_pool_new(2);

  scene_init(&scene, &shape, "cpu");
  for (LacPerfDetail detail = LAC_PERF_OFF; detail <= LAC_PERF_FULL; detail++) {
    g_autoptr(LacPerf) perf = lac_perf_new(detail);
    Tally              sums = {.perf = perf};
    LacProgramOptions  options = {
       .device = scene.device,
       .type = LAC_F64,
       .pool = pool,
       .perf = perf,
       .lane = lac_perf_lane(perf, "compute"),
       .gradient = TRUE,
       .tile_points = 32,
    };
    g_autoptr(LacProgram) program = program_for(&scene, &options);

    run(program);
    lac_perf_drain(perf, tally, &sums);
    g_assert_cmpint(sums.n_aggregates > 0, ==, detail != LAC_PERF_OFF);
    g_assert_cmpuint(sums.n_tiles, ==,
                     detail == LAC_PERF_FULL ? (203 + 31) / 32 + (37 + 31) / 32 : 0);
    g_assert_cmpuint(sums.n_spans - sums.n_tiles, ==, detail == LAC_PERF_OFF ? 0 : 3);
    if (detail == LAC_PERF_OFF)
      continue;
    g_assert_true(sums.reverse_seen);
    g_assert_cmpfloat(sums.flops, ==, lac_program_get_flops(program));
    g_assert_cmpfloat(sums.ns, >, 0);
  }
  scene_clear(&scene);
}

/* 6 flops a weight and stream: one product forward, two in reverse; the first layer has no operand to send back to. */
static void
test_flops(void)
{
  Shape shape = small_shape();
  Scene scene;

  scene_init(&scene, &shape, "cpu");
  LacProgramOptions     options = {.device = scene.device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = program_for(&scene, &options);
  double                rows = 4.0 * (double) shape.n_points + (double) shape.n_data;
  double                products = rows * (4.0 * 2 * 9 + 6.0 * 9 * 9 * 2 + 6.0 * 9);

  g_assert_cmpfloat(lac_program_get_flops(program), >=, products);
  g_assert_cmpfloat(lac_program_get_flops(program), <, 1.1 * products);
  scene_clear(&scene);
}

static LacStatus
refuse(void *self, const LacLayer *args)
{
  return LAC_STATUS_UNSUPPORTED;
}

static LacStatus
no_memory(void *self, size_t n_bytes, void **memory)
{
  return LAC_STATUS_OUT_OF_MEMORY;
}

/* A kernel's trouble becomes one sentence that names the op and its shapes. */
static void
test_errors(void)
{
  Shape             shape = small_shape();
  Scene             scene;
  g_autoptr(GError) error = NULL;

  scene_init(&scene, &shape, "cpu");
  LacBackend        broken = *scene.device.table;
  LacProgramOptions options = {
    .device = {&broken, scene.device.self}, .type = LAC_F64, .gradient = TRUE};

  broken.layer_reverse = refuse;
  g_assert_null(lac_program_new(scene.graph, scene.loss, NULL, 0, &options, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DEVICE);
  g_assert_nonnull(strstr(error->message, "layer tanh 9x9 reverse"));
  g_clear_error(&error);
  broken.alloc = no_memory;
  g_assert_null(lac_program_new(scene.graph, scene.loss, NULL, 0, &options, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DEVICE);
  g_assert_nonnull(strstr(error->message, "memory is exhausted"));
  scene_clear(&scene);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/program/same bits for any number of threads/f32", GINT_TO_POINTER(LAC_F32),
                       test_threads);
  g_test_add_data_func("/program/same bits for any number of threads/f64", GINT_TO_POINTER(LAC_F64),
                       test_threads);
  g_test_add_func("/program/tiles change only rounding", test_tiles);
  g_test_add_func("/program/strict computes what cpu computes", test_strict);
  g_test_add_func("/program/a fused layer is its composed twin", test_composed);
  g_test_add_func("/program/single precision keeps seven digits of the gradient",
                  test_single_precision);
  g_test_add_func("/program/a replay allocates nothing", test_allocations);
  g_test_add_func("/program/no kernel writes beyond its buffer", test_guards);
  g_test_add_func("/program/mixed derivatives come from oblique directions", test_polarisation);
  g_test_add_func("/program/a modified network has the gradient of differences",
                  test_modified_network);
  g_test_add_func("/program/terms of a loss add with weights and factors", test_terms);
  g_test_add_func("/program/theta may lie elsewhere and be not finite", test_elsewhere);
  g_test_add_func("/program/every operation leaves one record a replay", test_records);
  g_test_add_func("/program/flops are those of the matrix products", test_flops);
  g_test_add_func("/program/trouble names the op and its shapes", test_errors);
  return g_test_run();
}
