/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report plan as a list: the user adds and reorders parts, writes text, adds runs. Signal: changed. */
#pragma once

#include "app/session/run-store.h"
#include "report/document/plan.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_REPORT_FORM (lac_report_form_get_type())
G_DECLARE_FINAL_TYPE(LacReportForm, lac_report_form, LAC, REPORT_FORM, GtkWidget)

/* @plan: (transfer full); @store: (nullable): runs that can be added */
void lac_report_form_begin(LacReportForm *form, LacReportPlan *plan, LacRunStore *store);

const LacReportPlan *lac_report_form_get_plan(LacReportForm *form);
/* @contents: [run * LAC_N_PARTS + part]: what each section of each run holds (lac_report_part_dup_content()) */
void lac_report_form_set_contents(LacReportForm *form, const char *const *contents);

G_END_DECLS
