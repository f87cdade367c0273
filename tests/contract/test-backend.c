/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every backend, every kernel, both types; the cpu at every instruction level it supports. */
#include "emulated.h"

#include "backend/contract/contract.h"
#include "backend/cpu/cpu.h"
#include "backend/fft.h"
#include "contract/helpers/shard.h"
#include "helpers/sanitized.h"

#include <math.h>
#include <string.h>

/* Returns: all rows of all parts; lives as long as the program */
static const LacContractRow *const *
all_rows(gsize *n)
{
  static GPtrArray *rows = NULL;

  if (!rows) {
    rows = g_ptr_array_new();
    for (gsize i = 0; lac_contract_rows[i]; i++)
      for (const LacContractRow *row = lac_contract_rows[i]; row->name; row++)
        g_ptr_array_add(rows, (gpointer) row);
  }
  *n = rows->len;
  return (const LacContractRow *const *) rows->pdata;
}

static void
assert_ok(LacStatus status)
{
  g_assert_cmpstr(lac_status_text(status), ==, lac_status_text(LAC_STATUS_OK));
}

/* A backend, the cpu limited to an instruction level, or (without a name) the cpu without cached FFT plans; EMULATED:
 * the CUDA backend on the CPU, with threads in the order given by level, or behind the strict checks. */
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
  const Subject        *subject;
  LacType               type;
  const LacContractRow *what;
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
open_subject(LacDevice *device, const Subject *subject)
{
  g_autoptr(GError) error = NULL;

  if (g_strcmp0(subject->backend, EMULATED) == 0 && g_str_equal(subject->level, "strict"))
    return emulated_open_strict(device);
  if (g_strcmp0(subject->backend, EMULATED) == 0) {
    emulated_set_order(order_of(subject->level), 42);
    return emulated_open(device);
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
    return lac_cpu_open(device, &(LacCpuOptions){.most = LAC_CPU_V4, .plans_every_call = 1}) ==
           LAC_STATUS_OK;
  if (lac_device_open(device, subject->backend, &error))
    return TRUE;
  g_test_skip(error->message);
  return FALSE;
}

/* Returns: the hash of all data fetched by the row */
static guint64
run_passing(const LacContractRow *row, const LacDevice *device, LacType type)
{
  LacContractResult result;

  lac_contract_run(row, device, type, &result);
  if (!result.passed)
    g_error("%s: %s", row->name, result.why);
  g_assert_cmpfloat(result.worst, <=, 1);
  return result.bits;
}

static gboolean
is_known(const LacContractRow *row, const LacBackend *table)
{
  return !row->is_known || row->is_known(table);
}

static void
run_row(gconstpointer data)
{
  const Row *row = data;
  LacDevice  device;

  if (!open_subject(&device, row->subject))
    return;
  if (is_known(row->what, device.table))
    run_passing(row->what, &device, row->type);
  else
    g_test_skip("this backend has no such kernels");
  lac_device_close(&device);
}

static guint64
bits_of(const char *backend, const char *level, LacType type, const LacContractRow *row)
{
  const Subject subject = {backend, backend, level};
  LacDevice     device;
  guint64       bits;

  g_assert_true(open_subject(&device, &subject));
  bits = run_passing(row, &device, type);
  lac_device_close(&device);
  return bits;
}

static void
strict_agrees_with_cpu_to_the_bit(void)
{
  gsize                        n;
  const LacContractRow *const *rows = all_rows(&n);

  for (gsize i = 0; i < n; i++)
    for (int type = LAC_F32; type <= LAC_F64 && is_known(rows[i], &lac_backend_cpu); type++)
      g_assert_cmpuint(bits_of("strict", NULL, type, rows[i]), ==,
                       bits_of("cpu", NULL, type, rows[i]));
}

/* A wrong kernel fails its row with a value, and a kernel error ends the row; the device stays usable. */
static LacStatus
wrong_dot(void *self, const LacDot *args)
{
  const LacStatus status = lac_backend_cpu.dot(self, args);

  *args->out *= 1 + 1e-4;
  return status;
}

static LacStatus
no_dot(void *self, const LacDot *args)
{
  return LAC_STATUS_DEVICE_LOST;
}

static const LacContractRow *
find_row(const char *name)
{
  gsize                        n;
  const LacContractRow *const *rows = all_rows(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(rows[i]->name, name))
      return rows[i];
  g_assert_not_reached();
}

static void
wrong_kernels_are_found(void)
{
  g_autoptr(GError) error = NULL;
  LacBackend        table = lac_backend_cpu;
  LacContractResult result;
  LacDevice         device;

  g_assert_true(lac_device_open(&device, "cpu", &error));
  device.table = &table;
  table.dot = wrong_dot;
  lac_contract_run(find_row("dot"), &device, LAC_F64, &result);
  g_assert_false(result.passed);
  g_assert_cmpint(result.status, ==, LAC_STATUS_OK);
  g_assert_cmpfloat(result.worst, >, 1);
  g_assert_nonnull(strstr(result.why, "instead of"));
  table.dot = no_dot;
  lac_contract_run(find_row("dot"), &device, LAC_F64, &result);
  g_assert_false(result.passed);
  g_assert_cmpint(result.status, ==, LAC_STATUS_DEVICE_LOST);
  g_assert_nonnull(strstr(result.why, "dot("));
  run_passing(find_row("linear"), &device, LAC_F64);
  lac_device_close(&device);
}

/* A missing barrier, or a sum in order of arrival, would change bits; and so would a missing wait that strict
 * compensates. */
static void
order_of_threads_leaves_no_trace(gconstpointer data)
{
  const LacContractRow *row = data;

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  for (int type = LAC_F32; type <= LAC_F64; type++) {
    const guint64 bits = bits_of(EMULATED, "forward", type, row);

    g_assert_cmpuint(bits_of(EMULATED, "reverse", type, row), ==, bits);
    g_assert_cmpuint(bits_of(EMULATED, "random", type, row), ==, bits);
  }
  emulated_set_order(EMULATED_FORWARD, 0);
  g_assert_cmpuint(bits_of(EMULATED, "strict", LAC_F64, row), ==,
                   bits_of(EMULATED, "forward", LAC_F64, row));
}

static void
add_orders(void)
{
  gsize                        n;
  const LacContractRow *const *rows = all_rows(&n);

  for (gsize i = 0; i < n; i++) {
    g_autofree char *path =
      g_strdup_printf("/backend/order-of-threads-leaves-no-trace/%s", rows[i]->name);

    if (shard_has_next())
      g_test_add_data_func(path, rows[i], order_of_threads_leaves_no_trace);
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
      assert_ok(device.table->alloc(device.self, sizes[i], &memory));
      for (gsize k = 0; k < sizes[i]; k++)
        there[k] = (guint8) (k * 31);
      g_assert_cmpuint((guintptr) memory % 64, ==, 0);
      assert_ok(device.table->upload(device.self, memory, there, sizes[i]));
      assert_ok(device.table->download(device.self, back, memory, sizes[i]));
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

/* Each derivative equals the central difference of the previous one: errors are h^2/6 times the derivative two orders
 * higher, below 500 here, and rounding over h. */
static void
derivatives_are_those_of_differences(void)
{
  const double h = 1e-4;

  for (int scalar = 0; scalar < LAC_N_SCALARS; scalar++)
    for (double at = -2; at <= 2; at += 0.0625) {
      const double x = lac_contract_scalar_is_positive((LacScalar) scalar) ? 3.5 + at : at;
      double       f[6] = {0}, plus[6] = {0}, minus[6] = {0};
      lac_contract_scalar((LacScalar) scalar, x, f);
      lac_contract_scalar((LacScalar) scalar, x + h, plus);
      lac_contract_scalar((LacScalar) scalar, x - h, minus);
      for (int k = 0; k < 5; k++)
        g_assert_cmpfloat_with_epsilon(f[k + 1], (plus[k] - minus[k]) / (2 * h), 2e-6);
    }
}

/* A run with imported wisdom plans as before, whatever a new measurement would give. */
typedef struct {
  guint n_begun, n_ended;
} Planning;

static void
on_planning(gboolean begins, gpointer user_data)
{
  Planning *planning = user_data;

  g_assert_cmpuint(planning->n_begun, ==, planning->n_ended + !begins);
  planning->n_begun += begins;
  planning->n_ended += !begins;
}

/* Every plan that is measured is reported, and no other. */
static void
planning_is_reported(void)
{
  for (int type = LAC_F32; type <= LAC_F64; type++) {
    g_autoptr(GError) error = NULL;
    LacDevice         device;
    LacFft            fft = {.type = type, .nx = 22, .ny = 26, .n_batch = 1};
    Planning          planning = {0};
    guint64           known, measured, known_then, measured_then;

    g_assert_true(lac_device_open(&device, "cpu", &error));
    lac_fft_watch(on_planning, &planning);
    lac_fft_get_plan_counts(&known, &measured);
    for (int i = 0; i < 2; i++)
      assert_ok(device.table->fft_prepare(device.self, &fft));
    lac_fft_get_plan_counts(&known_then, &measured_then);
    g_assert_cmpuint(planning.n_ended, ==, measured_then - measured);
    g_assert_cmpuint(planning.n_begun, ==, planning.n_ended);
    lac_fft_watch(NULL, NULL);
    lac_device_close(&device);
  }
}

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
    assert_ok(device.table->fft_prepare(device.self, &fft));
    text = lac_fft_export_wisdom(type);
    g_assert_cmpuint(strlen(text), >, 100);
    g_assert_true(lac_fft_import_wisdom(type, text));
    again = lac_fft_export_wisdom(type);
    g_assert_cmpuint(strlen(again), ==, strlen(text));
    lac_fft_get_plan_counts(&known, &measured);
    assert_ok(device.table->fft_prepare(device.self, &fft));
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

/* A new process finds this one's plans in the cache directory and adds none. */
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
  assert_ok(device.table->fft_prepare(device.self, &fft));
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
  gsize                        n;
  const LacContractRow *const *rows = all_rows(&n);

  for (gsize s = 0; s < G_N_ELEMENTS(subjects); s++)
    for (int type = LAC_F32; type <= LAC_F64; type++)
      for (gsize i = 0; i < n; i++) {
        g_autofree char *path = g_strdup_printf("/backend/%s/%s/%s", subjects[s].label,
                                                type == LAC_F32 ? "f32" : "f64", rows[i]->name);
        const Row        row = {&subjects[s], type, rows[i]};

        if (shard_has_next())
          g_test_add_data_func(path, shard_keep(&row, sizeof row), run_row);
      }
}

/* Uses a private cache, which no other test writes at the same time. */
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
  {"/backend/wrong-kernels-are-found", wrong_kernels_are_found},
  {"/backend/memory-is-aligned-and-copies-return", memory_is_aligned_and_copies_return},
  {"/backend/registry-knows-every-name", registry_knows_every_name},
  {"/backend/scalar/derivatives-are-those-of-differences", derivatives_are_those_of_differences},
  {"/backend/fft/wisdom-returns", wisdom_returns},
  {"/backend/fft/planning-is-reported", planning_is_reported},
  {"/backend/fft/wisdom-is-kept-for-the-next-process", wisdom_is_kept_for_the_next_process},
  {"/backend/absent-module-says-why", absent_module_says_why},
};

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  shard_init(argc, argv);
  use_own_cache();
  if (!g_test_subprocess()) { /* runs a single test */
    add_rows();
    add_orders();
  }
  for (gsize i = 0; i < G_N_ELEMENTS(single); i++)
    if (shard_has_next())
      g_test_add_func(single[i].path, single[i].test);
  return g_test_run();
}
