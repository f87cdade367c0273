/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One field of two runs on a common scale, frame by frame, and their difference. */
#pragma once

#include "app/field/view.h"
#include "app/runs/compare-source.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_FIELDS (lac_compare_fields_get_type())
G_DECLARE_FINAL_TYPE(LacCompareFields, lac_compare_fields, LAC, COMPARE_FIELDS, GtkWidget)

/* Both runs are set, or both are NULL. */
void lac_compare_fields_set_runs(LacCompareFields *fields, LacRunFile *first, LacRunFile *second);
void lac_compare_fields_set_mode(LacCompareFields *fields, LacViewMode mode);
void lac_compare_fields_set_link(LacCompareFields *fields, LacLink link);
LacLink       lac_compare_fields_get_link(LacCompareFields *fields);
LacFieldView *lac_compare_fields_get_view(LacCompareFields *fields); /* (transfer none) */
/* Get and set the selected field and the frame of the first run, by index. Out-of-range indices are ignored. */
void lac_compare_fields_get_chosen(LacCompareFields *fields, guint *field, guint *frame);
void lac_compare_fields_choose(LacCompareFields *fields, guint field, guint frame);
GtkWidget      *
lac_compare_fields_get_bar(LacCompareFields *fields); /* (transfer none): a LacBottomBar */
void lac_compare_fields_zoom(LacCompareFields *fields, double factor); /* 0: fit */

G_END_DECLS
