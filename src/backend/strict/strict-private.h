/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of an opened strict backend, and the parts of its table. */
#pragma once

#include "backend/electrons.h"
#include "backend/plane-layers.h"
#include "backend/strict/check.h"
#include "backend/strict/recording.h"
#include "backend/strict/strict.h"
#include "backend/waves.h"

typedef struct {
  uintptr_t first;
  size_t    n_bytes;
} LacStrictBlock;

struct _LacStrict {
  LacDevice          below; /* device that computes; its memory must be host-accessible */
  GRWLock            lock;
  GArray            *blocks;     /* live allocations by untagged address */
  guint64            used, peak; /* bytes allocated now, and their maximum so far */
  LacStrictCheck    *running;    /* currently running calls, of all threads */
  GMutex             running_lock;
  gint               asked_alone; /* atomic: an exclusive call is running */
  LacRecordedSteps  *recording;   /* step being recorded; NULL: none */
  LacBackend         table;       /* table for an underlying device other than the cpu */
  LacPlaneLayers     planes;
  LacDeviceElectrons electrons;
  char              *name;
};

/* Parts of the table: planes.c, waves.c and electrons.c. */
extern const LacPlaneLayers     lac_strict_plane_layers;
extern const LacWaveKernels     lac_strict_waves;
extern const LacDeviceElectrons lac_strict_electrons;
/* Fills the table for an underlying device other than the CPU, with the scratch sizes of that device. */

/* memory.c */
LacStatus  lac_strict_open(void **self, int device);
LacStrict *lac_strict_new(LacDevice below); /* (transfer full) */
void       lac_strict_close(void *self);
LacStatus  lac_strict_alloc(void *self, size_t n_bytes, void **memory);
void       lac_strict_release(void *self, void *memory);
void       lac_strict_memory_use(void *self, LacMemoryUse *use);
void       lac_strict_memory_reset_peak(void *self);
LacStatus  lac_strict_upload(void *self, void *device, const void *host, size_t n_bytes);
LacStatus  lac_strict_download(void *self, void *host, const void *device, size_t n_bytes);
