/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reliability sentences: every combination of diagnostics, none without metrics, one line per method. */
#include "report/summary/reliability.h"

#include <math.h>
#include <string.h>

typedef struct {
  LacReliability reliability;
  const char    *says[3], *is_silent_of; /* NULL: no further text */
} Row;

/* misfit, innovation, leave-one-out, uncertainty */
static const Row rows[] = {
  {{18, NAN, NAN, NAN},
   {"is not reliable; does not fit the measurements (misfit χ² 18)"},
   "no diagnostic"},
  {{3, NAN, NAN, NAN},
   {"is questionable", "only roughly (misfit χ² 3)", "; no diagnostic"},
   "reliable"},
  {{1.04, NAN, NAN, NAN},
   {"is questionable; fits the measurements (misfit χ² 1)", "; no diagnostic"},
   "innovation"},
  {{0.012, NAN, 0.3, NAN},
   {"overfits the measurement noise (misfit χ² 0.012)", "within 30 %"},
   "no diagnostic"},
  {{1, 9, NAN, 0.2},
   {"is not reliable; is overconfident (innovation χ² 9)", "uncertainty by at least 3"},
   "fits"},
  {{1, 9, NAN, NAN}, {"overconfident (innovation χ² 9)"}, "times"},
  {{1, 0.25, NAN, 0.2}, {"underconfident (innovation χ² 0.25)"}, "overconfident"},
  {{1, 1.02, NAN, 0.2}, {"is reliable; fits", "well calibrated (innovation χ² 1)"}, "times"},
  {{1, 1.4, NAN, 0.2},
   {"is questionable; is somewhat overconfident (innovation χ² 1.4)"},
   "fits the measurements"},
  {{11, 1, NAN, 0.2}, {"is not reliable; does not fit the measurements"}, "well calibrated"},
  {{1, NAN, 0.1234, NAN},
   {"; a left-out sensor is predicted to within 12 % of its fluctuation"},
   "its mean"},
  {{1, NAN, 1.5, NAN}, {"no better than by its mean"}, "within"},
  {{NAN, NAN, 0.5, NAN}, {"is reliable; a left-out sensor"}, "fits"},
  {{18, 100, 0.9, 0.1}, {"is not reliable", "by at least 10", "within 90 %"}, "roughly"},
  /* then energy and divergence */
  {{NAN, NAN, NAN, NAN, 0.36, 0.01}, {"has 64 % less energy than the truth"}, "mass"},
  {{NAN, NAN, NAN, NAN, 1.25, NAN}, {"has 25 % more energy than the truth"}, "less"},
  {{1, NAN, NAN, NAN, 0.95, 0.21},
   {"fits the measurements", "does not conserve mass (divergence 21 % of the velocity gradient)"},
   "energy"},
  /* then readings left out, the sensor of which most were, and how many */
  {{1, NAN, NAN, NAN, NAN, NAN, 10.2, 5, 87.3},
   {"fits the measurements", "left out 87 % of the readings of sensor 5, which seems faulty"},
   "outliers"},
  {{1, NAN, NAN, NAN, NAN, NAN, 5.5, 5, 11},
   {"left out 5.5 % of the readings as outliers"},
   "faulty"},
  {{1, NAN, NAN, NAN, NAN, NAN, 0.3, 5, 3}, {"fits the measurements"}, "left out"},
  /* then the residual of exposures */
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.98},
   {"is not reliable; leaves 98 % of the exposures unexplained: check"},
   "misfit"},
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.021},
   {"leaves 2.1 % of the exposures unexplained"},
   "reliable"},
  {{1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.5}, {"fits the measurements"}, "unexplained"},
  /* then the exposures left out, and the first of them */
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.021, 2, 8},
   {"unexplained; left out exposures that the others contradict: 2, number 8 first"},
   "reliable"},
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.021, 0, 0}, {"unexplained"}, "left out"},
  /* of a wavefunction: drift, its resolution, then standard errors of dipole moment and spin */
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.5, 1.5, 1, -2},
   {"had settled to within 2 mHa"},
   "is "},
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -12, 1.5, NAN, NAN},
   {"is questionable; was still falling, by 12 ± 1.5 mHa"},
   "settled"},
  {{NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.1, 1.9, 3.8, 6},
   {"is questionable; had settled to within 2 mHa", "forbids (3.8 standard errors)",
    "mixed with another spin (S² is off by 6 standard errors)"},
   "falling"},
  {{1, 0.9, 0.02, 0.01, .held_out = 0.94},
   {"is reliable", "; 94 % of the readings of held-out sensors are within"},
   "no diagnostic"},
  {{1, 0.9, 0.02, 0.01, .held_out = 0.8},
   {"is questionable; a left-out sensor", "; 80 % of the readings"},
   "calibrated"},
  {{1, 0.9, 0.02, 0.01, .held_out = 0.5}, {"is not reliable", "; 50 % of the readings"}, "fits"},
};

static void
test_table(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    LacReliability reliability = rows[i].reliability;

    if (reliability.held_out == 0) /* not in the row */
      reliability.held_out = NAN;
    g_autofree char *sentence = lac_reliability_dup_sentence(&reliability);
    g_test_message("%s", sentence);
    for (gsize k = 0; k < G_N_ELEMENTS(rows[i].says) && rows[i].says[k]; k++)
      g_assert_nonnull(strstr(sentence, rows[i].says[k]));
    g_assert_null(strstr(sentence, rows[i].is_silent_of));
  }
}

static void
test_silence(void)
{
  const LacReliability unknown = {NAN, NAN, NAN, NAN}, uncertain = {NAN, NAN, NAN, 0.1},
                       burst = {INFINITY, NAN, NAN, NAN},
                       conserves = {NAN, NAN, NAN, NAN, 1.08, 0.04};

  g_assert_null(lac_reliability_dup_sentence(&unknown));
  g_assert_null(lac_reliability_dup_sentence(&uncertain));
  g_assert_null(lac_reliability_dup_sentence(&burst));
  g_assert_null(lac_reliability_dup_sentence(&conserves));
}

static LacRunMetric
result(const char *key, double last)
{
  return (LacRunMetric){
    .key = (char *) key, .label = (char *) key, .is_result = TRUE, .last = last};
}

static void
test_lines(void)
{
  LacRunMetric metrics[] = {
    result("misfit_chi_squared", 1),   result("enkf.error", 0.1),
    result("enkf.uncertainty", 0.2),   result("enkf.innovation_chi_squared", 16),
    result("pinn.residual", 1e-3),     result("pod.misfit_chi_squared", 30),
    result("pod.leave_one_out", 0.25),
  };
  const LacRunFile  run = {.n_metrics = G_N_ELEMENTS(metrics), .metrics = metrics};
  g_autoptr(GArray) lines = lac_reliability_lines(&run);

  g_assert_cmpuint(lines->len, ==, 2);
  const LacReliabilityLine *enkf = &g_array_index(lines, LacReliabilityLine, 0), *pod = enkf + 1;
  g_assert_cmpstr(enkf->method, ==, "enkf");
  g_assert_cmpstr(enkf->title, ==, "enkf.error"); /* the label of its error */
  g_assert_nonnull(strstr(enkf->sentence, "by at least 4"));
  g_assert_null(
    strstr(enkf->sentence, "misfit")); /* the metric of the run belongs to another method */
  g_assert_cmpstr(pod->method, ==, "pod");
  g_assert_nonnull(strstr(pod->sentence, "(misfit χ² 30)"));
  g_assert_nonnull(strstr(pod->sentence, "25 %"));
}

static void
test_judges(void)
{
  g_assert_true(lac_reliability_has_metric("misfit_chi_squared"));
  g_assert_true(lac_reliability_has_metric("pod.leave_one_out"));
  g_assert_true(lac_reliability_has_metric("enkf.innovation_chi_squared"));
  g_assert_false(lac_reliability_has_metric("enkf.uncertainty"));
  g_assert_false(lac_reliability_has_metric("enkf.error"));
  g_assert_false(lac_reliability_has_metric("enkf"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/trust/every-number-has-its-words", test_table);
  g_test_add_func("/report/trust/without-numbers-nothing-is-said", test_silence);
  g_test_add_func("/report/trust/a-line-for-every-engine-that-its-sensors-judge", test_lines);
  g_test_add_func("/report/trust/judges-are-known-by-their-keys", test_judges);
  return g_test_run();
}
