/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures of a device of 128 MB: each reported by CUDA's name for it, without leaks or later damage. */
#include "emulated.h"

#include "backend/electrons.h"
#include "backend/waves.h"

#include <string.h>

#define MB ((gsize) 1 << 20)

static gboolean
open_by_name(LacDevice *device)
{
  g_autoptr(GError) error = NULL;

  if (!emulated_backend()) {
    g_test_skip("there is no C++ compiler: the emulated device was not built");
    return FALSE;
  }
  lac_device_open(device, "cuda", &error);
  g_assert_no_error(error);
  return TRUE;
}

/* Exhausted device memory, and a library that fails to initialise. */
static void
failures_have_their_own_name(void)
{
  g_autoptr(GError) error = NULL;
  LacDevice         device, other;
  LacStatus         status;
  void             *memory;

  if (!open_by_name(&device))
    return;
  status = device.table->alloc(device.self, 512 * MB, &memory);
  g_assert_cmpint(status, ==, LAC_STATUS_OUT_OF_MEMORY);
  g_assert_cmpstr(
    lac_status_text(status), ==,
    "device memory is exhausted: cudaErrorMemoryAllocation: out of memory, in cudaMalloc");
  g_assert_cmpstr(lac_status_text(status), ==, "device memory is exhausted");
  lac_device_close(&device);

  for (EmulatedFaults faults = {.allocation = 1, .n_allocations = 1}; error == NULL;
       faults.allocation++) {
    emulated_set_faults(&faults);
    if (lac_device_open(&other, "cuda", &error))
      lac_device_close(&other);
    if (error && !strstr(error->message, "cublasCreate"))
      g_clear_error(&error);
    g_assert_cmpuint(faults.allocation, <, 1000);
  }
  emulated_set_faults(NULL);
  g_assert_nonnull(strstr(error->message, "CUBLAS_STATUS_ALLOC_FAILED, in cublasCreate"));
}

static void *
take(const LacDevice *device, gsize n_bytes)
{
  void *memory = NULL;

  g_assert_cmpint(device->table->alloc(device->self, n_bytes, &memory), ==, LAC_STATUS_OK);
  return memory;
}

/* 60 of 128 MB are free in a piece of their own, 80 requested. */
static void
free_pieces_make_room(void)
{
  LacMemoryUse before, after;
  LacDevice    device;
  void        *memory, *still;

  if (!open_by_name(&device))
    return;
  still = take(&device, 5 * MB);
  device.table->memory_use(device.self, &before);
  device.table->release(device.self, take(&device, 60 * MB));
  memory = take(&device, 80 * MB);
  device.table->memory_use(device.self, &after);
  g_assert_cmpuint(after.reserved - before.reserved, <, 81 * MB);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, still, 1, 5 * MB / 4), ==,
                  LAC_STATUS_OK);
  device.table->release(device.self, memory);
  device.table->release(device.self, still);
  lac_device_close(&device);
}

/* ---- transforms ---- */

static LacFft
transform_of(const LacDevice *device, gsize n)
{
  return (LacFft){.type = LAC_F32,
                  .nx = n,
                  .ny = n,
                  .n_batch = 1,
                  .real = take(device, n * n * sizeof(float)),
                  .spectrum = take(device, n * (n / 2 + 1) * 2 * sizeof(float))};
}

/* Forward and inverse: recovers the input. */
static void
assert_transforms(const LacDevice *device, const LacFft *fft)
{
  const gsize       n = fft->nx * fft->ny;
  g_autofree float *found = g_new(float, n);

  g_assert_cmpint(device->table->fill(device->self, LAC_F32, fft->real, 1, n), ==, LAC_STATUS_OK);
  g_assert_cmpint(device->table->fft_forward(device->self, fft), ==, LAC_STATUS_OK);
  g_assert_cmpint(device->table->fill(device->self, LAC_F32, fft->real, 0, n), ==, LAC_STATUS_OK);
  g_assert_cmpint(device->table->fft_inverse(device->self, fft), ==, LAC_STATUS_OK);
  g_assert_cmpint(device->table->download(device->self, found, fft->real, n * sizeof *found), ==,
                  LAC_STATUS_OK);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(found[i], ==, 1);
}

static void
free_transform(const LacDevice *device, const LacFft *fft)
{
  device->table->release(device->self, fft->real);
  device->table->release(device->self, fft->spectrum);
}

/* A work area of 16 MB does not fit at first; later it does. */
static void
a_plan_without_a_work_area_is_none(void)
{
  enum { LARGE = 2048 };
  LacDevice device;
  LacFft    small, large;
  void     *most;

  if (!open_by_name(&device))
    return;
  small = transform_of(&device, 8);
  large = transform_of(&device, LARGE);
  assert_transforms(&device, &small);
  most = take(&device, 60 * MB);
  g_assert_cmpint(device.table->fft_prepare(device.self, &large), ==, LAC_STATUS_OUT_OF_MEMORY);
  g_assert_cmpint(device.table->fft_forward(device.self, &large), ==, LAC_STATUS_OUT_OF_MEMORY);
  assert_transforms(&device, &small);
  device.table->release(device.self, most);
  assert_transforms(&device, &large);
  assert_transforms(&device, &small);
  free_transform(&device, &small);
  free_transform(&device, &large);
  lac_device_close(&device);
}

/* ---- freeing while a step is recorded ---- */

static void *
record_fill(const LacDevice *device, void *memory)
{
  void *recording = NULL;

  g_assert_cmpint(device->table->record_begin(device->self), ==, LAC_STATUS_OK);
  g_assert_cmpint(device->table->fill(device->self, LAC_F32, memory, 3, 4), ==, LAC_STATUS_OK);
  g_assert_cmpint(device->table->record_end(device->self, &recording), ==, LAC_STATUS_OK);
  return recording;
}

static void
freeing_does_not_spoil_a_recording(void)
{
  float        found[4];
  LacMemoryUse before, after;
  LacDevice    device;
  void        *memory, *staging, *old, *recording = NULL;

  if (!open_by_name(&device))
    return;
  memory = take(&device, sizeof found);
  device.table->memory_use(device.self, &before);
  void *other = take(&device, MB);
  g_assert_cmpint(device.table->staging_new(device.self, MB, &staging), ==, LAC_STATUS_OK);
  old = record_fill(&device, memory);
  g_assert_cmpint(device.table->record_begin(device.self), ==, LAC_STATUS_OK);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, memory, 7, 4), ==, LAC_STATUS_OK);
  device.table->release(device.self, other);
  device.table->staging_free(device.self, staging);
  device.table->recording_free(device.self, old);
  g_assert_cmpint(device.table->record_end(device.self, &recording), ==, LAC_STATUS_OK);
  device.table->memory_use(device.self, &after);
  g_assert_cmpuint(after.used, ==, before.used);
  g_assert_cmpint(device.table->replay(device.self, recording), ==, LAC_STATUS_OK);
  g_assert_cmpint(device.table->download(device.self, found, memory, sizeof found), ==,
                  LAC_STATUS_OK);
  g_assert_cmpfloat(found[3], ==, 7);
  device.table->recording_free(device.self, recording);
  device.table->release(device.self, memory);
  /* closed while recording: deferred memory is freed */
  g_assert_cmpint(device.table->record_begin(device.self), ==, LAC_STATUS_OK);
  lac_device_close(&device);
}

/* ---- every allocation in turn ---- */

/* Uses everything that allocates. Returns: the first failure. */
static LacStatus
use_all(const LacDevice *device, void **memory, void **staging, void **timing, void **recording)
{
  const LacBackend *table = device->table;
  LacFft            fft = {.type = LAC_F32, .nx = 8, .ny = 8, .n_batch = 2};
  LacWaveTransform  wave = {.type = LAC_F32, .n = 1536, .n_batch = 1};
  const LacStamp   *stamps;
  size_t            n;
  LacStatus         status = table->alloc(device->self, 2 * MB, memory);

  if (status == LAC_STATUS_OK)
    status = table->staging_new(device->self, 10000, staging);
  if (status == LAC_STATUS_OK)
    status = table->fft_prepare(device->self, &fft);
  if (status == LAC_STATUS_OK)
    status = table->waves->prepare(device->self, &wave);
  if (status == LAC_STATUS_OK &&
      !table->electrons->bytes(device->self, &(LacElectronBatch){.n = 10}, LAC_ELECTRON_SOLVE))
    status = LAC_STATUS_OUT_OF_MEMORY;
  if (status == LAC_STATUS_OK)
    status = table->set_precision(device->self, LAC_PRECISION_BF16X3);
  if (status == LAC_STATUS_OK)
    status = table->timing_new(device->self, timing);
  if (status == LAC_STATUS_OK)
    status = table->record_begin(device->self);
  if (status != LAC_STATUS_OK)
    return status;
  status = table->timing_begin(device->self, *timing);
  if (status == LAC_STATUS_OK)
    status = table->fill(device->self, LAC_F32, *memory, 1, 4);
  const LacStatus timed = table->timing_end(device->self, &stamps, &n);
  if (status == LAC_STATUS_OK)
    status = timed;
  const LacStatus ended = table->record_end(device->self, recording);

  return status == LAC_STATUS_OK ? ended : status;
}

static LacStatus
open_use_and_close(void)
{
  LacDevice device = {emulated_backend(), NULL};
  void     *memory = NULL, *staging = NULL, *timing = NULL, *recording = NULL;
  LacStatus status = device.table->open(&device.self, 0);

  if (status != LAC_STATUS_OK) {
    g_assert_null(device.self);
    return status;
  }
  status = use_all(&device, &memory, &staging, &timing, &recording);
  if (recording)
    device.table->recording_free(device.self, recording);
  device.table->timing_free(device.self, timing);
  device.table->staging_free(device.self, staging);
  if (memory)
    device.table->release(device.self, memory);
  device.table->close(device.self);
  return status;
}

/* A single allocation fails, or all from that one on. */
static void
each_allocation_may_fail(gconstpointer n_allocations)
{
  const EmulatedCounts before = emulated_get_counts();

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_assert_cmpint(open_use_and_close(), ==, LAC_STATUS_OK);
  const guint64 n = emulated_get_counts().asked_allocations - before.asked_allocations;

  g_assert_cmpuint(n, >, 40);
  for (guint64 i = 1; i <= n; i++) {
    emulated_set_faults(
      &(EmulatedFaults){.allocation = i, .n_allocations = GPOINTER_TO_UINT(n_allocations)});
    const LacStatus status = open_use_and_close();

    if (status != LAC_STATUS_OUT_OF_MEMORY && status != LAC_STATUS_OK)
      g_error("allocation %" G_GUINT64_FORMAT ": %s", i, lac_status_text(status));
    g_assert_cmpint(emulated_get_counts().alive, ==, before.alive);
  }
  emulated_set_faults(NULL);
}

int
main(int argc, char **argv)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);

  g_test_init(&argc, &argv, NULL);
  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  g_setenv("LACUNA_EMULATED_MEMORY", "134217728", TRUE);
  g_test_add_func("/cuda/faults/failures-have-their-own-name", failures_have_their_own_name);
  g_test_add_func("/cuda/faults/free-pieces-make-room", free_pieces_make_room);
  g_test_add_func("/cuda/faults/a-plan-without-a-work-area-is-none",
                  a_plan_without_a_work_area_is_none);
  g_test_add_func("/cuda/faults/freeing-does-not-spoil-a-recording",
                  freeing_does_not_spoil_a_recording);
  g_test_add_data_func("/cuda/faults/each-allocation-may-fail", GUINT_TO_POINTER(1),
                       each_allocation_may_fail);
  g_test_add_data_func("/cuda/faults/each-allocation-and-all-behind-it-may-fail",
                       GUINT_TO_POINTER(G_MAXUINT), each_allocation_may_fail);
  return g_test_run();
}
