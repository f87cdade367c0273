/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurement operator against values computed by other programs: images, a line, losses. */
#include "experiment/imaging/helpers/seen.h"

/* Independent values of | F^-1 (A F o) | for the object of wave() on 64 x 64, computed with numpy. They are published
 * with a cyclic shift of one pixel to the left and upwards. */
typedef struct {
  double centre[2];
  gsize  n_pixels;
  double sum, sum_of_squares, at_32_32, at_10_20, at_31_31, largest;
} Vector;

static const Vector vectors[] = {
  {{0, 0}, 317, 558.752285649, 307.472537946, 0.267901072, 0.033188987, 0.433653653, 1.019641038},
  {{6.5, -4.25},
   316,
   633.024281135,
   273.900090637,
   0.394908898,
   0.116803712,
   0.484598891,
   0.837957306},
  {{-12, 9}, 317, 117.322710281, 6.014952986, 0.006037199, 0.026461356, 0.005062993, 0.207331584},
};

/* 0.5 + 0.5 sin(0.3 i) cos(0.2 j) for 16 <= i, j < 48 of a grid of 64 */
static double complex *
wave(void)
{
  double complex *object = new_numbers(32 * 32);

  for (gsize i = 0; i < 32; i++)
    for (gsize j = 0; j < 32; j++)
      object[i * 32 + j] = 0.5 + 0.5 * sin(0.3 * (double) (i + 16)) * cos(0.2 * (double) (j + 16));
  return object;
}

static void
test_known_values(void)
{
  g_autofree double complex *object = wave();
  LacScanBox                 scan[G_N_ELEMENTS(vectors)];

  for (gsize v = 0; v < G_N_ELEMENTS(vectors); v++)
    scan[v] = (LacScanBox){vectors[v].centre[0], vectors[v].centre[1], vectors[v].centre[0],
                           vectors[v].centre[1]};
  const LacOpticsSettings settings = {.grid = 64,
                                      .support = 32,
                                      .aperture.radius = 10,
                                      .patch = 64,
                                      .n_positions = G_N_ELEMENTS(vectors),
                                      .scan = scan};
  g_autoptr(LacOptics)    optics = new_optics(&settings, NULL);

  for (gsize v = 0; v < G_N_ELEMENTS(vectors); v++) {
    const Vector      *vector = &vectors[v];
    g_autofree double *image = image_of(optics, v, object);
    double             sum = 0, sum_of_squares = 0, largest = 0;

    for (gsize i = 0; i < 64 * 64; i++) {
      sum += image[i];
      sum_of_squares += image[i] * image[i];
      largest = MAX(largest, image[i]);
    }
    g_assert_cmpuint(
      lac_aperture_count(&settings.aperture, vector->centre[0], vector->centre[1], 64), ==,
      vector->n_pixels);
    /* half a unit of the last published digit */
    g_assert_cmpfloat_with_epsilon(sum, vector->sum, 5.1e-10);
    g_assert_cmpfloat_with_epsilon(sum_of_squares, vector->sum_of_squares, 5.1e-10);
    g_assert_cmpfloat_with_epsilon(image[33 * 64 + 33], vector->at_32_32, 5.1e-10);
    g_assert_cmpfloat_with_epsilon(image[11 * 64 + 21], vector->at_10_20, 5.1e-10);
    g_assert_cmpfloat_with_epsilon(image[32 * 64 + 32], vector->at_31_31, 5.1e-10);
    g_assert_cmpfloat_with_epsilon(largest, vector->largest, 5.1e-10);
  }
}

static void
test_known_line(void)
{
  const LacScanBox           line = {-8, 0, 8, 0};
  const LacOpticsSettings    settings = {.grid = 64,
                                         .support = 32,
                                         .aperture.radius = 10,
                                         .unit = LAC_DETECTOR_INTENSITY,
                                         .patch = 64,
                                         .n_along = 2,
                                         .n_positions = 1,
                                         .scan = &line};
  g_autoptr(LacOptics)       optics = new_optics(&settings, NULL);
  g_autofree double complex *object = wave();
  g_autofree double         *image = image_of(optics, 0, object);
  double                     sum = 0;

  for (gsize i = 0; i < 64 * 64; i++)
    sum += image[i];
  /* The published line was computed in single precision. It is not flipped, hence not shifted. */
  g_assert_cmpfloat_with_epsilon(sum, 265.856781, 1e-7 * sum);
  g_assert_cmpfloat_with_epsilon(image[32 * 64 + 32], 0.3069506, 1e-7);
}

/* Data of the published losses: a prediction x = 0.9 o and an earlier reconstruction, |F^-1(A F x)| through one new
 * aperture and through the union of the old ones. */
typedef struct {
  LacOptics      *optics;
  double complex *spectrum, *field, *bar; /* all [64][64] */
} Check;

enum { N_CHECK = 64 * 64 };

/* Computes |u| of @object through aperture 1 or, if given, the mask; u is left in the field. */
static double *
amplitude_of(Check *check, const double complex *object, const guint8 *mask)
{
  double *image = g_new(double, N_CHECK);

  lac_optics_spectrum(check->optics, object, check->spectrum);
  if (mask)
    lac_optics_union_field(check->optics, mask, check->spectrum, check->field);
  else
    lac_optics_field(check->optics, 1, 0, check->spectrum, check->field);
  for (gsize i = 0; i < N_CHECK; i++)
    image[i] = cabs(check->field[i]);
  return image;
}

/* Returns: mean |a - y| / (mean |y| + 1e-8); adds its derivative to the bar of the spectrum. */
static double
loss_of(Check *check, const double *image, const double *target, gsize position)
{
  double size = 1e-8 * N_CHECK, loss = 0;

  for (gsize i = 0; i < N_CHECK; i++) {
    size += target[i];
    loss += fabs(image[i] - target[i]);
  }
  for (gsize i = 0; i < N_CHECK; i++)
    check->field[i] *= (image[i] > target[i] ? 1 : -1) / (size * image[i]);
  lac_optics_field_adjoint(check->optics, position, 0, check->field, check->bar);
  return loss / size;
}

static void
test_known_loss(void)
{
  const LacScanBox        scan[2] = {{0, 0, 0, 0}, {6.5, -4.25, 6.5, -4.25}};
  const LacOpticsSettings settings = {
    .grid = 64, .support = 64, .aperture.radius = 10, .patch = 64, .n_positions = 2, .scan = scan};
  g_autoptr(LacOptics)       optics = new_optics(&settings, NULL);
  g_autofree double complex *small = wave(), *spectrum = new_numbers(N_CHECK),
                            *field = new_numbers(N_CHECK), *bar = new_numbers(N_CHECK);
  g_autofree double complex *truth = new_numbers(N_CHECK), *earlier = new_numbers(N_CHECK),
                            *guess = new_numbers(N_CHECK);
  g_autofree guint8 *mask = g_new0(guint8, N_CHECK);
  Check              check = {optics, spectrum, field, bar};
  double             sum = 0, sum_of_squares = 0;

  for (gsize i = 0; i < N_CHECK; i++) {
    const gsize y = i / 64, x = i % 64;

    if (y >= 16 && y < 48 && x >= 16 && x < 48)
      truth[i] = small[(y - 16) * 32 + x - 16];
    earlier[i] = 0.8 * truth[i] + (creal(truth[i]) > 0 ? 0.01 : 0);
    guess[i] = 0.9 * truth[i];
  }
  lac_optics_mark(optics, 0, mask);
  g_autofree double *measured = amplitude_of(&check, truth, NULL),
                    *old = amplitude_of(&check, earlier, mask);
  g_autofree double *seen = amplitude_of(&check, guess, NULL);
  /* the published values have single precision and as many digits */
  g_assert_cmpfloat_with_epsilon(loss_of(&check, seen, measured, 1), 0.10000004, 1e-7);
  g_autofree double *seen_old = amplitude_of(&check, guess, mask);
  g_assert_cmpfloat_with_epsilon(loss_of(&check, seen_old, old, 0), 0.09958700, 1e-7);
  lac_optics_object(optics, bar, guess);
  for (gsize i = 0; i < N_CHECK; i++) {
    sum += creal(guess[i]);
    sum_of_squares += creal(guess[i]) * creal(guess[i]);
  }
  /* single precision does not determine the phase of dark pixels, nor the sign of a zero difference */
  g_assert_cmpfloat_with_epsilon(sum, 0.28170666, 1e-5);
  g_assert_cmpfloat_with_epsilon(sum_of_squares, 0.0070165265, 1e-7);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/optics/an-image-is-the-published-one", test_known_values);
  g_test_add_func("/imaging/optics/a-line-is-the-published-one", test_known_line);
  g_test_add_func("/imaging/optics/losses-and-their-slopes-are-the-published-ones",
                  test_known_loss);
  return g_test_run();
}
