/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report as it will be printed, beside the parts it is composed of. */
#pragma once

#include "app/run-store.h"
#include "report/document/plan.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_REPORT_WINDOW (lac_report_window_get_type())
G_DECLARE_FINAL_TYPE(LacReportWindow, lac_report_window, LAC, REPORT_WINDOW, AdwWindow)

/**
 * lac_report_window_present:
 * @parent: its action "exported" takes the path of what is saved as its state
 * @store: (nullable): runs that can be added
 * @plan: (transfer full)
 *
 * Returns: (transfer none): it belongs to the toolkit
 */
LacReportWindow *
lac_report_window_present(GtkWindow *parent, LacRunStore *store, LacReportPlan *plan);

/* Another plan in its place. @plan: (transfer full) */
void lac_report_window_show(LacReportWindow *window, LacReportPlan *plan);
/* (transfer none). Signal: changed, when it is another. */
const LacReportPlan *lac_report_window_get_plan(LacReportWindow *window);
void                 lac_report_window_save(LacReportWindow *window, const char *path);

G_END_DECLS
