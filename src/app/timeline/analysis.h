/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings about the recording of a timeline, computed in a thread on demand: once for an ended run, periodically for
 * an active one. Main thread. Signal: changed. */
#pragma once

#include "app/timeline/scope.h"
#include "perf/analysis/analysis.h"
#include "report/summary/speed.h"

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_ANALYSIS (lac_timeline_analysis_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineAnalysis, lac_timeline_analysis, LAC, TIMELINE_ANALYSIS, GObject)

LacTimelineAnalysis *lac_timeline_analysis_new(LacTimelineScope *scope);
LacTimelineScope    *lac_timeline_analysis_get_scope(LacTimelineAnalysis *analysis);

/* The findings are kept up to date with the recording and its range only while watched. Calls of watch and unwatch
 * are paired. */
void lac_timeline_analysis_watch(LacTimelineAnalysis *analysis);
void lac_timeline_analysis_unwatch(LacTimelineAnalysis *analysis);
/* Returns: (nullable): the analysis of the range, or else of everything; the previous one while a new one is being
 * computed. NULL if there is none yet. Valid until "changed" is emitted. Names are those of the recording's capture. */
const LacAnalysis *lac_timeline_analysis_get(LacTimelineAnalysis *analysis);
/* Returns: (nullable) (element-type LacSpeedAdvice): settings that would have made the whole run shorter; NULL if they are
 * not known yet, or the recording is no run's. Valid until "changed" is emitted. */
const GArray *lac_timeline_analysis_get_advice(LacTimelineAnalysis *analysis);
/* Returns: (nullable): the finding about an outlying iteration, with its cause. NULL for any other bar, or while the
 * finding is being computed; "changed" is emitted when it is ready. */
const LacFinding *lac_timeline_analysis_explain(LacTimelineAnalysis  *analysis,
                                                const LacTimelineBar *bar);

G_END_DECLS
