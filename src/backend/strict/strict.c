/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend's table: memory.c, kernels.c and steps.c put together. */
#include "backend/strict/strict.h"

#include "backend/strict/kernels.h"
#include "backend/strict/strict-private.h"

const LacBackend lac_backend_strict = {
  .abi = LAC_BACKEND_ABI,
  .name = "strict",
  .what = "The processor, behind device memory that is kept apart and checked",
  .tile_points = 32,
  .concurrent = 1,
  .open = lac_strict_open,
  .close = lac_strict_close,
  .alloc = lac_strict_alloc,
  .release = lac_strict_release,
  .upload = lac_strict_upload,
  .download = lac_strict_download,
  .synchronise = lac_strict_synchronise,
  .memory_use = lac_strict_memory_use,
  .memory_reset_peak = lac_strict_memory_reset_peak,
  .record_begin = lac_strict_record_begin,
  .record_end = lac_strict_record_end,
  .replay = lac_strict_replay,
  .recording_free = lac_strict_recording_free,
  .post = lac_strict_post,
  .collect = lac_strict_collect,
  .fill = lac_strict_fill,
#define K(name, Args) .name = lac_strict_##name,
  LAC_BACKEND_KERNELS(K)
#undef K
    .layer_pack_bytes = lac_strict_layer_pack_bytes,
  .layer_pack = lac_strict_layer_pack,
  .layer_work_bytes = lac_strict_layer_work_bytes,
  .fft_prepare = lac_strict_fft_prepare,
  .planes = &lac_strict_plane_layers,
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
  strict->table.open = NULL; /* there is only this one */
  strict->table.layer_fusion = below.table->layer_fusion ? layer_fusion : NULL;
  if (below.table->parcel_new) {
    strict->table.parcel_new = lac_strict_parcel_new;
    strict->table.parcel_free = lac_strict_parcel_free;
    strict->table.parcel_put = lac_strict_parcel_put;
    strict->table.parcel_send = lac_strict_parcel_send;
    strict->table.parcel_open = lac_strict_parcel_open;
  }
  strict->table.planes = NULL;
  if (below.table->planes) {
    lac_strict_plane_layers_over(&strict->planes, below.table->planes);
    strict->table.planes = &strict->planes;
  }
  strict->table.waves = below.table->waves ? &lac_strict_waves : NULL;
  strict->table.electrons = below.table->electrons ? &lac_strict_electrons : NULL;
  *device = (LacDevice){&strict->table, strict};
}
