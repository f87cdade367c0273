/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by Parseval, shift, single modes and inversion; the vorticity kernels by fields with known derivatives
 * and by the formulas themselves. */
#include "backend/contract/private.h"

#include <math.h>
#include <string.h>

static LacFft
fft_of(LacContract *contract, gsize nx, gsize ny, gsize n_batch)
{
  LacFft fft = {contract->type, nx, ny, n_batch, NULL, NULL};

  lac_contract_ok(contract, contract->device.table->fft_prepare(contract->device.self, &fft));
  return fft;
}

/* sum |hat|^2 over the full spectrum of a real field, from its half */
static double
power(const double *hat, gsize nx, gsize ny)
{
  const gsize nxh = nx / 2 + 1;
  double      sum = 0;

  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nxh; i++) {
      const double *z = hat + 2 * (j * nxh + i);
      sum += (i == 0 || 2 * i == nx ? 1 : 2) * (z[0] * z[0] + z[1] * z[1]);
    }
  return sum;
}

static void
check_round_trip(LacContract       *contract,
                 LacFft            *fft,
                 LacContractBuffer *real,
                 LacContractBuffer *hat)
{
  const gsize        n = fft->nx * fft->ny;
  g_autofree double *before = g_memdup2(real->host, n * sizeof(double));
  double             energy = 0;

  fft->real = real->device;
  fft->spectrum = hat->device;
  lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, fft));
  lac_contract_fetch(contract, hat);
  for (gsize i = 0; i < n; i++)
    energy += before[i] * before[i];
  lac_contract_close(contract, power(hat->host, fft->nx, fft->ny), energy * n, energy * n,
                     16 + sqrt((double) n)); /* the reference's sums also round */
  lac_contract_ok(contract, contract->device.table->fft_inverse(contract->device.self, fft));
  lac_contract_fetch(contract, real);
  for (gsize i = 0; i < n; i++)
    lac_contract_close(contract, real->host[i], before[i], 1, 16);
}

/* Checks that a shift by (sx, sy) rotates the phase of each mode. */
static void
check_shift(LacContract *contract, LacFft *fft, LacContractBuffer *real, LacContractBuffer *hat)
{
  const gsize        nx = fft->nx, ny = fft->ny, nxh = nx / 2 + 1, sx = 3, sy = 2;
  g_autofree double *before = g_memdup2(real->host, nx * ny * sizeof(double));
  g_autofree double *unshifted = NULL;
  const double       size = 4 * sqrt((double) (nx * ny));

  lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, fft));
  lac_contract_fetch(contract, hat);
  unshifted = g_memdup2(hat->host, 2 * ny * nxh * sizeof(double));
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++)
      real->host[(j + sy) % ny * nx + (i + sx) % nx] = before[j * nx + i];
  lac_contract_upload(contract, real);
  lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, fft));
  lac_contract_fetch(contract, hat);
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nxh; i++) {
      const double *z = unshifted + 2 * (j * nxh + i), *shifted = hat->host + 2 * (j * nxh + i);
      const double  phase = -2 * G_PI * ((double) (i * sx) / nx + (double) (j * sy) / ny);
      lac_contract_close(contract, shifted[0], z[0] * cos(phase) - z[1] * sin(phase), size, 16);
      lac_contract_close(contract, shifted[1], z[0] * sin(phase) + z[1] * cos(phase), size, 16);
    }
}

/* cos(2 x + 3 y) is a single mode of half the number of points; the other half is its conjugate. */
static void
check_mode(LacContract *contract, LacFft *fft, LacContractBuffer *real, LacContractBuffer *hat)
{
  const gsize nx = fft->nx, ny = fft->ny, nxh = nx / 2 + 1;

  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++)
      real->host[j * nx + i] = cos(2 * G_PI * (2.0 * (double) i / nx + 3.0 * (double) j / ny));
  lac_contract_upload(contract, real);
  lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, fft));
  lac_contract_fetch(contract, hat);
  for (gsize i = 0; i < 2 * ny * nxh; i++)
    lac_contract_close(contract, hat->host[i], i == 2 * (3 * nxh + 2) ? 0.5 * nx * ny : 0,
                       (double) (nx * ny), 4);
}

static void
run_fft(LacContract *contract)
{
  const gsize sizes[][2] = {{16, 16}, {12, 20}, {15, 9}, {64, 64}};

  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
    LacFft             fft = fft_of(contract, sizes[s][0], sizes[s][1], 1);
    LacContractBuffer *real = lac_contract_random_buffer(contract, fft.nx * fft.ny, 1);
    LacContractBuffer *hat =
      lac_contract_constant_buffer(contract, 2 * fft.ny * (fft.nx / 2 + 1), NAN);

    check_round_trip(contract, &fft, real, hat);
    check_shift(contract, &fft, real, hat);
    check_mode(contract, &fft, real, hat);
    lac_contract_clear(contract);
  }
}

/* Checks that a batch equals its members bitwise, so that callers may split it over threads. */
static void
run_fft_batch(LacContract *contract)
{
  const gsize sizes[][2] = {{64, 64}, {15, 9}};

  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
    const gsize        nx = sizes[s][0], ny = sizes[s][1], n = nx * ny, nh = 2 * ny * (nx / 2 + 1);
    LacFft             fft = fft_of(contract, nx, ny, 3);
    LacContractBuffer *real = lac_contract_random_buffer(contract, 3 * n, 1);
    LacContractBuffer *hat = lac_contract_constant_buffer(contract, 3 * nh, NAN);
    g_autofree double *together = NULL;

    fft.real = real->device;
    fft.spectrum = hat->device;
    lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, &fft));
    lac_contract_fetch(contract, hat);
    together = g_memdup2(hat->host, 3 * nh * sizeof(double));
    fft.n_batch = 1;
    for (gsize b = 0; b < 3; b++) {
      fft.real = (char *) real->device + b * n * lac_type_size(contract->type);
      fft.spectrum = (char *) hat->device + b * nh * lac_type_size(contract->type);
      lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, &fft));
    }
    lac_contract_fetch(contract, hat);
    if (contract->device.table->concurrent)
      lac_contract_require(contract, memcmp(together, hat->host, 3 * nh * sizeof(double)) == 0);
    lac_contract_clear(contract);
  }
}

/* ---- vorticity ---- */

/* psi = cos(a x) sin(b y) + sin(x): u = psi_y, v = -psi_x, w = -lap psi, at grid point (i, j) */
typedef struct {
  double w, u, v, wx, wy;
} Flow;

static Flow
flow_at(double x, double y, double a, double b)
{
  const double k2 = a * a + b * b;

  return (Flow){
    .w = k2 * cos(a * x) * sin(b * y) + sin(x),
    .u = b * cos(a * x) * cos(b * y),
    .v = a * sin(a * x) * sin(b * y) - cos(x),
    .wx = -k2 * a * sin(a * x) * sin(b * y) + cos(x),
    .wy = k2 * b * cos(a * x) * cos(b * y),
  };
}

/* Computes the advection of vorticity of known flows from their vorticity, through all kernels. */
static void
check_flow(LacContract *contract, gsize nx, gsize ny, gboolean unscaled)
{
  enum { MEMBERS = 10 };
  const gsize        n = nx * ny, nh = 2 * ny * (nx / 2 + 1);
  LacFft             fft = fft_of(contract, nx, ny, MEMBERS);
  LacContractBuffer *w = lac_contract_constant_buffer(contract, MEMBERS * n, 0);
  LacContractBuffer *w_hat = lac_contract_constant_buffer(contract, MEMBERS * nh, NAN);
  LacContractBuffer *fields = lac_contract_constant_buffer(contract, 4 * MEMBERS * nh, NAN);
  LacContractBuffer *physical = lac_contract_constant_buffer(contract, 4 * MEMBERS * n, NAN);
  LacContractBuffer *product = lac_contract_constant_buffer(contract, MEMBERS * n, NAN);
  LacVorticity       args = {
          contract->type,  nx, ny, MEMBERS, w_hat->device, fields->device, physical->device,
          product->device, 1};
  const double factor = unscaled ? (double) n : 1;

  for (gsize i = 0; i < MEMBERS * n; i++)
    w->host[i] =
      flow_at(2 * G_PI * (i % nx) / nx, 2 * G_PI * (i / nx % ny) / ny, 2, 1 + i / n % 3).w;
  lac_contract_upload(contract, w);
  fft.real = w->device;
  fft.spectrum = w_hat->device;
  lac_contract_ok(contract, contract->device.table->fft_forward(contract->device.self, &fft));
  lac_contract_ok(contract, contract->device.table->vorticity_derive(contract->device.self, &args));
  args.scale = 1 / (factor * factor);
  fft.unscaled = unscaled;
  fft.n_batch = 4 * MEMBERS;
  fft.real = physical->device;
  fft.spectrum = fields->device;
  lac_contract_fetch(contract, fields);
  lac_contract_ok(contract, contract->device.table->fft_inverse(contract->device.self, &fft));
  lac_contract_ok(contract, contract->device.table->vorticity_advect(contract->device.self, &args));
  lac_contract_fetch(contract, physical);
  lac_contract_fetch(contract, product);
  for (gsize i = 0; i < MEMBERS * n; i++) {
    const gsize   member = i / n, at = i % n;
    const double *here = physical->host + 4 * member * n + at;
    const Flow f = flow_at(2 * G_PI * (at % nx) / nx, 2 * G_PI * (at / nx) / ny, 2, 1 + member % 3);
    lac_contract_close(
      contract, here[0] / factor, f.u, 64,
      16); /* w_hat rounds at size 13, at every level, and is multiplied by up to 3 */
    lac_contract_close(contract, here[n] / factor, f.v, 64, 16);
    lac_contract_close(contract, here[2 * n] / factor, f.wx, 64, 16);
    lac_contract_close(contract, here[3 * n] / factor, f.wy, 64, 16);
    lac_contract_close(contract, product->host[i], f.u * f.wx + f.v * f.wy, 2000, 4);
  }
  lac_contract_clear(contract);
}

/* Checks that modes at the Nyquist wavenumbers and the mean have zero derivative. */
static void
check_nyquist(LacContract *contract)
{
  enum { NX = 8, NY = 6, NXH = NX / 2 + 1 };
  LacContractBuffer *w_hat = lac_contract_constant_buffer(contract, 2 * NY * NXH, 1);
  LacContractBuffer *fields = lac_contract_constant_buffer(contract, 4 * 2 * NY * NXH, NAN);
  LacVorticity       args = {.type = contract->type,
                             .nx = NX,
                             .ny = NY,
                             .n_batch = 1,
                             .vorticity = w_hat->device,
                             .fields = fields->device};

  lac_contract_ok(contract, contract->device.table->vorticity_derive(contract->device.self, &args));
  lac_contract_fetch(contract, fields);
  for (gsize j = 0; j < NY; j++)
    for (gsize i = 0; i < NXH; i++)
      for (gsize field = 0; field < 4; field++) {
        const double  kx = i == NX / 2 ? 0 : (double) i;
        const double  ky = 2 * j == NY ? 0 : 2 * j < NY ? (double) j : (double) j - NY;
        const double  row = 2 * j == NY ? NY / 2 : ky;
        const double  k2 = (double) (i * i) + row * row, inverse = k2 > 0 ? 1 / k2 : 0;
        const double  factor[4] = {ky * inverse, -kx * inverse, kx, ky};
        const double *z = fields->host + 2 * ((field * NY + j) * NXH + i);
        lac_contract_close(contract, z[0], -factor[field], 1, 2); /* i (1 + i) = -1 + i */
        lac_contract_close(contract, z[1], factor[field], 1, 2);
      }
  lac_contract_clear(contract);
}

static void
run_vorticity(LacContract *contract)
{
  check_flow(contract, 32, 32, FALSE);
  check_flow(contract, 20, 12, FALSE);
  check_flow(contract, 20, 12, TRUE);
  check_nyquist(contract);
}

/* ---- Runge-Kutta ---- */

typedef struct {
  gsize              n_modes, n_batch, stride;
  double             dt;
  LacContractBuffer *slope, *w, *decay, *half, *mask, *forcing, *sum, *next;
} Step;

/* Computes the expected sum and next after `stage`, from the header's formulas. */
static void
check_stage(const LacContract *contract, const Step *s, int stage, const double *sum_before)
{
  for (gsize i = 0; i < 2 * s->n_modes * s->n_batch; i++) {
    const gsize  member = i / (2 * s->n_modes), mode = i / 2 % s->n_modes;
    const double e = s->decay->host[member * s->stride + mode],
                 h = s->half->host[member * s->stride + mode];
    const double w = s->w->host[i], dt = s->dt;
    const double n =
      s->forcing->host[i % (2 * s->n_modes)] - s->mask->host[mode] * s->slope->host[i];
    const double sums[] = {e * (w + dt / 6 * n), sum_before[i] + dt / 3 * h * n,
                           sum_before[i] + dt / 3 * h * n, sum_before[i]};
    const double nexts[] = {h * (w + dt / 2 * n), h * w + dt / 2 * n, e * w + dt * h * n,
                            sum_before[i] + dt / 6 * n};
    if (stage < 3) /* after the last stage the sum is unused */
      lac_contract_close(contract, s->sum->host[i], sums[stage], 2, 4);
    lac_contract_close(contract, s->next->host[i], nexts[stage], 2, 4);
  }
}

static void
check_step(LacContract *contract, gboolean own_viscosities)
{
  const gsize nx = 10, ny = 6, n_modes = ny * (nx / 2 + 1), n_batch = 3;
  const gsize stride = own_viscosities ? n_modes : 0, n = 2 * n_modes * n_batch;
  Step        s = {.n_modes = n_modes, .n_batch = n_batch, .stride = stride, .dt = 0.125};

  s.slope = lac_contract_random_buffer(contract, n, 1);
  s.w = lac_contract_random_buffer(contract, n, 1);
  s.decay = lac_contract_random_buffer(contract, n_modes + (n_batch - 1) * stride, 1);
  s.half = lac_contract_random_buffer(contract, n_modes + (n_batch - 1) * stride, 1);
  s.mask = lac_contract_random_buffer(contract, n_modes, 1);
  s.forcing = lac_contract_random_buffer(contract, 2 * n_modes, 1);
  s.sum = lac_contract_constant_buffer(contract, n, NAN);
  s.next = lac_contract_constant_buffer(contract, n, NAN);
  for (int stage = 0; stage < 4; stage++) {
    g_autofree double *before = g_memdup2(s.sum->host, n * sizeof(double));
    LacRk4Stage        args = {contract->type,
                               nx,
                               ny,
                               n_batch,
                               stage,
                               s.dt,
                               s.slope->device,
                               s.w->device,
                               s.decay->device,
                               s.half->device,
                               stride,
                               s.mask->device,
                               s.forcing->device,
                               s.sum->device,
                               s.next->device};

    lac_contract_ok(contract, contract->device.table->rk4_stage(contract->device.self, &args));
    lac_contract_fetch(contract, s.sum);
    lac_contract_fetch(contract, s.next);
    check_stage(contract, &s, stage, before);
  }
  lac_contract_clear(contract);
}

static void
run_rk4_stage(LacContract *contract)
{
  check_step(contract, FALSE);
  check_step(contract, TRUE);
}

const LacContractRow lac_contract_spectral_rows[] = {
  {"fft-parseval-shift-and-back", run_fft},
  {"fft-batch-is-its-members", run_fft_batch},
  {"vorticity-of-known-flows", run_vorticity},
  {"rk4-stage", run_rk4_stage},
  {NULL},
};
