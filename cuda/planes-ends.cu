/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both ends of a network over planes: the first layer, whose weight gradient is an outer product that is never
 * stored, the picture, and Adam. */
#include "cuda/planes.cuh"

static const size_t latent_rows = 64, most_latent_parts = 16, picture_numbers = 4096;

/* Partial products over a share of the weights' rows: [share][n_out]. */
template <typename Real>
__global__ static void
latent_kernel(LacLatent args, size_t per_share, Real *parts)
{
  const size_t j = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  const size_t first = blockIdx.y * per_share;
  const size_t last = first + per_share < args.n_latent ? first + per_share : args.n_latent;
  const Real  *z = static_cast<const Real *>(args.z);
  const Real  *weights = static_cast<const Real *>(args.weights);
  Real         sum = 0;

  if (j >= args.n_out)
    return;
  for (size_t i = first; i < last; i++)
    sum += z[i] * weights[i * args.n_out + j];
  parts[blockIdx.y * args.n_out + j] = sum;
}

template <typename Real>
static LacStatus
latent(CudaDevice *device, const LacLatent *args)
{
  const size_t room = CUDA_SCRATCH_BYTES / (args->n_out * sizeof(Real));
  const size_t wanted = (args->n_latent + latent_rows - 1) / latent_rows;
  const size_t most = most_latent_parts < room ? most_latent_parts : room;
  const size_t n = wanted < most ? wanted : most, per_share = (args->n_latent + n - 1) / n;
  const size_t n_parts = (args->n_latent + per_share - 1) / per_share;
  PlaneParts   parts = {};

  LAC_TRY(launch(latent_kernel<Real>,
                 dim3(blocks_for(args->n_out, PLANE_THREADS), (unsigned) n_parts), PLANE_THREADS, 0,
                 device->stream, *args, per_share, reinterpret_cast<Real *>(device->scratch)));
  parts.type = args->type;
  parts.parts = device->scratch;
  parts.n_parts = n_parts;
  parts.n_sets = parts.n_rows = 1;
  parts.n = args->n_out;
  parts.y = args->y;
  return sum_plane_parts(device, &parts);
}

LAC_ENTRY(planes_latent, LacLatent, latent)

/* One row of weights per block: the bar of its latent element, and its Adam step. */
template <typename Real>
__global__ static void
latent_adam_kernel(LacLatent args)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t row = blockIdx.x, at = row * args.n_out;
  const Real   z = static_cast<const Real *>(args.z)[row];
  const Real  *y_bar = static_cast<const Real *>(args.y_bar);
  Real        *theta = static_cast<Real *>(args.weights) + at;
  Real        *m = static_cast<Real *>(args.m) + at, *v = static_cast<Real *>(args.v) + at;
  const double rate = args.numbers ? args.rate * args.numbers[0] : args.rate;
  const double correction1 = args.numbers ? args.numbers[1] : args.correction1;
  const Real   correction2 = (Real) (args.numbers ? args.numbers[2] : args.correction2);
  double       sum = 0;

  for (size_t j = threadIdx.x; j < args.n_out; j += PLANE_THREADS) {
    const Real bar = y_bar[j], g = z * bar;
    const Real m_new = (Real) args.beta1 * m[j] + (Real) (1 - args.beta1) * g;
    const Real v_new = (Real) args.beta2 * v[j] + (Real) (1 - args.beta2) * (g * g);

    sum += (double) bar * (double) theta[j];
    m[j] = m_new;
    v[j] = v_new;
    theta[j] -=
      (Real) (rate * correction1) * m_new / (sqrt(v_new * correction2) + (Real) args.epsilon);
  }
  sum = sum_for_block(sum, warps);
  if (threadIdx.x == 0)
    static_cast<Real *>(args.z_bar)[row] = (Real) sum;
}

template <typename Real>
static LacStatus
latent_adam(CudaDevice *device, const LacLatent *args)
{
  return launch(latent_adam_kernel<Real>, (unsigned) args->n_latent, PLANE_THREADS, 0,
                device->stream, *args);
}

LAC_ENTRY(planes_latent_adam, LacLatent, latent_adam)

LacStatus
planes_step_cuda(void *self, const LacPlaneStep *args)
{
  LacAdam adam = {};

  adam.type = args->type;
  adam.n = args->n;
  adam.rate = args->rate;
  adam.beta1 = args->beta1;
  adam.beta2 = args->beta2;
  adam.epsilon = args->epsilon;
  adam.correction1 = args->correction1;
  adam.correction2 = args->correction2;
  adam.gradient = args->gradient;
  adam.m = args->m;
  adam.v = args->v;
  adam.theta = args->theta;
  adam.numbers = args->numbers;
  return adam_cuda(self, &adam);
}

template <typename Real> struct Bounded {
  Real y, slope;
};

/* Bounds in terms of e = exp(-|x|), which never overflows. */
template <typename Real>
__device__ static inline Bounded<Real>
bound(LacBound kind, Real x)
{
  const Real e = exp(-fabs(x)), r = 1 / (1 + e), sigmoid = x < 0 ? e * r : r;

  switch (kind) {
  case LAC_BOUND_NONE: return {x, 1};
  case LAC_BOUND_SIGMOID: return {sigmoid, e * r * r};
  case LAC_BOUND_SCALED_SIGMOID:
    return {(Real) 1.02 * sigmoid - (Real) 0.01, (Real) 1.02 * e * r * r};
  case LAC_BOUND_HARD_SIGMOID: {
    const Real z = x / 6 + (Real) 0.5;

    return {z < 0 ? 0 : z > 1 ? 1 : z, z > 0 && z < 1 ? (Real) (1.0 / 6) : 0};
  }
  case LAC_BOUND_SOFTPLUS: return {(x > 0 ? x : 0) + log(1 + e), sigmoid};
  case LAC_BOUND_TANH: {
    const Real e2 = e * e, r2 = 1 / (1 + e2);

    return {x < 0 ? (e2 - 1) * r2 : (1 - e2) * r2, 4 * e2 * r2 * r2};
  }
  case LAC_BOUND_RELU: return {x <= 0 ? 0 : x, (Real) (x > 0)};
  case LAC_BOUND_LEAKY_RELU: return {x < 0 ? (Real) 0.2 * x : x, x > 0 ? 1 : (Real) 0.2};
  }
  return {x, 1};
}

/* Returns TRUE when element i of the picture is in the plane, with its index there. */
__device__ static inline bool
find_in_plane(const LacPlanePicture &a, size_t i, size_t *at)
{
  const size_t row = i / a.window.n, column = i % a.window.n;

  *at = (size_t) ((ptrdiff_t) row + a.window.offset) * (a.side + 1) +
        (size_t) ((ptrdiff_t) column + a.window.offset);
  return row >= a.window.first && row < a.window.end && column >= a.window.first &&
         column < a.window.end;
}

template <typename Real>
__global__ static void
picture_kernel(LacPlanePicture args)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;
  size_t       at;

  if (i >= args.window.n * args.window.n)
    return;
  if (!find_in_plane(args, i, &at)) {
    args.picture[i] = 0;
    return;
  }
  const Bounded<Real> bounded = bound(args.bound, static_cast<const Real *>(args.plane)[at] +
                                                    *static_cast<const Real *>(args.bias));
  args.picture[i] = (double) bounded.y;
  static_cast<Real *>(args.slope)[at] = bounded.slope;
}

template <typename Real>
static LacStatus
picture(CudaDevice *device, const LacPlanePicture *args)
{
  return launch_each(picture_kernel<Real>, args->window.n * args->window.n, PLANE_THREADS,
                     device->stream, *args);
}

LAC_ENTRY(planes_picture, LacPlanePicture, picture)

template <typename Real>
__global__ static void
picture_reverse_kernel(LacPlanePicture args)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  const size_t n = args.window.n * args.window.n, first = blockIdx.x * picture_numbers;
  const size_t last = first + picture_numbers < n ? first + picture_numbers : n;
  double       sum = 0;

  for (size_t i = first + threadIdx.x; i < last; i += PLANE_THREADS) {
    size_t at;

    if (!find_in_plane(args, i, &at))
      continue;
    const double bar = args.picture_bar[i] * (double) static_cast<const Real *>(args.slope)[at];
    static_cast<Real *>(args.plane_bar)[at] = (Real) bar;
    sum += bar;
  }
  sum = sum_for_block(sum, warps);
  if (threadIdx.x == 0)
    args.sums[blockIdx.x] = sum;
}

template <typename Real>
__global__ static void
bias_kernel(const double *sums, size_t n, Real *bias_bar)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  double sum = 0;

  for (size_t i = threadIdx.x; i < n; i += PLANE_THREADS)
    sum += sums[i];
  sum = sum_for_block(sum, warps);
  if (threadIdx.x == 0)
    *bias_bar = (Real) sum;
}

template <typename Real>
static LacStatus
picture_reverse(CudaDevice *device, const LacPlanePicture *args)
{
  const size_t n = planes_picture_sums_cuda(args);

  LAC_TRY(
    launch(picture_reverse_kernel<Real>, (unsigned) n, PLANE_THREADS, 0, device->stream, *args));
  return launch(bias_kernel<Real>, 1, PLANE_THREADS, 0, device->stream,
                static_cast<const double *>(args->sums), n, static_cast<Real *>(args->bias_bar));
}

LAC_ENTRY(planes_picture_reverse, LacPlanePicture, picture_reverse)

size_t
planes_picture_sums_cuda(const LacPlanePicture *args)
{
  return (args->window.n * args->window.n + picture_numbers - 1) / picture_numbers;
}
