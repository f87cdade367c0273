/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping of metrics by method and by axis. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

typedef enum {
  LAC_CURVES_ERRORS,       /* logarithmic */
  LAC_CURVES_LOSSES,       /* logarithmic: loss terms that a method minimises, and their gradient */
  LAC_CURVES_COEFFICIENTS, /* linear, with the true value if known */
  LAC_CURVES_OTHERS,       /* linear */
  LAC_N_CURVES
} LacCurveKind;

LacCurveKind lac_metric_kind(const LacMetric *metric);

/* Returns: (transfer none): the prefix before the dot, "enkf" of "enkf.spread", interned; "" for a metric of the
 * run. */
const char *lac_metric_group(const LacMetric *metric);

/* Returns: (transfer none): translatable display name of the group, taken from its error metric or its channels. */
const char *lac_metric_group_label(const char       *group,
                                   const LacMetric  *metrics,
                                   gsize             n_metrics,
                                   const LacChannel *channels,
                                   gsize             n_channels);

/* Returns TRUE when metric @m is drawn by default: with several methods, results go into a table and plots show only
 * quantities that change over the run. */
gboolean lac_metric_is_drawn(const LacMetric *metrics, gsize n_metrics, gsize m);

/**
 * lac_metric_looks:
 * @looks: [n_metrics], filled: the look (report/plot/plot.h) of each metric of @kind; 0 for the other metrics
 *
 * Each method has one colour, by its order, and its curves differ in dashes; the run itself comes after the methods.
 * The curves of a single method differ in colour.
 */
void lac_metric_looks(LacCurveKind kind, const LacMetric *metrics, gsize n_metrics, guint *looks);

G_END_DECLS
