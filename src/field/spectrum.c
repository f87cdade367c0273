/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy spectra by a Fourier transform of any length: small, for what is looked at now and then. The transforms of
 * the engine are FFTW's, behind backend/. */
#include "field/spectrum.h"

#include <math.h>

typedef struct {
  double re, im;
} Complex;

typedef struct {
  gsize    n;
  Complex *turns;   /* [n] exp(-2 pi i k / n) */
  Complex *scratch; /* [n] */
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

/* One stage: @p transforms of length n / p that lie one after the other in @out become one of length @n. */
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
        Complex w = plan->turns[(r * (q * m + k) % n) * step], x = plan->scratch[r];
        sum.re += w.re * x.re - w.im * x.im;
        sum.im += w.re * x.im + w.im * x.re;
      }
      out[q * m + k] = sum;
    }
  }
}

/* Cooley-Tukey, decimation in time, by the smallest prime factor. */
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

/* In place: rows, then columns. */
static void
transform_plane(Complex *plane, gsize n)
{
  Plan                plan = {n, g_new(Complex, n), g_new(Complex, n)};
  g_autofree Complex *line = g_new(Complex, n);
  for (gsize k = 0; k < n; k++)
    plan.turns[k] =
      (Complex){cos(2 * G_PI * (double) k / (double) n), -sin(2 * G_PI * (double) k / (double) n)};
  for (gsize j = 0; j < n; j++) {
    transform(&plan, plane + j * n, 1, line, n);
    for (gsize i = 0; i < n; i++)
      plane[j * n + i] = line[i];
  }
  for (gsize i = 0; i < n; i++) {
    transform(&plan, plane + i, n, line, n);
    for (gsize j = 0; j < n; j++)
      plane[j * n + i] = line[j];
  }
  g_free(plan.turns);
  g_free(plan.scratch);
}

/* @v: (nullable). Two real fields in one complex one: |z_k|^2 + |z_-k|^2 = 2 (|u_k|^2 + |v_k|^2), and a shell has both
 * k and -k. @length: of the period, where modes are divided by their squared wavenumber; 0: they are not. */
static gboolean
sum_shells(const float *u, const float *v, gsize n, double length, double *energy)
{
  g_autofree Complex *plane = g_new(Complex, n * n);
  for (gsize i = 0; i < n * n; i++) {
    plane[i] = (Complex){(double) u[i], v != NULL ? (double) v[i] : 0};
    if (!isfinite(plane[i].re) || !isfinite(plane[i].im))
      return FALSE;
  }
  transform_plane(plane, n);
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
