/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Propagators: multiply, transform, multiply. Phases of many wavelengths are reduced to one turn before rounding. */
#include "experiment/imaging/optics/propagator.h"

#include "backend/fourier.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>

struct _LacPropagator {
  LacPropagationSettings settings;
  const LacFourier      *fourier;
  double complex        *before,
    *after; /* (nullable) [n][n]: factors of the field, and of its transform */
};

/* Returns exp(2 pi i turns). */
static double complex
turned(double turns)
{
  const double angle = 2 * G_PI * (turns - floor(turns));

  return CMPLX(cos(angle), sin(angle));
}

static double complex
times(double complex a, double complex b)
{
  return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
               creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double
from_axis(gsize i, gsize n)
{
  return (double) i - (double) (n / 2);
}

/* Returns (-1)^(y + x), which shifts the origin of a transform to the middle. */
static double
sign_of(gsize y, gsize x)
{
  return (y + x) & 1 ? -1 : 1;
}

static gboolean
check(const LacPropagationSettings *s, GError **error)
{
  if (s->n < 2 || s->n > 8192 || s->n % 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a field of %" G_GSIZE_FORMAT " pixels: an even number from 2 to 8192", s->n);
    return FALSE;
  }
  if (!(s->wavelength > 0 && isfinite(s->wavelength) && s->pixel > 0 && isfinite(s->pixel))) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "light of %g m on pixels of %g m: both more than 0", s->wavelength, s->pixel);
    return FALSE;
  }
  if (!isfinite(s->distance) ||
      (s->distance == 0 && s->method != LAC_PROPAGATION_ANGULAR_SPECTRUM)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a distance of %g m: one that is not 0, but for the angular spectrum", s->distance);
    return FALSE;
  }
  return TRUE;
}

double
lac_propagator_get_pixel(const LacPropagator *propagator)
{
  const LacPropagationSettings *s = &propagator->settings;

  if (s->method == LAC_PROPAGATION_ANGULAR_SPECTRUM)
    return s->pixel;
  return s->wavelength * fabs(s->distance) / ((double) s->n * s->pixel);
}

/* Sets F with its origin in the middle: the signs before and after the transform. */
static void
fill_fraunhofer(LacPropagator *p)
{
  const gsize n = p->settings.n;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      p->before[y * n + x] = sign_of(y, x);
      p->after[y * n + x] = sign_of(y, x) / (double) n;
    }
}

/* Sets U2 = exp(ikz) / (i lambda z) exp(ik r2^2 / 2z) dx1^2 N F(U1 exp(ik r1^2 / 2z)); k r^2 / 2z in turns is r^2 /
 * (2 lambda z). The inverse is the same with z < 0 and F^-1. */
static void
fill_fresnel(LacPropagator *p)
{
  const LacPropagationSettings *s = &p->settings;
  const gsize                   n = s->n;
  const double                  lz = s->wavelength * s->distance, out = lac_propagator_get_pixel(p);
  const double complex          start =
    times(turned(s->distance / s->wavelength), CMPLX(0, s->distance > 0 ? -1 : 1)) *
    (s->pixel * s->pixel / fabs(lz));

  fill_fraunhofer(p);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const double r2 = pow(from_axis(y, n), 2) + pow(from_axis(x, n), 2);

      p->before[y * n + x] = turned(r2 * s->pixel * s->pixel / (2 * lz)) * sign_of(y, x);
      /* dx1^2 N F = dx1^2 times the unnormalised transform */
      p->after[y * n + x] = times(start, turned(r2 * out * out / (2 * lz))) * sign_of(y, x);
    }
}

/* Sets H = exp(2 pi i z sqrt(1/lambda^2 - f^2)), 0 where that root is imaginary; in the order of the transform. */
static void
fill_angular_spectrum(LacPropagator *p)
{
  const LacPropagationSettings *s = &p->settings;
  const gsize                   n = s->n;
  const double step = 1 / ((double) n * s->pixel), scale = 1 / ((double) n * (double) n);

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const double fy = step * (y < n / 2 ? (double) y : (double) y - (double) n);
      const double fx = step * (x < n / 2 ? (double) x : (double) x - (double) n);
      const double left = 1 / (s->wavelength * s->wavelength) - fy * fy - fx * fx;

      p->after[y * n + x] = left > 0 ? turned(s->distance * sqrt(left)) * scale : 0;
    }
}

LacPropagator *
lac_propagator_new(const LacPropagationSettings *settings, GError **error)
{
  LacPropagator    *p;
  const LacFourier *fourier;
  const gsize       n_pixels = settings->n * settings->n;

  if (!check(settings, error))
    return NULL;
  fourier = lac_fourier_prepare(settings->n, settings->n);
  if (!fourier) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "there is no Fourier transform of %" G_GSIZE_FORMAT " pixels square", settings->n);
    return NULL;
  }
  p = g_new0(LacPropagator, 1);
  p->settings = *settings;
  p->fourier = fourier;
  p->after = g_new(double complex, n_pixels);
  if (settings->method == LAC_PROPAGATION_ANGULAR_SPECTRUM) {
    fill_angular_spectrum(p);
    return p;
  }
  p->before = g_new(double complex, n_pixels);
  if (settings->method == LAC_PROPAGATION_FRESNEL)
    fill_fresnel(p);
  else
    fill_fraunhofer(p);
  return p;
}

void
lac_propagator_free(LacPropagator *propagator)
{
  if (!propagator)
    return;
  g_free(propagator->before);
  g_free(propagator->after);
  g_free(propagator);
}

static void
multiply(double complex *field, const double complex *factor, gsize n)
{
  for (gsize i = 0; i < n; i++)
    field[i] = times(field[i], factor[i]);
}

void
lac_propagator_run(const LacPropagator *propagator, double complex *field)
{
  const LacPropagationSettings *s = &propagator->settings;
  const gsize                   n_pixels = s->n * s->n;

  if (s->method == LAC_PROPAGATION_ANGULAR_SPECTRUM) {
    lac_fourier_forward(propagator->fourier, field);
    multiply(field, propagator->after, n_pixels);
    lac_fourier_inverse(propagator->fourier, field);
    return;
  }
  multiply(field, propagator->before, n_pixels);
  if (s->distance < 0)
    lac_fourier_inverse(propagator->fourier, field);
  else
    lac_fourier_forward(propagator->fourier, field);
  multiply(field, propagator->after, n_pixels);
}

char *
lac_propagator_dup_warning(const LacPropagator *propagator)
{
  const LacPropagationSettings *s = &propagator->settings;
  /* distance at which far-field and near-field pixels are equal */
  const double limit = (double) s->n * s->pixel * s->pixel / s->wavelength;

  if (s->method == LAC_PROPAGATION_FRESNEL && fabs(s->distance) < limit)
    return g_strdup_printf(_("At %g m the Fresnel transform undersamples the phase: use %g m or "
                             "more, or the angular spectrum."),
                           fabs(s->distance), limit);
  if (s->method == LAC_PROPAGATION_ANGULAR_SPECTRUM && fabs(s->distance) > limit)
    return g_strdup_printf(
      _("At %g m light wraps around the window: use %g m or less, or the Fresnel transform."),
      fabs(s->distance), limit);
  return NULL;
}

double
lac_fresnel_number(double radius, double wavelength, double distance)
{
  return radius * radius / (wavelength * fabs(distance));
}

LacPropagation
lac_propagation_choose(double fresnel_number)
{
  return fresnel_number < 0.1 ? LAC_PROPAGATION_FRAUNHOFER : LAC_PROPAGATION_ANGULAR_SPECTRUM;
}
