/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of simulating one aperture: on a small detector against the full grid, object transform included,
 * alternating; and transforms of the full grid: first call after planning, heap growth. Prints JSON. */
#include "backend/fourier.h"
#include "backend/registry.h"
#include "backend/waves.h"
#include "base/rng.h"
#include "bench/harness/pair.h"
#include "bench/harness/program.h"
#include "experiment/imaging/optics/optics.h"
#include "perf/analysis/ratio.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

#define N_ROUNDS     7
#define GRID         1024
#define OBJECT       73
#define N_COMPACT    50 /* measurements per round: a single one is below the clock's resolution */
#define N_TRANSFORMS 1000

/* One variant of measuring one aperture, with its memory. */
typedef struct {
  LacOptics            *optics;
  double complex       *spectrum, *fields;
  double               *image;
  const double complex *object;  /* borrowed */
  gsize                 n_times; /* measurements per turn */
} Way;

static Way
new_way(gsize patch)
{
  static const LacScanBox position = {101.25, -77.5, 101.25, -77.5};
  const LacOpticsSettings settings = {
    .grid = GRID,
    .support = OBJECT,
    .aperture.radius = 8.5,
    .patch = patch,
    .n_positions = 1,
    .scan = &position,
  };
  Way     way = {.optics = lac_optics_new(&settings, NULL, NULL)};
  gsize   d;
  LacBand band;

  g_assert(way.optics);
  d = lac_optics_get_detector(way.optics);
  band = lac_optics_get_band(way.optics);
  way.spectrum = g_new0(double complex, band.height *band.width);
  way.fields = g_new0(double complex, d *d);
  way.image = g_new0(double, d *d);
  return way;
}

static void
free_way(Way *way)
{
  lac_optics_free(way->optics);
  g_free(way->spectrum);
  g_free(way->fields);
  g_free(way->image);
}

/* Returns: milliseconds of CPU time per measurement. */
static gboolean
time_way(gpointer data, double *ms, GError **error)
{
  Way         *way = data;
  const double before = lac_bench_cpu_seconds();

  for (gsize i = 0; i < way->n_times; i++) {
    lac_optics_scan_spectrum(way->optics, 0, way->object, way->spectrum);
    lac_optics_measure(way->optics, 0, way->spectrum, way->fields, way->image);
  }
  *ms = 1e3 * (lac_bench_cpu_seconds() - before) / (double) way->n_times;
  return TRUE;
}

/* Returns: the largest difference at shared sample points, relative to the largest amplitude. */
static double
largest_difference(const Way *small, const Way *whole)
{
  const gsize  d = lac_optics_get_detector(small->optics), step = GRID / d;
  const double scale = (double) d / GRID;
  double       worst = 0, largest = 0;

  for (gsize y = 0; y < d; y++)
    for (gsize x = 0; x < d; x++) {
      const double wanted = whole->image[y * step * GRID + x * step];

      worst = fmax(worst, fabs(scale * small->image[y * d + x] - wanted));
      largest = fmax(largest, wanted);
    }
  return worst / largest;
}

static double complex *
random_object(gsize n)
{
  LacRng          rng = lac_rng(1, 1);
  double complex *object = g_new(double complex, n);

  for (gsize i = 0; i < n; i++)
    object[i] = lac_rng_uniform(&rng);
  return object;
}

static void
measure_aperture(void)
{
  const char                *name = "optics/aperture-1024-17-73";
  g_autofree double complex *object = random_object(OBJECT * OBJECT);
  Way                        small = new_way(64), whole = new_way(GRID);
  double                     ours[N_ROUNDS], twins[N_ROUNDS], ratios[N_ROUNDS], difference;

  small.object = whole.object = object;
  small.n_times = N_COMPACT;
  whole.n_times = 1;
  lac_bench_take_turns(&(LacBenchTurns){time_way, &small, &whole, N_ROUNDS, ours, twins, ratios},
                       NULL);
  difference = largest_difference(&small, &whole);
  bench_print(bench_row(name, "full_grid_over_compact", "1", LAC_BENCH_SPEEDUP, 50), ratios,
              N_ROUNDS);
  bench_print_one(bench_row(name, "difference", "1", LAC_BENCH_QUALITY, 1e-5), difference);
  bench_print(bench_row(name, "compact_time", "ms", LAC_BENCH_TIME, 0), ours, N_ROUNDS);
  bench_print(bench_row(name, "full_grid_time", "ms", LAC_BENCH_TIME, 0), twins, N_ROUNDS);
  free_way(&small);
  free_way(&whole);
}

/* Returns: wall-clock milliseconds. */
static double
time_transform(const LacFourier *fourier, double complex *data, gboolean inverse)
{
  const double before = lac_bench_wall_seconds();

  if (inverse)
    lac_fourier_inverse(fourier, data);
  else
    lac_fourier_forward(fourier, data);
  return 1e3 * (lac_bench_wall_seconds() - before);
}

static void
measure_transforms(void)
{
  const char                *name = "optics/fft-1024";
  const LacFourier          *fourier = lac_fourier_prepare(GRID, GRID);
  g_autofree double complex *data = random_object((gsize) GRID * GRID);
  double                     forward[N_ROUNDS], inverse[N_ROUNDS], both[N_ROUNDS], first, growth;
  struct mallinfo2           before;

  g_assert(fourier);
  first = time_transform(fourier, data, FALSE);
  time_transform(fourier, data, TRUE);
  for (gsize i = 0; i < N_ROUNDS; i++) {
    forward[i] = time_transform(fourier, data, FALSE);
    inverse[i] = time_transform(fourier, data, TRUE);
    both[i] = forward[i] + inverse[i];
    for (gsize j = 0; j < (gsize) GRID * GRID; j++)
      data[j] /= (double) GRID * GRID;
  }
  before = mallinfo2();
  memset(data, 0, (gsize) GRID * GRID * sizeof *data);
  for (gsize i = 0; i < N_TRANSFORMS; i++)
    time_transform(fourier, data, i & 1);
  growth = (double) mallinfo2().uordblks - (double) before.uordblks + (double) mallinfo2().hblkhd -
           (double) before.hblkhd;
  bench_print(bench_row(name, "forward", "ms", LAC_BENCH_TIME, 0), forward, N_ROUNDS);
  bench_print(bench_row(name, "inverse", "ms", LAC_BENCH_TIME, 0), inverse, N_ROUNDS);
  bench_print(bench_row(name, "round_trip", "ms", LAC_BENCH_TIME, 0), both, N_ROUNDS);
  first = MAX(first - lac_median(forward, N_ROUNDS), 0);
  bench_print_one(bench_row(name, "first_call_extra", "ms", LAC_BENCH_TIME, 50), first);
  /* a limit of 0 would mean no limit: less than a byte */
  bench_print_one(bench_row(name, "growth_over_1000", "bytes", LAC_BENCH_MEMORY, 0.5), growth);
}

#define DEVICE_TRANSFORMS 10000
#define MOST_FIRST_MS     2 /* excess of the first call over the others */

static void
ok(LacStatus status)
{
  if (status != LAC_STATUS_OK)
    g_error("the device: %s", lac_status_text(status));
}

static double
time_of_device_transforms(const LacDevice *device, const LacWaveTransform *transform, guint n)
{
  const double start = lac_bench_wall_seconds();

  for (guint i = 0; i < n; i++)
    ok(device->table->waves->transform(device->self, transform));
  ok(device->table->synchronise(device->self));
  return 1e3 * (lac_bench_wall_seconds() - start);
}

/* Measures like measure_transforms(), on a device; growth counts all memory taken from it. */
static void
measure_on_device(const LacDevice *device)
{
  const gsize      n_bytes = (gsize) GRID * GRID * 2 * sizeof(float);
  LacWaveTransform transform = {LAC_F32, GRID, 1, FALSE, NULL};
  LacMemoryUse     before, after;
  double           times[N_ROUNDS], first, growth;

  ok(device->table->alloc(device->self, n_bytes, &transform.data));
  ok(device->table->fill(device->self, LAC_F32, transform.data, 0, n_bytes / sizeof(float)));
  ok(device->table->waves->prepare(device->self, &transform));
  ok(device->table->synchronise(device->self));
  device->table->memory_use(device->self, &before);
  first = time_of_device_transforms(device, &transform, 1);
  for (guint i = 0; i < N_ROUNDS; i++)
    times[i] = time_of_device_transforms(device, &transform, DEVICE_TRANSFORMS / N_ROUNDS + 1) /
               (DEVICE_TRANSFORMS / N_ROUNDS + 1);
  device->table->memory_use(device->self, &after);
  growth = (double) after.reserved - (double) before.reserved;
  const double extra = first - lac_median(times, N_ROUNDS);
  bench_print(bench_row("imaging/fft-1024-f32-device", "wall", "ms", LAC_BENCH_TIME, 0), times,
              N_ROUNDS);
  bench_print_one(bench_row("imaging/fft-1024-f32-device", "first_call_extra", "ms", LAC_BENCH_TIME,
                            MOST_FIRST_MS),
                  extra);
  bench_print_one(
    bench_row("imaging/fft-1024-f32-device", "growth_over_10000", "B", LAC_BENCH_MEMORY, 1),
    growth);
  device->table->release(device->self, transform.data);
}

static int
run_on_device(const char *backend)
{
  g_autoptr(GError) error = NULL;
  LacDevice         device;

  if (!lac_device_open(&device, backend, &error)) {
    g_printerr("%s\n", error->message);
    return 2;
  }
  if (!device.table->waves) {
    g_printerr("backend = %s has no transforms of waves: use backend = cuda\n", backend);
    return 2;
  }
  bench_begin(1, backend);
  measure_on_device(&device);
  lac_device_close(&device);
  return bench_end();
}

int
main(int argc, char **argv)
{
  g_autofree char   *backend = NULL;
  const GOptionEntry entries[] = {
    {"backend", 0, 0, G_OPTION_ARG_STRING, &backend,
     "cuda: only the transforms of 1024 x 1024 on this device", "NAME"},
    {NULL},
  };

  bench_parse(entries, NULL, &argc, &argv);
  if (backend && strcmp(backend, "cpu") != 0)
    return run_on_device(backend);
  bench_begin(1, NULL);
  measure_aperture();
  measure_transforms();
  return bench_end();
}
