/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations of one operation in two runs: overlaid distributions and the ratio of their medians. */
#pragma once

#include "io/runfile/run-file.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_DURATIONS (lac_compare_durations_get_type())
G_DECLARE_FINAL_TYPE(LacCompareDurations, lac_compare_durations, LAC, COMPARE_DURATIONS, GtkWidget)

/* Loads the durations of @operation from both runs in a worker thread; cancels the previous call. */
void lac_compare_durations_show(LacCompareDurations *view,
                                LacRunFile *const   *runs,
                                const char          *operation);
/* Clears the view and releases the runs. */
void lac_compare_durations_clear(LacCompareDurations *view);

G_END_DECLS
