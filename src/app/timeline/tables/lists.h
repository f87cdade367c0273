/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists under the timeline whose rows lead to a time: the findings of the analysis, one sentence each, and the user's
 * marks. */
#pragma once

#include "app/timeline/analysis.h"
#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- findings of the analysis; activating one shows it on the timeline ---- */

#define LAC_TYPE_FINDING_LIST (lac_finding_list_get_type())
G_DECLARE_FINAL_TYPE(LacFindingList, lac_finding_list, LAC, FINDING_LIST, GtkWidget)

void lac_finding_list_set_analysis(LacFindingList *list, LacTimelineAnalysis *analysis);

/* ---- the user's marks: time, step, and an entry for a note ---- */

#define LAC_TYPE_MARK_LIST (lac_mark_list_get_type())
G_DECLARE_FINAL_TYPE(LacMarkList, lac_mark_list, LAC, MARK_LIST, GtkWidget)

void lac_mark_list_set_scope(LacMarkList *list, LacTimelineScope *scope);
/* Focuses the entry of mark @i. */
void lac_mark_list_write(LacMarkList *list, gsize i);

G_END_DECLS
