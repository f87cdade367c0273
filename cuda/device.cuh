/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of an opened CUDA device, and the functions of its table. */
#pragma once

#include "cuda/check.cuh"

#include <cublas_v2.h>
#include <cufft.h>

#include <pthread.h>

struct CudaArena;
struct CudaTransform;
struct CudaRecording;
struct CudaSolver;
struct CudaTiming;
struct CudaTogether;
struct CudaLeaving;

#define CUDA_SCRATCH_BYTES ((size_t) 16 << 20)
#define CUDA_SPLIT_BYTES   ((size_t) 64 << 20)
#define CUDA_STAGE_BYTES   ((size_t) 4 << 20)
#define CUDA_STAGES \
  16 /* parts of the stage used in turn, so that no upload waits for the one before */

/* Kernels and copies of a step run in `stream` in order; frames are read back in `side`. One calling thread at a
 * time. */
typedef struct {
  int            device;
  cudaStream_t   stream, side;
  cudaEvent_t    staged[CUDA_STAGES]; /* a part of the stage has been read */
  uint64_t       n_staged;
  cudaEvent_t    fetched[2]; /* a half of the stage has been written */
  CudaArena     *arena;
  cublasHandle_t blas;
  void          *blas_work; /* workspace of the handle's single stream */
  size_t         blas_work_bytes;
  char          *scratch;   /* partial sums, shared by consecutive kernels in the stream */
  char          *stage;     /* pinned, CUDA_STAGE_BYTES */
  double        *answer;    /* pinned: a value in transit to the host */
  CudaRecording *recording; /* step being recorded; NULL: none */
  CudaLeaving   *leaving;   /* memory to be freed when recording ends */
  LacPrecision   precision;
  void          *split; /* state of split products; NULL: not created yet */
  size_t         split_bytes;
  CudaTransform *transforms;
  void  *fft_work; /* work area shared by all transforms, which run in sequence in the stream */
  size_t fft_work_bytes;
  CudaSolver   *solver;   /* NULL: not created yet */
  CudaTogether *together; /* small kernels waiting to be merged; NULL: not created yet */
  double
       balance[2]; /* by LacType: machine balance, operations in the time of one byte from memory */
  bool double_tensor_units;
  size_t wanted_blocks; /* blocks that keep the device busy: two per multiprocessor */
} CudaDevice;

/* facts.cu. make_current: makes this thread's calls use device number @device. */
void      make_current(int device);
int       count_cuda(void);
LacStatus facts_cuda(int device, LacDeviceFacts *facts);
struct DeviceRates {
  int    major;
  double flops[2];  /* by LacType, per second: multiply-adds of the cores */
  double bandwidth; /* bytes per second; all 0: not reported */
};
DeviceRates device_rates(int device);
LacStatus   look_for_device(int device); /* LAC_STATUS_OK if a device of this number exists */

static inline CudaDevice *
device_of(void *self)
{
  CudaDevice *device = static_cast<CudaDevice *>(self);

  make_current(device->device);
  return device;
}

static inline cudaStream_t
stream_of(void *self)
{
  return device_of(self)->stream;
}

/* Calls the function for the element type. */
#define LAC_BY_TYPE(type, function, ...) \
  ((type) == LAC_F32 ? function<float>(__VA_ARGS__) : function<double>(__VA_ARGS__))

/* Defines the entry of the table that calls a function for the type of its arguments. */
#define LAC_ENTRY(name, Args, function)                              \
  LacStatus name##_cuda(void *self, const Args *args)                \
  {                                                                  \
    return LAC_BY_TYPE(args->type, function, device_of(self), args); \
  }

/* Returns from the function with the first failure of a sequence of calls. */
#define LAC_TRY(call)                 \
  do {                                \
    const LacStatus status_ = (call); \
    if (status_ != LAC_STATUS_OK)     \
      return status_;                 \
  } while (0)

/* arena.cu: device memory, allocated from the device in large pieces. Any thread. */
CudaArena *arena_new(void);
void       arena_free(CudaArena *arena);
LacStatus  arena_take(CudaArena *arena, size_t n_bytes, void **memory);
void       arena_give_back(CudaArena *arena, void *memory);
void       arena_use(CudaArena *arena, LacMemoryUse *use);
void       arena_reset_peak(CudaArena *arena);

/* memory.cu */
LacStatus open_cuda(void **self, int device);
void      close_cuda(void *self);
LacStatus alloc_cuda(void *self, size_t n_bytes, void **memory);
void      release_cuda(void *self, void *memory);
LacStatus upload_cuda(void *self, void *device, const void *host, size_t n_bytes);
LacStatus download_cuda(void *self, void *host, const void *device, size_t n_bytes);
LacStatus synchronise_cuda(void *self);
void      memory_use_cuda(void *self, LacMemoryUse *use);
void      memory_reset_peak_cuda(void *self);

/* record.cu */
LacStatus record_begin_cuda(void *self);
LacStatus record_end_cuda(void *self, void **recording);
LacStatus replay_cuda(void *self, void *recording);
void      recording_free_cuda(void *self, void *recording);
/* Defers freeing @what while a step is recorded, until recording ends. Returns: false when nothing is being
 * recorded. */
bool free_later(CudaDevice *device, void (*free_now)(void *self, void *what), void *what);
/* Makes the recording in progress take stamps of @timing. */
void recording_takes_stamps(CudaRecording *recording, CudaTiming *timing);

/* timing.cu. sent: the stamps of a step have just been enqueued. */
LacStatus timing_new_cuda(void *self, void **timing);
void      timing_free_cuda(void *self, void *timing);
LacStatus timing_begin_cuda(void *self, void *timing);
void      timing_operation_cuda(void *self, uint32_t operation);
LacStatus timing_end_cuda(void *self, const LacStamp **stamps, size_t *n);
LacStatus timing_read_cuda(void *self, void *timing, const LacStamp **stamps, size_t *n);
LacStatus timing_sent(CudaDevice *device, CudaTiming *timing);

/* staging.cu */
LacStatus staging_new_cuda(void *self, size_t n_bytes, void **staging);
void      staging_free_cuda(void *self, void *staging);
LacStatus
staging_put_cuda(void *self, void *staging, size_t at, const void *memory, size_t n_bytes);
LacStatus staging_send_cuda(void *self, void *staging);
LacStatus staging_open_cuda(void *self, void *staging, int wait, const void **host);

/* Checks for the functions that would wait, copy or allocate, which recording forbids. */
static inline LacStatus
not_recording(void *self)
{
  return device_of(self)->recording ? LAC_STATUS_RECORDING : LAC_STATUS_OK;
}

/* elementwise.cu. store: a few bytes passed as launch arguments, so that nothing waits. */
#define CUDA_STORE_BYTES ((size_t) 2048)
LacStatus store_bytes(CudaDevice *device, void *memory, const void *host, size_t n_bytes);
LacStatus fill_cuda(void *self, LacType type, void *y, double value, size_t n);
LacStatus strided_cuda(void *self, const LacStrided *args);
LacStatus rank_update_cuda(void *self, const LacRankUpdate *args);
LacStatus adam_cuda(void *self, const LacAdam *args);

/* together.cu */
LacStatus together_begin_cuda(void *self, size_t n_points);
LacStatus together_end_cuda(void *self);

/* map.cu. bias: added to the value stream first, and stored in x; x may be y. */
LacStatus map_jet_cuda(void *self, const LacMapJet *args);
LacStatus map_jet_reverse_cuda(void *self, const LacMapJet *args);
LacStatus map_biased_jet(CudaDevice *device, const LacMapJet *args, const void *bias);

/* mul.cu */
LacStatus mul_jet_cuda(void *self, const LacMulJet *args);
LacStatus mul_jet_reverse_cuda(void *self, const LacMulJet *args);

/* linear.cu */
LacStatus linear_cuda(void *self, const LacLinear *args);
LacStatus linear_reverse_cuda(void *self, const LacLinear *args);
size_t    layer_pack_bytes_cuda(void *self, const LacLayer *args);
LacStatus layer_pack_cuda(void *self, const LacLayer *args, void *w_forward, void *w_reverse);
size_t    layer_work_bytes_cuda(void *self, const LacLayer *args);
LacStatus layer_cuda(void *self, const LacLayer *args);
LacStatus layer_reverse_cuda(void *self, const LacLayer *args);
LacStatus matvec_cuda(void *self, const LacMatvec *args);
LacStatus product_cuda(void *self, const LacProduct *args);

/* jet-layer.cu: a layer in one kernel. The reverse overwrites y_bar by z_bar, writes x_bar = z_bar w and, if
 * *bias_done, has accumulated bias_bar. */
void      measure_balance(CudaDevice *device);
LacFusion layer_fusion_cuda(void *self, const LacLayer *args, int reverse);
LacStatus fused_layer(CudaDevice *device, const LacLayer *args);
LacStatus fused_layer_reverse(CudaDevice      *device,
                              const LacLayer  *args,
                              const LacMapJet *map,
                              bool            *bias_done);

static inline LacStatus
blas_status_of_call(cublasStatus_t answer, const char *call)
{
  LacStatus status = LAC_STATUS_REFUSED;

  if (answer == CUBLAS_STATUS_SUCCESS) {
    take_stamp(call, 0);
    return LAC_STATUS_OK;
  }
  if (answer == CUBLAS_STATUS_ALLOC_FAILED)
    status = LAC_STATUS_OUT_OF_MEMORY;
  if (answer == CUBLAS_STATUS_NOT_SUPPORTED || answer == CUBLAS_STATUS_ARCH_MISMATCH)
    status = LAC_STATUS_UNSUPPORTED;
  return note_library_failure(status, cublasGetStatusName(answer), call);
}

#define blas_status(call) blas_status_of_call((call), #call)

/* split.cu: the products of linear.cu in the device's reduced-precision modes; type LAC_F32. */
LacStatus set_precision_cuda(void *self, LacPrecision precision);
LacStatus split_product(CudaDevice *device, const LacLinear *args, void *y);
LacStatus split_x_bar(CudaDevice *device, const LacLinear *args);
LacStatus split_w_bar(CudaDevice *device, const LacLinear *args);

static inline bool
is_split(const CudaDevice *device, LacType type)
{
  return type == LAC_F32 && device->precision != LAC_PRECISION_PLAIN;
}

/* reduce.cu. sum_parts: y[i] += sum over p < n_parts of parts[p][i], in order. */
LacStatus dot_cuda(void *self, const LacDot *args);
LacStatus
sum_parts(CudaDevice *device, LacType type, const void *parts, size_t n_parts, size_t n, void *y);
LacStatus sum_double_parts(CudaDevice   *device,
                           LacType       type,
                           const double *parts,
                           size_t        n_parts,
                           size_t        n,
                           void         *y);
/* y[j] += sum over i < n_rows of x[i * row + j], j < n */
LacStatus sum_rows(CudaDevice *device,
                   LacType     type,
                   const void *x,
                   size_t      n_rows,
                   size_t      row,
                   size_t      n,
                   void       *y);

/* transform.cu */
LacStatus fft_status_of_call(cufftResult answer, const char *call);
#define fft_status(call) fft_status_of_call((call), #call)
void transforms_free(CudaDevice *device);
/* Makes the plan on first use, but not while a step is recorded. */
struct PlanShape {
  cufftType type;
  size_t    ny, nx, n_batch;
};
LacStatus find_plan(CudaDevice *device, const PlanShape &shape, cufftHandle *plan);
LacStatus fft_prepare_cuda(void *self, const LacFft *args);
LacStatus fft_forward_cuda(void *self, const LacFft *args);
LacStatus fft_inverse_cuda(void *self, const LacFft *args);

/* solve.cu */
void solver_free(CudaDevice *device);

/* electrons.cu */
extern const LacDeviceElectrons electrons_cuda;

/* vorticity.cu */
LacStatus vorticity_derive_cuda(void *self, const LacVorticity *args);
LacStatus vorticity_advect_cuda(void *self, const LacVorticity *args);
LacStatus rk4_stage_cuda(void *self, const LacRk4Stage *args);

/* spectra.cu */
LacStatus combine_cuda(void *self, const LacCombine *args);
LacStatus correlate_cuda(void *self, const LacCorrelate *args);
LacStatus polynomial_cuda(void *self, const LacPolynomial *args);
LacStatus polynomial_reverse_cuda(void *self, const LacPolynomial *args);
