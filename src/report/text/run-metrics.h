/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a saved run, by kind and method. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/text/metric-group.h"

G_BEGIN_DECLS

/* Texts are borrowed from the run. */
typedef struct {
  gsize       n, n_channels;
  LacMetric  *metrics;  /* [n] */
  LacChannel *channels; /* [n_channels] */
  gsize       n_groups; /* number of methods with their own metrics */
} LacRunMetrics;

void lac_run_metrics_init(LacRunMetrics *metrics, const LacRunFile *run);
void lac_run_metrics_clear(LacRunMetrics *metrics);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacRunMetrics, lac_run_metrics_clear)

/* Returns: (transfer none): name of the method that metric @m belongs to; NULL for a metric of the run, or with a
 * single method. */
const char *lac_run_metrics_get_method(const LacRunMetrics *metrics, gsize m);

/* Returns: (transfer full): "Gappy POD: relative error" where several methods have the metric, else the label only. */
char *lac_run_metrics_dup_label(const LacRunMetrics *metrics, gsize m);

G_END_DECLS
