/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the analysis of a recording found, in words. All results: (transfer full). */
#pragma once

#include "perf/analysis/analysis.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* One or two sentences: what, how much, what to do. */
char *lac_finding_dup_text(const LacFinding *finding, const LacCapture *capture);

/* Of an outlying iteration alone what grew, in a few words. */
char *lac_finding_dup_cause(const LacFinding *outlier, const LacCapture *capture);

/* A line each, or that there are none. */
void lac_findings_print(const LacAnalysis *analysis, const LacCapture *capture, GString *text);
/* Adds the member "findings", an array of objects {"kind", "operation", "step", "ratio", "seconds", "text"}. */
void
lac_findings_add_json(const LacAnalysis *analysis, const LacCapture *capture, JsonBuilder *builder);

/* "bottleneck", "first call": for JSON and for tests. */
const char *lac_finding_key(LacFindingKind kind);

G_END_DECLS
