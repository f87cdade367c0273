/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another backend's table, with a counter for each kernel. */
#include "counted-device.h"

#include "emulated.h"

#include "backend/electrons.h"

static const LacBackend  *counted;
static LacBackend         table;
static LacDeviceElectrons electrons;
static guint64            n_calls;

#define K(name, Args)                                         \
  static LacStatus count_##name(void *self, const Args *args) \
  {                                                           \
    n_calls++;                                                \
    return counted->name(self, args);                         \
  }
LAC_BACKEND_KERNELS(K)
#undef K

#define E(name, Args)                                                               \
  static LacStatus count_electron_##name(void *self, const LacElectronBatch *batch, \
                                         const Args *args)                          \
  {                                                                                 \
    n_calls++;                                                                      \
    return counted->electrons->name(self, batch, args);                             \
  }
LAC_ELECTRON_KERNELS(E)
#undef E

static LacStatus
count_replay(void *self, void *recording)
{
  n_calls++;
  return counted->replay(self, recording);
}

static LacStatus
count_upload(void *self, void *device, const void *host, size_t n_bytes)
{
  n_calls++;
  return counted->upload(self, device, host, n_bytes);
}

static LacStatus
count_download(void *self, void *host, const void *device, size_t n_bytes)
{
  n_calls++;
  return counted->download(self, host, device, n_bytes);
}

gboolean
counted_device_open(LacDevice *device, const char *name)
{
  g_autoptr(GError) error = NULL;

  if (g_str_equal(name, "cuda-emulated")) {
    if (!emulated_open(device))
      return FALSE;
  } else if (!lac_device_open(device, name, &error)) {
    g_test_skip(error->message);
    return FALSE;
  }
  counted = device->table;
  table = *counted;
#define K(kernel, Args) \
  if (counted->kernel)  \
    table.kernel = count_##kernel;
  LAC_BACKEND_KERNELS(K)
#undef K
  table.upload = count_upload;
  table.download = count_download;
  if (counted->replay)
    table.replay = count_replay;
  if (counted->electrons) {
    electrons = *counted->electrons;
#define E(kernel, Args) electrons.kernel = count_electron_##kernel;
    LAC_ELECTRON_KERNELS(E)
#undef E
    table.electrons = &electrons;
  }
  device->table = &table;
  return TRUE;
}

guint64
counted_device_get_calls(void)
{
  return n_calls;
}
