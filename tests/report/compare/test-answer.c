/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons of constructed runs: every pair of verdicts on speed and accuracy. */
#include "report/compare/answer.h"

#include <math.h>

typedef struct {
  LacRunFile   file;
  LacRunMetric metrics[3];
} Made;

/* A run with two methods, of which the second is better. */
static void
make(Made *made, double step_seconds, double error)
{
  *made = (Made){.metrics = {{.key = (char *) "enkf.error",
                              .label = (char *) "Ensemble Kalman filter",
                              .unit = (char *) "1",
                              .log_axis = TRUE,
                              .last = 3 * error},
                             {.key = (char *) "solver.error",
                              .label = (char *) "Differentiable solver",
                              .unit = (char *) "1",
                              .log_axis = TRUE,
                              .last = error}}};
  made->file = (LacRunFile){.path = (char *) "/made",
                            .experiment = (char *) "made",
                            .title = (char *) "Made",
                            .steps = 10,
                            .seconds = 10 * step_seconds,
                            .n_metrics = 2};
  made->file.metrics = made->metrics;
}

static void
test_every_pair(void)
{
  static const struct {
    double      seconds, error;
    const char *text;
  } cases[] = {
    {0.1, 0.017, "b is 2.0 times as fast per step, but 1.7 times less accurate."},
    {0.1, 0.005, "b is 2.0 times as fast per step and 2.0 times more accurate."},
    {0.1, 0.0101, "b is 2.0 times as fast per step and as accurate."},
    {0.1, NAN, "b is 2.0 times as fast per step."},
    {0.21, 0.017, "b is as fast per step, but 1.7 times less accurate."},
    {0.21, 0.005, "b is as fast per step and 2.0 times more accurate."},
    {0.21, 0.0099, "b is as fast per step as a, and as accurate."},
    {0.21, NAN, "b is as fast per step as a."},
    {4.8, 0.017, "b takes 24 times as long per step and is 1.7 times less accurate."},
    {4.8, 0.005, "b takes 24 times as long per step, but is 2.0 times more accurate."},
    {4.8, 0.01, "b takes 24 times as long per step and is as accurate."},
    {4.8, NAN, "b takes 24 times as long per step."},
    {NAN, 0.017, "b is 1.7 times less accurate."},
    {NAN, 0.005, "b is 2.0 times more accurate."},
    {NAN, 0.01, "b is as accurate as a."},
    {NAN, NAN, NULL},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    Made a, b;
    make(&a, 0.2, 0.01);
    make(&b, cases[i].seconds, cases[i].error);
    g_autofree char *text = lac_answer_compare(&a.file, &b.file);
    g_assert_cmpstr(text, ==, cases[i].text);
  }
}

static void
test_basis(void)
{
  Made a, b;
  make(&a, 0.2, 0.0021);
  make(&b, 0.1, 0.0036);
  b.metrics[0].last = 0.003; /* the other method is better there */
  g_autofree char *basis = lac_answer_compare_dup_basis(&a.file, &b.file);
  g_autofree char *text = lac_answer_compare(&a.file, &b.file);
  g_assert_cmpstr(
    basis, ==, "Best method of each: Differentiable solver 0.21 %, Ensemble Kalman filter 0.30 %");
  g_assert_cmpstr(text, ==, "b is 2.0 times as fast per step, but 1.4 times less accurate.");
}

static void
test_different_experiments(void)
{
  Made a, b;
  make(&a, 0.2, 0.0021);
  make(&b, 0.1, 0.0036);
  b.file.experiment = (char *) "other";
  g_autofree char *text = lac_answer_compare(&a.file, &b.file);
  g_assert_cmpstr(text, ==, "The runs are of different experiments and are shown side by side.");
  g_assert_null(lac_answer_compare_dup_basis(&a.file, &b.file));
}

/* An energy is compared by its distance from the reference; within two standard errors, runs are as accurate. */
static void
test_references(void)
{
  static const struct {
    double      energy, sigma;
    const char *text;
  } cases[] = {
    {-1.1740, 0.0001, "b is as fast per step as a, and as accurate."},
    {-1.1640, 0.0001, "b is as fast per step, but 10 times less accurate."},
    {-1.1640, 0.0090, "b is as fast per step as a, and as accurate."},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    Made made[2];
    for (gsize r = 0; r < 2; r++) {
      make(&made[r], 0.2, 1);
      made[r].metrics[0] = (LacRunMetric){.key = (char *) "energy_hartree",
                                          .label = (char *) "Energy",
                                          .unit = (char *) "Ha",
                                          .is_result = TRUE,
                                          .has_reference = TRUE,
                                          .reference = -1.1750,
                                          .last = r == 0 ? -1.1739 : cases[i].energy};
      made[r].metrics[1] = (LacRunMetric){.key = (char *) "energy_standard_error_hartree",
                                          .label = (char *) "Standard error",
                                          .unit = (char *) "Ha",
                                          .last = r == 0 ? 0.0001 : cases[i].sigma};
    }
    g_autofree char *text = lac_answer_compare(&made[0].file, &made[1].file);
    g_assert_cmpstr(text, ==, cases[i].text);
  }
}

/* Step times that differ by a few per cent differ where the recorded steps resolve them. */
static void
test_small_differences(void)
{
  static const struct {
    double      spread;
    const char *text;
  } cases[] = {
    {0.001, "b is 1.08 times as fast per step and as accurate."},
    {0.9, "b is as fast per step as a, and as accurate."},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    Made made[2];
    for (guint r = 0; r < 2; r++) {
      const double step = r == 0 ? 0.2 : 0.186;
      make(&made[r], step, 0.01);
      made[r].file.capture = lac_capture_new("made");
      lac_capture_add_lane(made[r].file.capture, "compute");
      lac_capture_add_name(made[r].file.capture, "step");
      for (gint64 k = 0; k < 40; k++) {
        const double    noise = cases[i].spread * sin((double) ((k + r) * 7));
        const LacRecord record = {.kind = LAC_RECORD_SPAN,
                                  .sequence = (guint64) k,
                                  .start_ns = k * 400000000,
                                  .duration_ns = (gint64) (step * (1 + noise) * 1e9),
                                  .step = k,
                                  .count = 1};
        lac_capture_append(made[r].file.capture, &record, 1);
      }
    }
    g_autofree char *text = lac_answer_compare(&made[0].file, &made[1].file);
    g_assert_cmpstr(text, ==, cases[i].text);
    for (guint r = 0; r < 2; r++)
      lac_capture_unref(made[r].file.capture);
  }
}

/* Names the best of several runs in each respect, with its number, if it is clearly the best. */
static void
test_several(void)
{
  Made              a, b, c;
  LacRunFile *const runs[] = {&a.file, &b.file, &c.file};
  make(&a, 0.2, 0.0032);
  make(&b, 0.3, 0.00185);
  make(&c, 0.0612, 0.0083);
  g_autofree char *text = lac_answer_compare_several(runs, 3);
  g_assert_cmpstr(text, ==,
                  "b is the most accurate (Differentiable solver 0.18 %). c is the fastest (61.2 "
                  "ms per step).");
  make(&c, 0.2, 0.0019);
  g_autofree char *tie = lac_answer_compare_several(runs, 3);
  g_assert_cmpstr(tie, ==, "No run is clearly the fastest or the most accurate.");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/answer/every-pair-of-verdicts-has-its-sentence", test_every_pair);
  g_test_add_func("/report/answer/small-differences-count-when-resolved", test_small_differences);
  g_test_add_func("/report/answer/of-several-runs-the-best-are-named", test_several);
  g_test_add_func("/report/answer/the-best-method-of-each-counts", test_basis);
  g_test_add_func("/report/answer/different-experiments-are-not-compared",
                  test_different_experiments);
  g_test_add_func("/report/answer/references-and-standard-errors-count", test_references);
  return g_test_run();
}
