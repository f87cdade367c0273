/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only exported symbol of the module: the CUDA backend's table. A missing kernel is a null entry, which a plan
 * that needs it reports by name; there is no silent fallback to the CPU. */
#include "cuda/device.cuh"
#include "cuda/waves.cuh"

#include <stdio.h>

/* Describes the device, or the reason why none is available; lives as long as the process. */
static const char *
describe()
{
  static char    text[512];
  cudaDeviceProp properties;
  int            n_devices = 0, version = 0;
  cudaError_t    answer = cudaGetDeviceCount(&n_devices);

  if (answer == cudaSuccess && n_devices > 0)
    answer = cudaGetDeviceProperties(&properties, 0);
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) /* CUDA 11 needs the driver for this call */
    version = CUDART_VERSION;
  if (answer == cudaSuccess && n_devices > 0)
    snprintf(text, sizeof text, "%s, %zu GB, compute capability %d.%d, through CUDA %d.%d",
             properties.name, properties.totalGlobalMem >> 30, properties.major, properties.minor,
             version / 1000, version % 1000 / 10);
  else
    snprintf(text, sizeof text, "NVIDIA GPU through CUDA %d.%d; none answers here: %s",
             version / 1000, version % 1000 / 10,
             cudaGetErrorString(answer == cudaSuccess ? cudaErrorNoDevice : answer));
  cudaGetLastError();
  return text;
}

#define ENTRY(entry) table.entry = entry##_cuda

/* Sets the entries for memory, ordering, recordings, time stamps and readback. */
static void
add_machinery(LacBackend &table)
{
  ENTRY(count);
  ENTRY(facts);
  ENTRY(failure);
  ENTRY(open);
  ENTRY(close);
  ENTRY(alloc);
  ENTRY(release);
  ENTRY(upload);
  ENTRY(download);
  ENTRY(synchronise);
  ENTRY(memory_use);
  ENTRY(memory_reset_peak);
  ENTRY(set_precision);
  ENTRY(record_begin);
  ENTRY(record_end);
  ENTRY(replay);
  ENTRY(recording_free);
  ENTRY(timing_new);
  ENTRY(timing_free);
  ENTRY(timing_begin);
  ENTRY(timing_operation);
  ENTRY(timing_end);
  ENTRY(timing_read);
  ENTRY(staging_new);
  ENTRY(staging_free);
  ENTRY(staging_put);
  ENTRY(staging_send);
  ENTRY(staging_open);
  ENTRY(together_begin);
  ENTRY(together_end);
}

/* Sets the arithmetic kernels of the plain table. */
static void
add_arithmetic(LacBackend &table)
{
  ENTRY(fill);
  ENTRY(strided);
  ENTRY(map_jet);
  ENTRY(map_jet_reverse);
  ENTRY(mul_jet);
  ENTRY(mul_jet_reverse);
  ENTRY(linear);
  ENTRY(linear_reverse);
  ENTRY(layer_pack_bytes);
  ENTRY(layer_pack);
  ENTRY(layer_work_bytes);
  ENTRY(layer_fusion);
  ENTRY(layer);
  ENTRY(layer_reverse);
  ENTRY(dot);
  ENTRY(matvec);
  ENTRY(product);
  ENTRY(rank_update);
  ENTRY(adam);
  ENTRY(fft_prepare);
  ENTRY(fft_forward);
  ENTRY(fft_inverse);
  ENTRY(vorticity_derive);
  ENTRY(vorticity_advect);
  ENTRY(rk4_stage);
  ENTRY(combine);
  ENTRY(correlate);
  ENTRY(polynomial);
  ENTRY(polynomial_reverse);
}

#undef ENTRY

static LacBackend
make_table()
{
  LacBackend table = {};

  table.abi = LAC_BACKEND_ABI;
  table.name = "cuda";
  table.what = describe();
  add_machinery(table);
  add_arithmetic(table);
  table.electrons = &electrons_cuda;
  table.planes = planes_cuda();
  table.waves = waves_cuda();
  return table;
}

extern "C" __attribute__((visibility("default"))) const LacBackend *
lac_backend_entry(void)
{
  static const LacBackend table = make_table();

  return &table;
}
