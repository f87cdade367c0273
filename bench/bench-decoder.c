/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of a training step of the progressive decoder: forward, reverse, Adam; and its time layer by layer.
 * Prints JSON. */
#include "backend/cpu/peak.h"
#include "backend/registry.h"
#include "bench/harness/program.h"
#include "experiment/imaging/methods/decoder/network.h"

#include <string.h>

#define N_ROUNDS  7
#define PLAN_PEAK 230e9 /* FLOP/s of the machine that the limit of the step refers to */

typedef struct {
  LacPool    *pool;
  LacDecoder *decoder;
  gsize       n_pixels;
  double     *picture, *bar;
} Bench;

static Bench
bench_new(const LacDecoderSettings *settings, guint n_threads, LacPerf *perf)
{
  Bench bench = {.n_pixels = settings->output * settings->output};

  bench.pool = lac_pool_new(n_threads);
  bench.decoder = lac_decoder_new(
    settings, &(LacDecoderMeans){bench.pool, perf, perf ? lac_perf_lane(perf, "compute") : NULL},
    NULL);
  lac_decoder_init(bench.decoder, 1);
  bench.picture = g_new0(double, bench.n_pixels);
  bench.bar = g_new0(double, bench.n_pixels);
  return bench;
}

static void
bench_clear(Bench *bench)
{
  g_free(bench->bar);
  g_free(bench->picture);
  lac_decoder_free(bench->decoder);
  lac_pool_free(bench->pool);
}

/* Runs one training step; the target is a striped image. */
static void
step(Bench *bench)
{
  lac_decoder_forward(bench->decoder, bench->picture);
  for (gsize i = 0; i < bench->n_pixels; i++)
    bench->bar[i] = bench->picture[i] > (double) (i & 1) ? 1 / (double) bench->n_pixels
                                                         : -1 / (double) bench->n_pixels;
  lac_decoder_reverse(bench->decoder, bench->bar);
  lac_decoder_step(bench->decoder, 1e-3);
}

/* --- on a device: a step is one recording, and what it learns from is there too --- */

#define DEVICE_STEPS 50  /* per round; the host then waits for the device */
#define MOST_MEMORY  260 /* MB */

typedef struct {
  Bench     bench;
  LacDevice device;
  double   *target; /* on the device */
  gpointer  step;
} DeviceBench;

static void
ok(LacStatus status)
{
  if (status != LAC_STATUS_OK)
    g_error("the device: %s", lac_status_text(status));
}

/* picture_bar = (picture - target) / n, on the device */
static void
ask_loss(const DeviceBench *it)
{
  const double n = (double) it->bench.n_pixels;
  LacStrided   args = {
      .type = LAC_F64,
      .n_rows = 1,
      .n_columns = it->bench.n_pixels,
      .alpha = -1 / n,
      .x = it->target,
      .y = lac_decoder_get_picture_bar(it->bench.decoder),
  };

  ok(it->device.table->strided(it->device.self, &args));
  args.alpha = 1 / n;
  args.beta = 1;
  args.x = lac_decoder_get_picture(it->bench.decoder);
  ok(it->device.table->strided(it->device.self, &args));
}

static void
device_bench_new(DeviceBench *it, const LacDecoderSettings *settings, LacDevice device)
{
  const gsize        n = settings->output * settings->output;
  g_autofree double *target = g_new(double, n);
  gpointer           memory = NULL;

  *it = (DeviceBench){.device = device, .bench = {.n_pixels = n, .pool = lac_pool_new(1)}};
  it->bench.decoder =
    lac_decoder_new(settings, &(LacDecoderMeans){.pool = it->bench.pool, .device = device}, NULL);
  g_assert_nonnull(it->bench.decoder);
  lac_decoder_init(it->bench.decoder, 1);
  ok(device.table->alloc(device.self, n * sizeof(double), &memory));
  it->target = memory;
  for (gsize i = 0; i < n; i++)
    target[i] = (double) (i & 1);
  ok(device.table->upload(device.self, it->target, target, n * sizeof(double)));
  ok(device.table->record_begin(device.self));
  lac_decoder_enqueue_forward(it->bench.decoder);
  ask_loss(it);
  lac_decoder_enqueue_reverse(it->bench.decoder);
  lac_decoder_enqueue_step(it->bench.decoder);
  ok(device.table->record_end(device.self, &it->step));
}

static void
device_bench_clear(DeviceBench *it)
{
  ok(lac_decoder_get_status(it->bench.decoder));
  it->device.table->recording_free(it->device.self, it->step);
  it->device.table->release(it->device.self, it->target);
  bench_clear(&it->bench);
}

static double
device_steps(const DeviceBench *it, guint n_steps)
{
  const double start = lac_bench_wall_seconds();

  for (guint i = 0; i < n_steps; i++) {
    lac_decoder_set_rate(it->bench.decoder, 1e-3);
    ok(it->device.table->replay(it->device.self, it->step));
  }
  ok(it->device.table->synchronise(it->device.self));
  return 1e3 * (lac_bench_wall_seconds() - start) / n_steps;
}

/* Reports all device memory, including work areas of its libraries. */
static void
measure_device(const LacDecoderSettings *settings, LacDevice device, guint n_steps)
{
  g_autofree char *name =
    g_strdup_printf("imaging/decoder-step-%u-%u-f32-%s", (guint) settings->grid,
                    (guint) settings->output, device.table->name);
  const gboolean is_large = settings->grid == 1024 && settings->output == 512;
  DeviceBench    it;
  LacMemoryUse   use;
  double         wall[N_ROUNDS], before, memory, growth;

  device_bench_new(&it, settings, device);
  device_steps(&it, 2);
  device.table->memory_use(device.self, &use);
  before = (double) use.reserved;
  for (guint i = 0; i < N_ROUNDS; i++)
    wall[i] = device_steps(&it, n_steps);
  device.table->memory_use(device.self, &use);
  memory = (double) use.reserved / 1e6;
  growth = (double) use.reserved - before;
  bench_print(bench_row(name, "step_wall", "ms", LAC_BENCH_TIME, 0), wall, N_ROUNDS);
  bench_print_one(
    bench_row(name, "device_memory_reserved", "MB", LAC_BENCH_MEMORY, is_large ? MOST_MEMORY : 0),
    memory);
  bench_print_one(bench_row(name, "device_memory_growth", "B", LAC_BENCH_MEMORY, 0), growth);
  device_bench_clear(&it);
}

/* --- on the processor --- */

static void
act(gpointer bench)
{
  step(bench);
}

static void
measure(const LacDecoderSettings *settings, guint n_threads, double limit)
{
  g_autofree char *name = g_strdup_printf("imaging/decoder-step-%u-%u-f32", (guint) settings->grid,
                                          (guint) settings->output);
  Bench            bench = bench_new(settings, n_threads, NULL);
  double           wall[N_ROUNDS], cpu[N_ROUNDS], scaled[N_ROUNDS];

  step(&bench);
  step(&bench);
  for (guint i = 0; i < N_ROUNDS; i++) {
    const LacCpuRate     peak = lac_cpu_peak_flops(LAC_F32, n_threads);
    const LacBenchClocks clocks = lac_bench_time(act, &bench);
    wall[i] = 1e3 * clocks.wall;
    cpu[i] = 1e3 * clocks.cpu;
    scaled[i] = wall[i] * peak.wall / PLAN_PEAK;
  }
  bench_print(bench_row(name, "step_wall", "ms", LAC_BENCH_TIME, 0), wall, N_ROUNDS);
  bench_print(bench_row(name, "step_cpu", "ms", LAC_BENCH_TIME, 0), cpu, N_ROUNDS);
  bench_print(bench_row(name, "step_wall_at_230_gigaflops", "ms", LAC_BENCH_TIME, limit), scaled,
              N_ROUNDS);
  const double arena = (double) lac_decoder_get_arena_bytes(bench.decoder) / 1e6;
  bench_print_one(bench_row(name, "arena", "MB", LAC_BENCH_MEMORY, limit > 0 ? 300 : 0), arena);
  bench_clear(&bench);
}

typedef struct {
  double *seconds, *flops;
  gsize   n;
} Sums;

static void
add_records(const LacRecord *records, gsize n_records, gpointer user_data)
{
  Sums *sums = user_data;

  for (gsize i = 0; i < n_records; i++) {
    if (records[i].name >= sums->n)
      continue;
    sums->seconds[records[i].name] += (double) records[i].duration_ns * 1e-9;
    sums->flops[records[i].name] += records[i].flops;
  }
}

/* Prints milliseconds, GFLOP/s and name of each part of a step. */
static void
print_layers(const LacDecoderSettings *settings, guint n_threads, guint n_steps)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  Bench              bench = bench_new(settings, n_threads, perf);
  const guint32      n = lac_perf_get_n_names(perf);
  Sums               none = {0}, sums = {g_new0(double, n), g_new0(double, n), n};

  step(&bench);
  step(&bench);
  lac_perf_drain(perf, add_records, &none);
  for (guint i = 0; i < n_steps; i++)
    step(&bench);
  lac_perf_drain(perf, add_records, &sums);
  for (guint32 i = 0; i < n; i++) {
    g_print("%-10.6g %-10.6g %s\n", 1e3 * sums.seconds[i] / n_steps,
            sums.seconds[i] > 0 ? sums.flops[i] / sums.seconds[i] * 1e-9 : 0,
            lac_perf_get_name(perf, i));
  }
  g_free(sums.seconds);
  g_free(sums.flops);
  bench_clear(&bench);
}

/* Prints wall and CPU milliseconds of each step, for an alternating comparison with another program. */
static void
print_steps(const LacDecoderSettings *settings, guint n_threads, guint n_steps)
{
  Bench bench = bench_new(settings, n_threads, NULL);

  for (guint i = 0; i < 3; i++)
    step(&bench);
  bench_print_steps(act, &bench, n_steps);
  bench_clear(&bench);
}

static int
run_on_device(const LacDecoderSettings *settings, const char *backend, guint n_steps)
{
  g_autoptr(GError) error = NULL;
  LacDevice         device;

  if (!lac_device_open(&device, backend, &error)) {
    g_printerr("%s\n", error->message);
    return 2;
  }
  bench_begin(1, backend);
  measure_device(settings, device, n_steps);
  lac_device_close(&device);
  return bench_end();
}

int
main(int argc, char **argv)
{
  int                grid = 1024, output = 512, n_threads = 0, n_steps = 0, layers = 0;
  g_autofree char   *backend = NULL;
  const GOptionEntry entries[] = {
    {"grid", 0, 0, G_OPTION_ARG_INT, &grid, "side of k-space", "N"},
    {"output", 0, 0, G_OPTION_ARG_INT, &output, "side of the picture", "M"},
    {"threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "threads; 0: one per processor", "T"},
    {"steps", 0, 0, G_OPTION_ARG_INT, &n_steps,
     "only print the wall and CPU milliseconds of N steps", "N"},
    {"layers", 0, 0, G_OPTION_ARG_INT, &layers,
     "only print the time of each part of a step, averaged over N steps", "N"},
    {"backend", 0, 0, G_OPTION_ARG_STRING, &backend,
     "cuda or strict: the same step as one recording on this device, N steps per round", "NAME"},
    {NULL},
  };
  g_autoptr(GError) error = NULL;

  bench_parse(entries, NULL, &argc, &argv);
  const LacDecoderSettings settings = {.grid = (gsize) MAX(grid, 1),
                                       .output = (gsize) MAX(output, 1),
                                       .bound = LAC_BOUND_SIGMOID,
                                       .type = LAC_F32};
  if (!lac_decoder_check(&settings, &error)) {
    g_printerr("%s\n", error->message);
    return 2;
  }
  if (backend && strcmp(backend, "cpu") != 0)
    return run_on_device(&settings, backend, n_steps > 0 ? (guint) n_steps : DEVICE_STEPS);
  const guint threads = n_threads > 0 ? (guint) n_threads : lac_pool_available();
  if (n_steps > 0) {
    print_steps(&settings, threads, (guint) n_steps);
  } else if (layers > 0) {
    print_layers(&settings, threads, (guint) layers);
  } else {
    bench_begin(threads, NULL);
    measure(&settings, threads, grid == 1024 && output == 512 ? 70 : 0);
    return bench_end();
  }
  return 0;
}
