/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder's losses against the published ones, the chain from network to exposures against finite differences,
 * and results of training. */
#include "experiment/imaging/helpers/amplitude-loss.h"
#include "experiment/imaging/helpers/retrieval-bed.h"
#include "experiment/imaging/helpers/seen.h"
#include "experiment/imaging/methods/decoder/fit.h"
#include "experiment/imaging/metrics/metrics.h"

#include <math.h>
#include <string.h>

#define PUBLISHED 64 /* side of the published test case */

/* Computes |u| through the only aperture of @optics; the published images are shifted by one pixel up and left,
 * cyclically. */
static double *
amplitude_of(LacOptics *optics, const double *object)
{
  g_autofree double complex *complex_object = new_numbers(PUBLISHED * PUBLISHED);
  g_autofree double         *image = NULL;
  double                    *moved = g_new(double, PUBLISHED *PUBLISHED);

  for (gsize i = 0; i < PUBLISHED * PUBLISHED; i++)
    complex_object[i] = object[i];
  image = image_of(optics, 0, complex_object);
  for (gsize y = 0; y < PUBLISHED; y++)
    for (gsize x = 0; x < PUBLISHED; x++)
      moved[y * PUBLISHED + x] = image[(y + 1) % PUBLISHED * PUBLISHED + (x + 1) % PUBLISHED];
  return moved;
}

static double scratch[LAC_AMPLITUDE_LOSS_MAPS * PUBLISHED * PUBLISHED];

static double
loss_of(LacAmplitudeLossKind kind, const double *predicted, const double *measured)
{
  return lac_amplitude_loss(&(LacAmplitudeLoss){.kind = kind,
                                                .normalised = TRUE,
                                                .n = PUBLISHED * PUBLISHED,
                                                .predicted = predicted,
                                                .measured = measured,
                                                .scale = 1,
                                                .scratch = scratch},
                            1, NULL);
}

/* An old aperture, equal to its union, and a new one; published in single precision. */
static void
test_published(void)
{
  static const LacScanBox places[2] = {{0, 0, 0, 0}, {6.5, -4.25, 6.5, -4.25}};
  static const double     l1[2] = {0.09958700, 0.10000004}, l2[2] = {0.01068144, 0.01000000},
                      ssim[2] = {0.00271565, 0.00388104};
  double truth[PUBLISHED * PUBLISHED] = {0}, other[PUBLISHED * PUBLISHED],
                           guess[PUBLISHED * PUBLISHED];

  for (gsize i = 0; i < PUBLISHED * PUBLISHED; i++) {
    const gsize y = i / PUBLISHED, x = i % PUBLISHED;
    if (y >= 16 && y < 48 && x >= 16 && x < 48)
      truth[i] = 0.5 + 0.5 * sin(0.3 * (double) y) * cos(0.2 * (double) x);
    other[i] = 0.8 * truth[i] + (truth[i] > 0 ? 0.01 : 0);
    guess[i] = 0.9 * truth[i];
  }
  for (gsize k = 0; k < 2; k++) {
    const LacOpticsSettings settings = {.grid = PUBLISHED,
                                        .support = PUBLISHED,
                                        .aperture.radius = 10,
                                        .patch = PUBLISHED,
                                        .n_positions = 1,
                                        .scan = &places[k]};
    g_autoptr(LacOptics)    optics = new_optics(&settings, NULL);
    g_autofree double      *measured = amplitude_of(optics, k == 0 ? other : truth);
    g_autofree double      *predicted = amplitude_of(optics, guess);

    g_assert_cmpfloat_with_epsilon(loss_of(LAC_LOSS_L1, predicted, measured), l1[k], 1e-7);
    g_assert_cmpfloat_with_epsilon(loss_of(LAC_LOSS_L2, predicted, measured), l2[k], 1e-8);
    g_assert_cmpfloat_with_epsilon(loss_of(LAC_LOSS_SSIM, predicted, measured), ssim[k], 1e-7);
  }
}

static void
test_slopes(void)
{
  const double     measured[5] = {0.3, 0, -1, 0.7, 0.2}, predicted[5] = {0.5, 0.1, 4, 0.6, 0.2};
  const double     t = 1e-6;
  double           bar[5], moved[5];
  LacAmplitudeLoss args = {.n = 5, .measured = measured, .floor = 0.1};

  for (int k = 0; k < 4; k++) {
    args.kind = k % 2 ? LAC_LOSS_L2 : LAC_LOSS_L1;
    args.normalised = k / 2;
    args.predicted = predicted;
    lac_amplitude_loss(&args, 3, bar);
    for (gsize i = 0; i < 5; i++) {
      double losses[2];
      for (int s = 0; s < 2; s++) {
        memcpy(moved, predicted, sizeof moved);
        moved[i] += s ? t : -t;
        args.predicted = moved;
        losses[s] = lac_amplitude_loss(&args, 1, NULL);
      }
      g_assert_cmpfloat_with_epsilon(bar[i], 3 * (losses[1] - losses[0]) / (2 * t), 1e-8);
    }
    g_assert_cmpfloat(bar[2], ==, 0); /* not measured */
  }
}

#define SIDE 50 /* three scales: 50, 25, 12 */

typedef struct {
  double           measured[SIDE * SIDE], predicted[SIDE * SIDE];
  LacAmplitudeLoss args;
} Images;

static void
draw_images(Images *images, LacAmplitudeLossKind kind, gsize side)
{
  LacRng rng = lac_rng(2, 2);

  for (gsize i = 0; i < side * side; i++) {
    images->measured[i] = i % 17 == 3 ? -1 : lac_rng_uniform(&rng);
    images->predicted[i] = fabs(images->measured[i]) + 0.4 * lac_rng_uniform(&rng);
  }
  images->args = (LacAmplitudeLoss){.kind = kind,
                                    .n = side * side,
                                    .predicted = images->predicted,
                                    .measured = images->measured,
                                    .scale = 0.7,
                                    .weights = {0.5, 0.2, 0.1, 0.2},
                                    .scratch = scratch};
}

/* Checks every pixel of small images, and some of larger ones. */
static void
check_slopes_of(LacAmplitudeLossKind kind, gsize side)
{
  const double       t = 1e-5;
  g_autofree Images *images = g_new0(Images, 1);
  double             bar[SIDE * SIDE], size = 0;

  draw_images(images, kind, side);
  lac_amplitude_loss(&images->args, 2, bar);
  for (gsize i = 0; i < side * side; i++)
    size = fmax(size, fabs(bar[i]));
  for (gsize i = 0; i<side * side; i += side> 20 ? 41 : 1) {
    const double middle = images->predicted[i];
    double       above, below;

    images->predicted[i] = middle + t;
    above = lac_amplitude_loss(&images->args, 1, NULL);
    images->predicted[i] = middle - t;
    below = lac_amplitude_loss(&images->args, 1, NULL);
    images->predicted[i] = middle;
    g_assert_cmpfloat_with_epsilon(bar[i], (above - below) / t, 1e-6 * size);
    g_assert_true((bar[i] == 0) == (images->measured[i] < 0));
  }
}

static void
test_dissimilarity_slopes(void)
{
  check_slopes_of(LAC_LOSS_SSIM, 9);
  check_slopes_of(LAC_LOSS_MS_SSIM, 9);
  check_slopes_of(LAC_LOSS_MS_SSIM, SIDE);
  check_slopes_of(LAC_LOSS_COMPOSITE, SIDE);
}

/* Equals the metric of the images divided by their range. */
static void
test_scales(void)
{
  g_autofree Images *images = g_new0(Images, 1);

  draw_images(images, LAC_LOSS_MS_SSIM, SIDE);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    images->measured[i] = fabs(images->measured[i]);
  images->args.scale = 1;
  g_assert_cmpfloat_with_epsilon(
    lac_amplitude_loss(&images->args, 1, NULL),
    (1 - lac_image_ms_ssim(images->predicted, images->measured, SIDE, 1)) / 2, 1e-12);
}

/* Equals the sum of its parts, even when the derivatives overwrite the prediction. */
static void
test_composite(void)
{
  g_autofree Images *images = g_new0(Images, 1);
  double             bar[SIDE * SIDE], part[SIDE * SIDE], sum = 0, bars[SIDE * SIDE] = {0};

  draw_images(images, LAC_LOSS_COMPOSITE, SIDE);
  for (int kind = 0; kind < LAC_LOSS_COMPOSITE; kind++) {
    images->args.kind = (LacAmplitudeLossKind) kind;
    sum += images->args.weights[kind] * lac_amplitude_loss(&images->args, 1, part);
    for (gsize i = 0; i < SIDE * SIDE; i++)
      bars[i] += images->args.weights[kind] * part[i];
  }
  images->args.kind = LAC_LOSS_COMPOSITE;
  memcpy(bar, images->predicted, sizeof bar);
  images->args.predicted = bar;
  g_assert_cmpfloat_with_epsilon(lac_amplitude_loss(&images->args, 1, bar), sum, 1e-14);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    g_assert_cmpfloat_with_epsilon(bar[i], bars[i], 1e-15);
}

#define N_TERMS 3

/* Returns the loss minimised by a step: twice the mean over the terms. */
static double
loss_at(LacDecoderFit *fit, LacDecoder *network, const double *theta)
{
  double sum = 0;

  lac_decoder_set_parameters(network, theta);
  lac_decoder_fit_see(fit, N_TERMS);
  for (gsize i = 0; i < N_TERMS; i++)
    sum += fit->terms[i].loss;
  return 2 * (sum + (fit->has_memory ? fit->memory_loss : 0)) /
         (N_TERMS + (fit->has_memory ? 1 : 0));
}

/* Compares the gradient of the last step with finite differences along random directions. */
static void
check_gradient(LacDecoderFit *fit, LacDecoder *network)
{
  const gsize        n = lac_decoder_get_n_parameters(network);
  g_autofree double *theta = g_new(double, n), *gradient = g_new(double, n);
  g_autofree double *direction = g_new(double, n), *moved = g_new(double, n);
  LacRng             rng = lac_rng(4, 4);
  const double       t = 1e-7; /* a larger step crosses kinks of the ReLU */

  lac_decoder_get_parameters(network, theta);
  loss_at(fit, network, theta);
  lac_decoder_fit_learn(fit, 0); /* changes no parameter */
  lac_decoder_get_gradient(network, gradient);
  for (guint k = 0; k < 6; k++) {
    double slope = 0, size = 0, losses[2];

    for (gsize i = 0; i < n; i++) {
      direction[i] = lac_rng_normal(&rng);
      slope += direction[i] * gradient[i];
      size += fabs(direction[i] * gradient[i]);
    }
    for (int s = 0; s < 2; s++) {
      for (gsize i = 0; i < n; i++)
        moved[i] = theta[i] + (s ? t : -t) * direction[i];
      losses[s] = loss_at(fit, network, moved);
    }
    g_assert_cmpfloat_with_epsilon((losses[1] - losses[0]) / (2 * t), slope, 1e-6 * size + 1e-9);
  }
  lac_decoder_set_parameters(network, theta);
}

static void
check_chain(Bed *bed, gboolean remembers)
{
  const LacDecoderFitSettings   settings = {.bound = LAC_BOUND_SIGMOID,
                                            .loss = LAC_LOSS_L2,
                                            .normalised = TRUE,
                                            .remembers = remembers,
                                            .most_terms = N_TERMS};
  g_autoptr(GError)             error = NULL;
  g_autoptr(LacImagingEstimate) h = NULL;
  g_autoptr(LacDecoderFit)      fit = NULL;

  bed_open(bed);
  h = lac_imaging_estimate_new(&bed->problem, &error);
  g_assert_no_error(error);
  fit = lac_decoder_fit_new(h, &settings, &error);
  g_assert_no_error(error);
  if (remembers) {
    lac_decoder_fit_remember(fit, 5);
    lac_decoder_init(fit->network, 99); /* otherwise the rehearsal loss is zero */
  }
  for (gsize i = 0; i < N_TERMS; i++)
    fit->terms[i].position = 4 * i + 1;
  check_gradient(fit, fit->network);
  g_assert_true((fit->phase_network != NULL) == bed->is_complex);
  if (fit->phase_network)
    check_gradient(fit, fit->phase_network);
  g_clear_pointer(&fit, lac_decoder_fit_free);
  g_clear_pointer(&h, lac_imaging_estimate_free);
  bed_close(bed);
}

static void
test_chain(void)
{
  Bed plain = BED_DEFAULTS, lines = BED_DEFAULTS, own = BED_DEFAULTS, turned = BED_DEFAULTS;

  check_chain(&plain, FALSE);
  turned.is_complex = TRUE;
  check_chain(&turned, TRUE);
  lines.has_lines = TRUE;
  lines.is_unbounded = TRUE;
  check_chain(&lines, FALSE);
  check_chain(&own, TRUE);
}

static double
misfit_of(Bed *bed, const char *params)
{
  const LacImagingMethod *method = bed_find("decoder");
  gpointer                running = bed_create(bed, method, params);
  LacMethodReport         report;

  bed_run(method, running, 100000, &report);
  method->destroy(running);
  return report.curves[LAC_CURVE_MISFIT];
}

/* Replay rehearses the measured exposures; self-rehearsal does not, and gradually forgets earlier exposures: a
 * several times larger misfit, even in a short run. */
static void
test_replay(void)
{
  static const char few_steps[] =
    "decoder_steps=40;decoder_finish=20;decoder_retries=0;decoder_data=";
  Bed bed = BED_DEFAULTS;

  bed_open(&bed);
  g_autofree char *replay = g_strconcat(few_steps, "replay", NULL),
                  *self = g_strconcat(few_steps, "self", NULL);
  g_assert_cmpfloat(2 * misfit_of(&bed, replay), <, misfit_of(&bed, self));
  bed_close(&bed);
}

/* Further steps would fit the noise: the run ends at the noise level, before its maximum number of steps. */
static void
test_noise(void)
{
  const LacImagingMethod *method = bed_find("decoder");
  Bed                     bed = BED_DEFAULTS;
  LacMethodReport         report;
  gpointer                running;
  gsize                   n;

  bed.noise.snr_db = 20;
  bed_open(&bed);
  running = bed_create(&bed, method, "decoder_steps=30;decoder_retries=0;decoder_finish=60");
  n = bed_run(method, running, 100000, &report);
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
  g_assert_cmpint((gint64) n, <, method->n_steps(running));
  g_assert_cmpfloat(report.curves[LAC_CURVE_NOISE], <,
                    1.05); /* one standard deviation, over 24 images */
  g_assert_cmpstr(report.why, !=, "");
  method->destroy(running);
  bed_close(&bed);
}

/* The object estimate satisfies the prior constraints for every output function of the network. */
static void
test_outputs(void)
{
  static const char *const outputs[] = {"scaled-sigmoid", "hard-sigmoid", "softplus", "tanh",
                                        "relu",           "leaky-relu",   "none"};
  const LacImagingMethod  *method = bed_find("decoder");
  Bed                      bed = BED_DEFAULTS;

  bed_open(&bed);
  for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
    g_autofree char *params =
      g_strconcat("decoder_steps=20;decoder_rate=0.03;decoder_bound=", outputs[i], NULL);
    gpointer       running = bed_create(&bed, method, params);
    double complex object[BED_PIXELS];

    bed_run(method, running, 4, NULL);
    method->object(running, object);
    for (gsize k = 0; k < BED_PIXELS; k++) {
      g_assert_cmpfloat(creal(object[k]), >=, 0);
      g_assert_cmpfloat(creal(object[k]), <=, 1);
    }
    method->destroy(running);
  }
  bed_close(&bed);
}

/* The network first fits the initial picture, then the exposures. */
static void
test_start(void)
{
  static const char *const starts[] = {"circle", "measurement", "synthetic-aperture"};
  const LacImagingMethod  *method = bed_find("decoder");
  Bed                      bed = BED_DEFAULTS;

  bed_open(&bed);
  for (gsize i = 0; i < G_N_ELEMENTS(starts); i++) {
    g_autofree char *params = g_strconcat("decoder_start_steps=200;decoder_together=100;"
                                          "decoder_threshold=0.02;decoder_start=",
                                          starts[i], NULL);
    gpointer         running = bed_create(&bed, method, params);
    LacMethodReport  report;

    bed_run(method, running, 2, &report);
    g_test_message("%s: %g", starts[i], report.curves[LAC_CURVE_FIRST_ABERRATION]);
    g_assert_cmpfloat(report.curves[LAC_CURVE_FIRST_ABERRATION], <, 0.2); /* initially about 1 */
    bed_run(method, running, 12, &report); /* 300 steps per exposure */
    g_assert_cmpuint(method->n_visited(running), >=, 4);
    method->destroy(running);
  }
  bed_close(&bed);
}

/* Returns |<o, truth>| / (|o| |truth|), independent of the undetermined global phase. */
static double
get_likeness(const Bed *bed, const LacImagingMethod *method, gpointer running)
{
  double complex object[BED_PIXELS], product = 0;
  double         one = 0, other = 0;

  method->object(running, object);
  for (gsize i = 0; i < BED_PIXELS; i++) {
    product += conj(object[i]) * bed->truth[i];
    one += pow(cabs(object[i]), 2);
    other += pow(cabs(bed->truth[i]), 2);
  }
  return cabs(product) / sqrt(one * other);
}

/* A second network output is the phase; its state is saved with the run. */
static void
test_complex(void)
{
  const LacImagingMethod *method = bed_find("decoder");
  const char             *params = "decoder_steps=40;decoder_finish=20;decoder_retries=0";
  g_autoptr(LacStore)     store = lac_store_new();
  g_autoptr(GError)       error = NULL;
  Bed                     bed = BED_DEFAULTS;
  LacMethodReport         report;
  double                  likeness;

  bed.is_complex = TRUE;
  bed_open(&bed);
  gpointer first = bed_create(&bed, method, params), second = bed_create(&bed, method, params);
  bed_run(method, first, 2, NULL);
  lac_visit_save(method->visit, first, store);
  g_assert_true(lac_visit_load(method->visit, second, store, &error));
  g_assert_no_error(error);
  bed_run(method, first, 3, NULL);
  bed_run(method, second, 3, NULL);
  g_assert_cmpfloat(get_likeness(&bed, method, first), ==, get_likeness(&bed, method, second));
  bed_run(method, first, 100000, &report);
  likeness = get_likeness(&bed, method, first);
  g_test_message("misfit %g, likeness %g", report.curves[LAC_CURVE_MISFIT], likeness);
  g_assert_cmpfloat(report.curves[LAC_CURVE_MISFIT], <, 0.1);
  g_assert_cmpfloat(likeness, >, 0.95);
  method->destroy(first);
  method->destroy(second);
  bed_close(&bed);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/decoder-fit/losses-are-the-published-ones", test_published);
  g_test_add_func("/imaging/decoder-fit/losses-have-their-slopes", test_slopes);
  g_test_add_func("/imaging/decoder-fit/dissimilarity-has-its-slopes", test_dissimilarity_slopes);
  g_test_add_func("/imaging/decoder-fit/dissimilarity-at-five-scales-is-the-metric", test_scales);
  g_test_add_func("/imaging/decoder-fit/a-composite-is-the-sum-of-its-parts", test_composite);
  g_test_add_func("/imaging/decoder-fit/a-picture-to-begin-with", test_start);
  g_test_add_func("/imaging/decoder-fit/network-to-exposures-agrees-with-finite-differences",
                  test_chain);
  g_test_add_func("/imaging/decoder-fit/replay-keeps-what-the-network-itself-forgets", test_replay);
  g_test_add_func("/imaging/decoder-fit/a-run-ends-at-the-level-of-the-noise", test_noise);
  g_test_add_func("/imaging/decoder-fit/every-output-keeps-to-what-is-known", test_outputs);
  g_test_add_func("/imaging/decoder-fit/an-object-with-a-phase-has-two-pictures", test_complex);
  return g_test_run();
}
