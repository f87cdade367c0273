/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of log |psi| with respect to the parameters: O, one row per walker, and its contractions. */
#include "cuda/block-sum.cuh"
#include "cuda/electron-reverse.cuh"

static const unsigned block_size = 256;

template <typename Real>
__global__
__launch_bounds__(walker_threads,
                  walker_blocks) static void derivatives_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                                LacElectronTape               tape)
{
  LAC_DYNAMIC_SHARED(double, shared);
  const Walker<Real> w = walker_of<Real>(a, shared);

  for (size_t b = blockIdx.x; b < a.n; b += gridDim.x) {
    Real *row = static_cast<Real *>(tape.o) + b * a.shape.n_params;

    run_network_kept(w, a.positions + b * 3 * a.shape.n_electrons);
    pull_psi(w, tape, b, row);
    pull_layers(w, row);
    __syncthreads();
  }
}

template <typename Real>
static LacStatus
run_derivatives(CudaDevice *device, const LacElectronBatch *batch, const LacElectronTape *tape)
{
  return launch_walkers(device, batch, LAC_ELECTRON_DERIVATIVES, derivatives_kernel<Real>, *tape);
}

LacStatus
derivatives_cuda(void *self, const LacElectronBatch *batch, const LacElectronTape *tape)
{
  const WideWalkers wide = find_wide(device_of(self), batch, LAC_ELECTRON_DERIVATIVES);

  if (wide.is_wide)
    return run_wide_derivatives(device_of(self), batch, wide, tape);
  return LAC_BY_TYPE(batch->type, run_derivatives, device_of(self), batch, tape);
}

/* ---- orbitals ---- */

template <typename Real>
__global__
__launch_bounds__(walker_threads,
                  walker_blocks) static void orbitals_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                             double                       *phi)
{
  LAC_DYNAMIC_SHARED(double, shared);
  const Walker<Real> w = walker_of<Real>(a, shared);
  const WalkerShape &shape = a.shape;
  const size_t       n = shape.n_electrons, entries = shape.n_determinants * n * n;

  for (size_t b = blockIdx.x; b < a.n; b += gridDim.x) {
    run_network<false>(w, a.positions + b * 3 * n);
    for (size_t q = threadIdx.x; q < entries; q += blockDim.x) {
      const size_t k = q / (n * n), i = q / n % n, m = q % n, s = spin_of(shape, i);
      const size_t first = shape.full_determinant ? 0 : shape.first[s], width = shape.n_orbitals[s];
      const bool   there = m >= first && m < first + width;
      const Real  *from = w.numbers + a.plan.phi + i * shape.most_columns + k * width;

      phi[b * entries + q] = there ? (double) from[m - first] : 0;
    }
    __syncthreads();
  }
}

template <typename Real>
static LacStatus
run_orbitals(CudaDevice *device, const LacElectronBatch *batch, const LacElectronOrbitals *out)
{
  return launch_walkers(device, batch, LAC_ELECTRON_VALUE, orbitals_kernel<Real>, out->phi);
}

LacStatus LAC_WALKERS_BY_TYPE(orbitals, LacElectronOrbitals)

  /* ---- O^T left: parameters in parallel, walkers in shares added in order ---- */

  static const size_t walkers_a_share = 128;

template <typename Real>
__global__ static void
pull_kernel(const Real   *o,
            const double *left,
            size_t        n,
            size_t        n_params,
            size_t        share,
            double       *parts)
{
  const size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t first = blockIdx.y * share, last = first + share < n ? first + share : n;
  double       sum = 0;

  if (p >= n_params)
    return;
  for (size_t b = first; b < last; b++)
    sum += (double) o[b * n_params + p] * (left ? left[b] : 1);
  parts[blockIdx.y * n_params + p] = sum;
}

__global__ static void
add_shares_kernel(const double *parts, size_t n_parts, size_t n_params, double *right)
{
  const size_t p = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  double       sum = 0;

  if (p >= n_params)
    return;
  for (size_t i = 0; i < n_parts; i++)
    sum += parts[i * n_params + p];
  right[p] = sum;
}

/* parts: [room][P], scratch */
template <typename Real>
static LacStatus
pull_rows(CudaDevice                   *device,
          const LacElectronBatch       *batch,
          const LacElectronContraction *args,
          double                       *parts,
          size_t                        room)
{
  const size_t n = batch->n, n_params = batch->shape->n_params;
  const size_t wanted = (n + walkers_a_share - 1) / walkers_a_share;
  const size_t most = room < wanted ? room : wanted, n_parts = most ? most : 1;
  const size_t share = (n + n_parts - 1) / n_parts;

  LAC_TRY(launch(pull_kernel<Real>, dim3(blocks_for(n_params, block_size), (unsigned) n_parts),
                 block_size, 0, device->stream, static_cast<const Real *>(args->o), args->left, n,
                 n_params, share, n_parts > 1 ? parts : args->right));
  if (n_parts == 1)
    return LAC_STATUS_OK;
  return launch_each(add_shares_kernel, n_params, block_size, device->stream, parts, n_parts,
                     n_params, args->right);
}

static size_t
count_rows_of_scratch(const LacElectronBatch *batch)
{
  return CUDA_SCRATCH_BYTES / (batch->shape->n_params * sizeof(double));
}

template <typename Real>
static LacStatus
run_pull(CudaDevice *device, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  return pull_rows<Real>(device, batch, args, reinterpret_cast<double *>(device->scratch),
                         count_rows_of_scratch(batch));
}

LacStatus
LAC_WALKERS_BY_TYPE(pull, LacElectronContraction)

  /* ---- O left: one walker per block ---- */

  template <typename Real>
  __global__
  static void push_kernel(const Real *o, const double *left, size_t n_params, double *right)
{
  LAC_SHARED(double, sums, block_size);
  const Real *row = o + blockIdx.x * n_params;
  double      sum = 0;

  for (size_t p = threadIdx.x; p < n_params; p += block_size)
    sum += (double) row[p] * left[p];
  sum = sum_of_threads(sum, sums);
  if (threadIdx.x == 0)
    right[blockIdx.x] = sum;
}

template <typename Real>
static LacStatus
run_push(CudaDevice *device, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  return launch(push_kernel<Real>, (unsigned) batch->n, block_size, 0, device->stream,
                static_cast<const Real *>(args->o), args->left, batch->shape->n_params,
                args->right);
}

LacStatus
LAC_WALKERS_BY_TYPE(push, LacElectronContraction)

  /* ---- O O^T: rows of O are columns to cuBLAS ---- */

  static inline cublasStatus_t
  multiply(cublasHandle_t blas, int n, int depth, const float *o, float *to)
{
  const float one = 1, zero = 0;

  return cublasSgemmStridedBatched(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, depth, &one, o, depth, 0,
                                   o, depth, 0, &zero, to, n, 0, 1);
}

static inline cublasStatus_t
multiply(cublasHandle_t blas, int n, int depth, const double *o, double *to)
{
  const double one = 1, zero = 0;

  return cublasDgemmStridedBatched(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, depth, &one, o, depth, 0,
                                   o, depth, 0, &zero, to, n, 0, 1);
}

template <typename Real>
__global__ static void
widen_kernel(const Real *from, size_t n, double *to)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    to[i] = (double) from[i];
}

template <typename Real>
__global__ static void
subtract_mean_kernel(Real *o, size_t n, size_t n_params, const double *sums)
{
  const size_t b = row_of_matrix(), p = column_of_matrix();

  if (b < n && p < n_params)
    o[b * n_params + p] = (Real) ((double) o[b * n_params + p] - sums[p] / (double) n);
}

/* Removes the mean over the walkers before the product, in which it would cancel: in single precision the product of a mean
 * loses the digits of what varies. Where there is no room for the mean, solve() removes it afterwards. */
template <typename Real>
static LacStatus
centre_rows(CudaDevice *device, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  const size_t           n = batch->n, n_params = batch->shape->n_params;
  const size_t           room = count_rows_of_scratch(batch);
  LacElectronContraction sum = *args;

  if (room == 0)
    return LAC_STATUS_OK;
  sum.left = NULL;
  sum.right = reinterpret_cast<double *>(device->scratch);
  LAC_TRY(pull_rows<Real>(device, batch, &sum, sum.right + n_params, room - 1));
  return launch_matrix(subtract_mean_kernel<Real>, MatrixSize{n, n_params, 1}, block_size,
                       device->stream, static_cast<Real *>(args->o), n, n_params,
                       const_cast<const double *>(sum.right));
}

template <typename Real>
static LacStatus
run_gram(CudaDevice *device, const LacElectronBatch *batch, const LacElectronContraction *args)
{
  const size_t n = batch->n;
  Real        *to = static_cast<Real *>(args->work);

  LAC_TRY(centre_rows<Real>(device, batch, args));
  LAC_TRY(blas_status_of_call(multiply(device->blas, (int) n, (int) batch->shape->n_params,
                                       static_cast<const Real *>(args->o), to),
                              "cublasGemmStridedBatched"));
  return launch_each(widen_kernel<Real>, n * n, block_size, device->stream,
                     const_cast<const Real *>(to), n * n, args->right);
}

LacStatus
LAC_WALKERS_BY_TYPE(gram, LacElectronContraction)
