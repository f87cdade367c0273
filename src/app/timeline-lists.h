/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists under the timeline whose rows lead to a place on it: what the analysis found, a sentence each, and a person's marks. */
#pragma once

#include "app/timeline-analysis.h"
#include "app/timeline-scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- what the analysis found; one that is activated is shown on the timeline ---- */

#define LAC_TYPE_FINDING_LIST (lac_finding_list_get_type())
G_DECLARE_FINAL_TYPE(LacFindingList, lac_finding_list, LAC, FINDING_LIST, GtkWidget)

void lac_finding_list_set_analysis(LacFindingList *list, LacTimelineAnalysis *analysis);

/* ---- a person's marks: when, of which step, and a field for a few words ---- */

#define LAC_TYPE_MARK_LIST (lac_mark_list_get_type())
G_DECLARE_FINAL_TYPE(LacMarkList, lac_mark_list, LAC, MARK_LIST, GtkWidget)

void lac_mark_list_set_scope(LacMarkList *list, LacTimelineScope *scope);
/* Into the field of mark @i. */
void lac_mark_list_write(LacMarkList *list, gsize i);

G_END_DECLS
