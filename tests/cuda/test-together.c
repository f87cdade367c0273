/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merged small kernels: results equal those of single launches, for any overlap of operands and any order of threads;
 * and the gain. */
#include "emulated.h"

#include "bench/pinn.h"

#include <string.h>

enum { N_POINTS = 130, N_NUMBERS = 24 * N_POINTS, N_KERNELS = 200 };

/* A buffer in which kernels of random shape read and write at random positions. */
typedef struct {
  LacDevice device;
  LacType   type;
  GRand    *random;
  guint8   *memory;
} Field;

static void
must(LacStatus status)
{
  g_assert_cmpstr(lac_status_text(status), ==, lac_status_text(LAC_STATUS_OK));
}

static void *
at(const Field *field, gsize number)
{
  return field->memory + number * lac_type_size(field->type);
}

/* Returns the common stride, so that a kernel continues with another's rows; occasionally one that divides them
 * differently. */
static gsize
choose_stride(GRand *random)
{
  return g_rand_int_range(random, 0, 8) ? 6 : 4;
}

static gsize
choose_first(GRand *random, gsize part)
{
  return part * 8 * N_POINTS + (gsize) g_rand_int_range(random, 0, 5);
}

/* Operands are in separate thirds of the memory, and y sometimes a few elements after a position read or written
 * before. */
static void
ask_strided(const Field *field)
{
  GRand      *random = field->random;
  const gsize to = (gsize) g_rand_int_range(random, 0, 3), from = (to + 1) % 3;
  LacStrided  args = {.type = field->type,
                      .n_rows = N_POINTS,
                      .n_columns = (gsize) g_rand_int_range(random, 1, 3),
                      .x_stride = choose_stride(random),
                      .y_stride = choose_stride(random),
                      .alpha = g_rand_double_range(random, -1, 1),
                      .beta = g_rand_int_range(random, 0, 2) ? 0.5 : 0};

  args.x = at(field, choose_first(random, from));
  args.y = at(field, choose_first(random, to));
  must(field->device.table->strided(field->device.self, &args));
}

static void
ask_fill(const Field *field)
{
  const gsize part = (gsize) g_rand_int_range(field->random, 0, 3);
  const gsize n = N_POINTS * (gsize) g_rand_int_range(field->random, 1, 4);

  must(field->device.table->fill(field->device.self, field->type,
                                 at(field, choose_first(field->random, part)),
                                 g_rand_double(field->random), n));
}

static void
ask_product(const Field *field)
{
  const LacJet value = lac_jet_value();
  const gsize  to = (gsize) g_rand_int_range(field->random, 0, 3);
  LacMulJet    args = {.type = field->type, .jet = &value, .n_points = N_POINTS, .n_columns = 2};

  args.a_columns = 2;
  args.b_columns =
    g_rand_int_range(field->random, 0, 4) ? 2 : 1; /* with one column it is not merged */
  args.a = at(field, choose_first(field->random, (to + 1) % 3));
  args.b = at(field, choose_first(field->random, (to + 2) % 3));
  args.y = at(field, choose_first(field->random, to));
  if (g_rand_int_range(field->random, 0, 2)) {
    must(field->device.table->mul_jet(field->device.self, &args));
    return;
  }
  args.y_bar = at(field, choose_first(field->random, (to + 2) % 3));
  args.a_bar = args.y;
  args.y = NULL;
  must(field->device.table->mul_jet_reverse(field->device.self, &args));
}

/* Returns: (transfer full): the memory after the same kernels. */
static guint8 *
ask_all(LacDevice device, LacType type, guint32 seed, gboolean together)
{
  const gsize        n_bytes = N_NUMBERS * lac_type_size(type);
  g_autofree double *begin = g_new(double, N_NUMBERS);
  guint8            *found = g_malloc(n_bytes);
  Field              field = {device, type, g_rand_new_with_seed(seed), NULL};

  for (gsize i = 0; i < N_NUMBERS; i++) {
    begin[i] = (double) (i % 97) / 97;
    if (type == LAC_F32)
      ((float *) (gpointer) begin)[i] = (float) (i % 97) / 97;
  }
  must(device.table->alloc(device.self, n_bytes, (void **) &field.memory));
  must(device.table->upload(device.self, field.memory, begin, n_bytes));
  if (together)
    must(device.table->together_begin(device.self, N_POINTS));
  for (guint i = 0; i < N_KERNELS; i++)
    switch (g_rand_int_range(field.random, 0, 4)) {
    case 0: ask_fill(&field); break;
    case 1: ask_product(&field); break;
    default: ask_strided(&field);
    }
  if (together)
    must(device.table->together_end(device.self));
  must(device.table->download(device.self, found, field.memory, n_bytes));
  device.table->release(device.self, field.memory);
  g_rand_free(field.random);
  return found;
}

static void
kernels_leave_what_they_leave_alone(void)
{
  LacDevice device;

  if (!emulated_open(&device))
    return;
  for (guint32 seed = 1; seed <= 6; seed++)
    for (int type = LAC_F32; type <= LAC_F64; type++) {
      emulated_set_order(EMULATED_FORWARD, 0);
      g_autofree guint8 *alone = ask_all(device, (LacType) type, seed, FALSE);

      for (int order = EMULATED_FORWARD; order <= EMULATED_RANDOM; order++) {
        emulated_set_order((EmulatedOrder) order, seed);
        g_autofree guint8 *together = ask_all(device, (LacType) type, seed, TRUE);

        g_assert_cmpmem(alone, N_NUMBERS * lac_type_size((LacType) type), together,
                        N_NUMBERS * lac_type_size((LacType) type));
      }
    }
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_device_close(&device);
}

/* ---- a training step ---- */

typedef struct {
  guint64 nodes;
  double  losses[8];
} Trained;

static Trained
train(guint without, LacType type)
{
  const BenchPinnShape shape = {.n_layers = 4,
                                .width = 8,
                                .n_points = 33,
                                .type = type,
                                .n_threads = 1,
                                .backend = "cuda",
                                .without = without};
  EmulatedCounts       before = {0}, after;
  BenchPinn            pinn;
  Trained              trained;

  bench_pinn_init(&pinn, &shape);
  for (gsize i = 0; i < G_N_ELEMENTS(trained.losses); i++) {
    before = emulated_get_counts();
    trained.losses[i] = bench_pinn_step(&pinn);
  }
  after = emulated_get_counts();
  g_assert_cmpuint(after.graphs - before.graphs, ==, 1);
  trained.nodes = after.nodes - before.nodes;
  bench_pinn_clear(&pinn);
  return trained;
}

static void
a_step_is_the_same_with_fewer_kernels(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  for (int type = LAC_F32; type <= LAC_F64; type++) {
    const Trained alone = train(LAC_WITHOUT_TOGETHER, (LacType) type);

    for (int order = EMULATED_FORWARD; order <= EMULATED_RANDOM; order++) {
      emulated_set_order((EmulatedOrder) order, 9);
      const Trained together = train(0, (LacType) type);

      g_test_message("%" G_GUINT64_FORMAT " kernels a step, one by one %" G_GUINT64_FORMAT,
                     together.nodes, alone.nodes);
      g_assert_cmpmem(alone.losses, sizeof alone.losses, together.losses, sizeof together.losses);
      g_assert_cmpuint(2 * together.nodes, <, alone.nodes);
    }
    emulated_set_order(EMULATED_FORWARD, 0);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/cuda/together/kernels-leave-what-they-leave-alone",
                  kernels_leave_what_they_leave_alone);
  g_test_add_func("/cuda/together/a-step-is-the-same-with-fewer-kernels",
                  a_step_is_the_same_with_fewer_kernels);
  return g_test_run();
}
