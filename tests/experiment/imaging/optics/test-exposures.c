/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise against its statistics; properties of simulated exposures, and validation of user measurements. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/imaging/optics/exposures.h"

#include <math.h>
#include <string.h>

#define N_PIXELS 65536

/* Measures mean and variance for a uniform image of @value. */
static void
see(const LacNoise *noise, LacDetectorUnit unit, double value, double *mean, double *variance)
{
  g_autofree double *image = g_new(double, N_PIXELS);

  for (gsize i = 0; i < N_PIXELS; i++)
    image[i] = value;
  lac_noise_add(noise, 3, unit, image, N_PIXELS);
  *mean = *variance = 0;
  for (gsize i = 0; i < N_PIXELS; i++)
    *mean += image[i] / N_PIXELS;
  for (gsize i = 0; i < N_PIXELS; i++)
    *variance += (image[i] - *mean) * (image[i] - *mean) / N_PIXELS;
}

/* Statistics of N_PIXELS normal values: four standard deviations are 4 / sqrt(n) for a mean, 4 sqrt(2 / n) for a
 * variance. */
static void
test_shot_noise(void)
{
  const LacNoise noise = {.snr_db = 40, .seed = 1};
  double         mean, variance;

  see(&noise, LAC_DETECTOR_INTENSITY, 0.25, &mean, &variance);
  g_assert_cmpfloat_with_epsilon(mean, 0.25, 4 * 0.005 / 256);
  g_assert_cmpfloat_with_epsilon(variance, 0.005 * 0.005, 4 * sqrt(2) / 256 * 2.5e-5);
  /* for an amplitude: deviation sigma / (2 x), and a mean lower by sigma^2 / (8 x^3) */
  see(&noise, LAC_DETECTOR_AMPLITUDE, 0.5, &mean, &variance);
  g_assert_cmpfloat_with_epsilon(mean, 0.5 - 2.5e-5, 4 * 0.005 / 256);
  g_assert_cmpfloat_with_epsilon(variance, 0.005 * 0.005, 0.03 * 2.5e-5);
}

static void
test_read_noise(void)
{
  const LacNoise noise = {.snr_db = (double) INFINITY, .read_sigma = 0.02, .seed = 1},
                 both = {.snr_db = 30, .read_sigma = 0.02};
  double mean, variance;

  see(&noise, LAC_DETECTOR_INTENSITY, 0.5, &mean, &variance);
  g_assert_cmpfloat_with_epsilon(variance, 4e-4, 4 * sqrt(2) / 256 * 4e-4);
  g_assert_cmpfloat_with_epsilon(lac_noise_variance(&both, 0.5), 4e-4 + 0.5e-3, 1e-15);
  see(&LAC_NOISE_NONE, LAC_DETECTOR_AMPLITUDE, 0.5, &mean, &variance);
  g_assert_cmpfloat(mean, ==, 0.5);
  g_assert_cmpfloat(variance, ==, 0);
}

static void
test_expected_square(void)
{
  static const double values[] = {0, 0.01, 0.03, 0.1, 0.5, 1};

  for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
    for (LacDetectorUnit unit = 0; unit <= LAC_DETECTOR_INTENSITY; unit++) {
      const LacNoise noise = {.snr_db = 30, .read_sigma = 0.003, .seed = 2};
      const double   expected = lac_noise_expected_square(&noise, unit, values[i]);
      double         mean, variance, seen;

      see(&noise, unit, values[i], &mean, &variance);
      seen = variance + (mean - values[i]) * (mean - values[i]);
      /* the square of a normal value has relative variance 2, that of a clipped one up to 5 */
      g_assert_cmpfloat_with_epsilon(seen, expected, 4 * sqrt(5) / 256 * expected);
    }
}

static void
test_reproducible(void)
{
  const LacNoise noise = {.snr_db = 20, .seed = 7};
  double         one[64], same[64], other[64];

  for (gsize i = 0; i < 64; i++)
    one[i] = same[i] = other[i] = 1;
  lac_noise_add(&noise, 5, LAC_DETECTOR_INTENSITY, one, 64);
  lac_noise_add(&noise, 6, LAC_DETECTOR_INTENSITY, other, 64);
  lac_noise_add(&noise, 5, LAC_DETECTOR_INTENSITY, same, 64);
  g_assert_cmpmem(one, sizeof one, same, sizeof same);
  for (gsize i = 0; i < 64; i++)
    g_assert_cmpfloat(one[i], !=, other[i]);
}

static const LacScanBox scan[] = {{0, 0, 0, 0},
                                  {9, -4.5, 9, -4.5},
                                  {-14, 3, -6, 12},
                                  {30, 30, 30, 30}};

static const LacOpticsSettings settings = {
  .grid = 64,
  .support = 24,
  .aperture.radius = 6.5,
  .n_positions = G_N_ELEMENTS(scan),
  .scan = scan,
};

static LacExposures *
simulate(const LacNoise *noise, LacPool *pool)
{
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacOptics)       optics = lac_optics_new(&settings, pool, &error);
  g_autofree double complex *object = g_new(double complex, 24 * 24);
  LacRng                     rng = lac_rng(1, 0);

  g_assert_no_error(error);
  for (gsize i = 0; i < 24 * 24; i++)
    object[i] = lac_rng_uniform(&rng);
  return lac_exposures_simulate(optics, object, noise, pool);
}

static void
test_simulation(void)
{
  const LacNoise          noise = {.snr_db = 30, .bad_fraction = 0.1, .seed = 4};
  g_autoptr(LacPool)      pool = lac_pool_new(3);
  g_autoptr(LacExposures) clear = simulate(&LAC_NOISE_NONE, NULL), noisy = simulate(&noise, NULL),
                          again = simulate(&noise, pool);
  g_autoptr(GError) error = NULL;
  const gsize       n = noisy->d * noisy->d;
  gsize             n_bad = 0;

  g_assert_null(lac_exposures_valid(clear, 0));
  g_assert_cmpmem(noisy->images, 4 * n * sizeof(double), again->images, 4 * n * sizeof(double));
  g_assert_cmpmem(noisy->valid, 4 * n, again->valid, 4 * n);
  for (gsize v = 0; v < 4; v++) {
    g_assert_cmpmem(lac_exposures_valid(noisy, v), n, lac_exposures_valid(noisy, 0), n);
    for (gsize i = 0; i < n; i++)
      if (!lac_exposures_valid(noisy, v)[i]) {
        g_assert_cmpfloat(lac_exposures_image(noisy, v)[i], ==, 0);
        n_bad += v == 0;
      } else {
        /* sigma of an amplitude is at most sqrt(sigma of the intensity); six sigma are rare */
        g_assert_cmpfloat(fabs(lac_exposures_image(noisy, v)[i] - lac_exposures_image(clear, v)[i]),
                          <,
                          6 * sqrt(lac_noise_expected_square(&noise, LAC_DETECTOR_AMPLITUDE,
                                                             lac_exposures_image(clear, v)[i])));
      }
  }
  g_assert_cmpfloat_with_epsilon((double) n_bad, 0.1 * (double) n, 4 * sqrt(0.09 * (double) n));
  g_assert_true(lac_exposures_check(noisy, &error));
  g_assert_no_error(error);
}

/* The optics of exposures reproduce the images bitwise. */
static void
test_optics_of_exposures(void)
{
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacExposures)    exposures = simulate(&LAC_NOISE_NONE, NULL), again = NULL;
  const LacOpticsSettings    theirs = lac_exposures_get_optics(exposures);
  g_autoptr(LacOptics)       optics = lac_optics_new(&theirs, NULL, &error);
  g_autofree double complex *object = g_new(double complex, 24 * 24);
  LacRng                     rng = lac_rng(1, 0);

  g_assert_no_error(error);
  for (gsize i = 0; i < 24 * 24; i++)
    object[i] = lac_rng_uniform(&rng);
  again = lac_exposures_simulate(optics, object, &LAC_NOISE_NONE, NULL);
  g_assert_cmpuint(again->n_along, ==, exposures->n_along);
  g_assert_cmpmem(again->images, 4 * again->d * again->d * sizeof(double), exposures->images,
                  4 * exposures->d * exposures->d * sizeof(double));
}

/* Returns the field of view of an object of which each pixel is @finer times @finer points, at the same place. */
static double complex *
new_finer(const double complex *object, gsize side, gsize finer)
{
  const gsize     n = finer * settings.grid;
  const gsize     start = finer * ((settings.grid - side) / 2) + n - finer / 2;
  double complex *field = g_new0(double complex, n *n);

  for (gsize y = 0; y < finer * side; y++)
    for (gsize x = 0; x < finer * side; x++) /* an orthonormal transform sums over more points */
      field[(start + y) % n * n + (start + x) % n] =
        object[y / finer * side + x / finer] / (double) finer;
  return field;
}

/* Returns the largest difference of the exposures from those of squares made of @finer times @finer points. */
static double
compare_squares(const LacExposures *squares, const double complex *object, gsize side, gsize finer)
{
  g_autoptr(GError)          error = NULL;
  g_autofree double complex *field = new_finer(object, side, finer);
  LacOpticsSettings          fine = settings;
  double                     apart = 0;

  fine.grid = fine.support = finer * settings.grid;
  fine.patch = squares->d;
  fine.n_positions = squares->n_positions;
  g_autoptr(LacOptics) optics = lac_optics_new(&fine, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(LacExposures) exposures = lac_exposures_simulate(optics, field, &LAC_NOISE_NONE, NULL);
  for (gsize i = 0; i < squares->n_positions * squares->d * squares->d; i++)
    apart = fmax(apart, fabs(exposures->images[i] - squares->images[i]));
  return apart;
}

/* Squares are the limit of ever finer points, with an error that falls as the square of their distance. */
static void
test_square_pixels(void)
{
  for (gsize side = 23; side <= 24; side++) {
    g_autoptr(GError)          error = NULL;
    g_autofree double complex *object = g_new(double complex, side *side);
    LacOpticsSettings          coarse = settings;
    LacRng                     rng = lac_rng(2, 0);

    coarse.support = side;
    coarse.n_positions = 3; /* the fourth is cut by the end of the coarse grid */
    coarse.square_pixels = TRUE;
    for (gsize i = 0; i < side * side; i++)
      object[i] = lac_rng_uniform(&rng);
    g_autoptr(LacOptics) optics = lac_optics_new(&coarse, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(LacExposures) squares = lac_exposures_simulate(optics, object, &LAC_NOISE_NONE, NULL);
    const double            one = compare_squares(squares, object, side, 1);
    const double            three = compare_squares(squares, object, side, 3);
    const double            nine = compare_squares(squares, object, side, 9);
    g_assert_cmpfloat(one, >, 0.01);
    g_assert_cmpfloat_with_epsilon(one / three, 9, 3);
    g_assert_cmpfloat_with_epsilon(three / nine, 9, 0.5);
  }
}

static void
check_refusal(const LacExposures *exposures, const char *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_false(lac_exposures_check(exposures, &error));
  g_assert_nonnull(error);
  if (!strstr(error->message, words))
    g_error("\"%s\" does not say \"%s\"", error->message, words);
}

static void
test_refusals(void)
{
  g_autoptr(LacExposures) exposures = simulate(&LAC_NOISE_NONE, NULL);
  const gsize             n = exposures->d * exposures->d;
  const double            value = exposures->images[n + 2 * exposures->d + 3];

  exposures->images[n + 2 * exposures->d + 3] = -1;
  check_refusal(exposures, "exposure 2 holds -1 at row 2, column 3");
  exposures->images[n + 2 * exposures->d + 3] = (double) NAN;
  check_refusal(exposures, "exposure 2 holds nan");
  exposures->valid = g_malloc(4 * n);
  memset(exposures->valid, 1, 4 * n);
  exposures->valid[n + 2 * exposures->d + 3] = 0;
  g_assert_true(lac_exposures_check(exposures, NULL));
  memset(exposures->valid + 3 * n, 0, n);
  check_refusal(exposures, "all pixels of exposure 4");
  memset(exposures->valid, 1, 4 * n);
  exposures->images[n + 2 * exposures->d + 3] = value;
  exposures->noise.snr_db = (double) NAN;
  check_refusal(exposures, "signal-to-noise ratio");
  exposures->noise = (LacNoise){.snr_db = 30, .read_sigma = -1};
  check_refusal(exposures, "read noise of -1");
  exposures->noise = (LacNoise){.snr_db = 30, .bad_fraction = 1};
  check_refusal(exposures, "bad pixels of 1");
  memset(exposures->images, 0, 4 * n * sizeof *exposures->images);
  check_refusal(exposures, "all 4 exposures are dark");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/noise/shot-noise-is-that-of-photons", test_shot_noise);
  g_test_add_func("/imaging/noise/read-noise-is-added-to-the-intensity", test_read_noise);
  g_test_add_func("/imaging/noise/what-a-misfit-comes-down-to-is-what-is-seen",
                  test_expected_square);
  g_test_add_func("/imaging/noise/an-exposure-has-its-own-noise-each-time", test_reproducible);
  g_test_add_func("/imaging/exposures/a-simulation-is-the-truth-with-noise", test_simulation);
  g_test_add_func("/imaging/exposures/their-optics-see-the-same-again", test_optics_of_exposures);
  g_test_add_func("/imaging/exposures/square-pixels-are-the-limit-of-finer-points",
                  test_square_pixels);
  g_test_add_func("/imaging/exposures/what-no-detector-gives-is-refused", test_refusals);
  return g_test_run();
}
