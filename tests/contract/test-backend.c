/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every backend, every kernel, both types; the cpu on every level of instructions it has. */
#include "backend-bench.h"
#include "emulated.h"
#include "sanitized.h"
#include "shard.h"

#include "backend/cpu/cpu.h"
#include "backend/fft.h"

#include <float.h>
#include <math.h>
#include <string.h>

static gboolean
knows_waves(const LacBackend *table)
{
  return table->waves != NULL;
}

/* What not every backend knows, the processor's for one, says of which it is. */
typedef struct {
  const char *name;
  BenchCase   run;
  gboolean (*is_known)(const LacBackend *table);
} Case;

static const Case cases[] = {
  {"fill", case_fill},
  {"strided", case_strided},
  {"dot", case_dot},
  {"matvec", case_matvec},
  {"rank-update", case_rank_update},
  {"adam", case_adam},
  {"map-jet", case_map_jet},
  {"map-jet-reverse", case_map_jet_reverse},
  {"map-jet-is-the-same-in-any-tile", case_map_jet_position},
  {"slope-of-saturated-tanh", case_saturated},
  {"mul-jet", case_mul_jet},
  {"mul-jet-reverse", case_mul_jet_reverse},
  {"linear", case_linear},
  {"linear-reverse", case_linear_reverse},
  {"layer-is-linear-then-map", case_layer},
  {"layer-reverse-is-its-twin's", case_layer_reverse},
  {"layer-in-one-kernel-is-the-processor's", case_layer_fused},
  {"threads-leave-what-one-leaves", case_threads},
  {"fft-parseval-shift-and-back", case_fft},
  {"fft-batch-is-its-members", case_fft_batch},
  {"vorticity-of-known-flows", case_vorticity},
  {"rk4-stage", case_rk4_stage},
  {"planes-convolve-as-defined", case_planes_convolve},
  {"planes-directions-are-adjoints", case_planes_adjoints},
  {"planes-normalise", case_planes_normalise},
  {"planes-latent", case_planes_latent},
  {"planes-step", case_planes_step},
  {"planes-picture", case_planes_picture},
  {"waves-object", case_waves_object, knows_waves},
  {"waves-stops", case_waves_stops, knows_waves},
  {"waves-compare", case_waves_compare, knows_waves},
  {"waves-compare-is-its-loss's-derivative", case_waves_compare_differences, knows_waves},
  {"waves-gather", case_waves_gather, knows_waves},
  {"waves-bars", case_waves_bars, knows_waves},
  {"waves-transform", case_waves_transform, knows_waves},
};

/* A backend, the cpu held to a level of instructions, or (no name) the cpu that keeps no plans of transforms; EMULATED: the
 * CUDA backend on the processor, its threads in the order that level names, or behind the checks of strict. */
typedef struct {
  const char *label, *backend, *level;
} Subject;

#define EMULATED "emulated"

static const Subject subjects[] = {
  {"cuda-emulated-random", EMULATED, "random"},
#if !TEST_IS_SANITIZED
  {"cuda-emulated-forward", EMULATED, "forward"},
  {"cuda-emulated-reverse", EMULATED, "reverse"},
#endif
  {"cpu-baseline", "cpu", "baseline"},
  {"cpu-v3", "cpu", "v3"},
  {"cpu-v4", "cpu", "v4"},
  {"strict", "strict", NULL},
  {"cuda", "cuda", NULL},
  {"cpu-without-plans", NULL, NULL},
};

typedef struct {
  const Subject *subject;
  LacType        type;
  const Case    *what;
} Row;

static gboolean
processor_has(const char *level)
{
#ifdef __x86_64__
  if (g_strcmp0(level, "v4") == 0)
    return __builtin_cpu_supports("x86-64-v4");
  if (g_strcmp0(level, "v3") == 0)
    return __builtin_cpu_supports("x86-64-v3");
#endif
  return level == NULL || g_strcmp0(level, "baseline") == 0;
}

static EmulatedOrder
order_of(const char *name)
{
  return g_str_equal(name, "random")    ? EMULATED_RANDOM
         : g_str_equal(name, "reverse") ? EMULATED_REVERSE
                                        : EMULATED_FORWARD;
}

static gboolean
open_bench(Bench *bench, const Subject *subject, LacType type)
{
  g_autoptr(GError) error = NULL;

  *bench =
    (Bench){.type = type, .epsilon = type == LAC_F32 ? FLT_EPSILON : DBL_EPSILON, .state = 42};
  if (g_strcmp0(subject->backend, EMULATED) == 0 && g_str_equal(subject->level, "strict"))
    return emulated_open_strict(&bench->device);
  if (g_strcmp0(subject->backend, EMULATED) == 0) {
    emulated_set_order(order_of(subject->level), 42);
    return emulated_open(&bench->device);
  }
  if (!processor_has(subject->level)) {
    g_test_skip("this processor has no such instructions");
    return FALSE;
  }
  if (subject->level)
    g_setenv("LACUNA_CPU_LEVEL", subject->level, TRUE);
  else
    g_unsetenv("LACUNA_CPU_LEVEL");
  if (!subject->backend)
    return lac_cpu_open(&bench->device, &(LacCpuOptions){.most = LAC_CPU_V4,
                                                         .plans_every_call = 1}) == LAC_STATUS_OK;
  if (lac_device_open(&bench->device, subject->backend, &error))
    return TRUE;
  g_test_skip(error->message);
  return FALSE;
}

static void
close_bench(Bench *bench)
{
  bench_clear(bench);
  lac_device_close(&bench->device);
}

static void
run_row(gconstpointer data)
{
  const Row *row = data;
  Bench      bench;

  if (!open_bench(&bench, row->subject, row->type))
    return;
  if (row->what->is_known && !row->what->is_known(bench.device.table))
    g_test_skip("this backend has no such kernels");
  else
    row->what->run(&bench);
  close_bench(&bench);
}

static guint64
bits_of(const char *backend, const char *level, LacType type, BenchCase run)
{
  const Subject subject = {backend, backend, level};
  Bench         bench;
  guint64       bits;

  g_assert_true(open_bench(&bench, &subject, type));
  run(&bench);
  bits = bench.bits;
  close_bench(&bench);
  return bits;
}

static void
strict_agrees_with_cpu_to_the_bit(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    for (int type = LAC_F32; type <= LAC_F64 && !cases[i].is_known; type++)
      g_assert_cmpuint(bits_of("strict", NULL, type, cases[i].run), ==,
                       bits_of("cpu", NULL, type, cases[i].run));
}

/* A missing barrier, or a sum in the order of arrival, would leave other bits; and so would a wait that strict makes up for. */
static void
order_of_threads_leaves_no_trace(gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE(data);

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  for (int type = LAC_F32; type <= LAC_F64; type++) {
    const guint64 bits = bits_of(EMULATED, "forward", type, cases[i].run);

    g_assert_cmpuint(bits_of(EMULATED, "reverse", type, cases[i].run), ==, bits);
    g_assert_cmpuint(bits_of(EMULATED, "random", type, cases[i].run), ==, bits);
  }
  emulated_set_order(EMULATED_FORWARD, 0);
  g_assert_cmpuint(bits_of(EMULATED, "strict", LAC_F64, cases[i].run), ==,
                   bits_of(EMULATED, "forward", LAC_F64, cases[i].run));
}

static void
add_orders(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *path =
      g_strdup_printf("/backend/order-of-threads-leaves-no-trace/%s", cases[i].name);

    if (shard_has_next())
      g_test_add_data_func(path, GSIZE_TO_POINTER(i), order_of_threads_leaves_no_trace);
  }
}

/* ---- the rest ---- */

static void
memory_is_aligned_and_copies_return(void)
{
  gsize                    n;
  const LacBackend *const *backends = lac_backends(&n);

  for (gsize b = 0; b < n; b++) {
    g_autoptr(GError) error = NULL;
    LacDevice         device;
    gsize             sizes[] = {1, 100, 3 << 20};

    if (!lac_device_open(&device, backends[b]->name, &error))
      continue;
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
      g_autofree guint8 *there = g_malloc(sizes[i]), *back = g_malloc0(sizes[i]);
      void              *memory = NULL;
      bench_ok(device.table->alloc(device.self, sizes[i], &memory));
      for (gsize k = 0; k < sizes[i]; k++)
        there[k] = (guint8) (k * 31);
      g_assert_cmpuint((guintptr) memory % 64, ==, 0);
      bench_ok(device.table->upload(device.self, memory, there, sizes[i]));
      bench_ok(device.table->download(device.self, back, memory, sizes[i]));
      g_assert_cmpmem(there, sizes[i], back, sizes[i]);
      device.table->release(device.self, memory);
    }
    lac_device_close(&device);
  }
}

static void
registry_knows_every_name(void)
{
  g_autoptr(GError)        error = NULL;
  gsize                    n;
  const LacBackend *const *backends = lac_backends(&n);
  LacDevice                device;

  g_assert_cmpuint(n, ==, 3);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(backends[i]->abi, ==, LAC_BACKEND_ABI);
    g_assert_nonnull(backends[i]->what);
  }
  g_assert_true(lac_device_open(&device, "auto", &error));
  g_assert_no_error(error);
  lac_device_close(&device);
  g_assert_false(lac_device_open(&device, "abacus", &error));
  g_assert_nonnull(strstr(error->message, "abacus"));
  g_assert_nonnull(strstr(error->message, "strict"));
}

/* Each derivative is the central difference of the one before: wrong by h^2/6 of the third beyond it, which is
 * below 500 here, and by rounding over h. */
static void
derivatives_are_those_of_differences(void)
{
  const double h = 1e-4;

  for (int scalar = 0; scalar < LAC_N_SCALARS; scalar++)
    for (double at = -2; at <= 2; at += 0.0625) {
      const double x = bench_scalar_is_positive((LacScalar) scalar) ? 3.5 + at : at;
      double       f[6] = {0}, plus[6] = {0}, minus[6] = {0};
      bench_scalar((LacScalar) scalar, x, f);
      bench_scalar((LacScalar) scalar, x + h, plus);
      bench_scalar((LacScalar) scalar, x - h, minus);
      for (int k = 0; k < 5; k++)
        g_assert_cmpfloat_with_epsilon(f[k + 1], (plus[k] - minus[k]) / (2 * h), 2e-6);
    }
}

/* A run that brings its wisdom along plans as before, whatever the machine would measure today. */
static void
wisdom_returns(void)
{
  for (int type = LAC_F32; type <= LAC_F64; type++) {
    g_autofree char  *text = NULL, *again = NULL;
    g_autoptr(GError) error = NULL;
    LacDevice         device;
    LacFft            fft = {.type = type, .nx = 24, .ny = 24, .n_batch = 1};
    guint64           known, measured, known_then, measured_then;

    g_assert_true(lac_device_open(&device, "cpu", &error));
    bench_ok(device.table->fft_prepare(device.self, &fft));
    text = lac_fft_export_wisdom(type);
    g_assert_cmpuint(strlen(text), >, 100);
    g_assert_true(lac_fft_import_wisdom(type, text));
    again = lac_fft_export_wisdom(type);
    g_assert_cmpuint(strlen(again), ==, strlen(text));
    lac_fft_get_plan_counts(&known, &measured);
    bench_ok(device.table->fft_prepare(device.self, &fft));
    lac_fft_get_plan_counts(&known_then, &measured_then);
    g_assert_cmpuint(known_then, ==, known + 1);
    g_assert_cmpuint(measured_then, ==, measured);
    g_assert_false(lac_fft_import_wisdom(type, "no wisdom at all"));
    lac_device_close(&device);
  }
}

static void
absent_module_says_why(void)
{
  if (g_test_subprocess()) {
    g_autoptr(GError) error = NULL;
    LacDevice         device;

    g_setenv("LACUNA_MODULE_DIR", g_get_user_cache_dir(), TRUE);
    g_assert_false(lac_device_open(&device, "cuda", &error));
    g_assert_nonnull(strstr(error->message, "not installed"));
    g_clear_error(&error);
    g_assert_true(lac_device_open(&device, "auto", &error));
    g_assert_cmpstr(device.table->name, ==, "cpu");
    lac_device_close(&device);
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

/* A new process finds the plans of this one in the cache directory: it adds nothing to them. */
static void
wisdom_is_kept_for_the_next_process(void)
{
  g_autofree char *path =
    g_build_filename(g_get_user_cache_dir(), "lacuna", "fftw-f64.wisdom", NULL);
  g_autofree char  *before = NULL, *after = NULL;
  g_autoptr(GError) error = NULL;
  LacDevice         device;
  LacFft            fft = {.type = LAC_F64, .nx = 28, .ny = 12, .n_batch = 1};

  g_assert_true(lac_device_open(&device, "cpu", &error));
  bench_ok(device.table->fft_prepare(device.self, &fft));
  lac_device_close(&device);
  if (g_test_subprocess())
    return;
  if (!g_file_get_contents(path, &before, NULL, NULL)) {
    g_test_skip("the cache directory cannot be written");
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
  g_assert_true(g_file_get_contents(path, &after, NULL, NULL));
  g_assert_cmpstr(after, ==, before);
}

static void
add_rows(void)
{
  for (gsize s = 0; s < G_N_ELEMENTS(subjects); s++)
    for (int type = LAC_F32; type <= LAC_F64; type++)
      for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/backend/%s/%s/%s", subjects[s].label,
                                                type == LAC_F32 ? "f32" : "f64", cases[i].name);
        const Row        row = {&subjects[s], type, &cases[i]};

        if (shard_has_next())
          g_test_add_data_func(path, shard_keep(&row, sizeof row), run_row);
      }
}

/* A cache of its own, which no other test writes at the same time. */
static void
use_own_cache(void)
{
  const char *cache = g_getenv("XDG_CACHE_HOME");

  if (cache && !g_test_subprocess()) {
    g_autofree char *own = g_strdup_printf("%s/contract-backend-%u", cache, shard_get());
    g_setenv("XDG_CACHE_HOME", own, TRUE);
  }
}

static const struct {
  const char *path;
  void (*test)(void);
} single[] = {
  {"/backend/strict/agrees-with-cpu-to-the-bit", strict_agrees_with_cpu_to_the_bit},
  {"/backend/memory-is-aligned-and-copies-return", memory_is_aligned_and_copies_return},
  {"/backend/registry-knows-every-name", registry_knows_every_name},
  {"/backend/scalar/derivatives-are-those-of-differences", derivatives_are_those_of_differences},
  {"/backend/fft/wisdom-returns", wisdom_returns},
  {"/backend/fft/wisdom-is-kept-for-the-next-process", wisdom_is_kept_for_the_next_process},
  {"/backend/absent-module-says-why", absent_module_says_why},
};

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  shard_init(argc, argv);
  use_own_cache();
  if (!g_test_subprocess()) { /* which runs one test alone */
    add_rows();
    add_orders();
  }
  for (gsize i = 0; i < G_N_ELEMENTS(single); i++)
    if (shard_has_next())
      g_test_add_func(single[i].path, single[i].test);
  return g_test_run();
}
