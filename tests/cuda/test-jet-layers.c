/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers of jets in one kernel, as chosen by the planner: the planner's choice, the number of kernels of a training
 * step with and without them, and equality with the CPU's step either way. */
#include "emulated.h"

#include "bench/pinn.h"
#include "graph/program/program-private.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 64, N_POINTS = 70, N_HIDDEN = 3 };

static const BenchPinnShape emulated = {.n_layers = N_HIDDEN,
                                        .width = WIDTH,
                                        .n_points = N_POINTS,
                                        .type = LAC_F32,
                                        .n_threads = 1,
                                        .backend = "cuda"};

/* Returns: FALSE when unavailable: the test is marked as skipped. */
static gboolean
find_emulated(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return FALSE;
  }
  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  return TRUE;
}

static gboolean
has_step(const BenchPinn *pinn, const char *name)
{
  const GArray *timers = pinn->program->plan->timers;

  for (guint i = 0; i < timers->len; i++)
    if (g_str_equal(g_array_index(timers, LacTimer, i).name, name))
      return TRUE;
  return FALSE;
}

static void
assert_plan(BenchPinnShape shape, guint without, const char *const *steps)
{
  BenchPinn pinn;

  shape.without = without;
  bench_pinn_init(&pinn, &shape);
  for (gsize i = 0; steps[i]; i++)
    if (!has_step(&pinn, steps[i]))
      g_error("the plan has no step %s", steps[i]);
  bench_pinn_clear(&pinn);
}

static void
the_plan_says_what_it_chose(void)
{
  BenchPinnShape shape = emulated;

  if (!find_emulated())
    return;
  assert_plan(shape, 0,
              (const char *[]){"layer tanh 3x64 fused forward", "layer tanh 64x64 fused forward",
                               "layer tanh 64x64 fused reverse", "layer tanh 3x64 composed reverse",
                               NULL});
  assert_plan(shape, LAC_WITHOUT_FUSED_JETS,
              (const char *[]){"layer tanh 3x64 composed forward",
                               "layer tanh 64x64 composed reverse", NULL});
  shape.type = LAC_F64; /* the emulated device has tensor cores for double products */
  assert_plan(
    shape, 0,
    (const char *[]){"layer tanh 3x64 fused forward", "layer tanh 64x64 composed forward", NULL});
  assert_plan(
    shape, LAC_WITHOUT_FUSION_RULE,
    (const char *[]){"layer tanh 64x64 fused forward", "layer tanh 64x64 fused reverse", NULL});
  shape.type = LAC_F32;
  shape.precision = LAC_PRECISION_BF16X3; /* products of split values exist in the library only */
  assert_plan(shape, LAC_WITHOUT_FUSION_RULE,
              (const char *[]){"layer tanh 3x64 composed forward",
                               "layer tanh 64x64 composed reverse", NULL});
  shape.precision = LAC_PRECISION_PLAIN;
  shape.width = 48;
  assert_plan(shape, 0, (const char *[]){"layer tanh 48x48 composed forward", NULL});
  shape.width = 256;
  shape.n_points = 8;
  assert_plan(shape, 0,
              (const char *[]){"layer tanh 3x256 fused forward",
                               "layer tanh 256x256 composed forward", NULL});
}

/* Returns the number of nodes of a step's graph after recording. */
static guint64
count_nodes(guint without)
{
  BenchPinnShape shape = emulated;
  EmulatedCounts before, after;
  BenchPinn      pinn;

  shape.without = without;
  bench_pinn_init(&pinn, &shape);
  for (guint i = 0; i < 4; i++)
    bench_pinn_step(&pinn);
  before = emulated_get_counts();
  bench_pinn_step(&pinn);
  after = emulated_get_counts();
  g_assert_cmpuint(after.graphs - before.graphs, ==, 1);
  bench_pinn_clear(&pinn);
  return after.nodes - before.nodes;
}

/* Forward, product and formula are fused; in reverse the formula, the product and the first of the bias's two sums,
 * when x_bar is computed. */
static void
a_step_has_fewer_kernels(void)
{
  guint64 fused, composed;

  if (!find_emulated())
    return;
  fused = count_nodes(0);
  composed = count_nodes(LAC_WITHOUT_FUSED_JETS);
  g_test_message("%" G_GUINT64_FORMAT " kernels a step, composed %" G_GUINT64_FORMAT, fused,
                 composed);
  g_assert_cmpuint(composed - fused, ==, N_HIDDEN + 2 * (N_HIDDEN - 1));
}

/* Bytes per point of a replay, moved by the plan's layers and by all steps. */
static void
add_bytes(guint without, double *layers, double *all)
{
  BenchPinnShape shape = emulated;
  BenchPinn      pinn;

  shape.without = without;
  shape.n_layers = 4;
  shape.width = 128;
  shape.n_points = 8;
  bench_pinn_init(&pinn, &shape);
  *layers = *all = 0;
  for (guint i = 0; i < pinn.program->plan->timers->len; i++) {
    const LacTimer *timer = &g_array_index(pinn.program->plan->timers, LacTimer, i);

    *all += timer->bytes / 8;
    if (g_str_has_prefix(timer->name, "layer "))
      *layers += timer->bytes / 8;
  }
  bench_pinn_clear(&pinn);
}

/* Hidden layers have 5 x 128 elements per point: forward x, z, z again, its value, y; in reverse z, y_bar, z_bar,
 * once more for x_bar, x_bar, both for w_bar, the value rows for bias_bar. */
static void
a_step_moves_fewer_bytes(void)
{
  const double row = 5 * 128 * sizeof(float), value = 128 * sizeof(float),
               in = 5 * 3 * sizeof(float);
  double fused, composed, all_fused, all_composed;

  if (!find_emulated())
    return;
  add_bytes(LAC_WITHOUT_FUSION_RULE, &fused, &all_fused);
  add_bytes(LAC_WITHOUT_FUSED_JETS, &composed, &all_composed);
  g_test_message("layers move %.0f bytes a point, composed %.0f; all steps %.0f, composed %.0f",
                 fused, composed, all_fused, all_composed);
  g_assert_cmpfloat(composed, ==,
                    in + 3 * row + value + (in + 4 * row + value) +
                      3 * (4 * row + value + 7 * row + value));
  g_assert_cmpfloat(composed - fused, ==, 4 * (row + value) + 3 * (row + value));
}

/* Returns the losses of @n steps of Adam. */
static void
train(BenchPinnShape shape, guint without, double *losses, guint n)
{
  BenchPinn pinn;

  shape.without = without;
  bench_pinn_init(&pinn, &shape);
  for (guint i = 0; i < n; i++)
    losses[i] = bench_pinn_step(&pinn);
  bench_pinn_clear(&pinn);
}

enum { N_STEPS = 20 };

static void
steps_are_the_processors(void)
{
  BenchPinnShape shape = emulated;
  double         here[N_STEPS], there[N_STEPS];

  if (!find_emulated())
    return;
  shape.type = LAC_F64;
  shape.backend = NULL;
  train(shape, 0, here, N_STEPS);
  shape.backend = emulated.backend;
  train(shape, LAC_WITHOUT_FUSION_RULE, there, N_STEPS);
  g_assert_cmpfloat(here[N_STEPS - 1], <, 0.9 * here[0]);
  for (guint i = 0; i < N_STEPS; i++)
    g_assert_cmpfloat(fabs(there[i] - here[i]), <=, 1e-11 * here[i]);
}

/* Independent of the order in which threads and blocks run. */
static void
steps_are_the_same_to_the_bit(void)
{
  double first[N_STEPS], again[N_STEPS];

  if (!find_emulated())
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  train(emulated, LAC_WITHOUT_FUSION_RULE, first, N_STEPS);
  for (int order = EMULATED_REVERSE; order <= EMULATED_RANDOM; order++) {
    emulated_set_order((EmulatedOrder) order, 3);
    train(emulated, LAC_WITHOUT_FUSION_RULE, again, N_STEPS);
    g_assert_cmpmem(first, sizeof first, again, sizeof again);
  }
  emulated_set_order(EMULATED_FORWARD, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/cuda/jet-layers/the-plan-says-what-it-chose", the_plan_says_what_it_chose);
  g_test_add_func("/cuda/jet-layers/a-step-has-fewer-kernels", a_step_has_fewer_kernels);
  g_test_add_func("/cuda/jet-layers/a-step-moves-fewer-bytes", a_step_moves_fewer_bytes);
  g_test_add_func("/cuda/jet-layers/steps-are-the-processor's", steps_are_the_processors);
  g_test_add_func("/cuda/jet-layers/steps-are-the-same-to-the-bit", steps_are_the_same_to_the_bit);
  return g_test_run();
}
