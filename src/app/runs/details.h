/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Details beside the list of runs. One selected run: its facts, tags, note and non-default settings. Several: the
 * settings in which they differ. */
#pragma once

#include "app/session/run-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_DETAILS (lac_run_details_get_type())
G_DECLARE_FINAL_TYPE(LacRunDetails, lac_run_details, LAC, RUN_DETAILS, GtkWidget)

/* @items: LacRunItem, borrowed for the call; in the order of the list. */
void lac_run_details_set_items(LacRunDetails *details, GPtrArray *items);

G_END_DECLS
