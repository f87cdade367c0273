/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one symbol of the module: the CUDA backend's table. A kernel it lacks is a null entry, and a plan that needs it
 * says so by name; nothing falls back to the CPU in silence. */
#include "cuda/device.cuh"

static LacBackend
make_table(void)
{
  LacBackend table = {};

  table.abi = LAC_BACKEND_ABI;
  table.name = "cuda";
  table.what = "NVIDIA GPU through CUDA: memory and element-wise kernels; networks and transforms "
               "are not in this version";
  table.open = open_cuda;
  table.close = close_cuda;
  table.alloc = alloc_cuda;
  table.release = release_cuda;
  table.upload = upload_cuda;
  table.download = download_cuda;
  table.synchronise = synchronise_cuda;
  table.memory_use = memory_use_cuda;
  table.memory_reset_peak = memory_reset_peak_cuda;
  table.fill = fill_cuda;
  table.strided = strided_cuda;
  table.rank_update = rank_update_cuda;
  table.adam = adam_cuda;
  return table;
}

extern "C" __attribute__((visibility("default"))) const LacBackend *
lac_backend_entry(void)
{
  static const LacBackend table = make_table();

  return &table;
}
