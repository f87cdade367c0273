/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readbacks of several results at a time: small ones, which go straight to the host, and large ones. */
#include "emulated.h"

#include "backend/cpu/cpu.h"
#include "backend/readback.h"
#include "backend/strict/strict.h"

#define N_SLOTS 3

typedef struct {
  const char *name;
  gsize       n; /* numbers */
} Size;

static const Size sizes[] = {{"small", 10}, {"of-several-kilobytes", 5000}};

static double *
take(LacDevice device, gsize n)
{
  void *memory;

  g_assert_cmpint(device.table->alloc(device.self, n * sizeof(double), &memory), ==, LAC_STATUS_OK);
  return memory;
}

static void
put(LacDevice device, LacReadback *readback, double *memory, gsize n, double value)
{
  g_assert_cmpint(device.table->fill(device.self, LAC_F64, memory, value, n), ==, LAC_STATUS_OK);
  g_assert_cmpint(lac_readback_put(readback, 0, memory, n * sizeof *memory), ==, LAC_STATUS_OK);
}

static void
assert_holds(const double *host, gsize n, double value)
{
  g_assert_nonnull(host);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(host[i], ==, value);
}

/* As many as there are slots are pending at a time; each holds what was there when it was put. */
static void
check_results(LacDevice device, gsize n)
{
  g_autoptr(LacReadback) readback = lac_readback_new(device, n * sizeof(double), N_SLOTS);
  double                *memory = take(device, n);
  LacPending             pending[N_SLOTS];
  const void            *host;

  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < N_SLOTS; i++) {
      put(device, readback, memory, n, 10 * round + i);
      g_assert_cmpint(lac_readback_send(readback, &pending[i]), ==, LAC_STATUS_OK);
      g_assert_true(lac_pending_is_open(&pending[i]));
    }
    for (int i = 0; i < N_SLOTS; i++) {
      for (guint n_polls = 0; !lac_pending_is_ready(&pending[i]); n_polls++)
        g_assert_cmpuint(n_polls, <, 10000);
      g_assert_true(lac_pending_finish(&pending[i], &host, NULL));
      g_assert_false(lac_pending_is_open(&pending[i]));
      assert_holds(host, n, 10 * round + i);
    }
  }
  device.table->release(device.self, memory);
}

/* Unfinished results make room for later ones; a lost result is an error, not another one's numbers. */
static void
check_lost(LacDevice device, gsize n)
{
  g_autoptr(LacReadback) readback = lac_readback_new(device, n * sizeof(double), N_SLOTS);
  g_autoptr(GError)      error = NULL;
  double                *memory = take(device, n);
  LacPending             first, last;
  const void            *host;

  put(device, readback, memory, n, 0);
  g_assert_cmpint(lac_readback_send(readback, &first), ==, LAC_STATUS_OK);
  for (int i = 1; i <= 2 * N_SLOTS; i++) {
    put(device, readback, memory, n, i);
    g_assert_cmpint(lac_readback_send(readback, &last), ==, LAC_STATUS_OK);
  }
  g_assert_false(lac_pending_finish(&first, &host, &error));
  g_assert_nonnull(error);
  g_assert_cmpint(lac_readback_open(readback, &last, &host), ==, LAC_STATUS_OK);
  assert_holds(host, n, 2 * N_SLOTS);
  device.table->release(device.self, memory);
}

static void
test_strict(gconstpointer size)
{
  LacDevice device;

  g_assert_true(lac_device_open(&device, "strict", NULL));
  check_results(device, ((const Size *) size)->n);
  check_lost(device, ((const Size *) size)->n);
  lac_device_close(&device);
}

static void
test_emulated(gconstpointer size)
{
  LacDevice device;

  if (!emulated_open(&device))
    return;
  for (guint order = EMULATED_FORWARD; order <= EMULATED_RANDOM; order++) {
    emulated_set_order((EmulatedOrder) order, 3);
    check_results(device, ((const Size *) size)->n);
    check_lost(device, ((const Size *) size)->n);
  }
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_device_close(&device);
}

static void
test_host(void)
{
  LacDevice device;

  g_assert_true(lac_device_open(&device, "cpu", NULL));
  g_assert_null(lac_readback_new(device, 8, 1));
  lac_device_close(&device);
}

static void
test_nothing(void)
{
  LacPending none = {NULL};

  g_assert_false(lac_pending_is_open(&none));
  g_assert_true(lac_pending_is_ready(&none));
  g_assert_true(lac_pending_finish(&none, NULL, NULL));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_autofree char *strict = g_strconcat("/backend/readback/strict/", sizes[i].name, NULL);
    g_autofree char *cuda = g_strconcat("/backend/readback/cuda/", sizes[i].name, NULL);

    g_test_add_data_func(strict, &sizes[i], test_strict);
    g_test_add_data_func(cuda, &sizes[i], test_emulated);
  }
  g_test_add_func("/backend/readback/memory-of-the-host-needs-none", test_host);
  g_test_add_func("/backend/readback/nothing-is-pending", test_nothing);
  return g_test_run();
}
