/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality gates: one row each with value, limit and result. They hold the method that gives the result to its limits;
 * the others are baselines. */
#include "report/summary/gates.h"

#include "report/canvas/canvas.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  const char *text, *key; /* key of a run metric, or ".key" of a metric of the first method */
  double      limit;
  gboolean    is_least; /* the limit is a minimum */
  const char *only;     /* (nullable): applies only if this is the first method */
} Gate;

static const Gate gates[] = {
  {N_("reconstruction error below 15 %"), ".fluctuation_relative_l2", 0.15, FALSE},
  {N_("equation residual below 0.001"), ".residual", 1e-3, FALSE},
  {N_("placement more than 30 % better than random"), "placement_gain", 0.3, TRUE,
   "pod"}, /* measured by gappy POD */
};

/* Returns: (transfer full): the key of the method whose metrics come first; "" without any. */
static char *
dup_first_method(const LacRunFile *run)
{
  for (gsize m = 0; m < run->n_metrics; m++) {
    const char *point = strchr(run->metrics[m].key, '.');

    if (point != NULL)
      return g_strndup(run->metrics[m].key, (gsize) (point - run->metrics[m].key));
  }
  return g_strdup("");
}

static gboolean
belongs(const LacRunMetric *metric, const Gate *gate, const char *method)
{
  g_autofree char *key =
    gate->key[0] == '.' ? g_strconcat(method, gate->key, NULL) : g_strdup(gate->key);

  return metric->is_result && isfinite(metric->last) && g_str_equal(metric->key, key) &&
         (gate->only == NULL || g_str_equal(gate->only, method));
}

void
lac_gates_fill(const LacRunFile *run, LacTable *table)
{
  static const LacColumn columns[] = {
    {N_("gate"), LAC_ALIGN_LEFT, TRUE},
    {N_("value"), LAC_ALIGN_RIGHT, FALSE},
    {N_("met"), LAC_ALIGN_LEFT, FALSE},
    {N_("key"), LAC_ALIGN_LEFT, FALSE},
  };

  g_auto(LacRunMetrics) metrics = {0};
  g_autofree char      *first = dup_first_method(run);

  lac_run_metrics_init(&metrics, run);
  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (gsize g = 0; g < G_N_ELEMENTS(gates); g++)
    for (gsize m = 0; m < run->n_metrics; m++) {
      const LacRunMetric *metric = &run->metrics[m];

      if (!belongs(metric, &gates[g], first))
        continue;
      const gboolean is_met =
        gates[g].is_least ? metric->last > gates[g].limit : metric->last < gates[g].limit;
      const char      *method = lac_run_metrics_get_method(&metrics, m);
      g_autofree char *value = lac_number_text(metric->last);
      g_autofree char *text =
        method != NULL ? g_strdup_printf("%s: %s", lac_word(method), lac_word(gates[g].text))
                       : g_strdup(lac_word(gates[g].text));
      const char *const cells[] = {text, value, is_met ? _("yes") : _("no"), metric->key};

      lac_table_add(table, is_met ? LAC_ROW_PLAIN : LAC_ROW_STRONG, cells);
    }
}
