/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of runs beside each other: their times, and of every run how much faster than the first it is, with an interval and
 * a word that says whether that is sure. */
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

/* @operations: of LacComparedOperation; intervals are found on a thread and come later. */
GtkWidget *
lac_compare_operations_new(LacRunFile *const *runs, gsize n_runs, const GArray *operations);

G_END_DECLS
