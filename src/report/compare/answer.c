/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed and accuracy, each better, equal, worse or unknown; one translatable sentence for each pair. */
#include "report/compare/answer.h"

#include "base/number-display.h"
#include "perf/analysis/iterations.h"
#include "perf/analysis/median-ratio.h"
#include "report/compare/optimum.h"
#include "report/summary/answer.h"
#include "report/summary/method-table.h"
#include "report/summary/summary-private.h"
#include "report/text/metric-text.h"
#include "report/text/number.h"
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

/* Takes the error of the best method, by the column that ranks the methods. */
static Accuracy
find_best_method(const LacRunFile *run)
{
  g_auto(LacMethodTable) methods = {0};
  lac_method_table_fill_run(&methods, run, NULL, 0);
  if (methods.ranking < 0 || methods.best < 0 ||
      methods.columns[methods.ranking].rank != LAC_RANK_LEAST)
    return (Accuracy){.error = NAN};
  const LacMethodRow *best = &methods.rows[methods.best];
  return (Accuracy){.error = best->cells[methods.ranking].value,
                    .unit = "1",
                    .label = g_intern_string(best->name),
                    .what = methods.columns[methods.ranking].key,
                    .is_of_method = TRUE};
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
find_accuracy(const LacRunFile *run)
{
  const Accuracy        method = find_best_method(run);
  g_auto(LacRunMetrics) metrics = {0};
  if (isfinite(method.error))
    return method;
  lac_run_metrics_init(&metrics, run);
  return find_key_error(run, &metrics);
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

/* Returns the times of all steps but the first, which often differs from the rest; of double. */
static GArray *
list_steps(const LacRunFile *run)
{
  GArray               *seconds = g_array_new(FALSE, FALSE, sizeof(double));
  g_auto(LacIterations) all = {0};
  if (run->capture != NULL)
    all = lac_iterations_find(run->capture);
  for (gsize i = 1; i < all.n; i++) {
    const double each = (double) MAX(all.iterations[i].duration_ns, 1) * 1e-9;
    g_array_append_val(seconds, each);
  }
  return seconds;
}

/* Returns TRUE if the recorded steps of both runs differ in the direction of @ratio by more than their spread. */
static gboolean
is_resolved(const LacRunFile *a, const LacRunFile *b, double ratio)
{
  g_autoptr(GArray) first = list_steps(a), second = list_steps(b);
  const LacRatio    medians =
    lac_ratio_of_medians((const double *) (gconstpointer) first->data, first->len,
                         (const double *) (gconstpointer) second->data, second->len);
  return ratio < 1 ? medians.high < 1 : medians.low > 1;
}

static Verdict
compare_speed(const LacRunFile *a, const LacRunFile *b)
{
  const double ratio = step_seconds(b) / step_seconds(a), size = fmax(ratio, 1 / ratio);
  if (!isfinite(ratio))
    return UNKNOWN;
  if (size < LAC_OPTIMUM_TIE || (size < LAC_OPTIMUM_TIE_ONCE && !is_resolved(a, b, ratio)))
    return EQUAL;
  return ratio < 1 ? BETTER : WORSE;
}

/* ---- sentences ---- */

/* Returns: (transfer full): "1.07", "2.1", "24". */
static char *
dup_times(double ratio)
{
  const double times = fmax(ratio, 1 / ratio);
  return lac_number_dup_fixed(times, times < 1.195 ? 2 : times < 9.95 ? 1 : 0);
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
  const Accuracy   first = find_accuracy(a), second = find_accuracy(b);
  const double     ratio = step_seconds(b) / step_seconds(a);
  const Verdict    speed = compare_speed(a, b), accuracy = compare_accuracy(&first, &second);
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
  const Accuracy first = find_accuracy(a), second = find_accuracy(b);
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

/* ---- several runs ---- */

/* Returns: the run with the least value; -1 if a run has none, or if another is within @equal of it. */
static gssize
find_least(const double *values, gsize n, double equal)
{
  gsize least = 0;
  for (gsize r = 0; r < n; r++) {
    if (!(values[r] > 0) || !isfinite(values[r]))
      return -1;
    least = values[r] < values[least] ? r : least;
  }
  for (gsize r = 0; r < n; r++)
    if (r != least && values[r] < equal * values[least])
      return -1;
  return (gssize) least;
}

/* Returns: the run that is faster than every other; -1: none. */
static gssize
find_fastest(LacRunFile *const *runs, gsize n)
{
  for (gsize r = 0; r < n; r++) {
    gsize slower = 0;
    for (gsize k = 0; k < n; k++)
      slower += k != r && compare_speed(runs[r], runs[k]) == WORSE;
    if (slower == n - 1)
      return (gssize) r;
  }
  return -1;
}

static char *
dup_fastest(const LacRunFile *run, gsize at)
{
  g_autofree char *time = lac_duration_text(step_seconds(run));
  /* Translators: letter of a run, time per step */
  return g_strdup_printf(_("%c is the fastest (%s per step)."), (int) ('a' + at), time);
}

static char *
dup_most_accurate(const Accuracy *accuracy, gsize at)
{
  g_autofree char *error = lac_answer_dup_result(accuracy->error, accuracy->unit, TRUE);
  /* Translators: letter of a run, its method, the error of that */
  return g_strdup_printf(_("%c is the most accurate (%s %s)."), (int) ('a' + at),
                         lac_word(accuracy->label), error);
}

char *
lac_answer_compare_several(LacRunFile *const *runs, gsize n_runs)
{
  g_return_val_if_fail(runs != NULL && n_runs > 2, NULL);
  g_autofree Accuracy *accuracies = g_new(Accuracy, n_runs);
  g_autofree double   *errors = g_new(double, n_runs);
  for (gsize r = 0; r < n_runs; r++) {
    if (!g_str_equal(runs[r]->experiment, runs[0]->experiment))
      return g_strdup(_("The runs are of different experiments and are shown side by side."));
    accuracies[r] = find_accuracy(runs[r]);
    errors[r] = are_comparable(&accuracies[0], &accuracies[r]) ? accuracies[r].error : (double) NAN;
  }
  const gssize best = find_least(errors, n_runs, LAC_ANSWER_EQUAL_ERRORS);
  const gssize fastest = find_fastest(runs, n_runs);
  if (best < 0 && fastest < 0)
    return g_strdup(_("No run is clearly the fastest or the most accurate."));
  g_autofree char *accuracy =
    best >= 0 ? dup_most_accurate(&accuracies[best], (gsize) best) : g_strdup("");
  g_autofree char *speed =
    fastest >= 0 ? dup_fastest(runs[fastest], (gsize) fastest) : g_strdup("");
  return g_strconcat(accuracy, best >= 0 && fastest >= 0 ? " " : "", speed, NULL);
}
