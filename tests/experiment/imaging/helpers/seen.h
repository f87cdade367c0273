/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for tests of the optics: random arrays, inner products, images through an aperture. */
#pragma once

#include "base/rng.h"
#include "experiment/imaging/optics/optics.h"

#include <math.h>

static inline double complex *
new_numbers(gsize n)
{
  return g_new0(double complex, n);
}

static inline double complex *
random_numbers(gsize n, guint64 seed)
{
  LacRng          rng = lac_rng(seed, 0);
  double complex *numbers = new_numbers(n);

  for (gsize i = 0; i < n; i++) {
    const double re = lac_rng_normal(&rng);

    numbers[i] = CMPLX(re, lac_rng_normal(&rng));
  }
  return numbers;
}

static inline double complex
inner(const double complex *a, const double complex *b, gsize n)
{
  double complex sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += conj(a[i]) * b[i];
  return sum;
}

static inline double
norm(const double complex *a, gsize n)
{
  return sqrt(creal(inner(a, a, n)));
}

static inline LacOptics *
new_optics(const LacOpticsSettings *settings, LacPool *pool)
{
  g_autoptr(GError) error = NULL;
  LacOptics        *optics = lac_optics_new(settings, pool, &error);

  g_assert_no_error(error);
  return optics;
}

static inline double complex *
spectrum_of(LacOptics *optics, const double complex *object)
{
  const LacBand   band = lac_optics_get_band(optics);
  double complex *spectrum = new_numbers(band.height * band.width);

  lac_optics_spectrum(optics, object, spectrum);
  return spectrum;
}

static inline double *
image_of(LacOptics *optics, gsize position, const double complex *object)
{
  const gsize                d = lac_optics_get_detector(optics);
  g_autofree double complex *spectrum = spectrum_of(optics, object);
  g_autofree double complex *fields = new_numbers(lac_optics_get_n_along(optics) * d * d);
  double                    *image = g_new0(double, d *d);

  lac_optics_measure(optics, position, spectrum, fields, image);
  return image;
}
