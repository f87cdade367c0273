/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batched complex transforms in two dimensions; and the table of the waves. */
#include "cuda/waves.cuh"

static LacStatus
find_complex(void *self, const LacWaveTransform *args, cufftHandle *plan)
{
  return find_plan(device_of(self),
                   {args->type == LAC_F32 ? CUFFT_C2C : CUFFT_Z2Z, args->n, args->n, args->n_batch},
                   plan);
}

LacStatus
waves_prepare_cuda(void *self, const LacWaveTransform *args)
{
  cufftHandle plan;

  return args->n_batch == 0 ? LAC_STATUS_OK : find_complex(self, args, &plan);
}

LacStatus
waves_transform_cuda(void *self, const LacWaveTransform *args)
{
  const int   direction = args->inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  cufftHandle plan;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(find_complex(self, args, &plan));
  if (args->type == LAC_F32) {
    cufftComplex *data = static_cast<cufftComplex *>(args->data);

    return fft_status(cufftExecC2C(plan, data, data, direction));
  }
  cufftDoubleComplex *data = static_cast<cufftDoubleComplex *>(args->data);

  return fft_status(cufftExecZ2Z(plan, data, data, direction));
}

static LacWaveKernels
make_table()
{
  LacWaveKernels table = {};

#define K(name, Args) table.name = waves_##name##_cuda;
  LAC_WAVE_KERNELS(K)
#undef K
  return table;
}

const LacWaveKernels *
waves_cuda(void)
{
  static const LacWaveKernels table = make_table();

  return &table;
}
