/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums in an order that depends only on the length: per thread, then over its block, then over the blocks, the latter
 * in double precision. No atomics. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

static const unsigned block_size = 256;
static const size_t   most_blocks = 512, least_per_block = 4096;

/* Returns the sum of the block's values, in thread 0. */
__device__ static inline double
sum_of_block(double value, double *warps)
{
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (unsigned reach = 16; reach > 0; reach /= 2)
    value += __shfl_down_sync(0xffffffffu, value, reach);
  if (lane == 0)
    warps[warp] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned k = 1; k < block_size / 32; k++)
      value += warps[k];
  return value;
}

/* Destination of the total: accumulated or overwritten. */
struct DotEnd {
  double *out;
  bool    keep;

  __device__ void put(double sum) const
  {
    *out = keep ? *out + sum : sum;
  }
};

/* A single block needs no second stage. */
template <typename Real>
__global__ static void
dot_kernel(const Real *x,
           const Real *y,
           const Real *weight,
           size_t      n,
           size_t      per_block,
           double     *parts,
           DotEnd      end)
{
  LAC_SHARED(double, warps, block_size / 32);
  const size_t first = blockIdx.x * per_block;
  const size_t last = first + per_block < n ? first + per_block : n;
  double       sum = 0;

  for (size_t i = first + threadIdx.x; i < last; i += block_size) {
    const double product = (double) x[i] * (double) (y ? y[i] : x[i]);

    sum += weight ? (double) weight[i] * product : product;
  }
  sum = sum_of_block(sum, warps);
  if (threadIdx.x == 0 && gridDim.x == 1)
    end.put(sum);
  else if (threadIdx.x == 0)
    parts[blockIdx.x] = sum;
}

__global__ static void
dot_end_kernel(const double *parts, size_t n_parts, DotEnd end)
{
  LAC_SHARED(double, warps, block_size / 32);
  double sum = 0;

  for (size_t i = threadIdx.x; i < n_parts; i += block_size)
    sum += parts[i];
  sum = sum_of_block(sum, warps);
  if (threadIdx.x == 0)
    end.put(sum);
}

template <typename Real>
static LacStatus
dot_begin(CudaDevice *device, const LacDot *args, size_t per_block, size_t n_blocks, DotEnd end)
{
  return launch(dot_kernel<Real>, (unsigned) n_blocks, block_size, 0, device->stream,
                static_cast<const Real *>(args->x), static_cast<const Real *>(args->y),
                static_cast<const Real *>(args->weight), args->n, per_block,
                reinterpret_cast<double *>(device->scratch), end);
}

LacStatus
dot_cuda(void *self, const LacDot *args)
{
  CudaDevice  *device = device_of(self);
  const size_t shared_out = (args->n + most_blocks - 1) / most_blocks;
  const size_t per_block = shared_out > least_per_block ? shared_out : least_per_block;
  const size_t n_blocks = args->n ? (args->n + per_block - 1) / per_block : 1;
  double      *parts = reinterpret_cast<double *>(device->scratch), *sum = parts + most_blocks;
  const DotEnd end = {args->sum ? args->sum : sum, args->sum != NULL};

  if (!args->sum)
    LAC_TRY(not_recording(self));
  LAC_TRY(LAC_BY_TYPE(args->type, dot_begin, device, args, per_block, n_blocks, end));
  if (n_blocks > 1)
    LAC_TRY(launch(dot_end_kernel, 1, block_size, 0, device->stream, parts, n_blocks, end));
  if (args->sum)
    return LAC_STATUS_OK;
  LAC_TRY(status_of(
    cudaMemcpyAsync(device->answer, sum, sizeof *sum, cudaMemcpyDeviceToHost, device->stream)));
  LAC_TRY(status_of(cudaStreamSynchronize(device->stream)));
  *args->out = *device->answer;
  return LAC_STATUS_OK;
}

template <typename Real, typename Part>
__global__ static void
sum_parts_kernel(const Part *parts, size_t n_parts, size_t n, Real *y)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  double       sum = 0;

  if (i >= n)
    return;
  for (size_t p = 0; p < n_parts; p++)
    sum += (double) parts[p * n + i];
  y[i] += (Real) sum;
}

template <typename Real, typename Part>
static LacStatus
add_parts(CudaDevice *device, const Part *parts, size_t n_parts, size_t n, void *y)
{
  return launch_each(sum_parts_kernel<Real, Part>, n, block_size, device->stream, parts, n_parts, n,
                     static_cast<Real *>(y));
}

LacStatus
sum_parts(CudaDevice *device, LacType type, const void *parts, size_t n_parts, size_t n, void *y)
{
  if (type == LAC_F32)
    return add_parts<float>(device, static_cast<const float *>(parts), n_parts, n, y);
  return add_parts<double>(device, static_cast<const double *>(parts), n_parts, n, y);
}

LacStatus
sum_double_parts(CudaDevice   *device,
                 LacType       type,
                 const double *parts,
                 size_t        n_parts,
                 size_t        n,
                 void         *y)
{
  return LAC_BY_TYPE(type, add_parts, device, parts, n_parts, n, y);
}

static const unsigned tile = 32, tile_rows = 8;

/* Column sums over rows first ... first + per_block: 32 columns a block, its 8 rows of threads added last. */
template <typename Real>
__global__ static void
sum_rows_kernel(const Real *x, size_t n_rows, size_t row, size_t n, size_t per_block, double *parts)
{
  LAC_SHARED(double[tile], sums, tile_rows);
  const size_t column = (size_t) blockIdx.x * tile + threadIdx.x;
  const size_t first = blockIdx.y * per_block;
  const size_t last = first + per_block < n_rows ? first + per_block : n_rows;
  double       sum = 0;

  if (column < n)
    for (size_t i = first + threadIdx.y; i < last; i += tile_rows)
      sum += (double) x[i * row + column];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < n) {
    for (unsigned k = 1; k < tile_rows; k++)
      sum += sums[k][threadIdx.x];
    parts[blockIdx.y * n + column] = sum;
  }
}

template <typename Real>
static LacStatus
add_rows(CudaDevice *device, const void *x, size_t n_rows, size_t row, size_t n, void *y)
{
  double      *parts = reinterpret_cast<double *>(device->scratch);
  const size_t room = CUDA_SCRATCH_BYTES / (n * sizeof *parts);
  const size_t wanted = (n_rows + 127) / 128;
  const size_t most = wanted < 256 ? wanted : 256, n_parts = most < room ? most : room;
  const size_t per_block = n_parts ? (n_rows + n_parts - 1) / n_parts : 0;

  if (n_rows == 0)
    return LAC_STATUS_OK;
  if (n_parts == 0)
    return LAC_STATUS_UNSUPPORTED;
  LAC_TRY(launch(sum_rows_kernel<Real>, dim3(blocks_for(n, tile), (unsigned) n_parts),
                 dim3(tile, tile_rows), 0, device->stream, static_cast<const Real *>(x), n_rows,
                 row, n, per_block, parts));
  return add_parts<Real>(device, parts, n_parts, n, y);
}

LacStatus
sum_rows(CudaDevice *device,
         LacType     type,
         const void *x,
         size_t      n_rows,
         size_t      row,
         size_t      n,
         void       *y)
{
  return LAC_BY_TYPE(type, add_rows, device, x, n_rows, row, n, y);
}
