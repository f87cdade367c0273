/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs: bitwise identical for any number of threads, equal up to rounding for any tile, no allocation, no stray
 * write. */
#include "base/error.h"
#include "graph/helpers/program-scene.h"
#include "graph/program/program-private.h"
#include "helpers/counting-malloc.h"

#include <math.h>
#include <string.h>

/* Returns loss, gradient and an output of a program, run twice, in one vector. */
static double *
everything(ProgramScene *scene, const ProgramShape *shape, LacProgramOptions options, gsize *length)
{
  options.device = scene->device;
  options.gradient = TRUE;
  g_autoptr(LacProgram) program = scene_new_program(scene, &options);
  double               *all = g_new(double, 1 + scene->n_parameters + shape->n_points);

  program_run(program);
  all[0] = program_run(program);
  program_read_gradient(program, all + 1);
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
  ProgramShape       shape = shape_small();
  ProgramScene       scene;
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

/* Tiles only change the order of summation over points: tolerance eps times the square root of their number. */
static void
test_tiles(void)
{
  const gsize        tiles[] = {0, 1, 7, 8, 64, 203, 4096};
  const double       tolerances[] = {[LAC_F32] = 1e-5, [LAC_F64] = 1e-13};
  ProgramShape       shape = shape_small();
  ProgramScene       scene;
  gsize              length;
  g_autoptr(LacPool) pool = lac_pool_new(2);

  scene_init(&scene, &shape, "cpu");
  for (LacType type = LAC_F32; type <= LAC_F64; type++) {
    /* a single tile evaluates node by node */
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

/* A device with separate memory gives bitwise the same results with the same kernels. */
static void
test_strict(void)
{
  ProgramShape shape = shape_small();
  gsize        length;
  double      *results[2];

  for (guint i = 0; i < 2; i++) {
    ProgramScene       scene;
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
    ProgramShape shape = shape_small();
    gsize        length;
    double      *results[2];

    for (guint i = 0; i < 2; i++) {
      ProgramScene scene;

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
  ProgramShape shape = {
    .n_points = 256, .n_data = 64, .width = 128, .depth = 4, .fused = TRUE, .n_columns = 3};
  ProgramScene scene;
  gsize        length;

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
  ProgramShape       shape = shape_small();
  ProgramScene       scene;
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
  g_autoptr(LacProgram) program = scene_new_program(&scene, &options);

  program_run(program);
  program_run(program);
  before = count_allocations();
  program_run(program);
  lac_program_feed(program, scene.points, scene.at);
  g_assert_cmpuint(count_allocations(), ==, before);
  scene_clear(&scene);
}

static void
test_guards(void)
{
  ProgramShape shape = shape_small();
  ProgramScene scene;
  double       loss;

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
  loss = program_run(guarded);
  g_assert_cmpuint(lac_program_check_guards(guarded), ==, 0);

  /* sharing memory by lifetimes does not change results */
  g_autoptr(LacProgram) shared = scene_new_program(&scene, &options);

  program_run(shared);
  double equation;
  lac_program_read(shared, scene.equation, &equation);
  g_assert_cmpfloat(equation, ==, loss);
  g_assert_cmpuint(shared->plan->scratch_stride, <, guarded->plan->scratch_stride);

  /* detects a stray write */
  scene.device.table->fill(scene.device.self, LAC_F32,
                           guarded->arena + guarded->plan->scratch_offset +
                             g_array_index(guarded->plan->guards, gsize, 3),
                           0, 1);
  g_assert_cmpuint(lac_program_check_guards(guarded), ==, sizeof(float));
  scene_clear(&scene);
}

/* Weights multiply squares; terms are added with their factors; every term can be read. */
static void
test_terms(void)
{
  ProgramShape       shape = shape_small();
  ProgramScene       scene;
  double             sum = 0, equation, misfit, loss;
  g_autofree double *residual = g_new(double, shape.n_points);

  scene_init(&scene, &shape, "cpu");
  LacProgramOptions     options = {.device = scene.device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = scene_new_program(&scene, &options);

  loss = program_run(program);
  lac_program_read(program, scene.residual, residual);
  lac_program_read(program, scene.equation, &equation);
  lac_program_read(program, scene.misfit, &misfit);
  for (gsize i = 0; i < shape.n_points; i++)
    sum += scene.weights[i] * residual[i] * residual[i] / (double) shape.n_points;
  g_assert_cmpfloat(fabs(equation - sum), <, 1e-13 * sum);
  g_assert_cmpfloat(loss, ==, equation + 10 * misfit);
  scene_clear(&scene);
}

/* theta may be in other memory, and a non-finite loss is valid. */
static void
test_elsewhere(void)
{
  ProgramShape shape = shape_small();
  ProgramScene scene;
  double       here, there;
  void        *other;

  scene_init(&scene, &shape, "strict");
  LacProgramOptions     options = {.device = scene.device, .type = LAC_F64, .gradient = TRUE};
  g_autoptr(LacProgram) program = scene_new_program(&scene, &options);
  g_autoptr(GError)     error = NULL;
  gsize                 n_bytes = scene.n_parameters * sizeof(double);

  here = program_run(program);
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

/* A kernel failure becomes an error message with the op and its shapes. */
static void
test_errors(void)
{
  ProgramShape      shape = shape_small();
  ProgramScene      scene;
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
  g_test_add_func("/program/terms of a loss add with weights and factors", test_terms);
  g_test_add_func("/program/theta may lie elsewhere and be not finite", test_elsewhere);
  g_test_add_func("/program/trouble names the op and its shapes", test_errors);
  return g_test_run();
}
