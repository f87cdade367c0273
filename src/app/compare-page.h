/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two or more runs beside each other: what sets them apart in a sentence, their fields on one scale, curves over each other, tables.
 * Signal: changed. */
#pragma once

#include "app/compare-fields.h"
#include "app/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_PAGE (lac_compare_page_get_type())
G_DECLARE_FINAL_TYPE(LacComparePage, lac_compare_page, LAC, COMPARE_PAGE, GtkWidget)

void lac_compare_page_set_store(LacComparePage *page, LacRunStore *store);

/* @paths: of run folders, two to twelve; the others are measured against the first. */
void lac_compare_page_show(LacComparePage *page, const char *const *paths);
/* The last two runs, or the last one and its baseline, unless runs were chosen. */
void lac_compare_page_show_last(LacComparePage *page);
void lac_compare_page_swap(LacComparePage *page);

/* (nullable): once the runs are read. */
const char *lac_compare_page_get_verdict(LacComparePage *page);
/* Returns: (transfer full): the paths of the runs that are shown, NULL-terminated; empty without. */
GStrv lac_compare_page_dup_paths(LacComparePage *page);

LacCompareFields *lac_compare_page_get_fields(LacComparePage *page); /* (transfer none) */
void              lac_compare_page_set_mode(LacComparePage *page, LacViewMode mode);
void              lac_compare_page_set_link(LacComparePage *page, LacLink link);
void              lac_compare_page_set_seconds(LacComparePage *page, gboolean against_seconds);

/* What is drawn below the fields, each by a word: the key of a metric, the name of an operation, "curves", "durations" or "profile". */
typedef enum {
  LAC_COMPARE_METRIC,
  LAC_COMPARE_OPERATION,
  LAC_COMPARE_BELOW,
  LAC_N_COMPARE_CHOICES
} LacCompareChoice;

/* A metric or an operation that there is not yet is shown once runs are read that have it. */
void lac_compare_page_choose(LacComparePage *page, LacCompareChoice choice, const char *word);
/* Returns: "" where there is none. */
const char *lac_compare_page_get_chosen(LacComparePage *page, LacCompareChoice choice);
void        lac_compare_page_choose_next(LacComparePage *page, LacCompareChoice choice);

void lac_compare_page_zoom(LacComparePage *page, double factor); /* 0: everything */

G_END_DECLS
