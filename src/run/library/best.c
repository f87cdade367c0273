/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the best method of a run from its headline. */
#include "run/library/best.h"

#include "experiment/experiment.h"

#include <math.h>
#include <string.h>

/* Results of which a greater value is better; of others the smaller one is. */
static const char *const risen[] = {"psnr_db", "ssim", NULL};
/* Shown in place of the first result if there is one. */
#define ABOVE_REFERENCE "energy_error_millihartree"

static const char *
own_key(const LacHeadlineMetric *metric)
{
  const char *dot = strrchr(metric->key, '.');

  return dot != NULL ? dot + 1 : metric->key;
}

/* Returns TRUE when the lists of the set-up have the metric's method. Of an unknown experiment all are methods. */
static gboolean
is_of_method(const LacRunHeadline *headline, const LacHeadlineMetric *metric)
{
  const LacExperiment *experiment = lac_experiment_find(headline->experiment, NULL);
  g_autofree char     *group = g_strndup(metric->key, strcspn(metric->key, "."));

  for (gsize i = 0; experiment != NULL && i < experiment->params.n_rows; i++) {
    if (experiment->params.rows[i].kind != LAC_PARAM_LIST)
      continue;
    g_autofree char *text = lac_run_headline_dup_setting(headline, experiment->params.rows[i].key);
    g_auto(GStrv)    names = text != NULL ? g_strsplit(text, ",", -1) : g_new0(char *, 1);
    if (g_strv_contains((const char *const *) names, group))
      return TRUE;
  }
  return experiment == NULL;
}

static gboolean
is_better(const LacHeadlineMetric *a, const LacHeadlineMetric *b)
{
  if (b == NULL || !isfinite(b->value))
    return isfinite(a->value);
  return g_strv_contains(risen, own_key(a)) ? a->value > b->value : a->value < b->value;
}

const LacHeadlineMetric *
lac_run_headline_find_best(const LacRunHeadline *headline)
{
  g_return_val_if_fail(headline != NULL, NULL);
  const LacHeadlineMetric *first = lac_run_headline_get_result(headline), *best = NULL;

  for (gsize i = 0; i < headline->n_metrics; i++)
    if (g_str_equal(headline->metrics[i].key, ABOVE_REFERENCE) &&
        isfinite(headline->metrics[i].value))
      return &headline->metrics[i];
  for (gsize i = 1; i < headline->n_metrics; i++) {
    const LacHeadlineMetric *metric = &headline->metrics[i];
    if (strchr(metric->key, '.') != NULL && g_str_equal(own_key(metric), first->key) &&
        is_of_method(headline, metric) && is_better(metric, best))
      best = metric;
  }
  if (best == NULL && first != NULL && isfinite(first->value))
    best = first;
  return best;
}

gboolean
lac_headline_metric_is_share(const LacHeadlineMetric *metric)
{
  return g_str_has_suffix(metric->key, "relative_l2") ||
         g_str_equal(own_key(metric), "leave_one_out");
}
