/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free-space propagation against the closed form of a Gaussian beam. */
#include "backend/fourier.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiment/imaging/optics/propagator.h"

#include <math.h>
#include <string.h>

#define N 256

static LacPropagator *
new_propagator(LacPropagation method, double pixel, double distance)
{
  const LacPropagationSettings settings = {method, N, 0.5e-6, distance, pixel};
  g_autoptr(GError)            error = NULL;
  LacPropagator               *propagator = lac_propagator_new(&settings, &error);

  g_assert_no_error(error);
  return propagator;
}

static double
energy(const double complex *field)
{
  double sum = 0;

  for (gsize i = 0; i < N * N; i++)
    sum += creal(field[i] * conj(field[i]));
  return sum;
}

static double complex *
random_field(void)
{
  LacRng          rng = lac_rng(1, 0);
  double complex *field = g_new(double complex, N *N);

  for (gsize i = 0; i < N * N; i++) {
    const double re = lac_rng_normal(&rng);

    field[i] = CMPLX(re, lac_rng_normal(&rng));
  }
  return field;
}

static void
test_there_and_back(void)
{
  for (LacPropagation method = 0; method <= LAC_PROPAGATION_ANGULAR_SPECTRUM; method++) {
    g_autoptr(LacPropagator)   propagator = new_propagator(method, 10e-6, 0.08);
    g_autofree double complex *before = random_field(), *field = random_field();
    const double               energy_before = energy(before);

    lac_propagator_run(propagator, field);
    g_assert_cmpfloat_with_epsilon(energy(field), energy_before, 1e-12 * energy_before);
    lac_propagator_run_back(propagator, field);
    for (gsize i = 0; i < N * N; i++)
      g_assert_cmpfloat(cabs(field[i] - before[i]), <, 1e-11);
  }
}

/* Fourier transform with the origin in the middle of field and result. */
static void
to_far_field(double complex *field)
{
  for (gsize i = 0; i < N * N; i++)
    field[i] *= (i / N + i % N) & 1 ? -1 : 1;
  lac_fourier_forward(lac_fourier_prepare(N, N), field);
  for (gsize i = 0; i < N * N; i++)
    field[i] *= (i / N + i % N) & 1 ? -1 : 1;
}

static double complex *
gaussian(double pixel, double waist)
{
  double complex *field = g_new(double complex, N *N);

  for (gsize i = 0; i < N * N; i++) {
    const double y = ((double) (i / N) - N / 2) * pixel, x = ((double) (i % N) - N / 2) * pixel;

    field[i] = exp(-(y * y + x * x) / (waist * waist));
  }
  return field;
}

/* U = 1/q exp(ikz - r^2 / (w^2 q)),  q = 1 + i z / z_R,  z_R = pi w^2 / lambda; @turn: exp(ikz) */
static double complex
beam(gsize i, double pixel, double waist, double distance, double complex turn)
{
  const double y = ((double) (i / N) - N / 2) * pixel, x = ((double) (i % N) - N / 2) * pixel;
  const double complex q = CMPLX(1, distance * 0.5e-6 / (G_PI * waist * waist));

  return turn / q * cexp(-(y * y + x * x) / (waist * waist * q));
}

/* With k z a whole number of turns and a quarter. */
static void
check_angular_spectrum(double pixel, double waist, double distance)
{
  const double             lambda = 0.5e-6, z = (floor(distance / lambda) + 0.25) * lambda;
  g_autoptr(LacPropagator) propagator = new_propagator(LAC_PROPAGATION_ANGULAR_SPECTRUM, pixel, z);
  g_autofree double complex *field = gaussian(pixel, waist);

  lac_propagator_run(propagator, field);
  /* beyond the paraxial approximation: a phase of k z theta^4 / 8 with theta = lambda / (pi w); beyond that: the edge
   * of the window */
  for (gsize i = 0; i < N * N; i++)
    g_assert_cmpfloat(cabs(field[i] - beam(i, pixel, waist, z, CMPLX(0, 1))), <, 2e-5);
}

/* The Fresnel transform is exp(ikz) / (i lambda z) exp(ik r2^2 / 2z) dx^2 F(U exp(ik r1^2 / 2z)), its pixels lambda z / (N dx). */
static void
check_fresnel(double pixel, double waist, double z)
{
  const double               lambda = 0.5e-6, out = lambda * z / (N * pixel);
  g_autoptr(LacPropagator)   propagator = new_propagator(LAC_PROPAGATION_FRESNEL, pixel, z);
  g_autofree double complex *field = gaussian(pixel, waist);

  lac_propagator_run(propagator, field);
  to_far_field(field);
  for (gsize i = 0; i < N * N; i++) {
    const double         y = ((double) (i / N) - N / 2) * out, x = ((double) (i % N) - N / 2) * out;
    const double complex curved = cexp(CMPLX(0, G_PI * (y * y + x * x) / (lambda * z)));

    field[i] *= curved * pixel * pixel / CMPLX(0, lambda * z);
    g_assert_cmpfloat(cabs(field[i] - beam(i, out, waist, z, 1)), <, 2e-5);
  }
}

static void
test_beam(void)
{
  check_fresnel(10e-6, 300e-6, 0.08);
  check_fresnel(10e-6, 150e-6, 0.3);
  check_angular_spectrum(10e-6, 300e-6, 0.04);
  check_angular_spectrum(10e-6, 200e-6, 0.02);
}

/* One metre, a thousand times: two thousand million turns and a quarter. */
static void
test_long_way(void)
{
  const LacPropagationSettings settings = {LAC_PROPAGATION_ANGULAR_SPECTRUM, N, ldexp(1, -21),
                                           1000 + ldexp(1, -23), 1};
  g_autoptr(GError)            error = NULL;
  g_autoptr(LacPropagator)     propagator = lac_propagator_new(&settings, &error);
  g_autofree double complex   *field = g_new(double complex, N *N);

  g_assert_no_error(error);
  for (gsize i = 0; i < N * N; i++)
    field[i] = 1;
  lac_propagator_run(propagator, field);
  for (gsize i = 0; i < N * N; i++)
    g_assert_cmpfloat(cabs(field[i] - CMPLX(0, 1)), <, 1e-5);
}

static void
test_far(void)
{
  /* Europa, Titan, Betelgeuse with an aperture of 10.24 m */
  g_assert_cmpfloat_with_epsilon(lac_fresnel_number(10.24, 698.9e-9, 6.283e11), 2.4e-4, 0.05e-4);
  g_assert_cmpfloat_with_epsilon(lac_fresnel_number(10.24, 2e-6, 1.2e12), 4.4e-5, 0.05e-5);
  g_assert_cmpfloat_with_epsilon(lac_fresnel_number(10.24, 500e-9, 6.623e18), 3.2e-11, 0.05e-11);
}

static void
check_warning(LacPropagation method, double distance, gboolean warns)
{
  /* N pixel^2 / lambda = 51.2 mm */
  const LacPropagationSettings settings = {method, N, 0.5e-6, distance, 10e-6};
  g_autofree char             *warning = lac_propagation_dup_warning(&settings);

  g_assert_true(warns == (warning != NULL));
}

static void
test_warnings(void)
{
  check_warning(LAC_PROPAGATION_FRESNEL, 0.05, TRUE);
  check_warning(LAC_PROPAGATION_FRESNEL, 0.052, FALSE);
  check_warning(LAC_PROPAGATION_ANGULAR_SPECTRUM, 0.05, FALSE);
  check_warning(LAC_PROPAGATION_ANGULAR_SPECTRUM, -0.052, TRUE);
}

static void
test_refusals(void)
{
  static const LacPropagationSettings bad[] = {
    {LAC_PROPAGATION_FRESNEL, 63, 1e-6, 1, 1e-3},
    {LAC_PROPAGATION_FRESNEL, 64, 0, 1, 1e-3},
    {LAC_PROPAGATION_FRESNEL, 64, 1e-6, 0, 1e-3},
    {LAC_PROPAGATION_FRESNEL, 64, 1e-6, -1, 1e-3},
    {LAC_PROPAGATION_FRESNEL, 64, 1e-6, 1, -1},
    {LAC_PROPAGATION_ANGULAR_SPECTRUM, 64, 1e-6, (double) INFINITY, 1},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;

    g_assert_null(lac_propagator_new(&bad[i], &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/propagator/there-and-back-keeps-field-and-energy", test_there_and_back);
  g_test_add_func("/imaging/propagator/a-gaussian-beam-spreads-as-it-should", test_beam);
  g_test_add_func("/imaging/propagator/a-long-way-keeps-its-phase", test_long_way);
  g_test_add_func("/imaging/propagator/bodies-of-the-sky-are-far", test_far);
  g_test_add_func("/imaging/propagator/too-coarse-a-sampling-is-told", test_warnings);
  g_test_add_func("/imaging/propagator/what-is-impossible-is-refused", test_refusals);
  return g_test_run();
}
