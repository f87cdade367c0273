/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that pass a gate and do nothing else. */
#include "idle-device.h"

#include "backend/electrons.h"
#include "backend/plane-layers.h"
#include "backend/strict/strict.h"
#include "backend/waves.h"

static struct {
  GMutex   lock;
  GCond    changed;
  gboolean waits, is_inside;
} gate;

static LacStatus
pass_gate(void)
{
  g_mutex_lock(&gate.lock);
  gate.is_inside = TRUE;
  g_cond_broadcast(&gate.changed);
  while (gate.waits)
    g_cond_wait(&gate.changed, &gate.lock);
  g_mutex_unlock(&gate.lock);
  return LAC_STATUS_OK;
}

#define K(name, Args)                                          \
  static LacStatus idle_##name(void *self, const Args *unused) \
  {                                                            \
    return pass_gate();                                        \
  }
LAC_PLANE_LAYERS(K)
LAC_WAVE_KERNELS(K)
K(solve, LacElectronSolve)
K(pack, LacElectronBatch)
#undef K

#define K(name, Args)                                                                          \
  static LacStatus idle_##name(void *self, const LacElectronBatch *unused, const Args *unread) \
  {                                                                                            \
    return pass_gate();                                                                        \
  }
LAC_ELECTRON_KERNELS(K)
K(factors, LacElectronFactors)
#undef K

static size_t
idle_bytes(void *self, const LacElectronBatch *batch, LacElectronArea area)
{
  const size_t element = lac_type_size(batch->type);

  if (area == LAC_ELECTRON_WEIGHTS)
    return batch->shape->n_params * element;
  if (area == LAC_ELECTRON_TAPE)
    return batch->n * batch->shape->n_params * element;
  return IDLE_WORK_BYTES;
}

/* Opens the CPU backend with its optional parts replaced. */
void
idle_device_open(LacDevice *device)
{
  static LacBackend         table;
  static LacPlaneLayers     planes;
  static LacWaveKernels     waves;
  static LacDeviceElectrons electrons;
  g_autoptr(GError)         error = NULL;
  LacDevice                 below;

  g_assert_true(lac_device_open(&below, "cpu", &error));
  table = *below.table;
  planes = *table.planes;
#define K(name, Args) planes.name = idle_##name;
  LAC_PLANE_LAYERS(K)
#undef K
#define K(name, Args) waves.name = idle_##name;
  LAC_WAVE_KERNELS(K)
#undef K
#define K(name, Args) electrons.name = idle_##name;
  LAC_ELECTRON_KERNELS(K)
#undef K
  electrons.pack = idle_pack;
  electrons.solve = idle_solve;
  electrons.stores_rows = 1;
  electrons.bytes = idle_bytes;
  electrons.factors = idle_factors;
  table.planes = &planes;
  table.waves = &waves;
  table.electrons = &electrons;
  below.table = &table;
  lac_strict_open_over(device, below);
}

void
idle_device_hold(void)
{
  g_mutex_lock(&gate.lock);
  gate.waits = TRUE;
  gate.is_inside = FALSE;
  g_mutex_unlock(&gate.lock);
}

void
idle_device_wait(void)
{
  g_mutex_lock(&gate.lock);
  while (!gate.is_inside)
    g_cond_wait(&gate.changed, &gate.lock);
  g_mutex_unlock(&gate.lock);
}

void
idle_device_let_go(void)
{
  g_mutex_lock(&gate.lock);
  gate.waits = FALSE;
  g_cond_broadcast(&gate.changed);
  g_mutex_unlock(&gate.lock);
}
