/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointwise parts of the pseudo-spectral vorticity equation: one thread per wavenumber or point. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

static const unsigned block_size = 256;

/* A complex number in memory. */
template <typename Real> struct Complex {
  Real re, im;
};

/* Signed wavenumber of row y */
__device__ static inline double
wavenumber(size_t y, size_t ny)
{
  return 2 * y <= ny ? (double) y : (double) y - (double) ny;
}

/* u = i ky w / k^2, v = -i kx w / k^2, w_x = i kx w, w_y = i ky w; derivatives are zero at the Nyquist wavenumber. */
template <typename Real>
__global__ static void
derive_kernel(LacVorticity a)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t nxh = a.nx / 2 + 1, one = a.ny * nxh;

  if (i >= a.n_batch * one)
    return;
  const size_t        member = i / one, at = i % one, y = at / nxh, x = at % nxh;
  const double        row = wavenumber(y, a.ny);
  const Real          ky2 = (Real) (row * row), kx = (Real) x;
  const Real          inverse = at == 0 ? 0 : 1 / (kx * kx + ky2);
  const Real          kx_derivative = 2 * x == a.nx ? 0 : kx;
  const Real          ky_derivative = 2 * y == a.ny ? 0 : (Real) row;
  const Complex<Real> w = static_cast<const Complex<Real> *>(a.vorticity)[i];
  Complex<Real>      *out = static_cast<Complex<Real> *>(a.fields) + 4 * member * one + at;
  const Real factors[4] = {ky_derivative * inverse, -kx_derivative * inverse, kx_derivative,
                           ky_derivative};

  for (int field = 0; field < 4; field++)
    out[(size_t) field * one] = {factors[field] * -w.im, factors[field] * w.re};
}

template <typename Real>
__global__ static void
advect_kernel(LacVorticity a)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x, n = a.nx * a.ny;

  if (i >= a.n_batch * n)
    return;
  const Real *u = static_cast<const Real *>(a.physical) + i / n * 4 * n + i % n;

  static_cast<Real *>(a.product)[i] = u[0] * u[2 * n] + u[n] * u[3 * n];
}

template <typename Real>
static LacStatus
derive(CudaDevice *device, const LacVorticity *args)
{
  return launch_each(derive_kernel<Real>, args->n_batch * args->ny * (args->nx / 2 + 1), block_size,
                     device->stream, *args);
}

template <typename Real>
static LacStatus
advect(CudaDevice *device, const LacVorticity *args)
{
  return launch_each(advect_kernel<Real>, args->n_batch * args->ny * args->nx, block_size,
                     device->stream, *args);
}

LacStatus
vorticity_derive_cuda(void *self, const LacVorticity *args)
{
  return LAC_BY_TYPE(args->type, derive, device_of(self), args);
}

LacStatus
vorticity_advect_cuda(void *self, const LacVorticity *args)
{
  return LAC_BY_TYPE(args->type, advect, device_of(self), args);
}

/* sum accumulates E w + dt/6 (E a + 2 E_half (b + c)); w may alias next. */
template <typename Real>
__global__ static void
rk4_kernel(LacRk4Stage a)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t one = a.ny * (a.nx / 2 + 1); /* complex pairs; i counts real elements */

  if (i >= a.n_batch * one * 2)
    return;
  const size_t member = i / (2 * one), mode = i / 2 % one;
  const Real   dt = (Real) a.dt;
  const Real   decay = static_cast<const Real *>(a.decay)[member * a.decay_stride + mode];
  const Real   half = static_cast<const Real *>(a.decay_half)[member * a.decay_stride + mode];
  const Real   w = static_cast<const Real *>(a.vorticity)[i];
  const Real   slope =
    static_cast<const Real *>(a.forcing)[i % (2 * one)] -
    static_cast<const Real *>(a.mask)[mode] * static_cast<const Real *>(a.product_hat)[i];
  Real *sum = static_cast<Real *>(a.sum) + i, *next = static_cast<Real *>(a.next) + i;

  switch (a.stage) {
  case 0:
    *sum = decay * (w + dt / 6 * slope);
    *next = half * (w + dt / 2 * slope);
    break;
  case 1:
    *sum += dt / 3 * half * slope;
    *next = half * w + dt / 2 * slope;
    break;
  case 2:
    *sum += dt / 3 * half * slope;
    *next = decay * w + dt * half * slope;
    break;
  default: *next = *sum + dt / 6 * slope;
  }
}

template <typename Real>
static LacStatus
rk4_stage(CudaDevice *device, const LacRk4Stage *args)
{
  return launch_each(rk4_kernel<Real>, args->n_batch * args->ny * (args->nx / 2 + 1) * 2,
                     block_size, device->stream, *args);
}

LacStatus
rk4_stage_cuda(void *self, const LacRk4Stage *args)
{
  return LAC_BY_TYPE(args->type, rk4_stage, device_of(self), args);
}
