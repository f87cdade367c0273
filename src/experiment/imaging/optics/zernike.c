/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zernike polynomials by the explicit radial sum; the orders used are small. */
#include "experiment/imaging/optics/zernike.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static const char *const names[] = {
  N_("defocus"),
  N_("astigmatism at 45°"),
  N_("astigmatism at 0°"),
  N_("vertical coma"),
  N_("horizontal coma"),
  N_("vertical trefoil"),
  N_("oblique trefoil"),
  N_("spherical aberration"),
  N_("secondary astigmatism at 0°"),
  N_("secondary astigmatism at 45°"),
  N_("quadrafoil at 0°"),
  N_("quadrafoil at 45°"),
};

const char *
lac_zernike_get_name(guint noll)
{
  g_return_val_if_fail(noll >= LAC_ZERNIKE_DEFOCUS, NULL);
  g_return_val_if_fail(noll < LAC_ZERNIKE_DEFOCUS + G_N_ELEMENTS(names), NULL);
  return names[noll - LAC_ZERNIKE_DEFOCUS];
}

/* Evaluates the radial polynomial, ibid., eq. 2. */
static double
radial(guint n, guint m, double r)
{
  const guint half = (n - m) / 2;
  double      term = 1, sum = 0;

  for (guint i = 1; i <= n; i++)
    term *= i;
  for (guint i = 1; i <= (n + m) / 2; i++)
    term /= i;
  for (guint i = 1; i <= half; i++)
    term /= i;
  for (guint k = 0; k <= half; k++) {
    sum += term * pow(r, n - 2 * k);
    if (k < half)
      term *= -(double) ((n + m) / 2 - k) * (half - k) / ((k + 1.0) * (n - k));
  }
  return sum;
}

double
lac_zernike(guint noll, double y, double x)
{
  const guint  n = (guint) ((sqrt(8.0 * noll - 7) - 1) / 2);
  const guint  k = noll - n * (n + 1) / 2;
  const guint  m = n % 2 ? 1 + 2 * ((k - 1) / 2) : 2 * (k / 2);
  const double value = sqrt(n + 1.0) * radial(n, m, hypot(y, x)), angle = m * atan2(y, x);

  g_return_val_if_fail(noll > 0, NAN);
  if (m == 0)
    return value;
  return G_SQRT2 * value * (noll % 2 ? sin(angle) : cos(angle));
}

void
lac_zernike_sample(guint first, gsize n, gsize box, double radius, double *terms)
{
  const double middle = (double) (box / 2);

  for (gsize j = 0; j < n; j++)
    for (gsize y = 0; y < box; y++)
      for (gsize x = 0; x < box; x++)
        terms[(j * box + y) * box + x] = lac_zernike(
          first + (guint) j, ((double) y - middle) / radius, ((double) x - middle) / radius);
}

void
lac_zernike_pupil(const double   *coefficients,
                  gsize           n,
                  const double   *terms,
                  gsize           n_pixels,
                  double complex *pupil)
{
  for (gsize i = 0; i < n_pixels; i++) {
    double phase = 0;

    for (gsize j = 0; j < n; j++)
      phase += coefficients[j] * terms[j * n_pixels + i];
    pupil[i] = CMPLX(cos(phase), sin(phase));
  }
}
