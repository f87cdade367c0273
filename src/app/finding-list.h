/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the analysis found, a sentence each; one that is activated is shown on the timeline. */
#pragma once

#include "app/timeline-analysis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FINDING_LIST (lac_finding_list_get_type())
G_DECLARE_FINAL_TYPE(LacFindingList, lac_finding_list, LAC, FINDING_LIST, GtkWidget)

void lac_finding_list_set_analysis(LacFindingList *list, LacTimelineAnalysis *analysis);

G_END_DECLS
