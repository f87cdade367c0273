/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of one operation in two runs by how long they took, over each other, with the ratio of their medians. */
#pragma once

#include "io/runfile/run-file.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_DURATIONS (lac_compare_durations_get_type())
G_DECLARE_FINAL_TYPE(LacCompareDurations, lac_compare_durations, LAC, COMPARE_DURATIONS, GtkWidget)

/* Gathers on a thread what runs[0] and runs[1] have of @operation; another call lets go of the one before. */
void lac_compare_durations_show(LacCompareDurations *view,
                                LacRunFile *const   *runs,
                                const char          *operation);
/* Shows nothing, and lets go of the runs. */
void lac_compare_durations_clear(LacCompareDurations *view);

G_END_DECLS
