/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by Parseval, shift, single modes and the way back; the vorticity kernels by fields whose derivatives
 * are known and by the formulas themselves. */
#include "backend-bench.h"

#include <math.h>
#include <string.h>

static LacFft
fft_of(Bench *bench, gsize nx, gsize ny, gsize n_batch)
{
  LacFft fft = {bench->type, nx, ny, n_batch, NULL, NULL};

  bench_ok(bench->device.table->fft_prepare(bench->device.self, &fft));
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
check_round_trip(Bench *bench, LacFft *fft, Buffer *real, Buffer *hat)
{
  const gsize        n = fft->nx * fft->ny;
  g_autofree double *before = g_memdup2(real->host, n * sizeof(double));
  double             energy = 0;

  fft->real = real->device;
  fft->spectrum = hat->device;
  bench_ok(bench->device.table->fft_forward(bench->device.self, fft));
  bench_fetch(bench, hat);
  for (gsize i = 0; i < n; i++)
    energy += before[i] * before[i];
  bench_close(bench, power(hat->host, fft->nx, fft->ny), energy * n, energy * n,
              16 + sqrt((double) n)); /* the sums of the reference round too */
  bench_ok(bench->device.table->fft_inverse(bench->device.self, fft));
  bench_fetch(bench, real);
  for (gsize i = 0; i < n; i++)
    bench_close(bench, real->host[i], before[i], 1, 16);
}

/* A shift by (sx, sy) turns the phase of each mode. */
static void
check_shift(Bench *bench, LacFft *fft, Buffer *real, Buffer *hat)
{
  const gsize        nx = fft->nx, ny = fft->ny, nxh = nx / 2 + 1, sx = 3, sy = 2;
  g_autofree double *before = g_memdup2(real->host, nx * ny * sizeof(double));
  g_autofree double *unshifted = NULL;
  const double       size = 4 * sqrt((double) (nx * ny));

  bench_ok(bench->device.table->fft_forward(bench->device.self, fft));
  bench_fetch(bench, hat);
  unshifted = g_memdup2(hat->host, 2 * ny * nxh * sizeof(double));
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++)
      real->host[(j + sy) % ny * nx + (i + sx) % nx] = before[j * nx + i];
  bench_upload(bench, real);
  bench_ok(bench->device.table->fft_forward(bench->device.self, fft));
  bench_fetch(bench, hat);
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nxh; i++) {
      const double *z = unshifted + 2 * (j * nxh + i), *shifted = hat->host + 2 * (j * nxh + i);
      const double  phase = -2 * G_PI * ((double) (i * sx) / nx + (double) (j * sy) / ny);
      bench_close(bench, shifted[0], z[0] * cos(phase) - z[1] * sin(phase), size, 16);
      bench_close(bench, shifted[1], z[0] * sin(phase) + z[1] * cos(phase), size, 16);
    }
}

/* cos(2 x + 3 y) is one mode, with half of the points in it; the other half is its conjugate. */
static void
check_mode(Bench *bench, LacFft *fft, Buffer *real, Buffer *hat)
{
  const gsize nx = fft->nx, ny = fft->ny, nxh = nx / 2 + 1;

  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++)
      real->host[j * nx + i] = cos(2 * G_PI * (2.0 * (double) i / nx + 3.0 * (double) j / ny));
  bench_upload(bench, real);
  bench_ok(bench->device.table->fft_forward(bench->device.self, fft));
  bench_fetch(bench, hat);
  for (gsize i = 0; i < 2 * ny * nxh; i++)
    bench_close(bench, hat->host[i], i == 2 * (3 * nxh + 2) ? 0.5 * nx * ny : 0, (double) (nx * ny),
                4);
}

void
case_fft(Bench *bench)
{
  const gsize sizes[][2] = {{16, 16}, {12, 20}, {15, 9}, {64, 64}};

  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
    LacFft  fft = fft_of(bench, sizes[s][0], sizes[s][1], 1);
    Buffer *real = bench_random_buffer(bench, fft.nx * fft.ny, 1);
    Buffer *hat = bench_constant_buffer(bench, 2 * fft.ny * (fft.nx / 2 + 1), NAN);

    check_round_trip(bench, &fft, real, hat);
    check_shift(bench, &fft, real, hat);
    check_mode(bench, &fft, real, hat);
    bench_clear(bench);
  }
}

/* A batch is its members, to the bit, so that callers may split it over threads. */
void
case_fft_batch(Bench *bench)
{
  const gsize sizes[][2] = {{64, 64}, {15, 9}};

  for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
    const gsize        nx = sizes[s][0], ny = sizes[s][1], n = nx * ny, nh = 2 * ny * (nx / 2 + 1);
    LacFft             fft = fft_of(bench, nx, ny, 3);
    Buffer            *real = bench_random_buffer(bench, 3 * n, 1);
    Buffer            *hat = bench_constant_buffer(bench, 3 * nh, NAN);
    g_autofree double *together = NULL;

    fft.real = real->device;
    fft.spectrum = hat->device;
    bench_ok(bench->device.table->fft_forward(bench->device.self, &fft));
    bench_fetch(bench, hat);
    together = g_memdup2(hat->host, 3 * nh * sizeof(double));
    fft.n_batch = 1;
    for (gsize b = 0; b < 3; b++) {
      fft.real = (char *) real->device + b * n * lac_type_size(bench->type);
      fft.spectrum = (char *) hat->device + b * nh * lac_type_size(bench->type);
      bench_ok(bench->device.table->fft_forward(bench->device.self, &fft));
    }
    bench_fetch(bench, hat);
    if (bench->device.table->concurrent)
      g_assert_cmpint(memcmp(together, hat->host, 3 * nh * sizeof(double)), ==, 0);
    bench_clear(bench);
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

/* From the vorticity of known flows to the advection of vorticity, through all kernels on the way. */
static void
check_flow(Bench *bench, gsize nx, gsize ny)
{
  enum { MEMBERS = 10 };
  const gsize  n = nx * ny, nh = 2 * ny * (nx / 2 + 1);
  LacFft       fft = fft_of(bench, nx, ny, MEMBERS);
  Buffer      *w = bench_constant_buffer(bench, MEMBERS * n, 0);
  Buffer      *w_hat = bench_constant_buffer(bench, MEMBERS * nh, NAN);
  Buffer      *fields = bench_constant_buffer(bench, 4 * MEMBERS * nh, NAN);
  Buffer      *physical = bench_constant_buffer(bench, 4 * MEMBERS * n, NAN);
  Buffer      *product = bench_constant_buffer(bench, MEMBERS * n, NAN);
  LacVorticity args = {
    bench->type, nx, ny, MEMBERS, w_hat->device, fields->device, physical->device, product->device};

  for (gsize i = 0; i < MEMBERS * n; i++)
    w->host[i] =
      flow_at(2 * G_PI * (i % nx) / nx, 2 * G_PI * (i / nx % ny) / ny, 2, 1 + i / n % 3).w;
  bench_upload(bench, w);
  fft.real = w->device;
  fft.spectrum = w_hat->device;
  bench_ok(bench->device.table->fft_forward(bench->device.self, &fft));
  bench_ok(bench->device.table->vorticity_derive(bench->device.self, &args));
  fft.n_batch = 4 * MEMBERS;
  fft.real = physical->device;
  fft.spectrum = fields->device;
  bench_fetch(bench, fields);
  bench_ok(bench->device.table->fft_inverse(bench->device.self, &fft));
  bench_ok(bench->device.table->vorticity_advect(bench->device.self, &args));
  bench_fetch(bench, physical);
  bench_fetch(bench, product);
  for (gsize i = 0; i < MEMBERS * n; i++) {
    const gsize   member = i / n, at = i % n;
    const double *here = physical->host + 4 * member * n + at;
    const Flow f = flow_at(2 * G_PI * (at % nx) / nx, 2 * G_PI * (at / nx) / ny, 2, 1 + member % 3);
    bench_close(bench, here[0], f.u, 64,
                16); /* w_hat rounds at 13, at every level, and is multiplied by up to 3 */
    bench_close(bench, here[n], f.v, 64, 16);
    bench_close(bench, here[2 * n], f.wx, 64, 16);
    bench_close(bench, here[3 * n], f.wy, 64, 16);
    bench_close(bench, product->host[i], f.u * f.wx + f.v * f.wy, 2000, 4);
  }
  bench_clear(bench);
}

/* Modes at the Nyquist wavenumbers have no derivative there, the mean has none either. */
static void
check_nyquist(Bench *bench)
{
  enum { NX = 8, NY = 6, NXH = NX / 2 + 1 };
  Buffer      *w_hat = bench_constant_buffer(bench, 2 * NY * NXH, 1);
  Buffer      *fields = bench_constant_buffer(bench, 4 * 2 * NY * NXH, NAN);
  LacVorticity args = {.type = bench->type,
                       .nx = NX,
                       .ny = NY,
                       .n_batch = 1,
                       .vorticity = w_hat->device,
                       .fields = fields->device};

  bench_ok(bench->device.table->vorticity_derive(bench->device.self, &args));
  bench_fetch(bench, fields);
  for (gsize j = 0; j < NY; j++)
    for (gsize i = 0; i < NXH; i++)
      for (gsize field = 0; field < 4; field++) {
        const double  kx = i == NX / 2 ? 0 : (double) i;
        const double  ky = 2 * j == NY ? 0 : 2 * j < NY ? (double) j : (double) j - NY;
        const double  row = 2 * j == NY ? NY / 2 : ky;
        const double  k2 = (double) (i * i) + row * row, inverse = k2 > 0 ? 1 / k2 : 0;
        const double  factor[4] = {ky * inverse, -kx * inverse, kx, ky};
        const double *z = fields->host + 2 * ((field * NY + j) * NXH + i);
        bench_close(bench, z[0], -factor[field], 1, 2); /* i (1 + i) = -1 + i */
        bench_close(bench, z[1], factor[field], 1, 2);
      }
  bench_clear(bench);
}

void
case_vorticity(Bench *bench)
{
  check_flow(bench, 32, 32);
  check_flow(bench, 20, 12);
  check_nyquist(bench);
}

/* ---- Runge-Kutta ---- */

typedef struct {
  gsize   n_modes, n_batch, stride;
  double  dt;
  Buffer *slope, *w, *decay, *half, *mask, *forcing, *sum, *next;
} Step;

/* Expected sum and next after `stage`, from the formulas of the header. */
static void
check_stage(const Bench *bench, const Step *s, int stage, const double *sum_before)
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
    if (stage < 3) /* after the last stage the sum is of no more use */
      bench_close(bench, s->sum->host[i], sums[stage], 2, 4);
    bench_close(bench, s->next->host[i], nexts[stage], 2, 4);
  }
}

static void
check_step(Bench *bench, gboolean own_viscosities)
{
  const gsize nx = 10, ny = 6, n_modes = ny * (nx / 2 + 1), n_batch = 3;
  const gsize stride = own_viscosities ? n_modes : 0, n = 2 * n_modes * n_batch;
  Step        s = {.n_modes = n_modes, .n_batch = n_batch, .stride = stride, .dt = 0.125};

  s.slope = bench_random_buffer(bench, n, 1);
  s.w = bench_random_buffer(bench, n, 1);
  s.decay = bench_random_buffer(bench, n_modes + (n_batch - 1) * stride, 1);
  s.half = bench_random_buffer(bench, n_modes + (n_batch - 1) * stride, 1);
  s.mask = bench_random_buffer(bench, n_modes, 1);
  s.forcing = bench_random_buffer(bench, 2 * n_modes, 1);
  s.sum = bench_constant_buffer(bench, n, NAN);
  s.next = bench_constant_buffer(bench, n, NAN);
  for (int stage = 0; stage < 4; stage++) {
    g_autofree double *before = g_memdup2(s.sum->host, n * sizeof(double));
    LacRk4Stage        args = {bench->type,
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

    bench_ok(bench->device.table->rk4_stage(bench->device.self, &args));
    bench_fetch(bench, s.sum);
    bench_fetch(bench, s.next);
    check_stage(bench, &s, stage, before);
  }
  bench_clear(bench);
}

void
case_rk4_stage(Bench *bench)
{
  check_step(bench, FALSE);
  check_step(bench, TRUE);
}
