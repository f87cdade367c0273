/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error, correlation and structural similarity against published values, other programs and identities. */
#include "base/rng.h"
#include "experiment/imaging/metrics/metrics.h"

#include <math.h>

#define SIDE 48
#define N    (SIDE * SIDE)

/* Fills A and B, two images in closed form */
static void
fill_pair(double *a, double *b)
{
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      a[i * SIDE + j] = 0.5 + 0.5 * sin(0.17 * i) * cos(0.11 * j);
      b[i * SIDE + j] = 0.9 * a[i * SIDE + j] + 0.05 * sin(1.3 * i) + 0.02;
    }
}

/* Published values in single precision: accurate to 7e-7 of the squared error; to 2e-6 for similarity, whose
 * variances are differences of large numbers. */
static void
test_printed(void)
{
  double a[N], b[N];

  fill_pair(a, b);
  g_assert_cmpfloat_with_epsilon(lac_image_mse(a, b, N), 0.002646259, 2e-9);
  g_assert_cmpfloat_with_epsilon(lac_image_psnr(a, b, N, 1), 25.773676, 4e-6);
  g_assert_cmpfloat_with_epsilon(lac_image_rmse(a, b, N), 10.078898, 5e-6);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_WHOLE, a, b, SIDE, 1), 0.8519099, 2e-6);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_CROPPED, a, b, SIDE, 1), 0.8593421, 2e-6);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_VALID, a, b, SIDE, 1), 0.8606795, 2e-6);
  g_assert_cmpfloat_with_epsilon(lac_image_ms_ssim(a, b, SIDE, 1), 0.9697688, 2e-6);
}

/* Values of NumPy and scikit-image 0.26 in double precision: structural_similarity(A, B, gaussian_weights=True,
 * sigma=1.5, win_size=7 and 11, use_sample_covariance=False, data_range=1) */
static void
test_double_precision(void)
{
  double a[N], b[N];

  fill_pair(a, b);
  g_assert_cmpfloat_with_epsilon(lac_image_psnr(a, b, N, 1), 25.773679424464497, 1e-11);
  g_assert_cmpfloat_with_epsilon(lac_image_rmse(a, b, N), 10.078893389672649, 1e-11);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_WHOLE, a, b, SIDE, 1), 0.8519085260808656,
                                 1e-13);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_CROPPED, a, b, SIDE, 1),
                                 0.8593419369108519, 1e-13);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_VALID, a, b, SIDE, 1), 0.8606793499705739,
                                 1e-13);
}

static void
test_identities(void)
{
  double a[N], b[N], scaled[N], map[N], sum = 0;

  fill_pair(a, b);
  g_assert_true(isinf(lac_image_psnr(a, a, N, 1)));
  g_assert_cmpfloat(lac_image_rmse(a, a, N), ==, 0);
  for (int flavour = 0; flavour < LAC_SSIM_N_FLAVOURS; flavour++) {
    g_assert_cmpfloat_with_epsilon(lac_image_ssim((LacSsimFlavour) flavour, a, a, SIDE, 1), 1,
                                   1e-14);
    g_assert_cmpfloat_with_epsilon(lac_image_ssim((LacSsimFlavour) flavour, a, b, SIDE, 1),
                                   lac_image_ssim((LacSsimFlavour) flavour, b, a, SIDE, 1), 1e-14);
    g_assert_nonnull(lac_ssim_get_name((LacSsimFlavour) flavour));
  }
  g_assert_cmpfloat_with_epsilon(lac_image_ms_ssim(a, a, SIDE, 1), 1, 1e-14);
  lac_image_ssim_map(a, b, SIDE, 1, map);
  for (int i = 0; i < N; i++)
    sum += map[i];
  g_assert_cmpfloat_with_epsilon(sum / N, lac_image_ssim(LAC_SSIM_WHOLE, a, b, SIDE, 1), 1e-14);
  for (int i = 0; i < N; i++)
    scaled[i] = 3 - 0.25 * a[i];
  g_assert_cmpfloat_with_epsilon(lac_image_correlation(scaled, a, N), -1, 1e-12);
}

/* Similarity does not depend on the unit if the range is in the same unit. */
static void
test_range(void)
{
  double a[N], b[N], wide_a[N], wide_b[N];

  fill_pair(a, b);
  for (int i = 0; i < N; i++) {
    wide_a[i] = 255 * a[i];
    wide_b[i] = 255 * b[i];
  }
  g_assert_cmpfloat_with_epsilon(lac_image_psnr(wide_a, wide_b, N, 255), lac_image_psnr(a, b, N, 1),
                                 1e-11);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_WHOLE, wide_a, wide_b, SIDE, 255),
                                 lac_image_ssim(LAC_SSIM_WHOLE, a, b, SIDE, 1), 1e-12);
}

/* A body may be only three pixels across. */
static void
test_tiny(void)
{
  const double a[9] = {0, 0.2, 0.1, 0.4, 1, 0.5, 0.1, 0.3, 0}, flat[9] = {0};

  for (gsize side = 1; side <= 3; side++)
    for (int flavour = 0; flavour < LAC_SSIM_N_FLAVOURS; flavour++)
      g_assert_cmpfloat_with_epsilon(lac_image_ssim((LacSsimFlavour) flavour, a, a, side, 1), 1,
                                     1e-12);
  g_assert_cmpfloat_with_epsilon(lac_image_ms_ssim(a, a, 3, 1), 1, 1e-12);
  g_assert_true(isnan(lac_image_correlation(a, flat, 9)));
}

/* Noise of known variance. */
static void
test_noise(void)
{
  const gsize        n = 256 * 256;
  g_autofree double *a = g_new(double, n), *b = g_new(double, n);
  LacRng             rng = lac_rng(5, 1);

  for (gsize i = 0; i < n; i++) {
    a[i] = 0.5 + 0.3 * sin(0.05 * (double) (i % 256));
    b[i] = a[i] + 0.01 * lac_rng_normal(&rng);
  }
  /* the variance of a sample variance is 2 sigma^4 / n: 4 deviations are 0.1 dB */
  g_assert_cmpfloat_with_epsilon(lac_image_psnr(b, a, n, 1), 40, 0.1);
}

/* Sides below, at and above 20 pixels, odd ones, and some with several scales. */
static void
test_all_at_once(void)
{
  static const gsize sides[] = {7, 19, 20, 21, 48, 97};
  LacRng             rng = lac_rng(8, 1);

  for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
    const gsize        side = sides[i], n = side * side;
    g_autofree double *a = g_new(double, n), *b = g_new(double, n);
    LacImageQualities  all;

    for (gsize j = 0; j < n; j++) {
      a[j] = lac_rng_uniform(&rng);
      b[j] = 0.7 * a[j] + 0.3 * lac_rng_uniform(&rng);
    }
    lac_image_qualities(a, b, side, 1, &all);
    g_assert_cmpfloat_with_epsilon(all.psnr, lac_image_psnr(a, b, n, 1), 1e-12);
    g_assert_cmpfloat_with_epsilon(all.rmse, lac_image_rmse(a, b, n), 1e-12);
    g_assert_cmpfloat_with_epsilon(all.correlation, lac_image_correlation(a, b, n), 1e-12);
    g_assert_cmpfloat_with_epsilon(all.ms_ssim, lac_image_ms_ssim(a, b, side, 1), 1e-12);
    for (int flavour = 0; flavour < LAC_SSIM_N_FLAVOURS; flavour++)
      g_assert_cmpfloat_with_epsilon(
        all.ssim[flavour], lac_image_ssim((LacSsimFlavour) flavour, a, b, side, 1), 1e-12);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/metrics/printed-digits", test_printed);
  g_test_add_func("/imaging/metrics/similarity-to-the-last-digits-of-another-program",
                  test_double_precision);
  g_test_add_func("/imaging/metrics/equal-images-and-symmetry", test_identities);
  g_test_add_func("/imaging/metrics/the-unit-does-not-matter", test_range);
  g_test_add_func("/imaging/metrics/tiny-images", test_tiny);
  g_test_add_func("/imaging/metrics/noise-of-a-known-size", test_noise);
  g_test_add_func("/imaging/metrics/all-at-once-are-those-one-by-one", test_all_at_once);
  return g_test_run();
}
