/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the analysis finds in the recording of a timeline, worked out on a thread when somebody asks: of what has ended once, of
 * what goes on now and then. Main thread. Signal: changed. */
#pragma once

#include "app/timeline-scope.h"
#include "perf/analysis/analysis.h"

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_ANALYSIS (lac_timeline_analysis_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineAnalysis, lac_timeline_analysis, LAC, TIMELINE_ANALYSIS, GObject)

LacTimelineAnalysis *lac_timeline_analysis_new(LacTimelineScope *scope);
LacTimelineScope    *lac_timeline_analysis_get_scope(LacTimelineAnalysis *analysis);

/* What is found is looked at: only then it is kept up with the recording and its range. Each watch has its unwatch. */
void lac_timeline_analysis_watch(LacTimelineAnalysis *analysis);
void lac_timeline_analysis_unwatch(LacTimelineAnalysis *analysis);
/* Of the range, else of everything; while the latest is being worked out, what was before. Names are those of the recording's
 * capture. Returns: (nullable): NULL where nothing is known yet; valid until it changes */
const LacAnalysis *lac_timeline_analysis_get(LacTimelineAnalysis *analysis);
/* What grew in an outlying iteration; where that is not known yet, it is asked for and announced.
 * Returns: (nullable): NULL of any other bar, and until it is known */
const LacFinding *lac_timeline_analysis_explain(LacTimelineAnalysis  *analysis,
                                                const LacTimelineBar *bar);

G_END_DECLS
