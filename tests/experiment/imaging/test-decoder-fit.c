/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder's losses against the published ones, the chain from network to exposures against finite differences, and what comes of it. */
#include "retrieval-bed.h"
#include "seen.h"

#include "experiment/imaging/amplitude-loss.h"
#include "experiment/imaging/decoder-fit.h"

#include <math.h>
#include <string.h>

#define PUBLISHED 64 /* side of the published check */

/* |u| through the only aperture of @optics; the published images stand one pixel further up and left, around the edge. */
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

/* Of one old aperture, whose union is itself, and a new one; published in single precision. */
static void
test_published(void)
{
  static const LacVisit places[2] = {{0, 0, 0, 0}, {6.5, -4.25, 6.5, -4.25}};
  static const double   l1[2] = {0.09958700, 0.10000004}, l2[2] = {0.01068144, 0.01000000},
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
                                        .n_visits = 1,
                                        .visits = &places[k]};
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
    g_assert_cmpfloat(bar[2], ==, 0); /* nobody knows that one */
  }
}

#define SIDE 9

static void
test_dissimilarity_slopes(void)
{
  const double     t = 1e-5;
  double           measured[SIDE * SIDE], predicted[SIDE * SIDE], bar[SIDE * SIDE];
  LacRng           rng = lac_rng(2, 2);
  LacAmplitudeLoss args = {.kind = LAC_LOSS_SSIM,
                           .n = SIDE * SIDE,
                           .predicted = predicted,
                           .measured = measured,
                           .scale = 0.7,
                           .scratch = scratch};

  for (gsize i = 0; i < SIDE * SIDE; i++) {
    measured[i] = i % 17 == 3 ? -1 : lac_rng_uniform(&rng);
    predicted[i] = lac_rng_uniform(&rng);
  }
  lac_amplitude_loss(&args, 2, bar);
  for (gsize i = 0; i < SIDE * SIDE; i++) {
    const double middle = predicted[i];
    double       above, below;

    predicted[i] = middle + t;
    above = lac_amplitude_loss(&args, 1, NULL);
    predicted[i] = middle - t;
    below = lac_amplitude_loss(&args, 1, NULL);
    predicted[i] = middle;
    g_assert_cmpfloat_with_epsilon(bar[i], (above - below) / t, 1e-8);
  }
}

#define N_TERMS 3

/* The loss that a step goes down: twice the mean over the terms. */
static double
loss_at(LacDecoderFit *fit, const double *theta)
{
  double sum = 0;

  lac_decoder_set_parameters(fit->network, theta);
  lac_decoder_fit_look(fit);
  lac_decoder_fit_compare(fit, N_TERMS);
  for (gsize i = 0; i < N_TERMS; i++)
    sum += fit->terms[i].loss;
  return 2 * (sum + (fit->has_memory ? fit->memory_loss : 0)) /
         (N_TERMS + (fit->has_memory ? 1 : 0));
}

static void
check_chain(Bed *bed, gboolean remembers)
{
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacHypothesis) h = NULL;
  g_autoptr(LacDecoderFit) fit = NULL;
  g_autofree double       *theta = NULL, *gradient = NULL, *direction = NULL, *moved = NULL;
  LacRng                   rng = lac_rng(4, 4);
  const double             t = 1e-6;
  gsize                    n;

  bed_open(bed);
  h = lac_hypothesis_new(&bed->problem, &error);
  g_assert_no_error(error);
  fit = lac_decoder_fit_new(
    h,
    &(LacDecoderFitSettings){
      .bound = LAC_BOUND_SIGMOID, .loss = LAC_LOSS_L2, .normalised = TRUE, .remembers = remembers},
    &error);
  g_assert_no_error(error);
  n = lac_decoder_get_n_parameters(fit->network);
  theta = g_new(double, n);
  gradient = g_new(double, n);
  direction = g_new(double, n);
  moved = g_new(double, n);
  if (remembers) {
    lac_decoder_fit_remember(fit, 5);
    lac_decoder_init(fit->network, 99); /* else nothing is missed */
  }
  for (gsize i = 0; i < N_TERMS; i++)
    fit->terms[i].visit = 4 * i + 1;
  lac_decoder_get_parameters(fit->network, theta);
  loss_at(fit, theta);
  lac_decoder_fit_learn(fit, 0); /* moves nothing */
  lac_decoder_get_gradient(fit->network, gradient);
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
      losses[s] = loss_at(fit, moved);
    }
    g_assert_cmpfloat_with_epsilon((losses[1] - losses[0]) / (2 * t), slope, 1e-6 * size + 1e-9);
  }
  g_clear_pointer(&fit, lac_decoder_fit_free);
  g_clear_pointer(&h, lac_hypothesis_free);
  bed_close(bed);
}

static void
test_chain(void)
{
  Bed plain = BED_DEFAULTS, lines = BED_DEFAULTS, own = BED_DEFAULTS;

  check_chain(&plain, FALSE);
  lines.has_lines = TRUE;
  lines.is_unbounded = TRUE;
  check_chain(&lines, FALSE);
  check_chain(&own, TRUE);
}

static double
misfit_of(Bed *bed, const char *params)
{
  const LacRetrieval *method = bed_find("decoder");
  gpointer            retrieval = bed_create(bed, method, params);
  LacRetrievalReport  report;

  bed_run(method, retrieval, 100000, &report);
  method->destroy(retrieval);
  return report.curves[LAC_CURVE_MISFIT];
}

/* What is replayed is what was measured; what the network said itself is not, and the exposures of before are lost by and by: several
 * times as large a misfit, already in a short run. */
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

/* Going on would fit the noise: the run ends at its level, before its steps are done. */
static void
test_noise(void)
{
  const LacRetrieval *method = bed_find("decoder");
  Bed                 bed = BED_DEFAULTS;
  LacRetrievalReport  report;
  gpointer            retrieval;
  gsize               n;

  bed.noise.snr_db = 20;
  bed_open(&bed);
  retrieval = bed_create(&bed, method, "decoder_steps=30;decoder_retries=0;decoder_finish=60");
  n = bed_run(method, retrieval, 100000, &report);
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
  g_assert_cmpint((gint64) n, <, method->n_steps(retrieval));
  g_assert_cmpfloat(report.curves[LAC_CURVE_NOISE], <,
                    1.05); /* a standard deviation of its own, over 24 images */
  g_assert_cmpstr(report.why, !=, "");
  method->destroy(retrieval);
  bed_close(&bed);
}

/* Whatever the network's output is, what is believed of the object keeps to what is known. */
static void
test_outputs(void)
{
  static const char *const outputs[] = {"scaled-sigmoid", "hard-sigmoid", "softplus", "tanh",
                                        "relu",           "leaky-relu",   "none"};
  const LacRetrieval      *method = bed_find("decoder");
  Bed                      bed = BED_DEFAULTS;

  bed_open(&bed);
  for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
    g_autofree char *params =
      g_strconcat("decoder_steps=20;decoder_rate=0.03;decoder_bound=", outputs[i], NULL);
    gpointer       retrieval = bed_create(&bed, method, params);
    double complex object[BED_PIXELS];

    bed_run(method, retrieval, 4, NULL);
    method->object(retrieval, object);
    for (gsize k = 0; k < BED_PIXELS; k++) {
      g_assert_cmpfloat(creal(object[k]), >=, 0);
      g_assert_cmpfloat(creal(object[k]), <=, 1);
    }
    method->destroy(retrieval);
  }
  bed_close(&bed);
}

static void
test_complex(void)
{
  const LacRetrieval *method = bed_find("decoder");
  g_autoptr(LacDraft) draft = lac_draft_new(&method->params);
  g_autoptr(GError)   error = NULL;
  Bed                 bed = BED_DEFAULTS;

  bed.is_complex = TRUE;
  bed_open(&bed);
  g_assert_null(method->create(lac_draft_get_values(draft), &bed.problem, &error));
  g_assert_nonnull(strstr(error->message, "phase"));
  bed_close(&bed);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/decoder-fit/losses-are-the-published-ones", test_published);
  g_test_add_func("/imaging/decoder-fit/losses-have-their-slopes", test_slopes);
  g_test_add_func("/imaging/decoder-fit/dissimilarity-has-its-slopes", test_dissimilarity_slopes);
  g_test_add_func("/imaging/decoder-fit/network-to-exposures-agrees-with-finite-differences",
                  test_chain);
  g_test_add_func("/imaging/decoder-fit/replay-keeps-what-the-network-itself-forgets", test_replay);
  g_test_add_func("/imaging/decoder-fit/a-run-ends-at-the-level-of-the-noise", test_noise);
  g_test_add_func("/imaging/decoder-fit/every-output-keeps-to-what-is-known", test_outputs);
  g_test_add_func("/imaging/decoder-fit/an-object-with-a-phase-is-refused", test_complex);
  return g_test_run();
}
