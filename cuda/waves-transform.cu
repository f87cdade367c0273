/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batched complex transforms in two dimensions through cuFFT, each plan with user-provided memory; and the table of
 * the waves. As in transform.cu recorded steps contain cufftExec calls, with plans made before. */
#include "cuda/waves.cuh"

#include <stdlib.h>

struct CudaWavePlan {
  CudaWavePlan *next;
  LacType       type;
  size_t        n, n_batch;
  cufftHandle   plan;
  bool          has_plan;
  void         *work; /* own work area; NULL: the device's scratch suffices */
};

static void
destroy(CudaWavePlan *plan)
{
  if (plan->has_plan)
    cufftDestroy(plan->plan);
  free(plan);
}

void
wave_plans_free(CudaDevice *device)
{
  while (device->wave_plans) {
    CudaWavePlan *plan = device->wave_plans;

    device->wave_plans = plan->next;
    destroy(plan);
  }
}

static CudaWavePlan *
find(const CudaDevice *device, const LacWaveTransform *args)
{
  for (CudaWavePlan *p = device->wave_plans; p; p = p->next)
    if (p->type == args->type && p->n == args->n && p->n_batch == args->n_batch)
      return p;
  return NULL;
}

static LacStatus
make(CudaDevice *device, const LacWaveTransform *args, CudaWavePlan *made)
{
  int    n[2] = {(int) args->n, (int) args->n};
  size_t n_bytes = 0;
  void  *work = device->scratch; /* shared by consecutive kernels: a transform counts as one */

  made->type = args->type;
  made->n = args->n;
  made->n_batch = args->n_batch;
  LAC_TRY(fft_status(cufftCreate(&made->plan)));
  made->has_plan = true;
  LAC_TRY(fft_status(cufftSetAutoAllocation(made->plan, 0)));
  LAC_TRY(fft_status(cufftMakePlanMany(made->plan, 2, n, NULL, 1, 0, NULL, 1, 0,
                                       args->type == LAC_F32 ? CUFFT_C2C : CUFFT_Z2Z,
                                       (int) args->n_batch, &n_bytes)));
  LAC_TRY(fft_status(cufftSetStream(made->plan, device->stream)));
  if (n_bytes > CUDA_SCRATCH_BYTES) {
    LAC_TRY(arena_take(device->arena, n_bytes, &made->work));
    work = made->work;
  }
  LAC_TRY(fft_status(cufftSetWorkArea(made->plan, work)));
  made->next = device->wave_plans;
  device->wave_plans = made;
  return LAC_STATUS_OK;
}

LacStatus
waves_prepare_cuda(void *self, const LacWaveTransform *args)
{
  CudaDevice   *device = device_of(self);
  CudaWavePlan *made;
  LacStatus     status;

  if (args->n_batch == 0 || find(device, args))
    return LAC_STATUS_OK;
  LAC_TRY(not_recording(self));
  made = static_cast<CudaWavePlan *>(calloc(1, sizeof *made));
  if (!made)
    return LAC_STATUS_OUT_OF_MEMORY;
  status = make(device, args, made);
  if (status == LAC_STATUS_OK)
    return status;
  if (made->work)
    arena_give_back(device->arena, made->work);
  destroy(made);
  return status;
}

LacStatus
waves_transform_cuda(void *self, const LacWaveTransform *args)
{
  const int     direction = args->inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  CudaWavePlan *plan;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(waves_prepare_cuda(self, args));
  plan = find(device_of(self), args);
  if (args->type == LAC_F32) {
    cufftComplex *data = static_cast<cufftComplex *>(args->data);

    return fft_status(cufftExecC2C(plan->plan, data, data, direction));
  }
  cufftDoubleComplex *data = static_cast<cufftDoubleComplex *>(args->data);

  return fft_status(cufftExecZ2Z(plan->plan, data, data, direction));
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
