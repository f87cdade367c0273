/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refusals of the strict backend for memory and for the kernels of the plain table. */
#include "backend/registry.h"
#include "base/pool.h"

#include <math.h>

static void
assert_ok(LacStatus status)
{
  g_assert_cmpstr(lac_status_text(status), ==, lac_status_text(LAC_STATUS_OK));
}

static void
open_strict(LacDevice *device)
{
  g_autoptr(GError) error = NULL;

  g_assert_true(lac_device_open(device, "strict", &error));
  g_assert_no_error(error);
}

static void *
take(const LacDevice *device, gsize n_bytes)
{
  void *memory = NULL;

  assert_ok(device->table->alloc(device->self, n_bytes, &memory));
  return memory;
}

static void
refuses_host_pointers(void)
{
  LacDevice device;
  float     host[4] = {1, 2, 3, 4}, *on_device;
  double    sum = 0;
  LacDot    dot = {.type = LAC_F32, .n = 4, .x = host, .out = &sum};

  open_strict(&device);
  on_device = take(&device, sizeof host);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, host, 0, 4), ==, LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->dot(device.self, &dot), ==, LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->upload(device.self, host, host, 16), ==, LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->upload(device.self, on_device, on_device, 16), ==,
                  LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->download(device.self, on_device, on_device, 16), ==,
                  LAC_STATUS_BAD_POINTER);
  g_assert_cmpfloat(host[0], ==, 1);
  device.table->release(device.self, on_device);
  lac_device_close(&device);
}

static void
refuses_what_lies_beyond(void)
{
  LacDevice device;
  float    *memory;

  open_strict(&device);
  memory = take(&device, 16 * sizeof(float));
  assert_ok(device.table->fill(device.self, LAC_F32, memory, 1, 16));
  assert_ok(device.table->fill(device.self, LAC_F32, memory + 15, 1, 1));
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, memory, 1, 17), ==,
                  LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, memory + 16, 1, 1), ==,
                  LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, memory - 1, 1, 2), ==,
                  LAC_STATUS_BAD_POINTER);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, NULL, 1, 1), ==, LAC_STATUS_BAD_POINTER);
  device.table->release(device.self, memory);
  lac_device_close(&device);
}

static void
refuses_released_memory(void)
{
  LacDevice device;
  float    *memory;

  open_strict(&device);
  memory = take(&device, 64);
  device.table->release(device.self, memory);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, memory, 1, 1), ==,
                  LAC_STATUS_BAD_POINTER);
  lac_device_close(&device);
}

static void
memory_is_not_a_number_until_written(void)
{
  LacDevice device;
  float     singles[8];
  double    doubles[8];
  void     *memory;

  open_strict(&device);
  memory = take(&device, sizeof doubles);
  assert_ok(device.table->download(device.self, singles, memory, sizeof singles));
  assert_ok(device.table->download(device.self, doubles, memory, sizeof doubles));
  for (int i = 0; i < 8; i++) {
    g_assert_true(isnan(singles[i]));
    g_assert_true(isnan(doubles[i]));
  }
  device.table->release(device.self, memory);
  lac_device_close(&device);
}

static void
refuses_what_nothing_has_written(void)
{
  LacDevice device;
  float    *x, *y;

  open_strict(&device);
  x = take(&device, 16 * sizeof(float));
  y = take(&device, 16 * sizeof(float));
  LacStrided copy = {.type = LAC_F32, .n_rows = 1, .n_columns = 16, .alpha = 1, .x = x, .y = y};

  assert_ok(device.table->fill(device.self, LAC_F32, x, 1, 15));
  g_assert_cmpint(device.table->strided(device.self, &copy), ==, LAC_STATUS_UNWRITTEN);
  copy.n_columns = 15;
  assert_ok(device.table->strided(device.self, &copy));
  copy.beta = 1; /* y is also read, in the range written */
  assert_ok(device.table->strided(device.self, &copy));
  assert_ok(device.table->fill(device.self, LAC_F32, x + 15, 1, 1));
  copy.n_columns = 16;
  g_assert_cmpint(device.table->strided(device.self, &copy), ==, LAC_STATUS_UNWRITTEN);
  device.table->release(device.self, x);
  device.table->release(device.self, y);
  lac_device_close(&device);
}

/* In-place calls are allowed for pointwise kernels only, and only at exactly the same address. */
static void
refuses_operands_that_overlap(void)
{
  LacDevice device;
  float    *m;

  open_strict(&device);
  m = take(&device, 64 * sizeof(float));
  assert_ok(device.table->fill(device.self, LAC_F32, m, 1, 64));
  LacStrided copy = {.type = LAC_F32,
                     .n_rows = 8,
                     .n_columns = 3,
                     .x_stride = 8,
                     .y_stride = 8,
                     .alpha = 1,
                     .x = m,
                     .y = m};
  LacLinear  product = {.type = LAC_F32,
                        .n_points = 4,
                        .n_streams = 1,
                        .n_in = 4,
                        .n_out = 4,
                        .x = m,
                        .w = m + 16,
                        .y = m + 32};

  assert_ok(device.table->strided(device.self, &copy));
  copy.y = m + 3; /* columns next to those read */
  assert_ok(device.table->strided(device.self, &copy));
  copy.y = m + 2;
  g_assert_cmpint(device.table->strided(device.self, &copy), ==, LAC_STATUS_OVERLAP);
  copy.y = m + 7; /* reaches into the next row */
  copy.n_rows = 7;
  g_assert_cmpint(device.table->strided(device.self, &copy), ==, LAC_STATUS_OVERLAP);
  assert_ok(device.table->linear(device.self, &product));
  product.y = m + 8;
  g_assert_cmpint(device.table->linear(device.self, &product), ==, LAC_STATUS_OVERLAP);
  product.y = m;
  g_assert_cmpint(device.table->linear(device.self, &product), ==, LAC_STATUS_OVERLAP);
  device.table->release(device.self, m);
  lac_device_close(&device);
}

typedef struct {
  LacDevice device;
  float    *memory;
  gsize     n;
  gint      refused; /* atomic */
} Lanes;

/* Each thread fills its own half and one element of the other's. */
static void
fill_lane(gsize task, guint worker, gpointer data)
{
  Lanes *lanes = data;

  for (int i = 0; i < 400; i++) {
    const LacStatus status = lanes->device.table->fill(
      lanes->device.self, LAC_F32, lanes->memory + task * lanes->n, 1, lanes->n + 1);

    if (status == LAC_STATUS_OVERLAP)
      g_atomic_int_set(&lanes->refused, 1);
    else
      assert_ok(status);
  }
}

static void
refuses_two_threads_on_one_number(void)
{
  Lanes    lanes = {.n = 1 << 16};
  LacPool *pool = lac_pool_new(2);

  open_strict(&lanes.device);
  lanes.memory = take(&lanes.device, (2 * lanes.n + 1) * sizeof(float));
  for (int i = 0; i < 200 && !g_atomic_int_get(&lanes.refused); i++)
    lac_pool_run(pool, 2, fill_lane, &lanes);
  g_assert_true(lanes.refused);
  lanes.device.table->release(lanes.device.self, lanes.memory);
  lac_device_close(&lanes.device);
  lac_pool_free(pool);
}

static void
pointers_cannot_be_followed(void)
{
  if (g_test_subprocess()) {
    LacDevice      device;
    volatile char *memory;
    open_strict(&device);
    memory = take(&device, 64);
    memory[0] = 1;
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_failed();
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/strict/refuses-host-pointers", refuses_host_pointers);
  g_test_add_func("/strict/refuses-what-lies-beyond", refuses_what_lies_beyond);
  g_test_add_func("/strict/refuses-released-memory", refuses_released_memory);
  g_test_add_func("/strict/memory-is-not-a-number-until-written",
                  memory_is_not_a_number_until_written);
  g_test_add_func("/strict/refuses-what-nothing-has-written", refuses_what_nothing_has_written);
  g_test_add_func("/strict/refuses-operands-that-overlap", refuses_operands_that_overlap);
  g_test_add_func("/strict/refuses-two-threads-on-one-number", refuses_two_threads_on_one_number);
  g_test_add_func("/strict/pointers-cannot-be-followed", pointers_cannot_be_followed);
  return g_test_run();
}
