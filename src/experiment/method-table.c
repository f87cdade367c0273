/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/method-table.h"

#include "experiment/param-rows.h"

#include <math.h>

#define EVALUATION_SHARE  0.05
#define MOST_EVALUATIONS  100
#define LEAST_EVALUATIONS 12

void
lac_method_table_add(LacMethodTable *table, const LacScheduledMethod *method)
{
  g_return_if_fail(table->n < LAC_SCHEDULER_MAX);
  table->names[table->n] = method->name;
  table->titles[table->n] = method->title;
  table->methods[table->n++] = method;
}

gsize
lac_method_table_append_rows(LacMethodTable *table, GArray *rows, gsize offset, const char *key)
{
  for (guint i = 0; i < table->n; i++) {
    const LacParamTable *own = &table->methods[i]->params;

    table->offsets[i] = offset;
    offset = lac_rows_append(rows, own, offset);
    lac_rows_bind(rows, own->n_rows, key, table->names[i]);
  }
  lac_rows_find(rows, key)->choices = table->names;
  lac_rows_find(rows, key)->titles = table->titles;
  return offset;
}

void
lac_method_table_add_curves(GArray         *metrics,
                            const char     *name,
                            const LacCurve *curves,
                            gsize           n_curves)
{
  g_assert(n_curves <= LAC_SCHEDULER_MAX_CURVES);
  for (gsize i = 0; i < n_curves; i++) {
    g_autofree char *key = g_strdup_printf("%s.%s", name, curves[i].key);
    const LacMetric  metric = {
       .key = g_intern_string(key),
       .label = curves[i].label,
       .unit = curves[i].unit,
       .log_axis = curves[i].log_axis,
       .is_result = curves[i].is_result,
       .has_reference = isfinite(curves[i].reference),
       .reference = isfinite(curves[i].reference) ? curves[i].reference : 0,
       .placing = curves[i].placing,
    };

    g_array_append_val(metrics, metric);
  }
}

void
lac_method_table_retune(const LacMethodTable *table,
                        LacScheduler         *scheduler,
                        gint64                list,
                        gconstpointer         params)
{
  for (guint s = 0; s < scheduler->n; s++)
    lac_scheduler_retune(scheduler, s,
                         lac_method_table_get_params(table, (guint) lac_list_get(list, s), params));
}

void
lac_estimate_add(LacEstimate *estimate, const LacEstimate *method)
{
  const double seconds = estimate->seconds_per_step * (double) estimate->n_steps +
                         method->seconds_per_step * (double) method->n_steps;

  estimate->memory_bytes += method->memory_bytes;
  estimate->n_parameters += method->n_parameters;
  estimate->seconds_setup += method->seconds_setup;
  estimate->n_steps = MAX(estimate->n_steps, method->n_steps);
  estimate->seconds_per_step = seconds / (double) estimate->n_steps;
}

gint64
lac_evaluation_interval(gint64 asked,
                        gint64 n_steps,
                        double step_seconds,
                        double evaluation_seconds)
{
  double n = MOST_EVALUATIONS;

  if (asked > 0)
    return asked;
  if (evaluation_seconds > 0)
    n = EVALUATION_SHARE * step_seconds * (double) n_steps / evaluation_seconds;
  n = CLAMP(n, LEAST_EVALUATIONS, MOST_EVALUATIONS);
  return MAX(1, (gint64) ((double) n_steps / n));
}
