/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local energies of networks too wide for shared memory: the same stages as in electrons.cu, one kernel each over
 * many walkers, with the layers' products by batched cuBLAS calls in between, one walker per batch member. */
#include "cuda/electron-answer.cuh"

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void inputs_kernel(const LAC_IN_PLACE WalkerArgs a)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);

  find_inputs<true>(w, a.positions + blockIdx.x * 3 * (size_t) a.shape.n_electrons,
                    w.numbers + a.plan.one[0], w.numbers + a.plan.pair[0]);
}

/* Computes the means of the inputs of layer l; `now`: index of the double buffer that holds them. */
template <typename Real>
__global__
__launch_bounds__(walker_threads) static void means_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                           Index                         l,
                                                           Index                         now)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);

  find_means(w, l, w.numbers + a.plan.one[now], w.numbers + a.plan.one[1 - now]);
  find_among<true>(w, l, w.numbers + a.plan.pair[now], w.numbers + a.plan.among);
}

#define R(c) ((Real) (c))

/* Finishes one output of electron j: turns the products into the layer's output. */
template <typename Real>
__device__ static inline void
finish_output(const Walker<Real> &w, Index l, const Real *kept, Real *y, Index o)
{
  const WalkerShape &shape = *w.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], n_rows = w.plan->n_rows;
  const Real        *shared = w.numbers + w.plan->shared + o;
  const Index        n_inputs = (shape.n_channels + 1) * d + shape.n_channels * shape.pair[l];
  const Real         bias = w.weights[shape.layer[l] + n_inputs * f + o];
  const Real         laplacian = y[f] + shared[f];
  Real               slope, squares = 0;
  const Real         value = tanh_of(y[0] + shared[0] + bias, &slope);

  for (Index row = FIRST_TANGENT; row < n_rows; row++) {
    const Real z = y[row * f] + shared[row * f], tangent = slope * z;

    squares += z * z;
    y[row * f] = kept ? LAC_RESIDUAL(tangent, kept[row * d]) : tangent;
  }
  const Real bend = LAC_TANH_BEND(value, slope);
  const Real second = LAC_LAPLACIAN_OF(slope, laplacian, bend, squares);

  y[0] = kept ? LAC_RESIDUAL(value, kept[0]) : value;
  y[f] = kept ? LAC_RESIDUAL(second, kept[d]) : second;
}

#undef R

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void finish_kernel(const LAC_IN_PLACE WalkerArgs a,
                                                            Index                         l,
                                                            Index                         now)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);
  const WalkerShape &shape = a.shape;
  const Index        d = shape.one[l], f = shape.one[l + 1], n_rows = a.plan.n_rows;
  const Real        *x = w.numbers + a.plan.one[now];
  Real              *y = w.numbers + a.plan.one[1 - now];

  for (Index q = threadIdx.x; q < shape.n_electrons * f; q += blockDim.x) {
    const Index j = q / f, o = q % f;

    finish_output(w, l, d == f ? x + j * n_rows * d + o : NULL, y + j * n_rows * f + o, o);
  }
  if (l + 1 < shape.n_layers)
    pair_layer<true>(w, l, w.numbers + a.plan.pair[now], w.numbers + a.plan.pair[1 - now],
                     (Real *) NULL);
}

template <typename Real>
__global__
__launch_bounds__(walker_threads) static void orbitals_and_sum_kernel(const LAC_IN_PLACE WalkerArgs
                                                                                        a,
                                                                      LacElectronAnswer out,
                                                                      Index             now)
{
  const Walker<Real> w = walker_of<Real>(a, NULL);

  find_orbitals<true>(w, w.numbers + a.plan.one[now], (Real *) NULL);
  answer_walker<true>(w, a, blockIdx.x, out);
}

/* ---- products: y[rows][f] (+)= x[rows][depth] w[depth][f] of every walker ---- */

template <typename Real> struct Layer {
  const Real *x, *w;
  Real       *y;
  size_t      rows, depth, f;
  Real        beta;
};

static inline cublasStatus_t
call_gemm(cublasHandle_t blas, const Layer<float> &q, long long step, int n)
{
  const float one = 1;

  return cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, (int) q.f, (int) q.rows,
                                   (int) q.depth, &one, q.w, (int) q.f, 0, q.x, (int) q.depth, step,
                                   &q.beta, q.y, (int) q.f, step, n);
}

static inline cublasStatus_t
call_gemm(cublasHandle_t blas, const Layer<double> &q, long long step, int n)
{
  const double one = 1;

  return cublasDgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, (int) q.f, (int) q.rows,
                                   (int) q.depth, &one, q.w, (int) q.f, 0, q.x, (int) q.depth, step,
                                   &q.beta, q.y, (int) q.f, step, n);
}

/* Computes layer l of walkers with consecutive areas. */
template <typename Real>
static LacStatus
multiply_layer(CudaDevice             *device,
               const LacElectronShape *shape,
               const WalkerArgs       &a,
               size_t                  l,
               Index                   now)
{
  const WalkerPlan &plan = a.plan;
  const size_t      d = shape->one[l], f = shape->one[l + 1], channels = shape->n_channels;
  const size_t      rows = shape->n_electrons * plan.n_rows, width = channels * shape->pair[l];
  const long long   step = (long long) (a.area_bytes / sizeof(Real));
  const Real       *w = static_cast<const Real *>(a.weights) + shape->layer[l];
  Real             *numbers = reinterpret_cast<Real *>(a.areas + plan.n_doubles * sizeof(double));
  Real             *next = numbers + plan.one[1 - now];
  /* the means occupy the memory of the next two products' results */
  const Layer<Real> layers[] = {
    {next, w + d * f, numbers + plan.shared, plan.n_rows, channels * d, f, 0},
    {numbers + plan.one[now], w, next, rows, d, f, 0},
    {numbers + plan.among, w + (channels + 1) * d * f, next, rows, width, f, 1},
  };

  for (const Layer<Real> &layer : layers)
    LAC_TRY(blas_status_of_call(call_gemm(device->blas, layer, step, (int) a.n),
                                "cublasGemmStridedBatched"));
  return LAC_STATUS_OK;
}

template <typename Real>
static LacStatus
run_part(CudaDevice              *device,
         const LacElectronShape  *shape,
         const WalkerArgs        &a,
         const LacElectronAnswer &out)
{
  const unsigned     n = (unsigned) a.n;
  const cudaStream_t stream = device->stream;
  Index              now = 0;

  LAC_TRY(launch(inputs_kernel<Real>, n, walker_threads, 0, stream, a));
  for (Index l = 0; l < (Index) shape->n_layers; l++, now = 1 - now) {
    LAC_TRY(launch(means_kernel<Real>, n, walker_threads, 0, stream, a, l, now));
    LAC_TRY(multiply_layer<Real>(device, shape, a, l, now));
    LAC_TRY(launch(finish_kernel<Real>, n, walker_threads, 0, stream, a, l, now));
  }
  return launch(orbitals_and_sum_kernel<Real>, n, walker_threads, 0, stream, a, out, now);
}

template <typename Real>
static LacStatus
run_wide(CudaDevice              *device,
         const LacElectronBatch  *batch,
         const WalkerArgs        *all,
         const LacElectronAnswer *out,
         size_t                   at_once)
{
  const size_t n = 3 * batch->shape->n_electrons;

  for (size_t first = 0; first < batch->n; first += at_once) {
    WalkerArgs              part = *all;
    const LacElectronAnswer own = {
      out->log_abs ? out->log_abs + first : NULL, out->sign ? out->sign + first : NULL,
      out->gradient ? out->gradient + first * n : NULL, out->kinetic ? out->kinetic + first : NULL};

    part.positions += first * n;
    part.n = batch->n - first < at_once ? batch->n - first : at_once;
    LAC_TRY(run_part<Real>(device, batch->shape, part, own));
  }
  return LAC_STATUS_OK;
}

LacStatus
run_wide_local(CudaDevice              *device,
               const LacElectronBatch  *batch,
               const WalkerArgs        *all,
               const LacElectronAnswer *out,
               size_t                   at_once)
{
  return LAC_BY_TYPE(batch->type, run_wide, device, batch, all, out, at_once);
}
