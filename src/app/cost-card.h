/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run, or all of a sweep, will cost: the card beside the form. */
#pragma once

#include "run/plan/cost.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COST_CARD (lac_cost_card_get_type())
G_DECLARE_FINAL_TYPE(LacCostCard, lac_cost_card, LAC, COST_CARD, GtkWidget)

/* @cost: (nullable): NULL: it cannot be said. @threads: that it is reckoned for */
void lac_cost_card_show(LacCostCard *card, const LacCost *cost, guint threads);

/* @free_bytes: memory of the device that takes part; negative: none does */
void lac_cost_card_show_device(LacCostCard *card, double free_bytes);

G_END_DECLS
