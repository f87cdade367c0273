/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locates the emulated module in the build folder. */
#include "emulated.h"

#include "backend/strict/strict.h"

#include <gmodule.h>

static GModule *
module(void)
{
  static GModule *opened = NULL;
  static gsize    once = 0;

  if (g_once_init_enter(&once)) {
    g_autofree char *path =
      g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", "liblac-cuda.so", NULL);

    opened = g_module_open(path, G_MODULE_BIND_LOCAL);
    if (!opened && g_file_test(path, G_FILE_TEST_EXISTS))
      g_error("%s", g_module_error());
    g_once_init_leave(&once, 1);
  }
  return opened;
}

const LacBackend *
emulated_backend(void)
{
  const LacBackend *(*entry)(void) = NULL;

  if (!module())
    return NULL;
  g_assert_true(g_module_symbol(module(), "lac_backend_entry", (gpointer *) &entry));
  g_assert_cmpuint(entry()->abi, ==, LAC_BACKEND_ABI);
  return entry();
}

static const char *
asked_for(void)
{
  return g_getenv("LACUNA_TEST_DEVICE");
}

gboolean
emulated_open_counted(LacDevice *device)
{
  if (!asked_for())
    return emulated_open(device);
  g_test_skip("it is about what the emulated device counts");
  return FALSE;
}

gboolean
emulated_open(LacDevice *device)
{
  g_autoptr(GError) error = NULL;

  if (asked_for()) {
    if (lac_device_open(device, asked_for(), &error))
      return TRUE;
    g_test_skip(error->message);
    return FALSE;
  }
  *device = (LacDevice){emulated_backend(), NULL};
  if (!device->table) {
    g_test_fail_printf("the module over the emulated device was not built");
    return FALSE;
  }
  g_assert_cmpint(device->table->open(&device->self, 0), ==, LAC_STATUS_OK);
  return TRUE;
}

gboolean
emulated_open_strict(LacDevice *device)
{
  LacDevice below;

  if (!emulated_open(&below))
    return FALSE;
  if (asked_for())
    *device = below;
  else
    lac_strict_open_over(device, below);
  return TRUE;
}

void
emulated_set_order(EmulatedOrder order, guint seed)
{
  void (*set_order)(int, unsigned) = NULL;

  if (module() && g_module_symbol(module(), "lac_emulator_set_order", (gpointer *) &set_order))
    set_order(order, seed);
}

void
emulated_set_faults(const EmulatedFaults *faults)
{
  static const EmulatedFaults none = {0};
  void (*set_faults)(const EmulatedFaults *) = NULL;

  if (module() && g_module_symbol(module(), "lac_emulator_set_faults", (gpointer *) &set_faults))
    set_faults(faults ? faults : &none);
}

EmulatedCounts
emulated_get_counts(void)
{
  void (*get_counts)(EmulatedCounts *) = NULL;
  EmulatedCounts counts = {0};

  if (module() && g_module_symbol(module(), "lac_emulator_get_counts", (gpointer *) &get_counts))
    get_counts(&counts);
  return counts;
}
