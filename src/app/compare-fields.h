/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One field of two runs on one scale, frame by frame, and their difference. */
#pragma once

#include "app/comparison-source.h"
#include "app/field-view.h"
#include "io/runfile/run-file.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_FIELDS (lac_compare_fields_get_type())
G_DECLARE_FINAL_TYPE(LacCompareFields, lac_compare_fields, LAC, COMPARE_FIELDS, GtkWidget)

/* Both or neither. */
void lac_compare_fields_set_runs(LacCompareFields *fields, LacRunFile *first, LacRunFile *second);
void lac_compare_fields_set_mode(LacCompareFields *fields, LacViewMode mode);
void lac_compare_fields_set_link(LacCompareFields *fields, LacLink link);
LacLink       lac_compare_fields_get_link(LacCompareFields *fields);
LacFieldView *lac_compare_fields_get_view(LacCompareFields *fields); /* (transfer none) */
/* Which field, and which of the frames that both have, are shown; numbers that there are not are passed over. */
void lac_compare_fields_get_chosen(LacCompareFields *fields, guint *field, guint *frame);
void lac_compare_fields_choose(LacCompareFields *fields, guint field, guint frame);
void lac_compare_fields_zoom(LacCompareFields *fields, double factor); /* 0: everything */

G_END_DECLS
