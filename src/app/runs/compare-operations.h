/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of several runs side by side: times, speed-up over the first run with its confidence interval, and a
 * verdict on its significance. */
#pragma once

#include "report/compare/comparison.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_OPERATIONS (lac_compare_operations_get_type())
G_DECLARE_FINAL_TYPE(LacCompareOperations,
                     lac_compare_operations,
                     LAC,
                     COMPARE_OPERATIONS,
                     GtkWidget)

/* @operations: of LacComparedOperation. Intervals are computed in a worker thread and shown later. */
GtkWidget *
lac_compare_operations_new(LacRunFile *const *runs, gsize n_runs, const GArray *operations);

G_END_DECLS
