/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording shows about itself: where the time goes, what varies, what only the first call costs, what grows.
 * Figures only; report/summary/findings.h has the words. One thread. */
#pragma once

#include "perf/analysis/aggregate.h"
#include "perf/analysis/iterations.h"

G_BEGIN_DECLS

/* Shares and ratios from which something is said. */
#define LAC_BOTTLENECK_SHARE 0.5 /* of the time: a bottleneck */
#define LAC_HEAVY_SHARE      0.2 /* of the time: worth a look */
#define LAC_VARIANCE_RATIO   2.0 /* of the longest iteration to the shortest */
#define LAC_FIRST_RATIO      2.0 /* of a first call to the median of the later ones */

typedef enum {
  LAC_FINDING_BOTTLENECK, /* name; ratio: its share of the time; ns: its total */
  LAC_FINDING_HEAVY,      /* likewise */
  LAC_FINDING_VARIANCE, /* ratio: longest to shortest iteration, the first left out; ns, other_ns: the two; count: outliers */
  LAC_FINDING_OUTLIER, /* step; ratio: to the median; ns: how long; name: what grew, other_ns: by how much */
  LAC_FINDING_FIRST_CALL, /* name; ratio: to the median of the others; ns: the first, other_ns: that median */
  LAC_FINDING_LEAK,  /* ratio: bytes per 100 iterations; bytes: grown in all; name: what grew */
  LAC_FINDING_GROWTH /* likewise, but levelling off */
} LacFindingKind;

#define LAC_NO_NAME G_MAXUINT32 /* none of the names */

typedef struct {
  LacFindingKind kind;
  guint32        name; /* or LAC_NO_NAME */
  gint64         step; /* -1: of no single one */
  double         ratio, ns, other_ns, bytes;
  guint64        count;
  gint64         begin_ns, end_ns; /* where to look; the whole recording for what is everywhere */
} LacFinding;

typedef struct {
  LacAggregates *aggregates; /* of the whole recording */
  LacIterations  iterations;
  LacFinding    *findings; /* [n]: what costs most first within a kind, kinds in their order */
  gsize          n;
  LacFinding    *outliers; /* [n_outliers]: more of them than are told, the longest first */
  gsize          n_outliers;
} LacAnalysis;

#define LAC_OUTLIERS_SHOWN     5 /* of the findings */
#define LAC_OUTLIERS_EXPLAINED 1000

/* To be cleared. */
LacAnalysis lac_analysis_make(const LacCapture *capture);
/* The same of a range of time alone; a first call is one of the whole recording. Iterations count the records of the range. */
LacAnalysis lac_analysis_make_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns);
/* What grew in the outlying iteration @step. Returns: (nullable): NULL where it is none, or not among the longest */
const LacFinding *lac_analysis_find_outlier(const LacAnalysis *analysis, gint64 step);
void              lac_analysis_clear(LacAnalysis *analysis);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacAnalysis, lac_analysis_clear)

G_END_DECLS
