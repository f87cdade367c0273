/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The likelihood's gradient against finite differences, and its minimum at the truth. */
#include "base/rng.h"
#include "experiment/imaging/helpers/retrieval-bed.h"
#include "experiment/imaging/methods/k-space-private.h"
#include "experiment/imaging/methods/likelihood.h"

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

/* A likelihood of variables in host memory. */
typedef struct {
  LacImagingEstimate *h;
  gsize               n;
  gpointer            variables, gradient; /* of the device */
} Subject;

static LacDevice
device_of(const Subject *subject)
{
  return subject->h->k_space->device;
}

static void
subject_init(Subject *subject, Bed *bed, const LacLikelihoodSettings *settings)
{
  g_autoptr(GError) error = NULL;
  gsize             n_bytes;

  subject->h = lac_imaging_estimate_new(&bed->problem, &error);
  g_assert_no_error(error);
  lac_likelihood_open(subject->h, settings, &error);
  g_assert_no_error(error);
  subject->n = subject->h->k_space->n_variables;
  n_bytes = subject->n * sizeof(double);
  const LacDevice device = device_of(subject);
  g_assert_cmpint(device.table->alloc(device.self, n_bytes, &subject->variables), ==,
                  LAC_STATUS_OK);
  g_assert_cmpint(device.table->alloc(device.self, n_bytes, &subject->gradient), ==, LAC_STATUS_OK);
}

static void
subject_clear(Subject *subject)
{
  const LacDevice device = device_of(subject);

  device.table->release(device.self, subject->variables);
  device.table->release(device.self, subject->gradient);
  lac_imaging_estimate_free(subject->h);
}

static double
evaluate(Subject *subject, const double *variables, double *gradient)
{
  const LacDevice   device = device_of(subject);
  const gsize       n_bytes = subject->n * sizeof *variables;
  g_autoptr(GError) error = NULL;
  double            loss = NAN;

  g_assert_cmpint(device.table->upload(device.self, subject->variables, variables, n_bytes), ==,
                  LAC_STATUS_OK);
  g_assert_true(
    lac_likelihood_evaluate(subject->variables, subject->gradient, &loss, subject->h, &error));
  if (gradient)
    g_assert_cmpint(device.table->download(device.self, gradient, subject->gradient, n_bytes), ==,
                    LAC_STATUS_OK);
  return loss;
}

/* Returns: (transfer full): variables of an object that is not bounded, or of modulus bounded */
static double *
dup_variables(const Subject *subject, const double complex *object)
{
  double     *variables = g_new(double, subject->n);
  const gsize n_each = subject->n / BED_PIXELS;

  for (gsize i = 0; i < subject->n; i++)
    variables[i] = i % n_each ? cimag(object[i / n_each]) : creal(object[i / n_each]);
  return variables;
}

/* Central differences with a step of 1e-5: the cubic term and rounding each contribute 1e-9 of the slope. */
static void
check_gradient(Bed *bed, const LacLikelihoodSettings *settings)
{
  static const double        step = 1e-5;
  Subject                    subject;
  LacRng                     rng = lac_rng(5, 9);
  g_autofree double complex *at = g_new0(double complex, BED_PIXELS);

  subject_init(&subject, bed, settings);
  for (gsize i = 0; i < BED_PIXELS; i++)
    at[i] = 1.2 * bed->truth[i];
  shake(at, bed->is_complex, 0.1, 1);
  g_autofree double *variables = dup_variables(&subject, at);
  g_autofree double *gradient = g_new0(double, subject.n);
  g_autofree double *way = g_new0(double, subject.n), *there = g_new0(double, subject.n);
  evaluate(&subject, variables, gradient);
  for (guint64 d = 0; d < 3; d++) {
    double slope = 0, losses[2];

    for (gsize i = 0; i < subject.n; i++) {
      way[i] = lac_rng_normal(&rng);
      slope += gradient[i] * way[i];
    }
    for (guint side = 0; side < 2; side++) {
      for (gsize i = 0; i < subject.n; i++)
        there[i] = variables[i] + (side ? -step : step) * way[i];
      losses[side] = evaluate(&subject, there, NULL);
    }
    g_assert_cmpfloat_with_epsilon((losses[0] - losses[1]) / (2 * step), slope,
                                   1e-6 * fmax(1, fabs(slope)));
  }
  subject_clear(&subject);
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

/* Pixels with small and large standard deviations, in both units. */
static void
test_sigma(void)
{
  for (guint variant = 0; variant < 4; variant++) {
    Bed bed = BED_DEFAULTS;

    bed.unit = variant & 1 ? LAC_DETECTOR_INTENSITY : LAC_DETECTOR_AMPLITUDE;
    bed.is_complex = (variant & 2) != 0;
    bed.noise = (LacNoise){.snr_db = 25, .bad_fraction = 0.05};
    bed_open(&bed);
    const gsize n = bed.exposures->n_positions * bed.exposures->d * bed.exposures->d;
    bed.exposures->sigma = g_new(double, n);
    for (gsize i = 0; i < n; i++)
      bed.exposures->sigma[i] = 0.01 + 0.02 * (double) (i % 7);
    check_gradient(&bed, &(LacLikelihoodSettings){LAC_LIKELIHOOD_GAUSSIAN, 5});
    bed_close(&bed);
  }
}

/* A pure noise exposure does no harm when its deviation is given, but does when it is weighted like the others. */
static void
test_weights(void)
{
  const LacImagingMethod *method = bed_find("ml");
  double                  psnr[2];

  for (guint is_reported = 0; is_reported < 2; is_reported++) {
    Bed      bed = BED_DEFAULTS;
    gpointer running;
    LacRng   rng = lac_rng(7, 7);

    bed.noise.snr_db = 40;
    bed_open(&bed);
    const gsize cells = bed.exposures->d * bed.exposures->d, n = bed.exposures->n_positions * cells;
    if (is_reported)
      bed.exposures->sigma = g_new(double, n);
    for (gsize i = 0; i < n; i++) {
      const gboolean is_bad = i / cells == 2;

      if (is_reported)
        bed.exposures->sigma[i] = is_bad ? 1 : 0.005; /* 1/(2 sqrt S) */
      if (is_bad)
        bed.exposures->images[i] = fabs(bed.exposures->images[i] + lac_rng_normal(&rng));
    }
    running = bed_create(&bed, method, "ml_variation=0;stop_at_noise=no;leave_out_exposures=no");
    bed_run(method, running, 40, NULL);
    psnr[is_reported] = bed_psnr_of(&bed, method, running);
    method->destroy(running);
    bed_close(&bed);
  }
  g_test_message("without %.1f dB, with %.1f dB", psnr[0], psnr[1]);
  g_assert_cmpfloat(psnr[1], >, psnr[0] + 10);
}

/* Without noise the truth has the highest likelihood of all nearby objects, with zero loss. */
static void
test_least(void)
{
  for (guint kind = 0; kind < 2; kind++) {
    Bed                        bed = BED_DEFAULTS;
    Subject                    subject;
    g_autofree double complex *at = g_new(double complex, BED_PIXELS);

    bed.is_unbounded = TRUE;
    bed_open(&bed);
    subject_init(&subject, &bed, &(LacLikelihoodSettings){(LacLikelihoodKind) kind, 0});
    g_autofree double *truth = dup_variables(&subject, bed.truth);
    g_assert_cmpfloat(fabs(evaluate(&subject, truth, NULL)), <, 1e-12);
    for (guint64 i = 0; i < 5; i++) {
      for (gsize j = 0; j < BED_PIXELS; j++)
        at[j] = bed.truth[j];
      shake(at, FALSE, 0.01, 10 + i);
      g_autofree double *near = dup_variables(&subject, at);
      g_assert_cmpfloat(evaluate(&subject, near, NULL), >, 1e-6);
    }
    subject_clear(&subject);
    bed_close(&bed);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/likelihood/its-gradient-is-that-of-differences", test_gradient);
  g_test_add_func("/imaging/likelihood/every-pixel-counts-by-its-deviation", test_sigma);
  g_test_add_func("/imaging/likelihood/what-is-said-to-be-noise-does-no-harm", test_weights);
  g_test_add_func("/imaging/likelihood/the-truth-is-the-likeliest", test_least);
  return g_test_run();
}
