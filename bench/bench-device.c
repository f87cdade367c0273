/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput of a compute device: training steps in every precision relative to its matrix-product rate measured in
 * the same run, with fused and composed layers, single layers, and transforms. Prints JSON; --look prints only the
 * device behind the name, or why there is none. */
#include "device-gaps.h"
#include "jet-layers.h"
#include "pinn.h"

#include "bench/harness/program.h"
#include "perf/analysis/ratio.h"

#include <string.h>

enum { N_ROUNDS = 7, NO_DEVICE = 3 };

typedef struct {
  LacDevice device;
  gboolean  is_small; /* emulated device: small sizes, times are meaningless */
} Subject;

static void
must(LacStatus status, const char *what)
{
  if (status != LAC_STATUS_OK)
    g_error("%s: %s", what, lac_status_text(status));
}

static void
wait_for(LacDevice device)
{
  must(device.table->synchronise(device.self), "waiting for the device");
}

static void *
take(LacDevice device, gsize n_bytes)
{
  void *memory = NULL;

  must(device.table->alloc(device.self, n_bytes, &memory), "memory of the device");
  must(device.table->fill(device.self, LAC_F32, memory, 0.001, n_bytes / sizeof(float)), "filling");
  return memory;
}

/* ---- rate of plain matrix products ---- */

static double
measure_products(const Subject *subject)
{
  const LacDevice device = subject->device;
  const gsize     n = subject->is_small ? 32 : 4096, n_calls = subject->is_small ? 1 : 10;
  LacLinear       product = {.type = LAC_F32, .n_points = n, .n_streams = 1, .n_in = n, .n_out = n};
  float          *memory = take(device, 3 * n * n * sizeof *memory);
  g_autofree char *name = g_strdup_printf("device/sgemm-%" G_GSIZE_FORMAT, n);
  double           rates[N_ROUNDS];

  product.x = memory;
  product.w = memory + n * n;
  product.y = memory + 2 * n * n;
  must(device.table->linear(device.self, &product), "a product");
  for (guint i = 0; i < N_ROUNDS; i++) {
    wait_for(device);
    const double begin = lac_bench_wall_seconds();
    for (gsize k = 0; k < n_calls; k++)
      must(device.table->linear(device.self, &product), "a product");
    wait_for(device);
    rates[i] = 2e-9 * (double) n_calls * (double) n * (double) n * (double) n /
               (lac_bench_wall_seconds() - begin);
  }
  device.table->release(device.self, memory);
  bench_print(bench_row(name, "rate", "GFLOP/s", LAC_BENCH_MERIT, 0), rates, N_ROUNDS);
  return lac_median(rates, N_ROUNDS);
}

/* ---- a training step ---- */

/* Runs the steps without waiting between them; the returned loss lags by some steps. */
static double
seconds_of_steps(BenchPinn *pinn, gsize n_steps)
{
  wait_for(pinn->device);
  const double begin = lac_bench_wall_seconds();

  for (gsize i = 0; i < n_steps; i++)
    bench_pinn_step(pinn);
  wait_for(pinn->device);
  return (lac_bench_wall_seconds() - begin) / (double) n_steps;
}

static void
print_memory(const char *name, BenchPinn *pinn, guint64 growth)
{
  LacMemoryUse use = {0};
  double       reserved, grown = (double) growth;

  if (pinn->device.table->memory_use)
    pinn->device.table->memory_use(pinn->device.self, &use);
  reserved = (double) use.reserved * 1e-6;
  bench_print_one(bench_row(name, "device_memory_reserved", "MB", LAC_BENCH_MEMORY, 0), reserved);
  bench_print_one(bench_row(name, "device_memory_growth", "B", LAC_BENCH_MEMORY, 0), grown);
}

static guint64
get_used(LacDevice device)
{
  LacMemoryUse use = {0};

  if (device.table->memory_use)
    device.table->memory_use(device.self, &use);
  return use.reserved;
}

/* @products: GFLOP/s of plain matrix products */
static void
measure_step(const char *name, const BenchPinnShape *shape, gsize n_steps, double products)
{
  BenchPinn pinn;
  double    milliseconds[N_ROUNDS], fractions[N_ROUNDS];
  guint64   before;

  bench_pinn_init(&pinn, shape);
  pinn.objective.later = lac_program_reads_back(pinn.program);
  seconds_of_steps(&pinn, 3); /* eager, recorded, replayed */
  before = get_used(pinn.device);
  for (guint i = 0; i < N_ROUNDS; i++) {
    const double seconds = seconds_of_steps(&pinn, n_steps);

    milliseconds[i] = 1e3 * seconds;
    fractions[i] = pinn.flops * 1e-9 / seconds / products;
  }
  bench_print(bench_row(name, "step_wall", "ms", LAC_BENCH_TIME, 0), milliseconds, N_ROUNDS);
  bench_print(bench_row(name, "sgemm_fraction", "1", LAC_BENCH_MERIT, 0), fractions, N_ROUNDS);
  print_memory(name, &pinn, get_used(pinn.device) - before);
  bench_pinn_clear(&pinn);
}

static void
measure_steps(const Subject *subject, const char *backend, double products)
{
  static const struct {
    const char  *name;
    LacType      type;
    LacPrecision precision;
    guint        without;
  } modes[] = {{"f32", LAC_F32, LAC_PRECISION_PLAIN, 0},
               {"f32-composed", LAC_F32, LAC_PRECISION_PLAIN, LAC_WITHOUT_FUSED_JETS},
               {"f32-fused", LAC_F32, LAC_PRECISION_PLAIN, LAC_WITHOUT_FUSION_RULE},
               {"f32-one-by-one", LAC_F32, LAC_PRECISION_PLAIN, LAC_WITHOUT_TOGETHER},
               {"f64", LAC_F64, LAC_PRECISION_PLAIN, 0},
               {"f64-composed", LAC_F64, LAC_PRECISION_PLAIN, LAC_WITHOUT_FUSED_JETS},
               {"f64-fused", LAC_F64, LAC_PRECISION_PLAIN, LAC_WITHOUT_FUSION_RULE},
               {"bf16x6", LAC_F32, LAC_PRECISION_BF16X6, 0},
               {"bf16x3", LAC_F32, LAC_PRECISION_BF16X3, 0}};
  static const gsize shapes[][4] = {{4, 128, 4096, 200}, {6, 256, 100000, 10}};

  for (gsize s = 0; s < G_N_ELEMENTS(shapes); s++)
    for (gsize m = 0; m < G_N_ELEMENTS(modes); m++) {
      const BenchPinnShape shape = {
        .n_layers = subject->is_small ? 1 : shapes[s][0],
        .width = subject->is_small ? 4 : shapes[s][1],
        .n_points = subject->is_small ? 16 : shapes[s][2],
        .type = modes[m].type,
        .n_threads = 1,
        .backend = backend,
        .precision = modes[m].precision,
        .without = modes[m].without,
      };
      g_autofree char *name =
        g_strdup_printf("flow/pinn-step-%" G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT "-%s", shapes[s][0],
                        shapes[s][1], modes[m].name);

      measure_step(name, &shape, subject->is_small ? 2 : shapes[s][3], products);
    }
}

static void
measure_gaps(const Subject *subject, const char *backend)
{
  const gboolean       small = subject->is_small;
  const BenchPinnShape shape = {.n_layers = small ? 1 : 4,
                                .width = small ? 4 : 128,
                                .n_points = small ? 16 : 4096,
                                .type = LAC_F32,
                                .n_threads = 1,
                                .backend = backend};

  bench_device_gaps(subject->device, &shape, small ? 2 : 200);
}

/* ---- transforms ---- */

static double
seconds_of_transform(LacDevice device, const LacFft *fft)
{
  wait_for(device);
  const double begin = lac_bench_wall_seconds();

  must(device.table->fft_forward(device.self, fft), "a transform");
  wait_for(device);
  return lac_bench_wall_seconds() - begin;
}

/* Measures the first call, the median of the next ones, and the memory growth after ten thousand. */
static void
measure_transforms(const Subject *subject)
{
  const LacDevice device = subject->device;
  const gsize     n = subject->is_small ? 16 : 1024, n_calls = subject->is_small ? 20 : 10000;
  LacFft          fft = {.type = LAC_F32, .nx = n, .ny = n, .n_batch = 1};
  double          first, times[31], growth;
  guint64         before;

  fft.real = take(device, n * n * sizeof(float));
  fft.spectrum = take(device, n * (n / 2 + 1) * 2 * sizeof(float));
  must(device.table->fft_prepare(device.self, &fft), "planning a transform");
  first = seconds_of_transform(device, &fft);
  for (gsize i = 0; i < G_N_ELEMENTS(times); i++)
    times[i] = 1e3 * seconds_of_transform(device, &fft);
  before = get_used(device);
  for (gsize i = 0; i < n_calls; i++)
    must(device.table->fft_forward(device.self, &fft), "a transform");
  wait_for(device);
  growth = (double) (get_used(device) - before);
  first = 1e3 * first - lac_median(times, G_N_ELEMENTS(times));
  bench_print(bench_row("device/fft-1024", "call_wall", "ms", LAC_BENCH_TIME, 0), times,
              G_N_ELEMENTS(times));
  bench_print_one(bench_row("device/fft-1024", "first_call_extra", "ms", LAC_BENCH_TIME, 0), first);
  bench_print_one(bench_row("device/fft-1024", "device_memory_growth", "B", LAC_BENCH_MEMORY, 0),
                  growth);
  device.table->release(device.self, fft.real);
  device.table->release(device.self, fft.spectrum);
}

int
main(int argc, char **argv)
{
  gboolean           look = FALSE;
  int                n_steps = 0, status = 0;
  g_autofree char   *backend = NULL;
  Subject            subject = {0};
  const GOptionEntry entries[] = {
    {"backend", 0, 0, G_OPTION_ARG_STRING, &backend, "device (default: cuda)", "NAME"},
    {"look", 0, 0, G_OPTION_ARG_NONE, &look, "print the device, or why there is none", NULL},
    {"small", 0, 0, G_OPTION_ARG_NONE, &subject.is_small, "sizes for an emulated device", NULL},
    {"steps", 0, 0, G_OPTION_ARG_INT, &n_steps, "only run N steps of 4x128, for a profiler", "N"},
    {NULL},
  };
  g_autoptr(GError) error = NULL;

  bench_parse(entries, NULL, &argc, &argv);
  const char *name = backend ? backend : "cuda";
  if (!lac_device_open(&subject.device, name, &error)) {
    g_print("%s\n", error->message);
    return NO_DEVICE;
  }
  if (look) {
    g_print("%s\n", subject.device.table->what);
  } else if (n_steps > 0) {
    BenchPinn pinn;

    bench_pinn_init(&pinn,
                    &(BenchPinnShape){4, 128, 4096, LAC_F32, 1, 0, name, LAC_PRECISION_PLAIN, 0});
    pinn.objective.later = lac_program_reads_back(pinn.program);
    seconds_of_steps(&pinn, (gsize) n_steps);
    bench_pinn_clear(&pinn);
  } else {
    bench_begin(1, name);
    const double products = measure_products(&subject);
    measure_steps(&subject, name, products);
    bench_jet_layers(subject.device, subject.is_small);
    measure_gaps(&subject, name);
    measure_transforms(&subject);
    status = bench_end();
  }
  lac_device_close(&subject.device);
  return status;
}
