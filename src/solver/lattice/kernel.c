/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattice Boltzmann loops for the instruction set and type chosen by the build: LAC_LEVEL, LAC_REAL_F32 or
 * LAC_REAL_F64. */
#include "solver/lattice/kernel.h"

#ifdef LAC_REAL_F32
typedef float Real;
#  define LAC_REAL_SUFFIX f32
#else
typedef double Real;
#  define LAC_REAL_SUFFIX f64
#endif

#define LAC_JOIN_(level, suffix) lac_lattice_kernel_##level##_##suffix
#define LAC_JOIN(level, suffix)  LAC_JOIN_(level, suffix)
#define LAC_INLINE               static inline __attribute__((always_inline))

#define W0 ((Real) (4.0 / 9))
#define WS ((Real) (1.0 / 9))
#define WD ((Real) (1.0 / 36))

typedef struct {
  Real even, odd; /* half the relaxation rates */
} Rates;

/* Relaxes a pair of opposite populations: @speed is the velocity along the first, @common = density - 1.5 u^2. */
LAC_INLINE void
relax(Rates rates, Real weight, Real common, Real speed, Real *ahead, Real *back)
{
  const Real even =
    rates.even * (*ahead + *back - 2 * weight * (common + (Real) 4.5 * speed * speed));
  const Real odd = rates.odd * (*ahead - *back - 6 * weight * speed);

  *ahead -= even + odd;
  *back -= even - odd;
}

/* Processes one row: @f and @t are the nine planes at the row's first cell. */
LAC_INLINE void
collide_row(const LacLatticeGrid *grid, Rates rates, const Real *f, Real *t)
{
  const size_t plane = grid->plane, stride = grid->stride, n = grid->nx;
  const Real  *f0 = f, *f1 = f + plane - 1, *f2 = f + 2 * plane - stride, *f3 = f + 3 * plane + 1;
  const Real  *f4 = f + 4 * plane + stride, *f5 = f + 5 * plane - stride - 1;
  const Real  *f6 = f + 6 * plane - stride + 1, *f7 = f + 7 * plane + stride + 1;
  const Real  *f8 = f + 8 * plane + stride - 1;
  Real        *t1 = t + plane, *t2 = t1 + plane, *t3 = t2 + plane, *t4 = t3 + plane;
  Real        *t5 = t4 + plane, *t6 = t5 + plane, *t7 = t6 + plane, *t8 = t7 + plane;

#pragma omp simd
  for (size_t x = 0; x < n; x++) {
    Real       h0 = f0[x], h1 = f1[x], h2 = f2[x], h3 = f3[x], h4 = f4[x];
    Real       h5 = f5[x], h6 = f6[x], h7 = f7[x], h8 = f8[x];
    const Real density = h0 + (h1 + h3) + (h2 + h4) + (h5 + h7) + (h6 + h8);
    const Real u = (h1 - h3) + (h5 - h7) + (h8 - h6), v = (h2 - h4) + (h5 - h7) + (h6 - h8);
    const Real common = density - (Real) 1.5 * (u * u + v * v);

    h0 -= 2 * rates.even * (h0 - W0 * common);
    relax(rates, WS, common, u, &h1, &h3);
    relax(rates, WS, common, v, &h2, &h4);
    relax(rates, WD, common, u + v, &h5, &h7);
    relax(rates, WD, common, v - u, &h6, &h8);
    t[x] = h0;
    t1[x] = h1;
    t2[x] = h2;
    t3[x] = h3;
    t4[x] = h4;
    t5[x] = h5;
    t6[x] = h6;
    t7[x] = h7;
    t8[x] = h8;
  }
}

static void
collide(const LacLatticeGrid *grid,
        const double          omega[2],
        const void           *from,
        void                 *to,
        size_t                first,
        size_t                last)
{
  const Rates rates = {(Real) (omega[0] / 2), (Real) (omega[1] / 2)};

  for (size_t y = first; y < last; y++) {
    const size_t at = grid->origin + y * grid->stride;

    collide_row(grid, rates, (const Real *) from + at, (Real *) to + at);
  }
}

static void
link_ghosts(const LacLatticeLink *links, size_t n, void *populations)
{
  Real *h = populations;

  for (size_t i = 0; i < n; i++)
    h[links[i].to] = (Real) links[i].a * h[links[i].from1] + (Real) links[i].b * h[links[i].from2] +
                     (Real) links[i].c;
}

static void
rest(const LacLatticeGrid *grid, const uint32_t *offsets, size_t n, void *populations)
{
  Real *h = populations;

  for (size_t k = 0; k < LAC_LATTICE_N; k++)
    for (size_t i = 0; i < n; i++)
      h[k * grid->plane + offsets[i]] = 0;
}

static void
impulse(const LacLatticeLink *links,
        const uint8_t        *directions,
        size_t                n,
        const void           *populations,
        double                sums[LAC_LATTICE_N])
{
  const Real *h = populations;

  for (size_t i = 0; i < n; i++)
    sums[directions[i]] += (double) h[links[i].from1] + (double) h[links[i].to];
}

static void
measure(const LacLatticeGrid *grid, const void *populations, double *moments)
{
  const size_t n = grid->nx * grid->ny;

  for (size_t y = 0; y < grid->ny; y++)
    for (size_t x = 0; x < grid->nx; x++) {
      const Real *at = (const Real *) populations + grid->origin + y * grid->stride + x;
      double      h[LAC_LATTICE_N], *to = moments + y * grid->nx + x;

      for (size_t k = 0; k < LAC_LATTICE_N; k++)
        h[k] = (double) at[k * grid->plane];
      to[0] = h[0] + (h[1] + h[3]) + (h[2] + h[4]) + (h[5] + h[7]) + (h[6] + h[8]);
      to[n] = (h[1] - h[3]) + (h[5] - h[7]) + (h[8] - h[6]);
      to[2 * n] = (h[2] - h[4]) + (h[5] - h[7]) + (h[6] - h[8]);
    }
}

static void
start(const LacLatticeGrid *grid, const double *moments, void *populations)
{
  const size_t n = grid->nx * grid->ny;
  const Rates  rates = {(Real) 0.5, (Real) 0.5}; /* relaxes in one step */

  for (size_t y = 0; y < grid->ny; y++)
    for (size_t x = 0; x < grid->nx; x++) {
      Real        *at = (Real *) populations + grid->origin + y * grid->stride + x;
      const size_t p = grid->plane, cell = y * grid->nx + x;
      const Real   u = (Real) moments[n + cell], v = (Real) moments[2 * n + cell];
      const Real   common = (Real) moments[cell] - (Real) 1.5 * (u * u + v * v);

      for (size_t k = 0; k < LAC_LATTICE_N; k++)
        at[k * p] = 0;
      at[0] = W0 * common;
      relax(rates, WS, common, u, &at[p], &at[3 * p]);
      relax(rates, WS, common, v, &at[2 * p], &at[4 * p]);
      relax(rates, WD, common, u + v, &at[5 * p], &at[7 * p]);
      relax(rates, WD, common, v - u, &at[6 * p], &at[8 * p]);
    }
}

const LacLatticeKernel LAC_JOIN(LAC_LEVEL, LAC_REAL_SUFFIX) = {
  .collide = collide,
  .link = link_ghosts,
  .rest = rest,
  .impulse = impulse,
  .measure = measure,
  .start = start,
};
