/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory reported by a device against what was allocated on it. */
#include "backend/device-watch.h"
#include "backend/registry.h"

#include <math.h>

enum { SMALL = 1000, LARGE = 1 << 20 };

static LacDevice
open_device(const char *name)
{
  g_autoptr(GError) error = NULL;
  LacDevice         device;

  if (!lac_device_open(&device, name, &error))
    g_test_skip(error->message);
  return device;
}

static void
assert_memory(const LacMemoryProbe *probe, gint64 used, gint64 peak)
{
  LacDeviceMemory memory;

  probe->read(&memory, probe->user_data);
  g_assert_cmpint(memory.used, ==, used);
  g_assert_cmpint(memory.peak, ==, peak);
  g_assert_cmpint(memory.reserved, >=, used);
}

static void
test_counts(gconstpointer name)
{
  LacDevice       device = open_device(name);
  LacMemoryProbe  probe;
  LacMemoryScope  scope;
  LacMemoryChange change;
  void           *small, *large;

  if (device.table == NULL)
    return;
  g_assert_true(lac_device_memory_probe(&device, &probe));
  assert_memory(&probe, 0, 0);
  g_assert_cmpint(device.table->alloc(device.self, SMALL, &small), ==, LAC_STATUS_OK);
  lac_memory_scope_begin(&scope, &probe);
  g_assert_cmpint(device.table->alloc(device.self, LARGE, &large), ==, LAC_STATUS_OK);
  assert_memory(&probe, SMALL + LARGE, SMALL + LARGE);
  device.table->release(device.self, large);
  assert_memory(&probe, SMALL, SMALL + LARGE);
  g_assert_cmpint(device.table->alloc(device.self, SMALL, &large), ==, LAC_STATUS_OK);
  lac_memory_scope_end(&scope, &change);
  g_assert_cmpint(change.gpu_delta, ==, SMALL);
  g_assert_cmpint(change.gpu_peak, ==, SMALL + LARGE);
  device.table->release(device.self, large);
  device.table->release(device.self, small);
  probe.reset_peak(probe.user_data);
  assert_memory(&probe, 0, 0);
  lac_device_close(&device);
}

/* The CPU's memory is the host's: unknown, not 0. */
static void
test_host(void)
{
  LacDevice      device = open_device("cpu");
  LacMemoryProbe probe;

  g_assert_false(lac_device_memory_probe(&device, &probe));
  g_assert_null(lac_device_load_new(&device));
  g_assert_true(isnan(lac_device_load_read(NULL)));
  lac_device_close(&device);
}

static void
test_load(void)
{
  LacDevice device = open_device("cuda");

  if (device.table == NULL)
    return;
  g_autoptr(LacDeviceLoad) load = lac_device_load_new(&device);
  if (load == NULL) {
    g_test_skip("the driver's management library is not there");
  } else {
    double busy = lac_device_load_read(load);
    g_assert_true(isnan(busy) || (busy >= 0 && busy <= 1));
    g_test_message("the device is busy %.0f %% of the time", 100 * busy);
  }
  lac_device_close(&device);
}

/* Published rates of sixteen lanes, in GB/s: 4, 15.75 and 63 of the generations 1, 3 and 5. */
static void
test_link(void)
{
  g_assert_cmpfloat_with_epsilon(lac_link_get_bytes(1, 16), 4e9, 1);
  g_assert_cmpfloat_with_epsilon(lac_link_get_bytes(3, 16), 15.75e9, 1e7);
  g_assert_cmpfloat_with_epsilon(lac_link_get_bytes(5, 16), 63e9, 1e8);
  g_assert_true(isnan(lac_link_get_bytes(0, 16)) && isnan(lac_link_get_bytes(7, 16)) &&
                isnan(lac_link_get_bytes(5, 0)));
  g_assert_true(isnan(lac_device_load_find_link(NULL)));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/backend/device-watch/allocations-are-counted/strict", "strict",
                       test_counts);
  g_test_add_data_func("/backend/device-watch/allocations-are-counted/cuda", "cuda", test_counts);
  g_test_add_func("/backend/device-watch/the-host-has-no-memory-apart", test_host);
  g_test_add_func("/backend/device-watch/load-is-a-fraction", test_load);
  g_test_add_func("/device-watch/rates-of-a-link-are-those-published", test_link);
  return g_test_run();
}
