/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monitoring of an opened device from any thread: memory use, utilisation, the link to the host. */
#pragma once

#include "backend/backend.h"
#include "perf/recorder/memory-scope.h"

#include <glib.h>

G_BEGIN_DECLS

/* @device must outlive @probe. Returns: %FALSE, with @probe unchanged, when its memory is the host's. */
gboolean lac_device_memory_probe(const LacDevice *device, LacMemoryProbe *probe);

/* Utilisation of an NVIDIA device, from the driver's management library (NVML), loaded at run time. */
typedef struct _LacDeviceLoad LacDeviceLoad;

/* Returns: (nullable): %NULL when the device is the CPU or NVML is unavailable. */
LacDeviceLoad *lac_device_load_new(const LacDevice *device);
void           lac_device_load_free(LacDeviceLoad *load);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDeviceLoad, lac_device_load_free)

/* Returns: the fraction of the driver's last sample period (a sixth of a second to one) with a kernel running, 0...1;
 * NaN when unknown. May take milliseconds. */
double lac_device_load_read(LacDeviceLoad *load);

/* Returns the bytes per second of the PCI Express link of the device, in each direction, at its highest generation and width
 * in this machine; NaN when unknown. */
double lac_device_load_find_link(const LacDeviceLoad *load);
/* Those of a @generation, 1 to 6, with @n_lanes; NaN for another generation. Source: PCI Express Base Specification: rates of
 * a lane, and what their encodings leave of them. */
double lac_link_get_bytes(guint generation, guint n_lanes);

G_END_DECLS
