/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The likelihood's gradient by differences, and its least by the truth. */
#include "retrieval-bed.h"

#include "base/rng.h"
#include "experiment/imaging/likelihood.h"

#include <math.h>

static void
shake(double complex *object, gboolean is_complex, double size, guint64 stream)
{
  LacRng rng = lac_rng(5, stream);

  for (gsize i = 0; i < BED_PIXELS; i++) {
    const double re = size * lac_rng_normal(&rng), im = size * lac_rng_normal(&rng);

    object[i] += CMPLX(re, is_complex ? im : 0);
  }
}

/* Central differences with a step of 1e-5: the cubic term leaves 1e-9 of the slope, rounding as much. */
static void
check_gradient(Bed *bed, const LacLikelihoodSettings *settings)
{
  static const double        step = 1e-5;
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacHypothesis)   h = lac_hypothesis_new(&bed->problem, &error);
  g_autoptr(LacLikelihood)   likelihood = lac_likelihood_new(h, settings);
  g_autofree double complex *bar = g_new(double complex, BED_PIXELS),
                            *scratch = g_new(double complex, BED_PIXELS),
                            *at = g_new0(double complex, BED_PIXELS);

  g_assert_no_error(error);
  for (gsize i = 0; i < BED_PIXELS; i++)
    at[i] = 1.2 * bed->truth[i];
  shake(at, bed->is_complex, 0.1, 1);
  lac_likelihood_evaluate(likelihood, at, bar);
  for (guint64 d = 0; d < 3; d++) {
    double complex way[BED_PIXELS] = {0}, there[2][BED_PIXELS];
    double         slope = 0, losses[2];

    shake(way, bed->is_complex, 1, 2 + d);
    for (gsize i = 0; i < BED_PIXELS; i++) {
      there[0][i] = at[i] + step * way[i];
      there[1][i] = at[i] - step * way[i];
      slope += creal(conj(bar[i]) * way[i]);
    }
    for (guint side = 0; side < 2; side++)
      losses[side] = lac_likelihood_evaluate(likelihood, there[side], scratch);
    g_assert_cmpfloat_with_epsilon((losses[0] - losses[1]) / (2 * step), slope,
                                   1e-6 * fmax(1, fabs(slope)));
  }
}

static void
test_gradient(void)
{
  for (guint variant = 0; variant < 8; variant++) {
    Bed bed = BED_DEFAULTS;

    bed.is_complex = (variant & 1) != 0;
    bed.has_lines = (variant & 2) != 0;
    bed.noise = (LacNoise){.snr_db = 25, .bad_fraction = 0.05};
    bed.n_threads = 2;
    bed.aberrations[0] = 0.4;
    bed_open(&bed);
    check_gradient(
      &bed, &(LacLikelihoodSettings){variant & 4 ? LAC_LIKELIHOOD_POISSON : LAC_LIKELIHOOD_GAUSSIAN,
                                     variant & 2 ? 5 : 0});
    bed_close(&bed);
  }
}

/* Of all objects near the truth the truth is the likeliest where there is no noise, and costs nothing. */
static void
test_least(void)
{
  for (guint kind = 0; kind < 2; kind++) {
    Bed               bed = BED_DEFAULTS;
    g_autoptr(GError) error = NULL;

    bed_open(&bed);
    {
      g_autoptr(LacHypothesis) h = lac_hypothesis_new(&bed.problem, &error);
      g_autoptr(LacLikelihood) likelihood =
        lac_likelihood_new(h, &(LacLikelihoodSettings){(LacLikelihoodKind) kind, 0});
      g_autofree double complex *bar = g_new(double complex, BED_PIXELS),
                                *at = g_new(double complex, BED_PIXELS);

      g_assert_no_error(error);
      g_assert_cmpfloat(fabs(lac_likelihood_evaluate(likelihood, bed.truth, bar)), <, 1e-12);
      for (guint64 i = 0; i < 5; i++) {
        for (gsize j = 0; j < BED_PIXELS; j++)
          at[j] = bed.truth[j];
        shake(at, FALSE, 0.01, 10 + i);
        g_assert_cmpfloat(lac_likelihood_evaluate(likelihood, at, bar), >, 1e-6);
      }
    }
    bed_close(&bed);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/likelihood/its-gradient-is-that-of-differences", test_gradient);
  g_test_add_func("/imaging/likelihood/the-truth-is-the-likeliest", test_least);
  return g_test_run();
}
