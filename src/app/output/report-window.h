/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report editor: a print preview beside the list of the report's parts. */
#pragma once

#include "app/session/run-store.h"
#include "report/document/plan.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_REPORT_WINDOW (lac_report_window_get_type())
G_DECLARE_FINAL_TYPE(LacReportWindow, lac_report_window, LAC, REPORT_WINDOW, AdwWindow)

/**
 * lac_report_window_present:
 * @parent: its action "exported" receives the path of each saved file as its state
 * @store: (nullable): runs that can be added
 * @plan: (transfer full)
 *
 * Returns: (transfer none): owned by GTK
 */
LacReportWindow *
lac_report_window_present(GtkWindow *parent, LacRunStore *store, LacReportPlan *plan);

/* Replaces the plan. @plan: (transfer full) */
void lac_report_window_show(LacReportWindow *window, LacReportPlan *plan);
/* Returns: (transfer none): the plan; "changed" is emitted when it is replaced. */
const LacReportPlan *lac_report_window_get_plan(LacReportWindow *window);
void                 lac_report_window_save(LacReportWindow *window, const char *path);

G_END_DECLS
