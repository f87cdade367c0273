/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of a run's metric declarations. */
#include "report/text/run-metrics.h"

#include "report/text/words.h"

#include <glib/gi18n-lib.h>

/* Files of earlier versions do not say which columns their metrics fill. In these the error at the step has the key
 * that also names the method, see lac_metric_group_label(). */
static void
place_undeclared(LacRunMetrics *metrics)
{
  for (gsize i = 0; i < metrics->n; i++)
    if (metrics->metrics[i].placing.column != LAC_COLUMN_FURTHER)
      return;
  for (gsize i = 0; i < metrics->n; i++)
    if (g_str_has_suffix(metrics->metrics[i].key, ".error"))
      metrics->metrics[i].placing = (LacMetricPlacing){LAC_COLUMN_NOW, LAC_RANK_LEAST,
                                                       .is_fraction = TRUE, .heading = N_("Error")};
}

void
lac_run_metrics_init(LacRunMetrics *metrics, const LacRunFile *run)
{
  g_autoptr(GHashTable) groups = g_hash_table_new(g_str_hash, g_str_equal);

  *metrics = (LacRunMetrics){
    .n = run->n_metrics,
    .n_channels = run->n_channels,
    .metrics = g_new0(LacMetric, run->n_metrics + 1),
    .channels = g_new0(LacChannel, run->n_channels + 1),
  };
  for (gsize i = 0; i < run->n_metrics; i++) {
    metrics->metrics[i] = lac_run_file_get_metric(run, i);
    g_hash_table_add(groups, (gpointer) lac_metric_group(&metrics->metrics[i]));
  }
  for (gsize i = 0; i < run->n_channels; i++)
    metrics->channels[i] = lac_run_file_get_channel(run, i);
  place_undeclared(metrics);
  g_hash_table_remove(groups, "");
  metrics->n_groups = g_hash_table_size(groups);
}

void
lac_run_metrics_clear(LacRunMetrics *metrics)
{
  g_clear_pointer(&metrics->metrics, g_free);
  g_clear_pointer(&metrics->channels, g_free);
}

const char *
lac_run_metrics_get_method(const LacRunMetrics *metrics, gsize m)
{
  const char *group = lac_metric_group(&metrics->metrics[m]);

  if (metrics->n_groups < 2 || *group == '\0')
    return NULL;
  return lac_metric_group_label(group, metrics->metrics, metrics->n, metrics->channels,
                                metrics->n_channels);
}

char *
lac_run_metrics_dup_label(const LacRunMetrics *metrics, gsize m)
{
  const char      *method = lac_run_metrics_get_method(metrics, m);
  g_autofree char *label = lac_word_dup_short(metrics->metrics[m].label);

  return method && !g_str_equal(method, metrics->metrics[m].label)
           ? g_strdup_printf("%s: %s", lac_word(method), label)
           : g_steal_pointer(&label);
}
