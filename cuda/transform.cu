/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batched transforms in two dimensions through cuFFT, real ones here and complex ones of waves, with a work area that all
 * share. The cufftExec calls may be in a recorded step: plans of one GPU are supported in graphs (cuFFT documentation,
 * "CUDA Graphs Support"). Plans are created, and assigned their area, outside recordings. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

#include <stdlib.h>

static const unsigned block_size = 256;

struct CudaTransform {
  CudaTransform *next;
  PlanShape      shape;
  cufftHandle    plan;
  bool           has_plan;
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
  if (transform->has_plan)
    cufftDestroy(transform->plan);
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
find(const CudaDevice *device, const PlanShape &shape)
{
  for (CudaTransform *t = device->transforms; t; t = t->next)
    if (t->shape.type == shape.type && t->shape.nx == shape.nx && t->shape.ny == shape.ny &&
        t->shape.n_batch == shape.n_batch)
      return t;
  return NULL;
}

/* The area, at first the scratch of consecutive kernels, of which a transform counts as one, only grows, and old areas are
 * retained: a recorded step may still use them. On failure nothing changes. */
static LacStatus
reserve_work(CudaDevice *device, size_t n_bytes)
{
  void *grown = NULL;

  if (!device->fft_work) {
    device->fft_work = device->scratch;
    device->fft_work_bytes = CUDA_SCRATCH_BYTES;
  }
  if (n_bytes <= device->fft_work_bytes)
    return LAC_STATUS_OK;
  LAC_TRY(arena_take(device->arena, n_bytes, &grown));
  for (CudaTransform *t = device->transforms; t; t = t->next)
    LAC_TRY(fft_status(cufftSetWorkArea(t->plan, grown)));
  device->fft_work = grown;
  device->fft_work_bytes = n_bytes;
  return LAC_STATUS_OK;
}

/* Rows of nx elements, of a real transform's spectrum nx/2 + 1 pairs, without gaps. */
static LacStatus
make_plan(CudaDevice *device, CudaTransform *made)
{
  const PlanShape &shape = made->shape;
  int              n[2] = {(int) shape.ny, (int) shape.nx};
  size_t           n_bytes = 0;

  LAC_TRY(fft_status(cufftCreate(&made->plan)));
  made->has_plan = true;
  LAC_TRY(fft_status(cufftSetAutoAllocation(made->plan, 0)));
  LAC_TRY(fft_status(cufftMakePlanMany(made->plan, 2, n, NULL, 1, 0, NULL, 1, 0, shape.type,
                                       (int) shape.n_batch, &n_bytes)));
  LAC_TRY(fft_status(cufftSetStream(made->plan, device->stream)));
  LAC_TRY(reserve_work(device, n_bytes));
  return fft_status(cufftSetWorkArea(made->plan, device->fft_work));
}

LacStatus
find_plan(CudaDevice *device, const PlanShape &shape, cufftHandle *plan)
{
  CudaTransform *transform = find(device, shape);
  LacStatus      status;

  if (!transform) {
    LAC_TRY(not_recording(device));
    transform = static_cast<CudaTransform *>(calloc(1, sizeof *transform));
    if (!transform)
      return LAC_STATUS_OUT_OF_MEMORY;
    transform->shape = shape;
    status = make_plan(device, transform);
    if (status != LAC_STATUS_OK) {
      destroy(transform);
      return status;
    }
    transform->next = device->transforms;
    device->transforms = transform;
  }
  *plan = transform->plan;
  return LAC_STATUS_OK;
}

/* ---- real transforms ---- */

static LacStatus
find_real(void *self, const LacFft *args, bool inverse, cufftHandle *plan)
{
  const bool      single = args->type == LAC_F32;
  const cufftType type = inverse  ? (single ? CUFFT_C2R : CUFFT_Z2D)
                         : single ? CUFFT_R2C
                                  : CUFFT_D2Z;

  return find_plan(device_of(self), {type, args->ny, args->nx, args->n_batch}, plan);
}

LacStatus
fft_prepare_cuda(void *self, const LacFft *args)
{
  cufftHandle plan;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(find_real(self, args, false, &plan));
  return find_real(self, args, true, &plan);
}

LacStatus
fft_forward_cuda(void *self, const LacFft *args)
{
  cufftHandle plan;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(find_real(self, args, false, &plan));
  if (args->type == LAC_F32)
    return fft_status(cufftExecR2C(plan, static_cast<cufftReal *>(args->real),
                                   static_cast<cufftComplex *>(args->spectrum)));
  return fft_status(cufftExecD2Z(plan, static_cast<cufftDoubleReal *>(args->real),
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
  cufftHandle plan;

  if (args->n_batch == 0)
    return LAC_STATUS_OK;
  LAC_TRY(find_real(self, args, true, &plan));
  if (args->type == LAC_F32)
    LAC_TRY(fft_status(cufftExecC2R(plan, static_cast<cufftComplex *>(args->spectrum),
                                    static_cast<cufftReal *>(args->real))));
  else
    LAC_TRY(fft_status(cufftExecZ2D(plan, static_cast<cufftDoubleComplex *>(args->spectrum),
                                    static_cast<cufftDoubleReal *>(args->real))));
  return args->unscaled ? LAC_STATUS_OK : LAC_BY_TYPE(args->type, scale, device_of(self), args);
}
