/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many metrics in order: which method each belongs to, and which axis it is drawn on. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

typedef enum {
  LAC_CURVES_ERRORS,       /* logarithmic */
  LAC_CURVES_LOSSES,       /* logarithmic: the terms that a method minimises, and their gradient */
  LAC_CURVES_COEFFICIENTS, /* linear, with the true value where it is known */
  LAC_CURVES_OTHERS,       /* linear */
  LAC_N_CURVES
} LacCurveKind;

LacCurveKind lac_metric_kind(const LacMetric *metric);

/* Returns: (transfer none): what stands before the point of "enkf.spread", interned; "" of one that belongs to the run. */
const char *lac_metric_group(const LacMetric *metric);

/* Returns: (transfer none): the group's name for a person, to be translated: that of its error, or of its channels. */
const char *lac_metric_group_label(const char       *group,
                                   const LacMetric  *metrics,
                                   gsize             n_metrics,
                                   const LacChannel *channels,
                                   gsize             n_channels);

/* Whether metric @m is drawn unless asked otherwise: with several methods their results are read from a table, and a plot
 * keeps to what goes on. */
gboolean lac_metric_is_drawn(const LacMetric *metrics, gsize n_metrics, gsize m);

/**
 * lac_metric_looks:
 * @looks: [n_metrics], filled: for a metric of @kind its look as report/plot/plot.h means it, else 0
 *
 * A method has its colour and its curves differ in their dashes; a lone method's curves differ in colour.
 */
void lac_metric_looks(LacCurveKind kind, const LacMetric *metrics, gsize n_metrics, guint *looks);

G_END_DECLS
