/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointwise parts of the pseudo-spectral vorticity equation: one pass each. Complex numbers are pairs. */
#include "backend/cpu/loops/real.h"

#define STRIP   64 /* wavenumbers per strip */
#define MEMBERS 8  /* members sharing the factors of a strip */

/* Factors of i w for u, v, w_x, w_y, each stored twice, for the real and the imaginary part. */
typedef Real Factors[4][2 * STRIP];

typedef struct {
  size_t row, first, n;
} Strip;

/* Signed wavenumber of row y */
static double
wavenumber(size_t y, size_t ny)
{
  return 2 * y <= ny ? (double) y : (double) y - (double) ny;
}

static void
make_factors(const LacVorticity *args, const Strip *strip, Factors factors)
{
  const double ky = wavenumber(strip->row, args->ny);
  const Real   ky_derivative = 2 * strip->row == args->ny ? 0 : R(ky); /* Nyquist: sign undefined */
  const Real   ky2 = R(ky * ky);
  Real         kx[STRIP], inverse[STRIP];

  LAC_SIMD for (size_t j = 0; j < strip->n; j++)
  {
    kx[j] = R((int) (strip->first + j));
    inverse[j] = R(1) / (kx[j] * kx[j] + ky2);
  }
  if (strip->first == 0 && strip->row == 0)
    inverse[0] = 0; /* psi has zero mean */
  if (2 * (strip->first + strip->n - 1) == args->nx)
    kx[strip->n - 1] = 0;
  for (size_t j = 0; j < strip->n; j++)
    for (size_t part = 0; part < 2; part++) {
      factors[0][2 * j + part] = ky_derivative * inverse[j];
      factors[1][2 * j + part] = -kx[j] * inverse[j];
      factors[2][2 * j + part] = kx[j];
      factors[3][2 * j + part] = ky_derivative;
    }
}

void
LAC_LOOP(vorticity_derive)(const LacVorticity *args)
{
  const size_t nxh = args->nx / 2 + 1, n = args->ny * nxh;
  Factors      factors;
  Real         rotated[2 * STRIP]; /* i w */

  for (size_t group = 0; group < args->n_batch; group += MEMBERS)
    for (Strip strip = {0, 0, 0}; strip.row < args->ny; strip.row++)
      for (strip.first = 0; strip.first < nxh; strip.first += STRIP) {
        const size_t last = LAC_MIN(group + MEMBERS, args->n_batch);
        strip.n = LAC_MIN(STRIP, nxh - strip.first);
        make_factors(args, &strip, factors);
        for (size_t b = group; b < last; b++) {
          const size_t at = strip.row * nxh + strip.first;
          const Real  *w = (const Real *) args->vorticity + 2 * (b * n + at);
          LAC_SIMD for (size_t j = 0; j < strip.n; j++)
          {
            rotated[2 * j] = -w[2 * j + 1];
            rotated[2 * j + 1] = w[2 * j];
          }
          for (size_t field = 0; field < 4; field++) {
            Real *out = (Real *) args->fields + 2 * ((4 * b + field) * n + at);
            LAC_SIMD for (size_t i = 0; i < 2 * strip.n; i++) out[i] =
              factors[field][i] * rotated[i];
          }
        }
      }
}

void
LAC_LOOP(vorticity_advect)(const LacVorticity *args)
{
  const size_t n = args->nx * args->ny;
  const Real   scale = R(args->scale);

  for (size_t b = 0; b < args->n_batch; b++) {
    const Real *u = (const Real *) args->physical + 4 * b * n;
    const Real *v = u + n, *wx = v + n, *wy = wx + n;
    Real       *product = (Real *) args->product + b * n;
    LAC_SIMD for (size_t i = 0; i < n; i++) product[i] = scale * (u[i] * wx[i] + v[i] * wy[i]);
  }
}

/* A strip of one member's arrays, as pairs; real factors are stored twice, for both parts. */
typedef struct {
  size_t      n; /* real elements, twice the wavenumbers */
  Real        dt;
  Real        decay[2 * STRIP], half[2 * STRIP], mask[2 * STRIP];
  const Real *product, *w, *forcing;
  Real       *sum, *next;
} Stage;

static void
write_twice(const Real *from, size_t n, Real *to)
{
  LAC_SIMD for (size_t j = 0; j < n; j++)
  {
    to[2 * j] = from[j];
    to[2 * j + 1] = from[j];
  }
}

/* sum accumulates E w + dt/6 (E a + 2 E_half (b + c)); w may alias next. */
LAC_INLINE void
run_stage(const Stage *s, int stage)
{
  const Real  dt = s->dt, dt_half = R(0.5) * dt, dt_third = dt / R(3), dt_sixth = dt / R(6);
  const Real *product = s->product, *w = s->w, *decay = s->decay, *half = s->half;
  const Real *mask = s->mask, *forcing = s->forcing;
  Real       *sum = s->sum, *next = s->next;

  LAC_SIMD for (size_t i = 0; i < s->n; i++)
  {
    const Real slope = forcing[i] - mask[i] * product[i];
    switch (stage) {
    case 0:
      sum[i] = decay[i] * (w[i] + dt_sixth * slope);
      next[i] = half[i] * (w[i] + dt_half * slope);
      break;
    case 1:
      sum[i] += dt_third * half[i] * slope;
      next[i] = half[i] * w[i] + dt_half * slope;
      break;
    case 2:
      sum[i] += dt_third * half[i] * slope;
      next[i] = decay[i] * w[i] + dt * half[i] * slope;
      break;
    default: next[i] = sum[i] + dt_sixth * slope;
    }
  }
}

static void
run_strip(const Stage *s, int stage)
{
  switch (stage) {
  case 0: run_stage(s, 0); break;
  case 1: run_stage(s, 1); break;
  case 2: run_stage(s, 2); break;
  default: run_stage(s, 3);
  }
}

void
LAC_LOOP(rk4_stage)(const LacRk4Stage *args)
{
  const size_t n = args->ny * (args->nx / 2 + 1);
  Stage        s = {.dt = R(args->dt)};

  for (size_t group = 0; group < args->n_batch; group += MEMBERS)
    for (size_t first = 0; first < n; first += STRIP) {
      const size_t last = LAC_MIN(group + MEMBERS, args->n_batch),
                   modes = LAC_MIN(STRIP, n - first);

      s.n = 2 * modes;
      s.forcing = (const Real *) args->forcing + 2 * first;
      write_twice((const Real *) args->mask + first, modes, s.mask);
      for (size_t b = group; b < last; b++) {
        const size_t at = 2 * (b * n + first), decay_at = b * args->decay_stride + first;
        if (b == group || args->decay_stride) {
          write_twice((const Real *) args->decay + decay_at, modes, s.decay);
          write_twice((const Real *) args->decay_half + decay_at, modes, s.half);
        }
        s.product = (const Real *) args->product_hat + at;
        s.w = (const Real *) args->vorticity + at;
        s.sum = (Real *) args->sum + at;
        s.next = (Real *) args->next + at;
        run_strip(&s, args->stage);
      }
    }
}
