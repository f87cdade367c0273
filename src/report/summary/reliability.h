/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far to trust a method where the truth is not known: its numbers in one plain sentence. */
#pragma once

#include "field/frame.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* NaN where there is none; what each means stands in experiment/flow/laboratory/trust.c. */
typedef struct {
  double misfit;        /* chi^2 of the measurements */
  double innovation;    /* chi^2 of what it expected to see */
  double leave_one_out; /* relative to the fluctuation */
  double uncertainty;   /* as it believes, relative to the fluctuation */
} LacReliability;

/* Whether the metric of this key, its method's name before it or not, is one that the sentence is made of. */
gboolean lac_reliability_has_metric(const char *key);

/* @metrics, @values: [n_metrics]; @group: as lac_metric_group() gives it. */
LacReliability lac_reliability_gather(const char      *group,
                                      const LacMetric *metrics,
                                      const double    *values,
                                      gsize            n_metrics);

/* Returns: (transfer full): "explains what was measured (…); …", translated; NULL where nothing judges the method. */
char *lac_reliability_dup_sentence(const LacReliability *reliability);

typedef struct {
  const char *method; /* its key, interned */
  char       *title, *sentence;
} LacReliabilityLine;

/* Returns: (transfer full): of LacReliabilityLine, one for every method that its sensors judge; empty where the truth does. */
GArray *lac_reliability_lines(const LacRunFile *run);

G_END_DECLS
