/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of an optimisation iteration between moves, energies and derivatives: operations per walker and per
 * parameter. */
#include "backend/electron-energy.h"
#include "backend/electron-moves.h"
#include "cuda/block-sum.cuh"
#include "cuda/electron-plan.cuh"

static const unsigned block_size = 256;

/* One thread per item. */
#define launch_over(device, n_items, kernel, ...) \
  (name_launch(#kernel), launch_kernel_over(device, n_items, kernel, __VA_ARGS__))

template <typename Args>
static LacStatus
launch_kernel_over(CudaDevice *device,
                   size_t      n_items,
                   void (*kernel)(size_t, size_t, Args),
                   size_t      n,
                   size_t      more,
                   const Args *args)
{
  return launch_kernel_each(kernel, n_items, block_size, device->stream, n, more, *args);
}

__device__ static inline size_t
item_of_thread(void)
{
  return (size_t) blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- the width of the moves ---- */

__global__ static void
adapt_kernel(size_t n, LacElectronAdapt a)
{
  LAC_SHARED(double, sums, block_size);
  double accepted = 0;

  for (size_t b = threadIdx.x; b < n; b += block_size)
    accepted += a.accepted[b];
  accepted = sum_of_threads(accepted, sums);
  if (threadIdx.x)
    return;
  const double acceptance = accepted / (double) (n * a.n_moves);

  a.walk[LAC_WALK_WIDTH] = lac_adapted_width(a.walk[LAC_WALK_WIDTH], acceptance, a.target, a.gain);
  a.walk[LAC_WALK_STEP] += a.n_moves;
  a.reported[LAC_REPORTED_ACCEPTANCE] = acceptance;
  a.reported[LAC_REPORTED_WIDTH] = a.walk[LAC_WALK_WIDTH];
}

LacStatus
adapt_cuda(void *self, const LacElectronBatch *batch, const LacElectronAdapt *args)
{
  return launch(adapt_kernel, 1, block_size, 0, stream_of(self), batch->n, *args);
}

/* ---- energies, and their contribution to the gradient ---- */

__global__ static void
energies_kernel(size_t              n,
                size_t              n_electrons,
                size_t              n_nuclei,
                const double       *nuclei,
                const double       *positions,
                LacElectronEnergies a)
{
  const size_t b = item_of_thread();
  double       attraction, repulsion;

  if (b >= n)
    return;
  lac_potential(nuclei, a.charges, n_nuclei, positions + 3 * b * n_electrons, n_electrons,
                &attraction, &repulsion);
  a.energies[b] = a.kinetic[b] + attraction + repulsion + a.repulsion;
}

LacStatus
energies_cuda(void *self, const LacElectronBatch *batch, const LacElectronEnergies *args)
{
  return launch_each(energies_kernel, batch->n, block_size, stream_of(self), batch->n,
                     batch->shape->n_electrons, batch->shape->n_nuclei, batch->nuclei,
                     batch->positions, *args);
}

/* Sort by rank: each value's index is the number of smaller values. */
__global__ static void
rank_kernel(size_t n, const double *energies, double *sorted)
{
  LAC_SHARED(double, tile, block_size);
  const size_t b = item_of_thread();
  const double own = b < n ? energies[b] : 0;
  size_t       rank = 0;

  for (size_t first = 0; first < n; first += block_size) {
    if (first + threadIdx.x < n)
      tile[threadIdx.x] = energies[first + threadIdx.x];
    __syncthreads();
    for (size_t c = first; c < n && c < first + block_size; c++) {
      const double other = tile[c - first];

      rank += isfinite(other) && (other < own || (other == own && c < b));
    }
    __syncthreads();
  }
  if (b < n && isfinite(own))
    sorted[rank] = own;
}

__device__ static inline double
median_of(const double *sorted, size_t n)
{
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* Same as lac_local_energy_clip() on the CPU, in one block. */
__global__ static void
clip_kernel(size_t n, LacElectronClip a)
{
  LAC_SHARED(double, sums, block_size);
  double good = 0, sum = 0, squares = 0, deviations = 0, centre = 0;

  for (size_t b = threadIdx.x; b < n; b += block_size)
    good += isfinite(a.energies[b]) ? 1 : 0;
  good = sum_of_threads(good, sums);

  const double median = good > 0 ? median_of(a.sorted, (size_t) good) : 0;

  for (size_t b = threadIdx.x; b < n; b += block_size)
    if (isfinite(a.energies[b])) {
      const double above = a.energies[b] - median;

      sum += above;
      squares += above * above;
      deviations += fabs(above);
    }
  sum = sum_of_threads(sum, sums);
  squares = sum_of_threads(squares, sums);

  const double bound = a.width * sum_of_threads(deviations, sums) / good;

  for (size_t b = threadIdx.x; b < n; b += block_size)
    if (isfinite(a.energies[b]))
      centre += fmin(fmax(a.energies[b] - median, -bound), bound);
  centre = sum_of_threads(centre, sums) / good;
  for (size_t b = threadIdx.x; b < n; b += block_size)
    a.clipped[b] =
      isfinite(a.energies[b]) ? fmin(fmax(a.energies[b] - median, -bound), bound) - centre : 0;
  if (threadIdx.x)
    return;
  a.reported[LAC_REPORTED_N_GOOD] = good;
  a.reported[LAC_REPORTED_MEAN] = good > 0 ? median + sum / good : (double) NAN;
  a.reported[LAC_REPORTED_VARIANCE] =
    good > 0 ? fmax(0.0, squares - sum * sum / good) / fmax(1.0, good - 1) : (double) NAN;
}

LacStatus
clip_cuda(void *self, const LacElectronBatch *batch, const LacElectronClip *args)
{
  LAC_TRY(launch_each(rank_kernel, batch->n, block_size, stream_of(self), batch->n, args->energies,
                      args->sorted));
  return launch(clip_kernel, 1, block_size, 0, stream_of(self), batch->n, *args);
}

/* One walker per block: walkers read from have energies, walkers written to have none. */
__global__ static void
reseed_kernel(size_t n, size_t n_coordinates, LacElectronReseed a)
{
  const size_t b = blockIdx.x;
  size_t       other = b;

  for (size_t k = 1; k < n && !isfinite(a.energies[other]); k++)
    other = (b + k) % n;
  if (other == b || !isfinite(a.energies[other]))
    return;
  for (size_t q = threadIdx.x; q < n_coordinates; q += blockDim.x) {
    a.positions[b * n_coordinates + q] = a.positions[other * n_coordinates + q];
    if (a.gradient)
      a.gradient[b * n_coordinates + q] = a.gradient[other * n_coordinates + q];
  }
  if (threadIdx.x == 0)
    a.log_abs[b] = a.log_abs[other];
}

LacStatus
reseed_cuda(void *self, const LacElectronBatch *batch, const LacElectronReseed *args)
{
  return launch(reseed_kernel, (unsigned) batch->n, 32, 0, stream_of(self), batch->n,
                3 * batch->shape->n_electrons, *args);
}

/* ---- the step of the optimiser ---- */

__global__ static void
centre_kernel(size_t n, LacElectronCentre a)
{
  LAC_SHARED(double, sums, block_size);
  const double factor = a.factor ? *a.factor : -1;
  double       mean = 0;

  for (size_t b = threadIdx.x; b < n; b += block_size)
    mean += a.y[b];
  mean = sum_of_threads(mean, sums) / (double) n;
  for (size_t b = threadIdx.x; b < n; b += block_size)
    a.y[b] = a.scale * ((a.add ? a.add[b] : 0) - factor * (a.y[b] - mean));
}

LacStatus
centre_cuda(void *self, const LacElectronBatch *batch, const LacElectronCentre *args)
{
  return launch(centre_kernel, 1, block_size, 0, stream_of(self), batch->n, *args);
}

__device__ static inline bool
is_good(const LacElectronKept &a, size_t n)
{
  return (double) n - a.reported[LAC_REPORTED_N_GOOD] <= a.most_bad;
}

__device__ static inline bool
is_right(const LacElectronKept &a, size_t n)
{
  return is_good(a, n) && isfinite(*a.length) && !(a.info && (a.info[0] || a.info[1]));
}

__global__ static void
remember_kernel(size_t n, size_t n_params, LacElectronKept a)
{
  const size_t i = item_of_thread();

  if (!is_good(a, n))
    return;
  if (i < n_params)
    a.theta_before[i] = a.theta[i];
  else if (i - n_params < a.n_memory)
    a.memory_before[i - n_params] = a.memory[i - n_params];
}

__global__ static void
conclude_kernel(size_t n, size_t n_params, LacElectronKept a)
{
  const size_t i = item_of_thread();
  const bool   right = is_right(a, n);

  if (!right && i < n_params)
    a.theta[i] = a.theta_before[i];
  else if (!right && i - n_params < a.n_memory)
    a.memory[i - n_params] = a.memory_before[i - n_params];
  if (i < n_params && a.tunables[LAC_TUNABLE_SUMMED] != 0)
    a.theta_sum[i] += a.theta[i];
  if (i == 0)
    a.reported[LAC_REPORTED_RESTORED] = right ? 0 : a.reported[LAC_REPORTED_RESTORED] + 1;
}

LacStatus
remember_cuda(void *self, const LacElectronBatch *batch, const LacElectronKept *args)
{
  const size_t n_params = batch->shape->n_params;

  return launch_over(device_of(self), n_params + args->n_memory, remember_kernel, batch->n,
                     n_params, args);
}

LacStatus
conclude_cuda(void *self, const LacElectronBatch *batch, const LacElectronKept *args)
{
  const size_t n_params = batch->shape->n_params;

  return launch_over(device_of(self), n_params + args->n_memory, conclude_kernel, batch->n,
                     n_params, args);
}

__global__ static void
count_kernel(LacElectronCount a)
{
  const double t = *a.updates + 1;

  *a.updates = t;
  a.numbers[0] = a.tunables[LAC_TUNABLE_RATE];
  a.numbers[1] = 1 / (1 - pow(a.beta1, t));
  a.numbers[2] = 1 / (1 - pow(a.beta2, t));
}

LacStatus
count_cuda(void *self, const LacElectronBatch *, const LacElectronCount *args)
{
  return launch(count_kernel, 1, 1, 0, stream_of(self), *args);
}

__global__ static void
descend_kernel(size_t n_params, LacElectronDescend a)
{
  const size_t p = item_of_thread();
  const double rate = a.tunables[LAC_TUNABLE_RATE], norm = a.tunables[LAC_TUNABLE_NORM];
  const double square = *a.length * rate * rate;

  if (p >= n_params)
    return;
  a.last[p] = a.step[p];
  a.theta[p] -= (square > norm ? rate * sqrt(norm / square) : rate) * a.step[p];
}

LacStatus
descend_cuda(void *self, const LacElectronBatch *batch, const LacElectronDescend *args)
{
  const size_t n_params = batch->shape->n_params;

  return launch_each(descend_kernel, n_params, block_size, stream_of(self), n_params, *args);
}
