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
  const size_t y = row_of_matrix(), x = column_of_matrix(), member = blockIdx.z;
  const size_t nxh = a.nx / 2 + 1, one = a.ny * nxh, at = y * nxh + x;

  if (y >= a.ny || x >= nxh)
    return;
  const double        row = wavenumber(y, a.ny);
  const Real          ky2 = (Real) (row * row), kx = (Real) x;
  const Real          inverse = at == 0 ? 0 : 1 / (kx * kx + ky2);
  const Real          kx_derivative = 2 * x == a.nx ? 0 : kx;
  const Real          ky_derivative = 2 * y == a.ny ? 0 : (Real) row;
  const Complex<Real> w = static_cast<const Complex<Real> *>(a.vorticity)[member * one + at];
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
  const size_t n = a.nx * a.ny, member = row_of_matrix();

  if (member >= a.n_batch)
    return;
  LAC_EACH_COLUMN(i, n)
  {
    const Real *u = static_cast<const Real *>(a.physical) + member * 4 * n + i;

    static_cast<Real *>(a.product)[member * n + i] =
      (Real) a.scale * (u[0] * u[2 * n] + u[n] * u[3 * n]);
  }
}

template <typename Real>
static LacStatus
derive(CudaDevice *device, const LacVorticity *args)
{
  return launch_matrix(derive_kernel<Real>, MatrixSize{args->ny, args->nx / 2 + 1, args->n_batch},
                       block_size, device->stream, *args);
}

template <typename Real>
static LacStatus
advect(CudaDevice *device, const LacVorticity *args)
{
  return launch_rows(advect_kernel<Real>, args->n_batch, args->ny * args->nx, block_size,
                     device->stream, *args);
}

LAC_ENTRY(vorticity_derive, LacVorticity, derive)

LAC_ENTRY(vorticity_advect, LacVorticity, advect)

/* sum accumulates E w + dt/6 (E a + 2 E_half (b + c)); w may alias next. i counts real elements, two for each mode. */
template <typename Real>
__global__ static void
rk4_kernel(LacRk4Stage a)
{
  const size_t member = row_of_matrix(), n = 2 * a.ny * (a.nx / 2 + 1);
  const Real   dt = (Real) a.dt;

  if (member >= a.n_batch)
    return;
  LAC_EACH_COLUMN(i, n)
  {
    const size_t mode = i / 2, at = member * n + i;
    const Real   decay = static_cast<const Real *>(a.decay)[member * a.decay_stride + mode];
    const Real   half = static_cast<const Real *>(a.decay_half)[member * a.decay_stride + mode];
    const Real   w = static_cast<const Real *>(a.vorticity)[at];
    const Real   slope =
      static_cast<const Real *>(a.forcing)[i] -
      static_cast<const Real *>(a.mask)[mode] * static_cast<const Real *>(a.product_hat)[at];
    Real *sum = static_cast<Real *>(a.sum) + at, *next = static_cast<Real *>(a.next) + at;

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
}

template <typename Real>
static LacStatus
rk4_stage(CudaDevice *device, const LacRk4Stage *args)
{
  return launch_rows(rk4_kernel<Real>, args->n_batch, 2 * args->ny * (args->nx / 2 + 1), block_size,
                     device->stream, *args);
}

LAC_ENTRY(rk4_stage, LacRk4Stage, rk4_stage)
