/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batched 2-D real transforms through cuFFT, with a user-provided work area. The four cufftExec calls may be in a
 * recorded step: plans of one GPU are supported in graphs (cuFFT documentation, "CUDA Graphs Support"). Plans are
 * created, and assigned their area, outside recordings. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

#include <stdlib.h>

static const unsigned block_size = 256;

/* The plans of one shape. */
struct CudaTransform {
  CudaTransform *next;
  LacType        type;
  size_t         nx, ny, n_batch;
  cufftHandle    forward, inverse;
  bool           has_forward, has_inverse;
};

static const char *
name_of(cufftResult answer)
{
  switch ((int) answer) {
  case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
  case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED";
  case 3: return "CUFFT_INVALID_TYPE";
  case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE";
  case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
  case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED";
  case 7: return "CUFFT_SETUP_FAILED";
  case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
  case CUFFT_NO_WORKSPACE: return "CUFFT_NO_WORKSPACE";
  default: return "another cuFFT result";
  }
}

LacStatus
fft_status_of_call(cufftResult answer, const char *call)
{
  LacStatus status = LAC_STATUS_REFUSED;

  if (answer == CUFFT_SUCCESS) {
    take_stamp(call, 0);
    return LAC_STATUS_OK;
  }
  if (answer == CUFFT_ALLOC_FAILED)
    status = LAC_STATUS_OUT_OF_MEMORY;
  if (answer == CUFFT_INVALID_SIZE)
    status = LAC_STATUS_UNSUPPORTED;
  return note_library_failure(status, name_of(answer), call);
}

static void
destroy(CudaTransform *transform)
{
  if (transform->has_forward)
    cufftDestroy(transform->forward);
  if (transform->has_inverse)
    cufftDestroy(transform->inverse);
  free(transform);
}

void
transforms_free(CudaDevice *device)
{
  while (device->transforms) {
    CudaTransform *transform = device->transforms;

    device->transforms = transform->next;
    destroy(transform);
  }
}

static CudaTransform *
find(const CudaDevice *device, const LacFft *args)
{
  for (CudaTransform *t = device->transforms; t; t = t->next)
    if (t->type == args->type && t->nx == args->nx && t->ny == args->ny &&
        t->n_batch == args->n_batch)
      return t;
  return NULL;
}

/* Rows of nx elements, or of nx/2 + 1 pairs, without gaps. */
static LacStatus
make_plan(CudaDevice   *device,
          const LacFft *args,
          cufftType     type,
          cufftHandle  *plan,
          size_t       *n_bytes)
{
  int n[2] = {(int) args->ny, (int) args->nx};

  LAC_TRY(fft_status(cufftSetAutoAllocation(*plan, 0)));
  LAC_TRY(fft_status(
    cufftMakePlanMany(*plan, 2, n, NULL, 1, 0, NULL, 1, 0, type, (int) args->n_batch, n_bytes)));
  return fft_status(cufftSetStream(*plan, device->stream));
}

static LacStatus
set_work(CudaTransform *transform, void *work)
{
  LAC_TRY(fft_status(cufftSetWorkArea(transform->forward, work)));
  return fft_status(cufftSetWorkArea(transform->inverse, work));
}

/* The area only grows, and old areas are retained: a recorded step may still use them. On failure nothing changes. */
static LacStatus
reserve_work(CudaDevice *device, size_t n_bytes)
{
  void *grown = NULL;

  if (device->fft_work && n_bytes <= device->fft_work_bytes)
    return LAC_STATUS_OK;
  LAC_TRY(arena_take(device->arena, n_bytes, &grown));
  for (CudaTransform *t = device->transforms; t; t = t->next)
    LAC_TRY(set_work(t, grown));
  device->fft_work = grown;
  device->fft_work_bytes = n_bytes;
  return LAC_STATUS_OK;
}

static LacStatus
make_plans(CudaDevice *device, const LacFft *args, CudaTransform *made)
{
  const bool single = args->type == LAC_F32;
  size_t     n_forward = 0, n_inverse = 0;

  made->type = args->type;
  made->nx = args->nx;
  made->ny = args->ny;
  made->n_batch = args->n_batch;
  LAC_TRY(fft_status(cufftCreate(&made->forward)));
  made->has_forward = true;
  LAC_TRY(fft_status(cufftCreate(&made->inverse)));
  made->has_inverse = true;
  LAC_TRY(make_plan(device, args, single ? CUFFT_R2C : CUFFT_D2Z, &made->forward, &n_forward));
  LAC_TRY(make_plan(device, args, single ? CUFFT_C2R : CUFFT_Z2D, &made->inverse, &n_inverse));
  LAC_TRY(reserve_work(device, n_forward > n_inverse ? n_forward : n_inverse));
  return set_work(made, device->fft_work);
}

LacStatus
fft_prepare_cuda(void *self, const LacFft *args)
{
  CudaDevice    *device = device_of(self);
  CudaTransform *made;
  LacStatus      status;

  if (args->n_batch == 0 || find(device, args))
    return LAC_STATUS_OK;
  LAC_TRY(not_recording(self));
  made = static_cast<CudaTransform *>(calloc(1, sizeof *made));
  if (!made)
    return LAC_STATUS_OUT_OF_MEMORY;
  status = make_plans(device, args, made);
  if (status != LAC_STATUS_OK) {
    destroy(made);
    return status;
  }
  made->next = device->transforms;
  device->transforms = made;
  return LAC_STATUS_OK;
}

/* Plans a part of a batch on first use. */
static LacStatus
prepared(CudaDevice *device, const LacFft *args, CudaTransform **transform)
{
  LAC_TRY(fft_prepare_cuda(device, args));
  *transform = find(device, args);
  return *transform ? LAC_STATUS_OK : LAC_STATUS_UNSUPPORTED;
}

LacStatus
fft_forward_cuda(void *self, const LacFft *args)
{
  CudaTransform *transform = NULL;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(prepared(device_of(self), args, &transform));
  if (args->type == LAC_F32)
    return fft_status(cufftExecR2C(transform->forward, static_cast<cufftReal *>(args->real),
                                   static_cast<cufftComplex *>(args->spectrum)));
  return fft_status(cufftExecD2Z(transform->forward, static_cast<cufftDoubleReal *>(args->real),
                                 static_cast<cufftDoubleComplex *>(args->spectrum)));
}

template <typename Real>
__global__ static void
scale_kernel(Real *y, Real factor, size_t n)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    y[i] *= factor;
}

template <typename Real>
static LacStatus
scale(CudaDevice *device, const LacFft *args)
{
  const size_t one = args->nx * args->ny, n = one * args->n_batch;

  return launch_each(scale_kernel<Real>, n, block_size, device->stream,
                     static_cast<Real *>(args->real), (Real) (1.0 / (double) one), n);
}

LacStatus
fft_inverse_cuda(void *self, const LacFft *args)
{
  CudaTransform *transform = NULL;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(prepared(device_of(self), args, &transform));
  if (args->type == LAC_F32)
    LAC_TRY(fft_status(cufftExecC2R(transform->inverse, static_cast<cufftComplex *>(args->spectrum),
                                    static_cast<cufftReal *>(args->real))));
  else
    LAC_TRY(
      fft_status(cufftExecZ2D(transform->inverse, static_cast<cufftDoubleComplex *>(args->spectrum),
                              static_cast<cufftDoubleReal *>(args->real))));
  return LAC_BY_TYPE(args->type, scale, device_of(self), args);
}
