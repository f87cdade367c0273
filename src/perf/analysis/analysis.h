/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings about a recording: time shares, variance, first-call cost, memory growth. This file has numbers only;
 * report/summary/findings.h has the texts. One thread. */
#pragma once

#include "perf/analysis/aggregate.h"
#include "perf/analysis/iterations.h"

G_BEGIN_DECLS

/* Thresholds for findings. */
#define LAC_BOTTLENECK_SHARE 0.5 /* share of the time that makes an operation a bottleneck */
#define LAC_HEAVY_SHARE      0.2 /* share of the time from which an operation is reported as heavy */
#define LAC_VARIANCE_RATIO   2.0 /* ratio of the longest to the shortest iteration */
#define LAC_FIRST_RATIO      2.0 /* ratio of the first call to the median of later calls */

typedef enum {
  LAC_FINDING_BOTTLENECK, /* members set: name; ratio: its share of the time; ns: its total time */
  LAC_FINDING_HEAVY,      /* same members */
  LAC_FINDING_VARIANCE, /* ratio: longest to shortest iteration, the first excluded; ns, other_ns: their durations; count: number of outliers */
  LAC_FINDING_OUTLIER, /* step; ns: duration; ratio: duration to the median; name: operation that took longer than usual, other_ns: by how much */
  LAC_FINDING_FIRST_CALL, /* name; ns: duration of first call; other_ns: median of the others; ratio: ns / other_ns */
  LAC_FINDING_LEAK, /* ratio: bytes per 100 iterations; bytes: total growth; name: the scope that grew */
  LAC_FINDING_GROWTH, /* same members, but the growth is levelling off */
  LAC_FINDING_TOUCHED /* same members, but the live heap did not grow: pages were touched for the first time */
} LacFindingKind;

typedef struct {
  LacFindingKind kind;
  guint32        name; /* or LAC_NO_NAME */
  gint64         step; /* -1: no single step */
  double         ratio, ns, other_ns, bytes;
  guint64        count;
  gint64         begin_ns, end_ns; /* time range to show; the whole recording for global findings */
} LacFinding;

typedef struct {
  LacAggregates *aggregates; /* sums over the whole recording */
  LacIterations  iterations;
  LacFinding    *findings; /* [n]: ordered by kind, then by cost, most costly first */
  gsize          n;
  LacFinding    *outliers; /* [n_outliers]: longest first; only some of them are findings */
  gsize          n_outliers;
} LacAnalysis;

#define LAC_OUTLIERS_SHOWN     5 /* maximum number of outliers reported as findings */
#define LAC_OUTLIERS_EXPLAINED 1000

/* Analyses a recording. Returns the analysis, to be cleared after use. */
LacAnalysis lac_analysis_make(const LacCapture *capture);
/* Analyses a time range only; first calls are still those of the whole recording. Record indices of iterations are
 * relative to the range. */
LacAnalysis lac_analysis_make_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns);
/* Finds the cause of the outlier iteration @step. Returns: (nullable): NULL if @step is not among @outliers of the
 * analysis. */
const LacFinding *lac_analysis_find_outlier(const LacAnalysis *analysis, gint64 step);
void              lac_analysis_clear(LacAnalysis *analysis);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacAnalysis, lac_analysis_clear)

G_END_DECLS
