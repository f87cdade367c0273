/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line about a span. */
#pragma once

#include "app/timeline/analysis.h"

G_BEGIN_DECLS

/* Describes a bar, and for an outlying iteration the operation that grew, once known. @analysis: (nullable). Returns:
 * (transfer full) */
char *lac_timeline_dup_reading(LacTimelineScope     *scope,
                               LacTimelineAnalysis  *analysis,
                               const LacTimelineBar *bar);

G_END_DECLS
