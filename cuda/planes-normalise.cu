/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch statistics, and normalisation with ReLU, forward and reverse; phases are interleaved into an image in the
 * same pass. Each block that needs a channel's statistics combines those of its chunks, in an order that depends only
 * on their number. Source: Ioffe and Szegedy (2015), algorithm 1; Chan, Golub and LeVeque (1983), eq. 2.1. */
#include "cuda/planes.cuh"

static const size_t chunk_numbers = 4096;

/* Moments of a chunk: the mean, and the sum of squared deviations from it. */
struct ChunkMoments {
  double mean, squares;
};

/* Sums of a chunk: g = image_bar where the image is positive, else 0. */
struct ChunkSums {
  double g, g_times_distance;
};

struct Normalise {
  LacNormalise  args;
  size_t        n_chunks;
  ChunkMoments *moments; /* [channel][chunk] */
  ChunkSums    *sums;    /* [channel][chunk] */
};

static inline size_t
numbers_of(const LacNormalise *args)
{
  return args->n_phases * args->side * args->side;
}

static Normalise
normalise_of(const LacNormalise *args)
{
  const size_t n_chunks = (numbers_of(args) + chunk_numbers - 1) / chunk_numbers;

  return {*args, n_chunks, reinterpret_cast<ChunkMoments *>(args->sums),
          reinterpret_cast<ChunkSums *>(args->sums + 2 * args->n * n_chunks)};
}

size_t
planes_normalise_sums_cuda(const LacNormalise *args)
{
  return 4 * args->n * normalise_of(args).n_chunks;
}

/* Indices of element e of a channel in the image and in the phases. */
struct Place {
  size_t image, phase;
};

__device__ static inline Place
place_of(const LacNormalise &a, size_t channel, unsigned e)
{
  const unsigned side = (unsigned) a.side * (a.n_phases == 4 ? 2 : 1), row = e / side,
                 column = e % side;
  const size_t image = channel * a.image_stride + row * a.image_pitch + column;

  if (a.n_phases == 1)
    return {image, channel * a.stride + row * a.pitch + column};
  return {image, ((2 * (row % 2) + column % 2) * a.n + channel) * a.stride + row / 2 * a.pitch +
                   column / 2};
}

/* First and last element of the block's chunk. */
struct Chunk {
  unsigned first, last;
};

__device__ static inline Chunk
chunk_of(const LacNormalise &a, size_t chunk)
{
  const size_t n = a.n_phases * a.side * a.side, first = chunk * chunk_numbers;

  return {(unsigned) first, (unsigned) (first + chunk_numbers < n ? first + chunk_numbers : n)};
}

template <typename Real>
__global__ static void
moments_kernel(Normalise p)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const Real  *y = static_cast<const Real *>(p.args.y);
  const size_t channel = blockIdx.y;
  const Chunk  chunk = chunk_of(p.args, blockIdx.x);
  double       sum = 0, squares = 0, mean;

  for (unsigned e = chunk.first + threadIdx.x; e < chunk.last; e += PLANE_THREADS)
    sum += (double) y[place_of(p.args, channel, e).phase];
  mean = sum_for_block(sum, warps) / (double) (chunk.last - chunk.first);
  for (unsigned e = chunk.first + threadIdx.x; e < chunk.last; e += PLANE_THREADS) {
    const double distance = (double) y[place_of(p.args, channel, e).phase] - mean;

    squares += distance * distance;
  }
  squares = sum_for_block(squares, warps);
  if (threadIdx.x == 0)
    p.moments[channel * p.n_chunks + blockIdx.x] = {mean, squares};
}

__device__ static inline double
sum_of_warp(double value)
{
  for (int reach = 16; reach > 0; reach /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, reach);
  return value;
}

/* Parameters of a whole channel, in every thread. */
struct Formula {
  double mean, inverse; /* 1 / sigma */
  double scale, offset; /* image = max(0, scale (y - mean) + offset) */
};

template <typename Real>
__device__ static inline Formula
formula_of(const Normalise &p, size_t channel)
{
  const Real         *scales = static_cast<const Real *>(p.args.scales);
  const ChunkMoments *moments = p.moments + channel * p.n_chunks;
  const double        n = (double) (p.args.n_phases * p.args.side * p.args.side);
  double              mean = 0, squares = 0, inverse;

  for (size_t k = threadIdx.x % 32; k < p.n_chunks; k += 32) {
    const Chunk chunk = chunk_of(p.args, k);

    mean += moments[k].mean * (double) (chunk.last - chunk.first);
  }
  mean = sum_of_warp(mean) / n;
  for (size_t k = threadIdx.x % 32; k < p.n_chunks; k += 32) {
    const Chunk  chunk = chunk_of(p.args, k);
    const double apart = moments[k].mean - mean;

    squares += moments[k].squares + apart * apart * (double) (chunk.last - chunk.first);
  }
  inverse = 1 / sqrt(sum_of_warp(squares) / n + 1e-5);
  return {mean, inverse, (double) scales[channel] * inverse, (double) scales[p.args.n + channel]};
}

template <typename Real>
__global__ static void
normalise_kernel(Normalise p)
{
  const Real   *y = static_cast<const Real *>(p.args.y);
  Real         *image = static_cast<Real *>(p.args.image);
  const size_t  channel = blockIdx.y;
  const Chunk   chunk = chunk_of(p.args, blockIdx.x);
  const Formula formula = formula_of<Real>(p, channel);
  const Real    mean = (Real) formula.mean, scale = (Real) formula.scale,
             offset = (Real) formula.offset;

  for (unsigned e = chunk.first + threadIdx.x; e < chunk.last; e += PLANE_THREADS) {
    const Place place = place_of(p.args, channel, e);
    const Real  x = scale * (y[place.phase] - mean) + offset;

    image[place.image] = x <= 0 ? (Real) 0 : x; /* propagates NaN, so that it is noticed */
  }
}

/* Returns the image's bar, 0 where the ReLU cuts off. */
template <typename Real>
__device__ static inline Real
masked_bar(const Normalise &p, const Formula &formula, Place place, Real *distance)
{
  *distance = static_cast<const Real *>(p.args.y)[place.phase] - (Real) formula.mean;
  return (Real) formula.scale * *distance + (Real) formula.offset <= 0
           ? (Real) 0
           : static_cast<const Real *>(p.args.image_bar)[place.image];
}

template <typename Real>
__global__ static void
sums_kernel(Normalise p)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t  channel = blockIdx.y;
  const Chunk   chunk = chunk_of(p.args, blockIdx.x);
  const Formula formula = formula_of<Real>(p, channel);
  double        sum = 0, product = 0;

  for (unsigned e = chunk.first + threadIdx.x; e < chunk.last; e += PLANE_THREADS) {
    Real       distance;
    const Real g = masked_bar<Real>(p, formula, place_of(p.args, channel, e), &distance);

    sum += (double) g;
    product += (double) g * (double) distance;
  }
  sum = sum_for_block(sum, warps);
  product = sum_for_block(product, warps);
  if (threadIdx.x == 0)
    p.sums[channel * p.n_chunks + blockIdx.x] = {sum, product};
}

template <typename Real>
__global__ static void
bars_kernel(Normalise p)
{
  Real         *y_bar = static_cast<Real *>(p.args.y_bar);
  Real         *scales_bar = static_cast<Real *>(p.args.scales_bar);
  const size_t  channel = blockIdx.y;
  const Chunk   chunk = chunk_of(p.args, blockIdx.x);
  const Formula formula = formula_of<Real>(p, channel);
  const double  n = (double) (p.args.n_phases * p.args.side * p.args.side);
  double        g = 0, product = 0;

  for (size_t k = threadIdx.x % 32; k < p.n_chunks; k += 32) {
    g += p.sums[channel * p.n_chunks + k].g;
    product += p.sums[channel * p.n_chunks + k].g_times_distance;
  }
  g = sum_of_warp(g);
  product = sum_of_warp(product);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    scales_bar[channel] = (Real) (product * formula.inverse);
    scales_bar[p.args.n + channel] = (Real) g;
  }
  const Real scale = (Real) formula.scale, shift = (Real) (g / n),
             slope = (Real) (product * formula.inverse * formula.inverse / n);
  for (unsigned e = chunk.first + threadIdx.x; e < chunk.last; e += PLANE_THREADS) {
    const Place place = place_of(p.args, channel, e);
    Real        distance;
    const Real  bar = masked_bar<Real>(p, formula, place, &distance);

    y_bar[place.phase] = scale * (bar - shift - slope * distance);
  }
}

template <typename Real>
static LacStatus
forward(CudaDevice *device, const LacNormalise *args)
{
  const Normalise p = normalise_of(args);
  const dim3      grid((unsigned) p.n_chunks, (unsigned) args->n);

  LAC_TRY(launch(moments_kernel<Real>, grid, PLANE_THREADS, 0, device->stream, p));
  return launch(normalise_kernel<Real>, grid, PLANE_THREADS, 0, device->stream, p);
}

LAC_ENTRY(planes_normalise, LacNormalise, forward)

template <typename Real>
static LacStatus
reverse(CudaDevice *device, const LacNormalise *args)
{
  const Normalise p = normalise_of(args);
  const dim3      grid((unsigned) p.n_chunks, (unsigned) args->n);

  LAC_TRY(launch(sums_kernel<Real>, grid, PLANE_THREADS, 0, device->stream, p));
  return launch(bars_kernel<Real>, grid, PLANE_THREADS, 0, device->stream, p);
}

LAC_ENTRY(planes_normalise_reverse, LacNormalise, reverse)
