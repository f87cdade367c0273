/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zernike polynomials against their closed forms and against each other. */
#include "experiment/imaging/optics/zernike.h"

#include <math.h>

static void
test_closed_forms(void)
{
  for (double y = -0.6; y <= 0.65; y += 0.4)
    for (double x = -0.7; x <= 0.75; x += 0.35) {
      const double r2 = x * x + y * y;

      g_assert_cmpfloat_with_epsilon(lac_zernike(1, y, x), 1, 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(2, y, x), 2 * x, 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(3, y, x), 2 * y, 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(4, y, x), sqrt(3) * (2 * r2 - 1), 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(5, y, x), sqrt(6) * 2 * x * y, 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(6, y, x), sqrt(6) * (x * x - y * y), 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(7, y, x), sqrt(8) * (3 * r2 - 2) * y, 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(8, y, x), sqrt(8) * (3 * r2 - 2) * x, 1e-14);
      g_assert_cmpfloat_with_epsilon(lac_zernike(11, y, x), sqrt(5) * (6 * r2 * r2 - 6 * r2 + 1),
                                     1e-14);
    }
}

/* Returns 1/pi of the integral of Z_j Z_k over the disc by the midpoint rule: exact in the angle, to 1/n^2 in the
 * squared radius. */
static double
overlap(guint j, guint k)
{
  const gsize n = 400, n_angles = 24;
  double      sum = 0;

  for (gsize i = 0; i < n; i++) {
    const double r = sqrt(((double) i + 0.5) / (double) n);

    for (gsize a = 0; a < n_angles; a++) {
      const double y = r * sin(2 * G_PI * (double) a / (double) n_angles),
                   x = r * cos(2 * G_PI * (double) a / (double) n_angles);

      sum += lac_zernike(j, y, x) * lac_zernike(k, y, x);
    }
  }
  return sum / (double) (n * n_angles);
}

static void
test_orthonormal(void)
{
  for (guint j = 1; j <= 15; j++)
    for (guint k = 1; k <= j; k++)
      g_assert_cmpfloat_with_epsilon(overlap(j, k), j == k ? 1 : 0, 1e-3);
}

static void
test_pupil(void)
{
  const double               coefficients[] = {0.7, -0.3};
  g_autofree double         *terms = g_new(double, 2 * 9 * 9);
  g_autofree double complex *pupil = g_new(double complex, 9 * 9);

  lac_zernike_sample(LAC_ZERNIKE_DEFOCUS, 2, 9, 4.5, terms);
  lac_zernike_pupil(coefficients, 2, terms, 9 * 9, pupil);
  for (gsize i = 0; i < 9 * 9; i++) {
    const double y = ((double) (i / 9) - 4) / 4.5, x = ((double) (i % 9) - 4) / 4.5;
    const double phase = 0.7 * lac_zernike(4, y, x) - 0.3 * lac_zernike(5, y, x);

    g_assert_cmpfloat(cabs(pupil[i] - cexp(CMPLX(0, phase))), <, 1e-14);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/zernike/low-orders-are-their-closed-forms", test_closed_forms);
  g_test_add_func("/imaging/zernike/they-are-orthonormal-over-the-disc", test_orthonormal);
  g_test_add_func("/imaging/zernike/a-pupil-has-their-sum-as-its-phase", test_pupil);
  return g_test_run();
}
