/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost estimate of a run or a whole sweep: the card beside the form. */
#pragma once

#include "run/plan/cost.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COST_CARD (lac_cost_card_get_type())
G_DECLARE_FINAL_TYPE(LacCostCard, lac_cost_card, LAC, COST_CARD, GtkWidget)

/* @cost: (nullable): NULL: no estimate. @threads: number of CPU threads assumed by the estimate */
void lac_cost_card_show(LacCostCard *card, const LacCost *cost, guint threads);

/* @free_bytes: free memory of the device used; negative: no device is used */
void lac_cost_card_show_device(LacCostCard *card, double free_bytes);

G_END_DECLS
