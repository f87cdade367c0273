/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy spectra with a small Fourier transform of any length, for occasional use in the display. The methods use
 * FFTW, through backend/. */
#include "field/spectrum.h"

#include <math.h>

typedef struct {
  double re, im;
} Complex;

typedef struct {
  gsize    n;
  Complex *twiddles; /* [n] exp(-2 pi i k / n) */
  Complex *scratch;  /* [n] */
} Plan;

gsize
lac_spectrum_get_n_shells(gsize n)
{
  double half = (double) (n / 2);
  return (gsize) floor(G_SQRT2 * half + 0.5) + 1;
}

static gsize
smallest_factor(gsize n)
{
  for (gsize p = 2; p * p <= n; p++)
    if (n % p == 0)
      return p;
  return n;
}

/* Combines @p transforms of length n / p, stored one after another in @out, into one of length @n. */
static void
join(const Plan *plan, Complex *out, gsize n, gsize p)
{
  gsize m = n / p, step = plan->n / n;
  for (gsize k = 0; k < m; k++) {
    for (gsize r = 0; r < p; r++)
      plan->scratch[r] = out[r * m + k];
    for (gsize q = 0; q < p; q++) {
      Complex sum = {0, 0};
      for (gsize r = 0; r < p; r++) {
        Complex w = plan->twiddles[(r * (q * m + k) % n) * step], x = plan->scratch[r];
        sum.re += w.re * x.re - w.im * x.im;
        sum.im += w.re * x.im + w.im * x.re;
      }
      out[q * m + k] = sum;
    }
  }
}

/* Cooley-Tukey, decimation in time by the smallest prime factor. */
static void
transform(const Plan *plan, const Complex *in, gsize stride, Complex *out, gsize n)
{
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  gsize p = smallest_factor(n), m = n / p;
  for (gsize r = 0; r < p; r++)
    transform(plan, in + r * stride, stride * p, out + r * m, m);
  join(plan, out, n, p);
}

static Plan
make_plan(gsize n)
{
  Plan plan = {n, g_new(Complex, n), g_new(Complex, n)};
  for (gsize k = 0; k < n; k++)
    plan.twiddles[k] =
      (Complex){cos(2 * G_PI * (double) k / (double) n), -sin(2 * G_PI * (double) k / (double) n)};
  return plan;
}

static void
clear_plan(Plan *plan)
{
  g_free(plan->twiddles);
  g_free(plan->scratch);
}

/* Transforms the rows of [ny][nx] in place. */
static void
transform_rows(Complex *plane, gsize nx, gsize ny)
{
  Plan                plan = make_plan(nx);
  g_autofree Complex *line = g_new(Complex, nx);
  for (gsize j = 0; j < ny; j++) {
    transform(&plan, plane + j * nx, 1, line, nx);
    for (gsize i = 0; i < nx; i++)
      plane[j * nx + i] = line[i];
  }
  clear_plan(&plan);
}

static void
transform_columns(Complex *plane, gsize nx, gsize ny)
{
  Plan                plan = make_plan(ny);
  g_autofree Complex *line = g_new(Complex, ny);
  for (gsize i = 0; i < nx; i++) {
    transform(&plan, plane + i, nx, line, ny);
    for (gsize j = 0; j < ny; j++)
      plane[j * nx + i] = line[j];
  }
  clear_plan(&plan);
}

/* @v: (nullable). Transforms two real fields as one complex field: |z_k|^2 + |z_-k|^2 = 2 (|u_k|^2 + |v_k|^2), and a
 * shell contains both k and -k. @length: of the period, if modes are divided by their squared wavenumber; otherwise
 * 0. */
static gboolean
sum_shells(const float *u, const float *v, gsize n, double length, double *energy)
{
  g_autofree Complex *plane = g_new(Complex, n * n);
  for (gsize i = 0; i < n * n; i++) {
    plane[i] = (Complex){(double) u[i], v != NULL ? (double) v[i] : 0};
    if (!isfinite(plane[i].re) || !isfinite(plane[i].im))
      return FALSE;
  }
  transform_rows(plane, n, n);
  transform_columns(plane, n, n);
  for (gsize k = 0; k < lac_spectrum_get_n_shells(n); k++)
    energy[k] = 0;
  double modes = (double) n * (double) n;
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++) {
      double  kx = (double) MIN(i, n - i), ky = (double) MIN(j, n - j), square = kx * kx + ky * ky;
      Complex z = plane[j * n + i];
      double  part = 0.5 * (z.re * z.re + z.im * z.im) / (modes * modes);
      if (length > 0) {
        double unit = 2 * G_PI / length;
        part = square > 0 ? part / (square * unit * unit) : 0;
      }
      energy[(gsize) floor(sqrt(square) + 0.5)] += part;
    }
  return TRUE;
}

gboolean
lac_spectrum_velocity(const float *u, const float *v, gsize n, double *energy)
{
  g_return_val_if_fail(u != NULL && v != NULL && n > 0 && energy != NULL, FALSE);
  return sum_shells(u, v, n, 0, energy);
}

gboolean
lac_spectrum_vorticity(const float *w, gsize n, double length, double *energy)
{
  g_return_val_if_fail(w != NULL && n > 0 && length > 0 && energy != NULL, FALSE);
  return sum_shells(w, NULL, n, length, energy);
}

/* ---- of any plane ---- */

static double
rim_to_rim(double low, double high, gsize n)
{
  return n > 1 ? (high - low) * (double) n / (double) (n - 1) : 0;
}

/* Returns the Hann window, normalised to mean square 1 over @n points. */
static double
window_at(gsize i, gsize n)
{
  return sqrt(2.0 / 3) * (1 - cos(2 * G_PI * ((double) i + 0.5) / (double) n));
}

LacPowerShells
lac_power_shells(const LacPlane *plane, LacPowerKind kind)
{
  double width = rim_to_rim(plane->x_min, plane->x_max, plane->nx);
  double height = rim_to_rim(plane->y_min, plane->y_max, plane->ny);
  double nx = (double) (plane->nx / 2), ny = (double) (plane->ny / 2);
  if (kind == LAC_POWER_ALONG_X)
    return (LacPowerShells){plane->nx / 2 + 1, width > 0 ? 2 * G_PI / width : 1};
  if (kind == LAC_POWER_ALONG_Y)
    return (LacPowerShells){plane->ny / 2 + 1, height > 0 ? 2 * G_PI / height : 1};
  if (!(width > 0) || !(height > 0))
    return (LacPowerShells){0, 1};
  double longer = MAX(width, height);
  double most = hypot(nx * longer / width, ny * longer / height);
  return (LacPowerShells){(gsize) floor(most + 0.5) + 1, 2 * G_PI / longer};
}

static void
sum_power(const Complex *modes, const LacPlane *plane, LacPowerKind kind, double *power)
{
  gsize  nx = plane->nx, ny = plane->ny;
  double width = rim_to_rim(plane->x_min, plane->x_max, nx);
  double height = rim_to_rim(plane->y_min, plane->y_max, ny), longer = MAX(width, height);
  double lines = kind == LAC_POWER_RADIAL    ? (double) (nx * ny) * (double) (nx * ny)
                 : kind == LAC_POWER_ALONG_X ? (double) nx * (double) nx * (double) ny
                                             : (double) ny * (double) ny * (double) nx;
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++) {
      Complex z = modes[j * nx + i];
      double  kx = (double) MIN(i, nx - i), ky = (double) MIN(j, ny - j);
      gsize   shell = kind == LAC_POWER_ALONG_X ? (gsize) kx
                      : kind == LAC_POWER_ALONG_Y
                        ? (gsize) ky
                        : (gsize) floor(hypot(kx * longer / width, ky * longer / height) + 0.5);
      power[shell] += (z.re * z.re + z.im * z.im) / lines;
    }
}

gboolean
lac_spectrum_power(const LacPlane *plane,
                   const LacPlane *minus,
                   LacPowerKind    kind,
                   gboolean        windowed,
                   double         *power)
{
  g_return_val_if_fail(plane != NULL && power != NULL, FALSE);
  g_return_val_if_fail(minus == NULL || (minus->nx == plane->nx && minus->ny == plane->ny), FALSE);
  gsize               nx = plane->nx, ny = plane->ny;
  LacPowerShells      shells = lac_power_shells(plane, kind);
  g_autofree Complex *modes = g_new(Complex, nx * ny);
  if (shells.n == 0)
    return FALSE;
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++) {
      gsize  at = j * nx + i;
      double value = (double) plane->data[at] - (minus != NULL ? (double) minus->data[at] : 0);
      if (!isfinite(value))
        return FALSE;
      if (windowed && kind != LAC_POWER_ALONG_Y)
        value *= window_at(i, nx);
      if (windowed && kind != LAC_POWER_ALONG_X)
        value *= window_at(j, ny);
      modes[at] = (Complex){value, 0};
    }
  if (kind != LAC_POWER_ALONG_Y)
    transform_rows(modes, nx, ny);
  if (kind != LAC_POWER_ALONG_X)
    transform_columns(modes, nx, ny);
  for (gsize k = 0; k < shells.n; k++)
    power[k] = 0;
  sum_power(modes, plane, kind, power);
  return TRUE;
}
