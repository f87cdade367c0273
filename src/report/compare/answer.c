/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed and accuracy, each better, equal, worse or unknown; one translatable sentence for each pair. */
#include "report/compare/answer.h"

#include "base/number-display.h"
#include "report/compare/optimum.h"
#include "report/summary/answer.h"
#include "report/summary/summary-private.h"
#include "report/text/metric-text.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>

typedef enum { UNKNOWN, BETTER, EQUAL, WORSE } Verdict; /* of b, relative to a */

typedef struct {
  double      error, sigma;        /* NaN: unknown; sigma 0: not reported */
  const char *unit, *label, *what; /* what: metrics of one kind can be compared */
  gboolean    is_of_method;
} Accuracy;

/* ---- accuracy ---- */

/* Finds the smallest error of a method. */
static Accuracy
find_best_method(const LacRunFile *run, const LacRunMetrics *metrics)
{
  Accuracy best = {.error = NAN};
  for (gsize m = 0; m < run->n_metrics; m++) {
    const LacRunMetric *metric = &run->metrics[m];
    if (!g_str_has_suffix(metric->key, ".error") || !(metric->last >= 0) ||
        best.error <= metric->last)
      continue;
    best = (Accuracy){.error = metric->last,
                      .unit = metric->unit,
                      .label = lac_metric_group_label(lac_metric_group(&metrics->metrics[m]),
                                                      metrics->metrics, metrics->n,
                                                      metrics->channels, metrics->n_channels),
                      .what = ".error",
                      .is_of_method = TRUE};
  }
  return best;
}

/* Takes the key result as an error, or its distance from the reference. */
static Accuracy
find_key_error(const LacRunFile *run, const LacRunMetrics *metrics)
{
  const gssize key = lac_summary_key_metric(run);
  if (key < 0)
    return (Accuracy){.error = NAN};
  const LacRunMetric *metric = &run->metrics[key];
  const gssize        sigma = lac_metric_find_error(metrics->metrics, metrics->n, (gsize) key);
  Accuracy            accuracy = {
               .error = metric->has_reference ? fabs(metric->last - metric->reference)
                        : metric->log_axis    ? metric->last
                                              : (double) NAN,
               .unit = metric->unit,
               .label = metric->label,
               .what = metric->key,
  };
  if (sigma >= 0 && isfinite(run->metrics[sigma].last))
    accuracy.sigma = run->metrics[sigma].last;
  return accuracy;
}

static Accuracy
find_accuracy(const LacRunFile *run, const LacRunMetrics *metrics)
{
  const Accuracy method = find_best_method(run, metrics);
  return isfinite(method.error) ? method : find_key_error(run, metrics);
}

static gboolean
are_comparable(const Accuracy *a, const Accuracy *b)
{
  return isfinite(a->error) && isfinite(b->error) && g_str_equal(a->what, b->what) &&
         g_strcmp0(a->unit, b->unit) == 0;
}

static Verdict
compare_accuracy(const Accuracy *a, const Accuracy *b)
{
  if (!are_comparable(a, b))
    return UNKNOWN;
  const double sigma = 2 * hypot(a->sigma, b->sigma);
  if (fabs(a->error - b->error) <= sigma || a->error == b->error)
    return EQUAL;
  if (!(a->error > 0) || !(b->error > 0))
    return UNKNOWN;
  const double ratio = b->error / a->error;
  if (fmax(ratio, 1 / ratio) < LAC_ANSWER_EQUAL_ERRORS)
    return EQUAL;
  return ratio < 1 ? BETTER : WORSE;
}

/* ---- speed ---- */

static double
step_seconds(const LacRunFile *run)
{
  return run->steps > 0 && run->seconds > 0 ? run->seconds / (double) run->steps : (double) NAN;
}

static Verdict
compare_speed(double ratio)
{
  if (!isfinite(ratio))
    return UNKNOWN;
  if (fmax(ratio, 1 / ratio) < LAC_OPTIMUM_TIE_ONCE)
    return EQUAL;
  return ratio < 1 ? BETTER : WORSE;
}

/* ---- sentences ---- */

/* Returns: (transfer full): "2.1", "24". */
static char *
dup_times(double ratio)
{
  const double times = fmax(ratio, 1 / ratio);
  return lac_number_dup_fixed(times, times < 9.95 ? 1 : 0);
}

/* The first slot is the factor in time, unless the speeds are equal or unknown; the next that in accuracy. */
static const char *const sentences[4][4] = {
  [BETTER] = {[UNKNOWN] = N_("b is %1$s times as fast per step."),
              [BETTER] = N_("b is %1$s times as fast per step and %2$s times more accurate."),
              [EQUAL] = N_("b is %1$s times as fast per step and as accurate."),
              [WORSE] = N_("b is %1$s times as fast per step, but %2$s times less accurate.")},
  [EQUAL] = {[UNKNOWN] = N_("b is as fast per step as a."),
             [BETTER] = N_("b is as fast per step and %1$s times more accurate."),
             [EQUAL] = N_("b is as fast per step as a, and as accurate."),
             [WORSE] = N_("b is as fast per step, but %1$s times less accurate.")},
  [WORSE] = {[UNKNOWN] = N_("b takes %1$s times as long per step."),
             [BETTER] = N_("b takes %1$s times as long per step, but is %2$s times more accurate."),
             [EQUAL] = N_("b takes %1$s times as long per step and is as accurate."),
             [WORSE] = N_("b takes %1$s times as long per step and is %2$s times less accurate.")},
  [UNKNOWN] = {[BETTER] = N_("b is %1$s times more accurate."),
               [EQUAL] = N_("b is as accurate as a."),
               [WORSE] = N_("b is %1$s times less accurate.")},
};

/* Fills the slots "%1$s" and "%2$s", of which a sentence may lack either. */
static char *
dup_filled(const char *sentence, const char *first, const char *second)
{
  GString *text = g_string_new(sentence);
  g_string_replace(text, "%1$s", first, 0);
  g_string_replace(text, "%2$s", second, 0);
  return g_string_free(text, FALSE);
}

char *
lac_answer_compare(const LacRunFile *a, const LacRunFile *b)
{
  g_return_val_if_fail(a != NULL && b != NULL, NULL);
  if (g_strcmp0(a->experiment, b->experiment) != 0)
    return g_strdup(_("The runs are of different experiments and are shown side by side."));
  g_auto(LacRunMetrics) metrics_a = {0}, metrics_b = {0};
  lac_run_metrics_init(&metrics_a, a);
  lac_run_metrics_init(&metrics_b, b);
  const Accuracy   first = find_accuracy(a, &metrics_a), second = find_accuracy(b, &metrics_b);
  const double     ratio = step_seconds(b) / step_seconds(a);
  const Verdict    speed = compare_speed(ratio), accuracy = compare_accuracy(&first, &second);
  const char      *sentence = sentences[speed][accuracy];
  const gboolean   has_factor = speed == BETTER || speed == WORSE;
  g_autofree char *times = has_factor ? dup_times(ratio) : g_strdup("");
  g_autofree char *factor =
    accuracy == BETTER || accuracy == WORSE ? dup_times(second.error / first.error) : g_strdup("");
  if (sentence == NULL)
    return NULL;
  return has_factor ? dup_filled(_(sentence), times, factor) : dup_filled(_(sentence), factor, "");
}

char *
lac_answer_compare_dup_basis(const LacRunFile *a, const LacRunFile *b)
{
  g_return_val_if_fail(a != NULL && b != NULL, NULL);
  g_auto(LacRunMetrics) metrics_a = {0}, metrics_b = {0};
  lac_run_metrics_init(&metrics_a, a);
  lac_run_metrics_init(&metrics_b, b);
  const Accuracy first = find_accuracy(a, &metrics_a), second = find_accuracy(b, &metrics_b);
  if (g_strcmp0(a->experiment, b->experiment) != 0 || !are_comparable(&first, &second))
    return NULL;
  g_autofree char *was = lac_answer_dup_result(first.error, first.unit, TRUE);
  g_autofree char *is = lac_answer_dup_result(second.error, second.unit, TRUE);
  if (!first.is_of_method)
    /* Translators: name of a result and its error in the first and in the second run */
    return g_strdup_printf(_("%s: error %s in a, %s in b"), lac_word(first.label), was, is);
  /* Translators: name and error of the best method in the first run, then in the second */
  return g_strdup_printf(_("Best method of each: %s %s, %s %s"), lac_word(first.label), was,
                         lac_word(second.label), is);
}
