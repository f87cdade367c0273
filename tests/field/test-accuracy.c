/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error reduction, spectrograms and convergence rates; an exponential decay has the same rate over any interval. */
#include "field/accuracy.h"

#include <math.h>

enum { NX = 9, NY = 7, N = NX * NY };

static LacPlane
make(float *data)
{
  for (gsize i = 0; i < N; i++)
    data[i] = (float) g_test_rand_double_range(-2, 2);
  return (LacPlane){.nx = NX, .ny = NY, .x_max = 3, .y_max = 2, .data = data};
}

static void
test_reductions_add_up(void)
{
  float    data[8][N];
  LacPlane planes[8];
  for (gsize p = 0; p < 8; p++)
    planes[p] = make(data[p]);
  LacScored a = {&planes[0], &planes[1]}, b = {&planes[2], &planes[3]},
            c = {&planes[0], &planes[4]};
  double share = lac_error_reduction(&a, &b, &planes[5]);
  double back = lac_error_reduction(&b, &a, &planes[6]);
  gsize  n = 0;
  for (gsize i = 0; i < N; i++) {
    g_assert_cmpfloat((double) data[5][i], ==, -(double) data[6][i]);
    n += data[5][i] > 0;
  }
  g_assert_cmpfloat(share, ==, (double) n / N);
  g_assert_cmpfloat(share + back, ==, 1);
  g_assert_cmpfloat(planes[5].x_max, ==, 3);
  lac_error_reduction(&b, &c, &planes[6]);
  lac_error_reduction(&a, &c, &planes[7]);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon((double) data[5][i] + (double) data[6][i], (double) data[7][i],
                                   1e-6);
  data[1][4] = NAN;
  lac_error_reduction(&a, &b, &planes[5]);
  g_assert_cmpuint(planes[5].n_not_finite, ==, 1);
}

static void
test_price_of_a_decade(void)
{
  double seconds[50], errors[50];
  for (gsize i = 0; i < 50; i++) {
    seconds[i] = 0.25 * (double) i;
    errors[i] = 3 * pow(10, -seconds[i] / 4); /* tenfold reduction in four seconds */
  }
  g_assert_cmpfloat_with_epsilon(lac_seconds_per_decade(seconds, errors, 50, 0, 100), 4, 1e-9);
  g_assert_cmpfloat_with_epsilon(lac_seconds_per_decade(seconds, errors, 50, 3.1, 7), 4, 1e-9);
  g_assert_true(isnan(lac_seconds_per_decade(seconds, errors, 50, 3.1, 3.2)));
  errors[49] = 10;
  g_assert_true(isnan(lac_seconds_per_decade(seconds, errors, 50, 0, 100)));
}

static void
test_rows_add_up_to_the_error(void)
{
  float    data[2][N];
  LacPlane planes[2];
  for (gsize p = 0; p < 2; p++)
    planes[p] = make(data[p]);
  g_autoptr(LacSpectrogram) spectrogram = lac_spectrogram_new(&planes[0], 3);
  const LacScored           scored = {&planes[0], &planes[1]};
  for (gsize row = 0; row < 2; row++) {
    double mean = 0, sum = 0;
    data[1][5] += 1; /* a different error */
    lac_spectrogram_set(spectrogram, row, 10 * (gint64) row, &scored, FALSE);
    for (gsize i = 0; i < N; i++)
      mean += pow((double) data[1][i] - (double) data[0][i], 2) / N;
    for (gsize k = 0; k < spectrogram->n_shells; k++)
      sum += spectrogram->power[row * spectrogram->n_shells + k];
    g_assert_cmpfloat_with_epsilon(sum, mean, 1e-12 * mean);
    g_assert_cmpint(spectrogram->steps[row], ==, 10 * (gint64) row);
  }
  data[1][5] = NAN;
  lac_spectrogram_set(spectrogram, 2, 20, &scored, FALSE);
  g_assert_true(isnan(spectrogram->power[2 * spectrogram->n_shells]));
  LacPlane line = {.nx = 5, .ny = 1, .x_max = 1, .data = data[0]};
  g_assert_null(lac_spectrogram_new(&line, 2));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/accuracy/reductions-add-up", test_reductions_add_up);
  g_test_add_func("/field/accuracy/an-exponential-fall-has-one-price", test_price_of_a_decade);
  g_test_add_func("/field/accuracy/rows-of-a-spectrogram-add-up-to-the-error",
                  test_rows_add_up_to_the_error);
  return g_test_run();
}
