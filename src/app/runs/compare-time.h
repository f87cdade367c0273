/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of compared runs, for the tab Time: bars by phase and by operation, the differential flame graph,
 * the operations with their speed-ups, the durations of one operation. */
#pragma once

#include "app/runs/compared.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_TIME (lac_compare_time_get_type())
G_DECLARE_FINAL_TYPE(LacCompareTime, lac_compare_time, LAC, COMPARE_TIME, GtkWidget)

/* @compared: (nullable), borrowed until the next call. */
void lac_compare_time_show(LacCompareTime *time, const LacCompared *compared);

G_END_DECLS
