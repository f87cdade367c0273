/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of backends, and the search for the CUDA module. */
#include "backend/registry.h"

#include "backend/cpu/cpu.h"
#include "backend/module-dir.h"
#include "backend/strict/strict.h"
#include "base/error.h"

#include <gmodule.h>

#include <string.h>

#define MODULE_NAME "liblac-cuda.so"

const char *
lac_status_text(LacStatus status)
{
  static const char *const texts[] = {
#define S(code, text) text,
    LAC_STATUS_LIST(S)
#undef S
  };

  return (gsize) status < G_N_ELEMENTS(texts) ? texts[status] : "the device gave an unknown answer";
}

static LacStatus
absent_open(void **self, int device)
{
  *self = NULL;
  return LAC_STATUS_UNSUPPORTED;
}

static const LacBackend *
absent(const char *why)
{
  LacBackend *table = g_new0(LacBackend, 1); /* lives as long as the process, like every table */

  table->abi = LAC_BACKEND_ABI;
  table->name = "cuda";
  table->what = why;
  table->open = absent_open;
  return table;
}

/* Returns: (nullable): the module's path: LACUNA_MODULE_DIR alone where it is set, else the installed place, else
 * that of the build tree. */
static char *
find_module(void)
{
  const char      *asked = g_getenv("LACUNA_MODULE_DIR");
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;
  g_autofree char *beside =
    folder ? g_build_filename(folder, "..", "cuda", MODULE_NAME, NULL) : NULL;
  g_autofree char *below = folder ? g_build_filename(folder, "cuda", MODULE_NAME, NULL) : NULL;
  g_autofree char *installed = g_build_filename(LAC_MODULE_DIR, MODULE_NAME, NULL);
  char            *places[] = {installed, beside, below};

  if (asked)
    return g_build_filename(asked, MODULE_NAME, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    if (places[i] && g_file_test(places[i], G_FILE_TEST_IS_REGULAR))
      return g_strdup(places[i]);
  return NULL;
}

static const LacBackend *
load_cuda(void)
{
  g_autofree char *path = find_module();
  const LacBackend *(*entry)(void) = NULL;
  const LacBackend *table;
  GModule          *module;

  if (!path || !g_file_test(path, G_FILE_TEST_IS_REGULAR))
    return absent("The CUDA module is not installed");
  module = g_module_open(path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (!module)
    return absent(g_strdup_printf("The CUDA module cannot be loaded: %s", g_module_error()));
  if (!g_module_symbol(module, "lac_backend_entry", (gpointer *) &entry) || !entry)
    return absent("The CUDA module found is not one of this program");
  table = entry();
  if (!table || table->abi != LAC_BACKEND_ABI)
    return absent("The CUDA module found belongs to another version of this program");
  g_module_make_resident(module);
  return table;
}

const LacBackend *const *
lac_backends(gsize *n_backends)
{
  static const LacBackend *backends[3];
  static gsize             once = 0;

  if (g_once_init_enter(&once)) {
    backends[0] = &lac_backend_cpu;
    backends[1] = &lac_backend_strict;
    backends[2] = load_cuda();
    g_once_init_leave(&once, 1);
  }
  if (n_backends)
    *n_backends = G_N_ELEMENTS(backends);
  return backends;
}

static const LacBackend *
find_backend(const char *name)
{
  gsize                    n;
  const LacBackend *const *backends = lac_backends(&n);

  for (gsize i = 0; i < n; i++)
    if (g_strcmp0(backends[i]->name, name) == 0)
      return backends[i];
  return NULL;
}

gboolean
lac_device_open(LacDevice *device, const char *name, GError **error)
{
  gboolean  automatic = g_strcmp0(name, "auto") == 0;
  LacStatus status;

  g_return_val_if_fail(device && name, FALSE);
  *device = (LacDevice){find_backend(automatic ? "cuda" : name), NULL};
  if (!device->table) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                "backend = %s is not one of auto, cpu, strict, cuda", name);
    return FALSE;
  }
  status = device->table->open(&device->self, 0);
  if (status != LAC_STATUS_OK && automatic) {
    device->table = &lac_backend_cpu;
    status = device->table->open(&device->self, 0);
  }
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "backend = %s cannot be used: %s (%s); use backend = cpu", name, device->table->what,
              lac_status_text(status));
  *device = (LacDevice){NULL, NULL};
  return FALSE;
}

void
lac_device_close(LacDevice *device)
{
  if (device->table)
    device->table->close(device->self);
  *device = (LacDevice){NULL, NULL};
}
