/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of compared runs. */
#include "app/runs/compared.h"

#include "report/compare/answer.h"
#include "report/text/run-metrics.h"

#include <glib/gi18n-lib.h>

LacRunFile *
lac_compared_get_run(const LacCompared *self, guint i)
{
  return g_ptr_array_index(self->runs, i);
}

static void
time_clear(LacComparedTime *time)
{
  lac_call_tree_clear(&time->tree);
  lac_span_looks_free(time->looks);
  lac_time_parts_clear(&time->phases);
  lac_time_parts_clear(&time->operations);
}

void
lac_compared_free(LacCompared *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->methods != NULL && i < self->runs->len; i++) {
    lac_method_table_clear(&self->methods[i]);
    g_free(self->looks[i]);
  }
  for (guint i = 0; self->times != NULL && i < 2; i++)
    time_clear(&self->times[i]);
  for (guint i = 0; i < G_N_ELEMENTS(self->rows); i++)
    g_clear_pointer(&self->rows[i], g_ptr_array_unref);
  g_clear_pointer(&self->operations, g_array_unref);
  lac_flame_clear(&self->flame);
  g_ptr_array_unref(self->runs);
  g_free(self->methods);
  g_free(self->looks);
  g_free(self->times);
  g_free(self->answer);
  g_free(self->basis);
  g_free(self);
}

static gboolean
read_runs(LacCompared *self, const char *const *paths, GCancellable *cancellable, GError **error)
{
  self->are_of_one_experiment = TRUE;
  for (; *paths != NULL; paths++) {
    LacRunFile *run = g_cancellable_set_error_if_cancelled(cancellable, error)
                        ? NULL
                        : lac_run_file_open(*paths, error);
    if (run == NULL)
      return FALSE;
    g_ptr_array_add(self->runs, run);
    self->are_of_one_experiment &=
      g_str_equal(run->experiment, lac_compared_get_run(self, 0)->experiment);
  }
  return TRUE;
}

/* Returns: (transfer full): the look of each method, as its errors are drawn; 0: none. */
static guint *
find_looks(const LacMethodTable *methods, const LacRunMetrics *metrics)
{
  guint            *found = g_new0(guint, methods->n_rows + 1);
  g_autofree guint *looks = g_new0(guint, metrics->n + 1);
  lac_metric_looks(LAC_CURVES_ERRORS, metrics->metrics, metrics->n, looks);
  for (gsize row = 0; row < methods->n_rows; row++)
    for (gsize m = 0; m < metrics->n && found[row] == 0; m++)
      if (lac_metric_group(&metrics->metrics[m]) == methods->rows[row].group)
        found[row] = looks[m];
  return found;
}

/* Sums the records of a run for its table of methods and its bars. @time: (nullable) */
static void
study(LacCompared *self, guint i, LacComparedTime *time)
{
  const LacRunFile        *run = lac_compared_get_run(self, i);
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n_rows = 0;
  if (run->capture != NULL)
    lac_aggregates_add_capture(aggregates, run->capture);
  const LacAggregate   *rows = lac_aggregates_get(aggregates, &n_rows);
  g_auto(LacRunMetrics) metrics = {0};
  lac_run_metrics_init(&metrics, run);
  lac_method_table_fill_run(&self->methods[i], run, rows, n_rows);
  self->looks[i] = find_looks(&self->methods[i], &metrics);
  if (time == NULL)
    return;
  time->tree = lac_call_tree_make(run->capture, 0, 0);
  time->looks =
    lac_span_looks_new(run->capture, &(LacSpanMethods){metrics.metrics, metrics.n, metrics.channels,
                                                       metrics.n_channels});
  if (i > 0)
    lac_span_looks_adopt(time->looks, self->times[0].looks);
  lac_span_looks_update(time->looks, &time->tree);
  time->phases = lac_time_parts_of_phases(&time->tree, NULL);
  time->operations = lac_time_parts_of_operations(&time->tree, rows, n_rows);
}

/* Returns: (transfer full) (nullable): the number of settings that differ. */
static char *
dup_differing(const LacCompared *self)
{
  guint n = self->rows[LAC_COMPARISON_SETTINGS]->len;
  if (!self->are_of_one_experiment)
    return NULL;
  return n == 0 ? g_strdup(_("their settings are equal"))
                : g_strdup_printf(
                    ngettext("they differ in %u setting", "they differ in %u settings", n), n);
}

/* Returns: (nullable): over what the errors of the methods are the mean. */
static const char *
find_explanation(const LacCompared *self)
{
  const LacMethodTable *methods = &self->methods[0];
  return self->are_of_one_experiment && methods->ranking >= 0 &&
             methods->columns[methods->ranking].kind == LAC_COLUMN_MEAN
           ? methods->columns[methods->ranking].explanation
           : NULL;
}

static void
answer(LacCompared *self)
{
  LacRunFile *const *runs = (LacRunFile *const *) self->runs->pdata;
  const gboolean     is_pair = self->runs->len == 2;
  self->answer = is_pair ? lac_answer_compare(runs[0], runs[1])
                         : lac_answer_compare_several(runs, self->runs->len);
  g_autofree char   *basis = is_pair ? lac_answer_compare_dup_basis(runs[0], runs[1]) : NULL;
  g_autofree char   *differ = dup_differing(self);
  const char        *parts[] = {basis, find_explanation(self), differ};
  g_autoptr(GString) words = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
    if (parts[i] != NULL)
      g_string_append_printf(words, "%s%s", words->len > 0 ? " · " : "", parts[i]);
  if (words->len > 0)
    self->basis = g_strdup(words->str);
}

/* Removes the row that stands for an empty table. */
static void
drop_none(GPtrArray *settings)
{
  const GStrv first = settings->len > 0 ? g_ptr_array_index(settings, 0) : NULL;
  if (settings->len == 1 && *first[1] == '\0')
    g_ptr_array_set_size(settings, 0);
}

LacCompared *
lac_compared_new(const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail(paths != NULL && paths[0] != NULL && paths[1] != NULL, NULL);
  g_autoptr(LacCompared) self = g_new0(LacCompared, 1);
  self->runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);
  if (!read_runs(self, paths, cancellable, error))
    return NULL;
  LacRunFile *const *runs = (LacRunFile *const *) self->runs->pdata;
  guint              n = self->runs->len;
  for (guint part = 0; part < G_N_ELEMENTS(self->rows); part++)
    self->rows[part] = lac_comparison_rows(runs, n, (LacComparisonPart) part);
  drop_none(self->rows[LAC_COMPARISON_SETTINGS]);
  self->operations = lac_comparison_operations(runs, n);
  self->methods = g_new0(LacMethodTable, n);
  self->looks = g_new0(guint *, n);
  lac_comparison_find_costs(runs, n, self->costs);
  if (runs[0]->capture != NULL && runs[1]->capture != NULL)
    self->times = g_new0(LacComparedTime, 2);
  for (guint i = 0; i < n; i++)
    study(self, i, self->times != NULL && i < 2 ? &self->times[i] : NULL);
  if (self->times != NULL)
    self->flame = lac_flame_make_difference(runs[0]->capture, &self->times[0].tree,
                                            runs[1]->capture, &self->times[1].tree);
  answer(self);
  return g_steal_pointer(&self);
}
