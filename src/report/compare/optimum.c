/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Best configuration: times per step and per sample, with the interval of their ratio, and times to a common error. */
#include "report/compare/optimum.h"

#include "base/number-display.h"
#include "experiment/experiment.h"
#include "perf/analysis/iterations.h"
#include "perf/analysis/ratio.h"
#include "perf/recorder/gauges.h"
#include "perf/recorder/record.h"
#include "report/summary/summary-private.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define BLOCKS 16

typedef struct {
  double *seconds; /* [n]: one per step or sample, or a single total */
  gsize   n;
  double  median;
} Times;

static void
times_clear(gpointer data)
{
  g_free(((Times *) data)->seconds);
}

/* ---- measurements ---- */

/* Returns the times of all steps but the first, which often differs from the rest. */
static Times
times_of_steps(const LacRunFile *run)
{
  g_auto(LacIterations) all = lac_iterations_find(run->capture);
  Times                 times = {.seconds = g_new(double, all.n + 1)};
  for (gsize i = 1; i < all.n; i++)
    times.seconds[times.n++] = (double) MAX(all.iterations[i].duration_ns, 1) * 1e-9;
  return times;
}

static Times
times_of_samples(const LacRunFile *run)
{
  const gint64     name = lac_capture_find_name(run->capture, lac_gauge_name(LAC_GAUGE_SAMPLES));
  GArray          *seconds = g_array_new(FALSE, FALSE, sizeof(double));
  const LacRecord *records;
  gsize            n;
  for (gsize first = 0; name >= 0 && (records = lac_capture_get(run->capture, first, &n)) != NULL;
       first += n)
    for (gsize i = 0; i < n; i++)
      if (records[i].kind == LAC_RECORD_COUNTER && records[i].name == name &&
          records[i].value > 0) {
        double each = 1 / records[i].value;
        g_array_append_val(seconds, each);
      }
  n = seconds->len;
  return (Times){.seconds = (double *) (gpointer) g_array_free(seconds, FALSE), .n = n};
}

/* Returns the key result where it is an error: a metric with a logarithmic axis and no reference value. */
static gssize
find_error(const LacRunFile *run)
{
  gssize key = lac_summary_key_metric(run);
  return key >= 0 && run->metrics[key].log_axis && !run->metrics[key].has_reference ? key : -1;
}

static double
least_error(const LacRunFile *run)
{
  gssize m = find_error(run);
  double least = INFINITY;
  for (gsize i = 0; m >= 0 && i < run->n_series; i++)
    least = fmin(least, run->series[i * run->n_metrics + (gsize) m]);
  return least;
}

/* Returns the lowest error that every run reached; infinite where one has no errors or the runs have different ones. */
static double
common_error(LacRunFile *const *runs, gsize n_runs)
{
  double common = 0;
  for (gsize r = 0; r < n_runs; r++) {
    gssize m = find_error(runs[r]), first = find_error(runs[0]);
    if (m < 0 || first < 0 || !g_str_equal(runs[r]->metrics[m].key, runs[0]->metrics[first].key))
      return INFINITY;
    common = fmax(common, least_error(runs[r]));
  }
  return common;
}

static Times
time_to_error(const LacRunFile *run, double error)
{
  gssize m = find_error(run);
  Times  times = {.seconds = g_new(double, 1)};
  for (gsize i = 0; m >= 0 && i < run->n_series && times.n == 0; i++)
    if (run->series[i * run->n_metrics + (gsize) m] <= error && run->series_seconds[i] > 0)
      times.seconds[times.n++] = run->series_seconds[i];
  return times;
}

/* ---- resolved differences ---- */

/* Reduces times to medians of blocks: neighbouring samples are correlated, because load on the machine slows them
 * together.
 * @medians: [BLOCKS]. Returns: their number. */
static gsize
find_blocks(const Times *times, double *medians)
{
  const gsize n = MIN(times->n, BLOCKS);
  for (gsize b = 0; b < n; b++) {
    const gsize first = b * times->n / n, last = (b + 1) * times->n / n;
    medians[b] = lac_median(times->seconds + first, last - first);
  }
  return n;
}

static gboolean
is_slower(const Times *best, const Times *other)
{
  if (best->n == 1 && other->n == 1)
    return other->median / best->median > LAC_OPTIMUM_TIE_ONCE;
  double   blocks[2][BLOCKS];
  gsize    n_best = find_blocks(best, blocks[0]), n_other = find_blocks(other, blocks[1]);
  LacRatio ratio = lac_ratio_of_sets(blocks[0], n_best, blocks[1], n_other);
  return ratio.low > 1 && ratio.estimate > LAC_OPTIMUM_TIE;
}

static gboolean
score(const Times *times, gsize n_runs, LacOptimum *optimum)
{
  gsize best = 0, runner;
  for (gsize r = 0; r < n_runs; r++)
    if (times[r].n == 0)
      return FALSE;
  for (gsize r = 1; r < n_runs; r++)
    if (times[r].median < times[best].median)
      best = r;
  runner = best == 0 ? 1 : 0;
  for (gsize r = 0; r < n_runs; r++)
    if (r != best && times[r].median < times[runner].median)
      runner = r;
  optimum->best = best;
  optimum->seconds = times[best].median;
  for (gsize r = 0; r < n_runs && !optimum->is_tie; r++)
    if (r != best && !is_slower(&times[best], &times[r])) {
      optimum->is_tie = TRUE;
      runner = r;
    }
  optimum->runner = runner;
  optimum->ratio = times[runner].median / times[best].median;
  return TRUE;
}

static const char *
text_of(const LacRunFile *run, const char *key)
{
  for (gsize i = 0; i < run->n_settings; i++)
    if (g_str_equal(run->settings[i].key, key))
      return run->settings[i].text;
  return NULL;
}

static gboolean
differs(LacRunFile *const *runs, gsize n_runs, const char *key)
{
  for (gsize r = 1; r < n_runs; r++)
    if (g_strcmp0(text_of(runs[0], key), text_of(runs[r], key)) != 0)
      return TRUE;
  return FALSE;
}

static char *
dup_device(const LacRunFile *run)
{
  return g_strdup_printf("%s %s, threads = %u", run->backend, run->precision, run->threads);
}

/* "Collocation points = 4096, cpu f32, threads = 2": the differing settings of a run; "" without any. The seed does not count. */
static char *
dup_configuration(LacRunFile *const *runs, gsize n_runs, gsize r)
{
  GString         *text = g_string_new(NULL);
  g_autofree char *device = dup_device(runs[r]);
  gboolean         on_others = FALSE;
  for (gsize i = 0; i < runs[r]->n_settings; i++) {
    const LacRunSetting *setting = &runs[r]->settings[i];
    if (!differs(runs, n_runs, setting->key))
      continue;
    g_autofree char *value =
      lac_experiment_dup_shown(runs[r]->experiment, setting->key, setting->text);
    g_string_append_printf(text, "%s%s = %s", text->len > 0 ? ", " : "", lac_word(setting->label),
                           value);
  }
  for (gsize k = 0; k < n_runs; k++) {
    g_autofree char *other = dup_device(runs[k]);
    on_others |= !g_str_equal(device, other);
  }
  if (on_others)
    g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", device);
  return g_string_free(text, FALSE);
}

static gboolean
are_comparable(LacRunFile *const *runs, gsize n_runs)
{
  gboolean differ = FALSE;
  for (gsize r = 0; r < n_runs; r++) {
    g_autofree char *configuration = dup_configuration(runs, n_runs, r);
    if (g_strcmp0(runs[r]->experiment, runs[0]->experiment) != 0)
      return FALSE;
    differ |= *configuration != '\0';
  }
  return differ;
}

gsize
lac_optimum_find(LacRunFile *const *runs, gsize n_runs, LacOptimum *optima)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 2 && optima != NULL, 0);
  const double error = common_error(runs, n_runs);
  gsize        n = 0;
  if (!are_comparable(runs, n_runs))
    return 0;
  for (int kind = 0; kind < LAC_N_OPTIMA; kind++) {
    g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(Times));
    LacOptimum        optimum = {.kind = (LacOptimumKind) kind, .error = error};
    g_array_set_clear_func(all, times_clear);
    for (gsize r = 0; r < n_runs; r++) {
      Times times = kind == LAC_OPTIMUM_STEP     ? times_of_steps(runs[r])
                    : kind == LAC_OPTIMUM_SAMPLE ? times_of_samples(runs[r])
                                                 : time_to_error(runs[r], error);
      times.median = lac_median(times.seconds, times.n);
      g_array_append_val(all, times);
    }
    if (kind == LAC_OPTIMUM_ERROR && !isfinite(error))
      continue;
    if (score((const Times *) (gpointer) all->data, n_runs, &optimum))
      optima[n++] = optimum;
  }
  return n;
}

/* ---- text ---- */

const char *
lac_optimum_key(LacOptimumKind kind)
{
  static const char *const keys[] = {"step", "sample", "error"};
  g_return_val_if_fail(kind < LAC_N_OPTIMA, NULL);
  return keys[kind];
}

static char *
dup_what(const LacOptimum *optimum)
{
  static const char *const words[] = {N_("per step"), N_("per sample")};
  if (optimum->kind != LAC_OPTIMUM_ERROR)
    return g_strdup(_(words[optimum->kind]));
  g_autofree char *error = lac_number_text(optimum->error);
  return g_strdup_printf(_("to an error of %s, reached by all"), error);
}

char *
lac_optimum_dup_text(const LacOptimum *optimum, LacRunFile *const *runs, gsize n_runs)
{
  g_return_val_if_fail(optimum != NULL && runs != NULL, NULL);
  g_autofree char *best = dup_configuration(runs, n_runs, optimum->best);
  g_autofree char *runner = dup_configuration(runs, n_runs, optimum->runner);
  g_autofree char *what = dup_what(optimum);
  g_autofree char *time = lac_duration_text(optimum->seconds);
  g_autofree char *ratio = lac_number_dup_fixed(optimum->ratio, 2);
  if (optimum->is_tie)
    return g_strdup_printf(
      _("Tie %s: the timings do not distinguish %s (%s) from %s (%s times as long)."), what, best,
      time, runner, ratio);
  return g_strdup_printf(_("Fastest %s: %s (%s); the next, %s, takes %s times as long."), what,
                         best, time, runner, ratio);
}
