/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a run that was read back, in kinds and by method. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/text/metric-group.h"

G_BEGIN_DECLS

/* Texts are borrowed from the run. */
typedef struct {
  gsize       n, n_channels;
  LacMetric  *metrics;  /* [n] */
  LacChannel *channels; /* [n_channels] */
  gsize       n_groups; /* methods with metrics of their own */
} LacRunMetrics;

void lac_run_metrics_init(LacRunMetrics *metrics, const LacRunFile *run);
void lac_run_metrics_clear(LacRunMetrics *metrics);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacRunMetrics, lac_run_metrics_clear)

/* Returns: (transfer none): the name of the method whose metric @m is; NULL where there is one method, or it is the run's. */
const char *lac_run_metrics_get_method(const LacRunMetrics *metrics, gsize m);

/* Returns: (transfer full): "Gappy POD: relative error" where several methods have one, else the label alone. */
char *lac_run_metrics_dup_label(const LacRunMetrics *metrics, gsize m);

G_END_DECLS
