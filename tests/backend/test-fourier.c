/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex transforms against their defining sum, and the heap during a thousand of them. */
#include "backend/fourier.h"
#include "helpers/counting-malloc.h"

#include <math.h>

/* Reproducible values in [-1, 1]. */
static double complex *
some_numbers(gsize n)
{
  double complex *x = g_new(double complex, n);

  for (gsize i = 0; i < n; i++)
    x[i] = CMPLX(sin(1.7 * (double) (i * i % 1009)), cos(2.3 * (double) (i * 7 % 911)));
  return x;
}

static double complex
definition(const double complex *x, gsize ny, gsize nx, gsize qy, gsize qx)
{
  double complex sum = 0;

  for (gsize y = 0; y < ny; y++)
    for (gsize j = 0; j < nx; j++) {
      const double turns =
        (double) (qy * y % ny) / (double) ny + (double) (qx * j % nx) / (double) nx;

      sum += x[y * nx + j] * CMPLX(cos(2 * G_PI * turns), -sin(2 * G_PI * turns));
    }
  return sum;
}

static void
check_shape(gsize ny, gsize nx)
{
  const LacFourier          *fourier = lac_fourier_prepare(ny, nx);
  g_autofree double complex *x = some_numbers(ny * nx), *X = some_numbers(ny * nx);
  const double               size = (double) (ny * nx);

  g_assert_nonnull(fourier);
  g_assert_true(lac_fourier_prepare(ny, nx) == fourier);
  lac_fourier_forward(fourier, X);
  for (gsize q = 0; q < ny * nx; q += 3)
    g_assert_cmpfloat(cabs(X[q] - definition(x, ny, nx, q / nx, q % nx)), <, 1e-14 * size);
  lac_fourier_inverse(fourier, X);
  for (gsize i = 0; i < ny * nx; i++)
    g_assert_cmpfloat(cabs(X[i] / size - x[i]), <, 1e-14);
}

static void
test_definition(void)
{
  check_shape(1, 1);
  check_shape(1, 2);
  check_shape(1, 40);
  check_shape(1, 73);
  check_shape(16, 16);
  check_shape(6, 10);
  check_shape(7, 3);
}

static void
test_heap(void)
{
  const LacFourier          *fourier = lac_fourier_prepare(64, 64);
  g_autofree double complex *x = some_numbers(64 * 64);
  const guint                before = count_allocations();

  for (gsize i = 0; i < 1000; i++) {
    lac_fourier_forward(fourier, x);
    for (gsize j = 0; j < 64 * 64; j++)
      x[j] /= 64;
  }
  g_assert_cmpuint(count_allocations() - before, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/backend/fourier/transforms-are-their-definition", test_definition);
  if (COUNTS_MALLOC)
    g_test_add_func("/backend/fourier/a-thousand-transforms-allocate-nothing", test_heap);
  return g_test_run();
}
