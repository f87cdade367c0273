/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend's table, assembled from memory.c, kernels.c, recording.c and the parts planes.c, waves.c and
 * electrons.c. */
#include "backend/strict/strict.h"

#include "backend/strict/kernels.h"
#include "backend/strict/strict-private.h"

#include <string.h>

/* ---- recorded steps ---- */

#define RECORDING (((LacStrict *) self)->recording)

static LacStatus
strict_synchronise(void *self)
{
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

static LacStatus
strict_record_begin(void *self)
{
  if (RECORDING)
    return LAC_STATUS_RECORDING;
  RECORDING = lac_recorded_steps_new();
  return LAC_STATUS_OK;
}

static LacStatus
strict_record_end(void *self, void **recording)
{
  *recording = g_steal_pointer(&RECORDING);
  return *recording ? LAC_STATUS_OK : LAC_STATUS_UNSUPPORTED;
}

static LacStatus
strict_replay(void *self, void *recording)
{
  return RECORDING ? LAC_STATUS_RECORDING : lac_recorded_steps_replay(recording, self);
}

static void
strict_recording_free(void *self, void *recording)
{
  lac_recorded_steps_free(recording);
}

/* ---- staging buffers: copied at once, readable after the send ---- */

typedef struct {
  size_t   n_bytes;
  gboolean is_sent;
  guint8  *host;
} Staging;

static LacStatus
strict_staging_new(void *self, size_t n_bytes, void **memory)
{
  Staging *staging = g_new0(Staging, 1);

  staging->n_bytes = n_bytes;
  staging->host = g_malloc(n_bytes);
  *memory = staging;
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

static void
strict_staging_free(void *self, void *memory)
{
  Staging *staging = memory;

  if (!staging)
    return;
  g_free(staging->host);
  g_free(staging);
}

static LacStatus
strict_staging_put(void *self, void *memory, size_t at, const void *from, size_t n_bytes)
{
  Staging *staging = memory;

  if (at > staging->n_bytes || n_bytes > staging->n_bytes - at || staging->is_sent)
    return LAC_STATUS_BAD_POINTER;
  return lac_strict_download(self, staging->host + at, from, n_bytes);
}

static LacStatus
strict_staging_send(void *self, void *memory)
{
  ((Staging *) memory)->is_sent = TRUE;
  return RECORDING ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

static LacStatus
strict_staging_open(void *self, void *memory, int wait, const void **host)
{
  Staging *staging = memory;

  if (wait)
    staging->is_sent = FALSE;
  *host = staging->host;
  return LAC_STATUS_OK;
}

/* ---- strict ---- */

const LacBackend lac_backend_strict = {
  .abi = LAC_BACKEND_ABI,
  .name = "strict",
  .what = "CPU, with separate and checked device memory, for tests",
  .tile_points = 32,
  .concurrent = 1,
  .open = lac_strict_open,
  .close = lac_strict_close,
  .alloc = lac_strict_alloc,
  .release = lac_strict_release,
  .upload = lac_strict_upload,
  .download = lac_strict_download,
  .synchronise = strict_synchronise,
  .memory_use = lac_strict_memory_use,
  .memory_reset_peak = lac_strict_memory_reset_peak,
  .record_begin = strict_record_begin,
  .record_end = strict_record_end,
  .replay = strict_replay,
  .recording_free = strict_recording_free,
  .staging_new = strict_staging_new,
  .staging_free = strict_staging_free,
  .staging_put = strict_staging_put,
  .staging_send = strict_staging_send,
  .staging_open = strict_staging_open,
  .fill = lac_strict_fill,
#define K(name, Args) .name = lac_strict_##name,
  LAC_BACKEND_KERNELS(K)
#undef K
    .layer_pack_bytes = lac_strict_layer_pack_bytes,
  .layer_pack = lac_strict_layer_pack,
  .layer_work_bytes = lac_strict_layer_work_bytes,
  .fft_prepare = lac_strict_fft_prepare,
  .planes = &lac_strict_plane_layers,
  .waves = &lac_strict_waves,
  .electrons = &lac_strict_electrons,
};

static LacFusion
layer_fusion(void *self, const LacLayer *args, int reverse)
{
  const LacDevice *below = &((LacStrict *) self)->below;

  return below->table->layer_fusion(below->self, args, reverse);
}

void
lac_strict_open_over(LacDevice *device, LacDevice below)
{
  LacStrict *strict = lac_strict_new(below);

  strict->table = lac_backend_strict;
  strict->table.name = strict->name = g_strdup_printf("strict over %s", below.table->name);
  strict->table.what = below.table->what;
  strict->table.tile_points = below.table->tile_points;
  strict->table.concurrent = below.table->concurrent;
  strict->table.open = NULL; /* only this instance exists */
  strict->table.layer_fusion = below.table->layer_fusion ? layer_fusion : NULL;
  strict->table.planes = NULL;
  if (below.table->planes) {
    strict->planes = lac_strict_plane_layers;
    strict->planes.convolve_scratch = below.table->planes->convolve_scratch;
    strict->planes.normalise_sums = below.table->planes->normalise_sums;
    strict->planes.picture_sums = below.table->planes->picture_sums;
    strict->table.planes = &strict->planes;
  }
  strict->table.waves = below.table->waves ? &lac_strict_waves : NULL;
  strict->table.electrons = NULL;
  if (below.table->electrons) {
    strict->electrons = lac_strict_electrons;
    strict->electrons.stores_rows = below.table->electrons->stores_rows;
    if (!below.table->electrons->factors)
      strict->electrons.factors = NULL;
    strict->table.electrons = &strict->electrons;
  }
  *device = (LacDevice){&strict->table, strict};
}
