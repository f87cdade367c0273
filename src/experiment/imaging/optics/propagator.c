/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Propagators: one factor for each pixel, of the field or of its transform. Phases of many wavelengths are reduced to
 * one turn before rounding. */
#include "experiment/imaging/optics/propagator.h"

#include "backend/fourier.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>

struct _LacPropagator {
  LacPropagationSettings settings;
  const LacFourier      *fourier; /* NULL: the factors multiply the field itself */
  double complex        *factors; /* [n][n], of modulus 1 or 0 */
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
  if (!isfinite(s->distance) || (s->method == LAC_PROPAGATION_FRESNEL && !(s->distance > 0))) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "an object at %g m: more than 0",
                s->distance);
    return FALSE;
  }
  return TRUE;
}

/* k r^2 / 2z in turns is r^2 / (2 lambda z). */
static void
fill_fresnel(LacPropagator *p)
{
  const LacPropagationSettings *s = &p->settings;
  const gsize                   n = s->n;
  const double                  scale = s->pixel * s->pixel / (2 * s->wavelength * s->distance);

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const double dy = (double) y - (double) (n / 2), dx = (double) x - (double) (n / 2);

      p->factors[y * n + x] = turned((dy * dy + dx * dx) * scale);
    }
}

/* Sets H = exp(2 pi i z sqrt(1/lambda^2 - f^2)), 0 where that root is imaginary; in the order of the transform. */
static void
fill_angular_spectrum(LacPropagator *p)
{
  const LacPropagationSettings *s = &p->settings;
  const gsize                   n = s->n;
  const double                  step = 1 / ((double) n * s->pixel);

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const double fy = step * (y < n / 2 ? (double) y : (double) y - (double) n);
      const double fx = step * (x < n / 2 ? (double) x : (double) x - (double) n);
      const double left = 1 / (s->wavelength * s->wavelength) - fy * fy - fx * fx;

      p->factors[y * n + x] = left > 0 ? turned(s->distance * sqrt(left)) : 0;
    }
}

LacPropagator *
lac_propagator_new(const LacPropagationSettings *settings, GError **error)
{
  g_autoptr(LacPropagator) p = NULL;

  if (!check(settings, error))
    return NULL;
  p = g_new0(LacPropagator, 1);
  p->settings = *settings;
  p->factors = g_new(double complex, settings->n * settings->n);
  if (settings->method == LAC_PROPAGATION_FRESNEL) {
    fill_fresnel(p);
    return g_steal_pointer(&p);
  }
  p->fourier = lac_fourier_prepare(settings->n, settings->n);
  if (p->fourier == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "there is no Fourier transform of %" G_GSIZE_FORMAT " pixels square", settings->n);
    return NULL;
  }
  fill_angular_spectrum(p);
  return g_steal_pointer(&p);
}

void
lac_propagator_free(LacPropagator *propagator)
{
  if (!propagator)
    return;
  g_free(propagator->factors);
  g_free(propagator);
}

static void
run(const LacPropagator *p, gboolean is_back, double complex *field)
{
  const gsize  n_pixels = p->settings.n * p->settings.n;
  const double scale = p->fourier != NULL ? 1 / (double) n_pixels : 1;

  if (p->fourier != NULL)
    lac_fourier_forward(p->fourier, field);
  for (gsize i = 0; i < n_pixels; i++)
    field[i] = scale * times(field[i], is_back ? conj(p->factors[i]) : p->factors[i]);
  if (p->fourier != NULL)
    lac_fourier_inverse(p->fourier, field);
}

void
lac_propagator_run(const LacPropagator *propagator, double complex *field)
{
  run(propagator, FALSE, field);
}

void
lac_propagator_run_back(const LacPropagator *propagator, double complex *field)
{
  run(propagator, TRUE, field);
}

char *
lac_propagation_dup_warning(const LacPropagationSettings *s)
{
  /* The distance at which the phase turns half a time from pixel to pixel at the edge, and at which light of the
   * highest frequency crosses the window. */
  const double limit = (double) s->n * s->pixel * s->pixel / s->wavelength;

  if (s->method == LAC_PROPAGATION_FRESNEL && s->distance < limit)
    return g_strdup_printf(_("The phase of an object at %g m changes too fast for its pixels: "
                             "place it at %g m or more, or raise its size in pixels."),
                           s->distance, limit);
  if (s->method == LAC_PROPAGATION_ANGULAR_SPECTRUM && fabs(s->distance) > limit)
    return g_strdup_printf(
      _("At %g m from the plane of focus, light wraps around the object: use %g m or less."),
      fabs(s->distance), limit);
  return NULL;
}

double
lac_fresnel_number(double radius, double wavelength, double distance)
{
  return radius * radius / (wavelength * fabs(distance));
}
