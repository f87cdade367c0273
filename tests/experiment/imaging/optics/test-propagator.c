/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free-space propagation against closed forms: a Gaussian beam, an Airy disc, a slit. */
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
    g_autoptr(LacPropagator)   there = new_propagator(method, 10e-6, 0.08);
    const double               far_pixel = lac_propagator_get_pixel(there);
    g_autoptr(LacPropagator)   back = new_propagator(method, far_pixel, -0.08);
    g_autofree double complex *before = random_field(), *field = random_field();
    const double               energy_before = energy(before);
    const double               growth =
      method == LAC_PROPAGATION_FRESNEL ? far_pixel * far_pixel / (10e-6 * 10e-6) : 1;

    lac_propagator_run(there, field);
    g_assert_cmpfloat_with_epsilon(energy(field) * growth, energy_before, 1e-12 * energy_before);
    lac_propagator_run(back, field);
    g_assert_cmpfloat_with_epsilon(lac_propagator_get_pixel(back), 10e-6, 1e-18);
    for (gsize i = 0; i < N * N; i++)
      g_assert_cmpfloat(cabs(field[i] - before[i]), <, 1e-11);
  }
}

/* U = 1/q exp(ikz - r^2 / (w^2 q)),  q = 1 + i z / z_R,  z_R = pi w^2 / lambda, with k z a whole number of turns and
 * a quarter. */
static void
check_beam(LacPropagation method, double pixel, double waist, double distance)
{
  const double               lambda = 0.5e-6, z = (floor(distance / lambda) + 0.25) * lambda;
  g_autoptr(LacPropagator)   propagator = new_propagator(method, pixel, z);
  g_autofree double complex *field = g_new(double complex, N *N);
  const double               out = lac_propagator_get_pixel(propagator);
  const double complex       q = CMPLX(1, z * lambda / (G_PI * waist * waist));

  for (gsize i = 0; i < N * N; i++) {
    const double y = ((double) (i / N) - N / 2) * pixel, x = ((double) (i % N) - N / 2) * pixel;

    field[i] = exp(-(y * y + x * x) / (waist * waist));
  }
  lac_propagator_run(propagator, field);
  for (gsize i = 0; i < N * N; i++) {
    const double         y = ((double) (i / N) - N / 2) * out, x = ((double) (i % N) - N / 2) * out;
    const double complex wanted = CMPLX(0, 1) / q * cexp(-(y * y + x * x) / (waist * waist * q));

    /* beyond the paraxial approximation: a phase of k z theta^4 / 8 with theta = lambda / (pi w); beyond that: the
     * edge of the window */
    g_assert_cmpfloat(cabs(field[i] - wanted), <, 2e-5);
  }
}

static void
test_beam(void)
{
  check_beam(LAC_PROPAGATION_FRESNEL, 10e-6, 300e-6, 0.08);
  check_beam(LAC_PROPAGATION_FRESNEL, 10e-6, 150e-6, 0.3);
  check_beam(LAC_PROPAGATION_ANGULAR_SPECTRUM, 10e-6, 300e-6, 0.04);
  check_beam(LAC_PROPAGATION_ANGULAR_SPECTRUM, 10e-6, 200e-6, 0.02);
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

/* Returns where the real part of the central row first changes its sign, in pixels from the middle. */
static double
first_zero(const double complex *field)
{
  const double complex *row = field + N / 2 * N + N / 2;

  for (gsize i = 1; i < N / 2; i++)
    if (creal(row[i]) <= 0)
      return (double) i - creal(row[i]) / (creal(row[i]) - creal(row[i - 1]));
  return (double) NAN;
}

static void
test_airy(void)
{
  g_autoptr(LacPropagator)   propagator = new_propagator(LAC_PROPAGATION_FRAUNHOFER, 1e-3, 100);
  g_autofree double complex *field = g_new0(double complex, N *N);
  const double               diameter = 25;
  double                     zero;

  for (gsize i = 0; i < N * N; i++)
    field[i] = hypot((double) (i / N) - N / 2, (double) (i % N) - N / 2) <= diameter / 2;
  lac_propagator_run(propagator, field);
  zero = first_zero(field) * lac_propagator_get_pixel(propagator);
  /* the pixelated disc is 491 pixels wide instead of 490.9, with an edge uneven by half a pixel */
  g_assert_cmpfloat_with_epsilon(zero, 1.21967 * 0.5e-6 * 100 / (diameter * 1e-3), 0.01 * zero);
}

static void
test_slit(void)
{
  g_autoptr(LacPropagator)   propagator = new_propagator(LAC_PROPAGATION_FRAUNHOFER, 1e-3, 100);
  g_autofree double complex *field = g_new0(double complex, N *N);
  const gsize                width = 16;

  for (gsize i = 0; i < N * N; i++)
    field[i] = i % N >= N / 2 - width / 2 && i % N < N / 2 + width / 2;
  lac_propagator_run(propagator, field);
  for (gsize i = 1; i < N / 2; i++) {
    const double in = cabs(field[N / 2 * N + N / 2 + i]), middle = cabs(field[N / 2 * N + N / 2]);
    const double sinc =
      fabs(sin(G_PI * (double) i / width) / ((double) width * sin(G_PI * (double) i / N)));

    if (i % (N / width) == 0)
      g_assert_cmpfloat(in, <, 1e-13 * middle);
    g_assert_cmpfloat_with_epsilon(in / middle, sinc, 1e-12);
  }
}

static void
test_choice(void)
{
  /* Europa, Titan, Betelgeuse with an aperture of 10.24 m */
  g_assert_cmpfloat_with_epsilon(lac_fresnel_number(10.24, 698.9e-9, 6.283e11), 2.4e-4, 0.05e-4);
  g_assert_cmpfloat_with_epsilon(lac_fresnel_number(10.24, 2e-6, 1.2e12), 4.4e-5, 0.05e-5);
  g_assert_cmpfloat_with_epsilon(lac_fresnel_number(10.24, 500e-9, 6.623e18), 3.2e-11, 0.05e-11);
  g_assert_cmpint(lac_propagation_choose(2.4e-4), ==, LAC_PROPAGATION_FRAUNHOFER);
  g_assert_cmpint(lac_propagation_choose(1), ==, LAC_PROPAGATION_ANGULAR_SPECTRUM);
}

static void
check_warning(LacPropagation method, double distance, gboolean warns)
{
  /* N pixel^2 / lambda = 51.2 mm */
  g_autoptr(LacPropagator) propagator = new_propagator(method, 10e-6, distance);
  g_autofree char         *warning = lac_propagator_dup_warning(propagator);

  g_assert_true(warns == (warning != NULL));
}

static void
test_warnings(void)
{
  check_warning(LAC_PROPAGATION_FRESNEL, 0.05, TRUE);
  check_warning(LAC_PROPAGATION_FRESNEL, 0.052, FALSE);
  check_warning(LAC_PROPAGATION_ANGULAR_SPECTRUM, 0.05, FALSE);
  check_warning(LAC_PROPAGATION_ANGULAR_SPECTRUM, -0.052, TRUE);
  check_warning(LAC_PROPAGATION_FRAUNHOFER, 0.05, FALSE);
}

static void
test_refusals(void)
{
  static const LacPropagationSettings bad[] = {
    {LAC_PROPAGATION_FRESNEL, 63, 1e-6, 1, 1e-3},
    {LAC_PROPAGATION_FRESNEL, 64, 0, 1, 1e-3},
    {LAC_PROPAGATION_FRESNEL, 64, 1e-6, 0, 1e-3},
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
  g_test_add_func("/imaging/propagator/an-airy-disc-ends-where-it-should", test_airy);
  g_test_add_func("/imaging/propagator/a-slit-is-dark-where-it-should-be", test_slit);
  g_test_add_func("/imaging/propagator/bodies-of-the-sky-are-far", test_choice);
  g_test_add_func("/imaging/propagator/too-coarse-a-sampling-is-told", test_warnings);
  g_test_add_func("/imaging/propagator/what-is-impossible-is-refused", test_refusals);
  return g_test_run();
}
