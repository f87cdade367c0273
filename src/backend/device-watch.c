/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory counters of the backend as a probe; NVML by its exported functions, without a driver header (signatures:
 * NVML API reference, "Device Queries"). */
#include "backend/device-watch.h"

#include <gmodule.h>

#include <math.h>

static void
read_memory(LacDeviceMemory *memory, gpointer user_data)
{
  const LacDevice *device = user_data;
  LacMemoryUse     use;

  device->table->memory_use(device->self, &use);
  *memory = (LacDeviceMemory){(gint64) use.used, (gint64) use.reserved, (gint64) use.peak};
}

static void
reset_peak(gpointer user_data)
{
  const LacDevice *device = user_data;

  device->table->memory_reset_peak(device->self);
}

static void
wait_for(gpointer user_data)
{
  const LacDevice *device = user_data;

  device->table->synchronise(device->self);
}

gboolean
lac_device_memory_probe(const LacDevice *device, LacMemoryProbe *probe)
{
  g_return_val_if_fail(device != NULL && probe != NULL, FALSE);
  if (device->table == NULL || device->table->memory_use == NULL)
    return FALSE;
  *probe = (LacMemoryProbe){read_memory, reset_peak, wait_for, (gpointer) device};
  return TRUE;
}

/* ---- NVML ---- */

typedef struct {
  guint gpu, memory; /* per cent */
} Utilisation;

struct _LacDeviceLoad {
  GModule *library;
  int (*shutdown)(void);
  int (*get_utilisation)(gpointer device, Utilisation *utilisation);
  int (*get_generation)(gpointer device, guint *generation); /* (nullable), with get_lanes */
  int (*get_lanes)(gpointer device, guint *n_lanes);
  gpointer device;
};

static void
find_link(LacDeviceLoad *load)
{
  if (!g_module_symbol(load->library, "nvmlDeviceGetMaxPcieLinkGeneration",
                       (gpointer *) &load->get_generation) ||
      !g_module_symbol(load->library, "nvmlDeviceGetMaxPcieLinkWidth",
                       (gpointer *) &load->get_lanes))
    load->get_generation = NULL;
}

static gboolean
find_functions(LacDeviceLoad *load,
               int (**init)(void),
               int (**get_handle)(const char *, gpointer *))
{
  return g_module_symbol(load->library, "nvmlInit_v2", (gpointer *) init) &&
         g_module_symbol(load->library, "nvmlShutdown", (gpointer *) &load->shutdown) &&
         g_module_symbol(load->library, "nvmlDeviceGetHandleByPciBusId_v2",
                         (gpointer *) get_handle) &&
         g_module_symbol(load->library, "nvmlDeviceGetUtilizationRates",
                         (gpointer *) &load->get_utilisation);
}

/* CUDA and NVML number devices differently; both report the same PCI address. */
LacDeviceLoad *
lac_device_load_new(const LacDevice *device)
{
  int (*init)(void) = NULL;
  int (*get_handle)(const char *, gpointer *) = NULL;
  LacDeviceFacts facts;
  LacDeviceLoad *load;

  g_return_val_if_fail(device != NULL, NULL);
  if (device->table == NULL || g_strcmp0(device->table->name, "cuda") != 0 ||
      device->table->facts(device->number, &facts) != LAC_STATUS_OK)
    return NULL;
  load = g_new0(LacDeviceLoad, 1);
  load->library = g_module_open("libnvidia-ml.so.1", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (load->library != NULL && find_functions(load, &init, &get_handle) && init() == 0) {
    if (get_handle(facts.bus, &load->device) == 0) {
      find_link(load);
      return load;
    }
    load->shutdown();
  }
  load->shutdown = NULL;
  lac_device_load_free(load);
  return NULL;
}

void
lac_device_load_free(LacDeviceLoad *load)
{
  if (load == NULL)
    return;
  if (load->shutdown != NULL)
    load->shutdown();
  if (load->library != NULL)
    g_module_close(load->library);
  g_free(load);
}

double
lac_device_load_read(LacDeviceLoad *load)
{
  Utilisation utilisation;

  if (load == NULL || load->get_utilisation(load->device, &utilisation) != 0)
    return (double) NAN;
  return utilisation.gpu / 100.0;
}

double
lac_link_get_bytes(guint generation, guint n_lanes)
{
  static const double transfers[] = {2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9};
  static const double left[] = {8.0 / 10,    8.0 / 10,    128.0 / 130,
                                128.0 / 130, 128.0 / 130, 242.0 / 256};

  if (generation < 1 || generation > G_N_ELEMENTS(transfers) || n_lanes == 0)
    return (double) NAN;
  return n_lanes * transfers[generation - 1] * left[generation - 1] / 8;
}

double
lac_device_load_find_link(const LacDeviceLoad *load)
{
  guint generation, n_lanes;

  if (load == NULL || load->get_generation == NULL ||
      load->get_generation(load->device, &generation) != 0 ||
      load->get_lanes(load->device, &n_lanes) != 0)
    return (double) NAN;
  return lac_link_get_bytes(generation, n_lanes);
}
