/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far to trust an engine where the truth is not known: its numbers in one plain sentence. */
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
} LacTrust;

/* Whether the metric of this key, its engine's name before it or not, is one that the sentence is made of. */
gboolean lac_trust_is_judge(const char *key);

/* @metrics, @values: [n_metrics]; @group: as lac_metric_group() gives it. */
LacTrust lac_trust_gather(const char      *group,
                          const LacMetric *metrics,
                          const double    *values,
                          gsize            n_metrics);

/* Returns: (transfer full): "explains what was measured (…); …", translated; NULL where nothing judges the engine. */
char *lac_trust_dup_sentence(const LacTrust *trust);

typedef struct {
  const char *engine; /* its key, interned */
  char       *title, *sentence;
} LacTrustLine;

/* Returns: (transfer full): of LacTrustLine, one for every engine that its sensors judge; empty where the truth does. */
GArray *lac_trust_lines(const LacRunFile *run);

G_END_DECLS
