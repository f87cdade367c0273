/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of two or more runs: the answer, fields of two runs on a common scale, table of methods, overlaid curves;
 * at the side settings, time and cost. Signal: changed. */
#pragma once

#include "app/runs/compare-fields.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_PAGE (lac_compare_page_get_type())
G_DECLARE_FINAL_TYPE(LacComparePage, lac_compare_page, LAC, COMPARE_PAGE, GtkWidget)

/* @paths: two to LAC_COMPARISON_MOST run folders; the first is the baseline of the others. */
void lac_compare_page_set_runs(LacComparePage *page, const char *const *paths);
void lac_compare_page_swap(LacComparePage *page);

/* Returns: (nullable): the answer, "" without one; NULL until the runs are loaded. */
const char *lac_compare_page_get_verdict(LacComparePage *page);
/* Returns: (transfer full): the paths of the runs shown, NULL-terminated; empty if none are. */
GStrv lac_compare_page_dup_paths(LacComparePage *page);

LacCompareFields *lac_compare_page_get_fields(LacComparePage *page); /* (transfer none) */
void              lac_compare_page_set_mode(LacComparePage *page, LacViewMode mode);
void              lac_compare_page_set_link(LacComparePage *page, LacLink link);
void              lac_compare_page_set_seconds(LacComparePage *page, gboolean against_seconds);

/* Choices below the fields, each set by a string: the key of a metric, the name of an operation, or a tab ("curves", "time",
 * "durations", "profile"). */
typedef enum {
  LAC_COMPARE_METRIC,
  LAC_COMPARE_OPERATION,
  LAC_COMPARE_BELOW,
  LAC_N_COMPARE_CHOICES
} LacCompareChoice;

/* A metric or operation that is not available yet is shown once runs that have it are loaded. */
void lac_compare_page_choose(LacComparePage *page, LacCompareChoice choice, const char *word);
/* Returns: "" if none is selected. */
const char *lac_compare_page_get_chosen(LacComparePage *page, LacCompareChoice choice);
void        lac_compare_page_choose_next(LacComparePage *page, LacCompareChoice choice);

GtkWidget *lac_compare_page_get_bar(LacComparePage *page); /* (transfer none): a LacBottomBar */
/* Return: (transfer none): widgets for the tabs Set-up and Time of the same comparison, without parent. */
GtkWidget *lac_compare_page_get_differences(LacComparePage *page);
GtkWidget *lac_compare_page_get_time(LacComparePage *page);

void lac_compare_page_zoom(LacComparePage *page, double factor); /* 0: fit */

G_END_DECLS
