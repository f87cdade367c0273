/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of the analysis of a recording as text. All results: (transfer full). */
#pragma once

#include "perf/analysis/analysis.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns one or two sentences: what was found, how much, what to do. */
char *lac_finding_dup_text(const LacFinding *finding, const LacCapture *capture);

/* Returns the cause of an outlier iteration in a few words. */
char *lac_finding_dup_cause(const LacFinding *outlier, const LacCapture *capture);

/* Appends one line per finding, or a line stating that there are none. */
void lac_findings_print(const LacAnalysis *analysis, const LacCapture *capture, GString *text);
/* Adds the member "findings", an array of objects {"kind", "operation", "step", "ratio", "seconds", "text"}. */
void
lac_findings_add_json(const LacAnalysis *analysis, const LacCapture *capture, JsonBuilder *builder);

/* Returns a key such as "bottleneck" or "first call", for JSON and for tests. */
const char *lac_finding_key(LacFindingKind kind);

G_END_DECLS
