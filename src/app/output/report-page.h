/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of one or more runs as a page: the sections beside the printed pages. Its pages are laid out in a thread
 * while it is shown. Signal: changed: another plan, or another part of it. */
#pragma once

#include "app/session/run-store.h"
#include "report/document/plan.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_REPORT_PAGE (lac_report_page_get_type())
G_DECLARE_FINAL_TYPE(LacReportPage, lac_report_page, LAC, REPORT_PAGE, GtkWidget)

void lac_report_page_set_store(LacReportPage *page,
                               LacRunStore   *store); /* runs that can be added */

/* Reports on other runs; the plan is kept if it is of the same runs. @folders: NULL-terminated */
void lac_report_page_set_runs(LacReportPage *page, const char *const *folders);

/* Replaces the plan. @plan: (transfer full) */
void                 lac_report_page_show(LacReportPage *page, LacReportPlan *plan);
const LacReportPlan *lac_report_page_get_plan(LacReportPage *page); /* (transfer none) (nullable) */

/* Writes the report; the ending of @path decides on the format. The window's action "exported" receives the path. */
void lac_report_page_save(LacReportPage *page, const char *path);
/* Asks for a file in the chosen format. */
void lac_report_page_ask(LacReportPage *page);

GtkWidget *lac_report_page_get_bar(LacReportPage *page); /* (transfer none) */

G_END_DECLS
