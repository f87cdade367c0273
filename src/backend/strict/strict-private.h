/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an opened strict backend is, and the parts its table is made of. */
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
  LacDevice         below; /* whose kernels compute; its memory is the host's */
  GRWLock           lock;
  GArray           *blocks;     /* live allocations by their untagged address */
  guint64           used, peak; /* bytes of them */
  LacStrictCheck   *running;    /* calls whose kernels run now, in whatever thread */
  GMutex            running_lock;
  gint              asked_alone; /* atomic: such a call runs */
  LacRecordedSteps *recording;   /* of the step that is being recorded; NULL: none */
  guint64           n_posts;
  guint8            posts[LAC_POSTS][LAC_MESSAGE_BYTES];
  LacBackend        table; /* of one that lies over another device than the cpu */
  LacPlaneLayers    planes;
  char             *name;
};

/* Parts of the table: planes.c, waves.c and electrons.c. */
extern const LacPlaneLayers     lac_strict_plane_layers;
extern const LacWaveKernels     lac_strict_waves;
extern const LacDeviceElectrons lac_strict_electrons;
/* Those of another device than the cpu, which needs other scratch. */
void lac_strict_plane_layers_over(LacPlaneLayers *layers, const LacPlaneLayers *below);

/* memory.c */
LacStatus  lac_strict_open(void **self, int device);
LacStrict *lac_strict_new(LacDevice below); /* takes it over */
void       lac_strict_close(void *self);
LacStatus  lac_strict_alloc(void *self, size_t n_bytes, void **memory);
void       lac_strict_release(void *self, void *memory);
void       lac_strict_memory_use(void *self, LacMemoryUse *use);
void       lac_strict_memory_reset_peak(void *self);
LacStatus  lac_strict_upload(void *self, void *device, const void *host, size_t n_bytes);
LacStatus  lac_strict_download(void *self, void *host, const void *device, size_t n_bytes);
