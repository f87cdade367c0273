/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side of a comparison: settings that differ, where the time went, cost. */
#pragma once

#include "app/runs/compared.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_SIDE (lac_compare_side_get_type())
G_DECLARE_FINAL_TYPE(LacCompareSide, lac_compare_side, LAC, COMPARE_SIDE, GtkWidget)

/* @compared: (nullable), borrowed until the next call. */
void lac_compare_side_show(LacCompareSide *side, const LacCompared *compared);

G_END_DECLS
