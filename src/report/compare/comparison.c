/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of runs in parts and in one sentence. */
#include "report/compare/comparison.h"

#include "base/number-display.h"
#include "perf/analysis/median-ratio.h"
#include "report/compare/compare-private.h"
#include "report/compare/optimum.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

const char *
lac_comparison_letter(gsize run)
{
  g_return_val_if_fail(run < LAC_COMPARISON_MOST, NULL);
  return lac_compare_letters[run];
}

GPtrArray *
lac_comparison_rows(LacRunFile *const *runs, gsize n_runs, LacComparisonPart part)
{
  static void (*const fill[])(LacRunFile *const *, gsize, LacTable *) = {
    [LAC_COMPARISON_SETTINGS] = lac_compare_settings,
    [LAC_COMPARISON_RESULTS] = lac_compare_metrics,
    [LAC_COMPARISON_COST] = lac_compare_cost,
  };
  g_return_val_if_fail(n_runs >= 1 && n_runs <= LAC_COMPARISON_MOST, NULL);
  GPtrArray       *rows = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
  g_auto(LacTable) table = {0};
  fill[part](runs, n_runs, &table);
  for (guint r = 0; r < table.kinds->len; r++) {
    GStrv cells = g_new0(char *, table.n_columns + 1);
    for (gsize c = 0; c < table.n_columns; c++)
      cells[c] = g_strdup(g_ptr_array_index(table.cells, (guint) (r * table.n_columns + c)));
    g_ptr_array_add(rows, cells);
  }
  return rows;
}

void
lac_comparison_find_costs(LacRunFile *const *runs, gsize n_runs, LacComparedCost *costs)
{
  g_return_if_fail(runs != NULL && costs != NULL);
  for (gsize r = 0; r < n_runs; r++) {
    g_auto(LacSummary) summary = {0};
    lac_summary_init(&summary, runs[r]);
    costs[r] = (LacComparedCost){
      .total_seconds = runs[r]->seconds + runs[r]->setup_seconds,
      .step_seconds = summary.seconds_per_step,
      .setup_seconds = runs[r]->setup_seconds,
      .peak_bytes = summary.peak_resident,
    };
  }
}

/* ---- operations ---- */

static LacComparedOperation *
find_operation(GArray *all, const char *name)
{
  for (guint i = 0; i < all->len; i++) {
    LacComparedOperation *operation = &g_array_index(all, LacComparedOperation, i);
    if (strncmp(operation->name, name, sizeof operation->name - 1) == 0)
      return operation;
  }
  LacComparedOperation fresh = {.name = ""};
  g_strlcpy(fresh.name, name, sizeof fresh.name);
  for (gsize r = 0; r < LAC_COMPARISON_MOST; r++)
    fresh.seconds[r] = fresh.speed_up[r] = (double) NAN;
  g_array_append_val(all, fresh);
  return &g_array_index(all, LacComparedOperation, all->len - 1);
}

static double
most_seconds(const LacComparedOperation *operation)
{
  double most = 0;
  for (gsize r = 0; r < LAC_COMPARISON_MOST; r++)
    most = fmax(most, operation->seconds[r]);
  return most;
}

static int
compare_seconds(gconstpointer a, gconstpointer b)
{
  double left = most_seconds(a), right = most_seconds(b);
  return left != right ? (left < right) - (left > right)
                       : strcmp(((const LacComparedOperation *) a)->name,
                                ((const LacComparedOperation *) b)->name);
}

GArray *
lac_comparison_operations(LacRunFile *const *runs, gsize n_runs)
{
  g_return_val_if_fail(n_runs >= 1 && n_runs <= LAC_COMPARISON_MOST, NULL);
  GArray *all = g_array_new(FALSE, TRUE, sizeof(LacComparedOperation));
  for (gsize r = 0; r < n_runs; r++) {
    g_auto(LacSummary) summary = {0};
    lac_summary_init(&summary, runs[r]);
    const gboolean matter =
      lac_aggregates_operations_matter(summary.operations, summary.n_operations);
    for (gsize i = 0; i < summary.n_operations; i++)
      if (summary.operations[i].is_operation == matter)
        find_operation(all, lac_summary_operation_name(&summary, i))->seconds[r] =
          summary.operations[i].total_ns * 1e-9;
  }
  for (guint i = 0; i < all->len; i++) {
    LacComparedOperation *operation = &g_array_index(all, LacComparedOperation, i);
    double                first = operation->seconds[0] / (double) runs[0]->steps;
    for (gsize r = 0; r < n_runs; r++)
      operation->speed_up[r] = first / (operation->seconds[r] / (double) runs[r]->steps);
  }
  g_array_sort(all, compare_seconds);
  return all;
}

/* ---- the verdict ---- */

static double
step_seconds(const LacRunFile *run)
{
  return run->steps > 0 ? run->seconds / (double) run->steps : (double) NAN;
}

static gboolean
are_of_one_experiment(LacRunFile *const *runs, gsize n_runs)
{
  for (gsize i = 1; i < n_runs; i++)
    if (!g_str_equal(runs[i]->experiment, runs[0]->experiment))
      return FALSE;
  return TRUE;
}

static char *
dup_ratio(double ratio)
{
  return lac_number_dup_fixed(ratio, ratio < 10 ? 2 : 0);
}

/* Returns a sentence on the time per step of @b relative to @a. */
static char *
dup_time(const LacRunFile *a, const LacRunFile *b, const char *letter)
{
  double           ratio = step_seconds(b) / step_seconds(a);
  g_autofree char *times = dup_ratio(fmax(ratio, 1 / ratio));
  if (!isfinite(ratio) || !(ratio > 0))
    return g_strdup_printf(_("%s has no steps to time"), letter);
  if (fmax(ratio, 1 / ratio) < LAC_OPTIMUM_TIE_ONCE)
    return g_strdup_printf(_("%s takes as long per step as (a)"), letter);
  return ratio < 1 ? g_strdup_printf(_("%s is %s times as fast per step as (a)"), letter, times)
                   : g_strdup_printf(_("%s takes %s times as long per step as (a)"), letter, times);
}

/* Compares the key metric of @a, where both runs have it. */
static char *
dup_result(const LacRunFile *a, const LacRunFile *b, const char *letter)
{
  gssize key = lac_summary_key_metric(a);
  if (key < 0)
    return NULL;
  const LacRunMetric *metric = &a->metrics[key];
  double              before = metric->last, after = (double) NAN;
  for (gsize m = 0; m < b->n_metrics; m++)
    if (g_str_equal(b->metrics[m].key, metric->key))
      after = b->metrics[m].last;
  const char      *label = lac_word(metric->label);
  g_autofree char *was = lac_number_text(before), *is = lac_number_text(after);
  if (!isfinite(before) || !isfinite(after))
    return NULL;
  if (memcmp(&before, &after, sizeof before) == 0)
    return g_strdup_printf(_("%s is %s in both"), label, is);
  if (!metric->log_axis || !(before > 0) || !(after > 0))
    return g_strdup_printf(_("%s is %s in %s, %s in (a)"), label, is, letter, was);
  g_autofree char *times = dup_ratio(fmax(after / before, before / after));
  return after < before ? g_strdup_printf(_("%s is %s, a factor of %s below the %s of (a)"), label,
                                          is, times, was)
                        : g_strdup_printf(_("%s is %s, a factor of %s above the %s of (a)"), label,
                                          is, times, was);
}

/* Names, among several runs, the one with the smallest key metric, if that is an error, and the fastest. */
static char *
dup_best(LacRunFile *const *runs, gsize n_runs)
{
  gssize key = lac_summary_key_metric(runs[0]);
  gsize  best = 0, fastest = 0;
  double least = (double) NAN;
  for (gsize r = 0; r < n_runs; r++) {
    if (step_seconds(runs[r]) < step_seconds(runs[fastest]))
      fastest = r;
    if (key < 0 || (gsize) key >= runs[r]->n_metrics ||
        !g_str_equal(runs[r]->metrics[key].key, runs[0]->metrics[key].key))
      continue;
    if (!(runs[r]->metrics[key].last >= least)) {
      least = runs[r]->metrics[key].last;
      best = r;
    }
  }
  g_autofree char *time = lac_duration_text(step_seconds(runs[fastest]));
  if (key < 0 || !runs[0]->metrics[key].log_axis || !isfinite(least))
    return g_strdup_printf(_("%s is the fastest, %s per step"), lac_compare_letters[fastest], time);
  g_autofree char *value = lac_number_text(least);
  return g_strdup_printf(_("%s is smallest in %s (%s); %s is the fastest (%s per step)"),
                         lac_word(runs[0]->metrics[key].label), lac_compare_letters[best], value,
                         lac_compare_letters[fastest], time);
}

static char *
dup_settings(LacRunFile *const *runs, gsize n_runs)
{
  g_autoptr(GPtrArray) rows = lac_comparison_rows(runs, n_runs, LAC_COMPARISON_SETTINGS);
  const GStrv          first = g_ptr_array_index(rows, 0);
  if (rows->len == 1 && first[1][0] == '\0')
    return g_strdup(_("their settings are equal"));
  return rows->len == 1 ? g_strdup_printf(_("they differ in %s"), first[0])
                        : g_strdup_printf(_("they differ in %u settings"), rows->len);
}

char *
lac_comparison_dup_verdict(LacRunFile *const *runs, gsize n_runs)
{
  g_return_val_if_fail(n_runs >= 2 && n_runs <= LAC_COMPARISON_MOST, NULL);
  if (!are_of_one_experiment(runs, n_runs))
    return g_strdup(
      _("The runs belong to different experiments: their steps and results cannot be compared."));
  g_autofree char *settings = dup_settings(runs, n_runs);
  g_autofree char *first =
    n_runs == 2 ? dup_time(runs[0], runs[1], lac_compare_letters[1]) : dup_best(runs, n_runs);
  g_autofree char *second =
    n_runs == 2 ? dup_result(runs[0], runs[1], lac_compare_letters[1]) : NULL;
  g_autofree char *text = second != NULL
                            ? g_strdup_printf(_("%s; %s; %s."), first, second, settings)
                            : g_strdup_printf(_("%s; %s."), first, settings);
  char             head[8] = "";
  g_unichar_to_utf8(g_unichar_totitle(g_utf8_get_char(text)), head);
  return g_strconcat(head, g_utf8_next_char(text), NULL);
}

/* ---- time of an operation in each step ---- */

/* Times of one operation in one run, one per step, in recording order */
typedef struct {
  GArray     *seconds; /* of double */
  GHashTable *steps;   /* step + 1 -> 1 + its index */
} Times;

static Times *
times_new(gsize n)
{
  Times *times = g_new(Times, n);
  for (gsize i = 0; i < n; i++)
    times[i] = (Times){g_array_new(FALSE, FALSE, sizeof(double)), g_hash_table_new(NULL, NULL)};
  return times;
}

static void
times_free(Times *times, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_array_unref(times[i].seconds);
    g_hash_table_unref(times[i].steps);
  }
  g_free(times);
}

static void
add(Times *times, gint64 step, double seconds)
{
  gpointer key = GSIZE_TO_POINTER((gsize) step + 1);
  guint    at = GPOINTER_TO_UINT(g_hash_table_lookup(times->steps, key));
  if (at > 0) {
    g_array_index(times->seconds, double, at - 1) += seconds;
    return;
  }
  g_array_append_val(times->seconds, seconds);
  g_hash_table_insert(times->steps, key, GUINT_TO_POINTER(times->seconds->len));
}

/* Collects the times of all operations in one pass. Threads that work on the same step are summed. Returns: [n] */
static Times *
gather(const LacCapture *capture, const char *const *operations, gsize n)
{
  Times            *times = times_new(n);
  const guint32     n_names = lac_capture_get_n_names(capture);
  g_autofree gsize *which = g_new0(gsize, n_names + 1); /* name -> 1 + its operation */
  const LacRecord  *records;
  gsize             n_records;
  for (gsize i = 0; i < n; i++) {
    const gint64 name = lac_capture_find_name(capture, operations[i]);
    if (name >= 0)
      which[name] = i + 1;
  }
  for (gsize first = 0; (records = lac_capture_get(capture, first, &n_records)) != NULL;
       first += n_records)
    for (gsize k = 0; k < n_records; k++) {
      const LacRecord *record = &records[k];
      if (record->kind == LAC_RECORD_AGGREGATE && record->step >= 0 && record->name < n_names &&
          which[record->name] > 0)
        add(&times[which[record->name] - 1], record->step, (double) record->duration_ns * 1e-9);
    }
  return times;
}

void
lac_comparison_step_ratios(LacRunFile *const *runs,
                           gsize              n_runs,
                           const char *const *operations,
                           gsize              n,
                           LacRatio          *ratios)
{
  g_return_if_fail(runs != NULL && n_runs >= 1 && operations != NULL && ratios != NULL);
  Times *before = gather(runs[0]->capture, operations, n);
  for (gsize r = 0; r < n_runs; r++) {
    Times *after = gather(runs[r]->capture, operations, n);
    for (gsize i = 0; i < n; i++)
      ratios[i * n_runs + r] = lac_ratio_of_medians(
        (const double *) (gconstpointer) before[i].seconds->data, before[i].seconds->len,
        (const double *) (gconstpointer) after[i].seconds->data, after[i].seconds->len);
    times_free(after, n);
  }
  times_free(before, n);
}
