/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an opened device has to say of itself while others work on it: its memory, and how busy it is. */
#pragma once

#include "backend/backend.h"
#include "perf/recorder/memory-scope.h"

#include <glib.h>

G_BEGIN_DECLS

/* @device outlives what @probe is used for. Returns: %FALSE, and @probe is untouched, where its memory is the host's. */
gboolean lac_device_memory_probe(const LacDevice *device, LacMemoryProbe *probe);

/* Of an NVIDIA device, through the driver's management library (NVML), which is looked for at run time. */
typedef struct _LacDeviceLoad LacDeviceLoad;

/* Returns: (nullable): %NULL where the device is the processor, or where nobody can say. */
LacDeviceLoad *lac_device_load_new(const LacDevice *device);
void           lac_device_load_free(LacDeviceLoad *load);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDeviceLoad, lac_device_load_free)

/* Returns: the part of the driver's last sample period (a sixth of a second to one) in which a kernel ran, 0...1; NaN
 * unknown. Takes up to milliseconds. */
double lac_device_load_read(LacDeviceLoad *load);

G_END_DECLS
