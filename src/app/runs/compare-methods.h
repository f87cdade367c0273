/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the methods of compared runs. Two runs: accuracy and time per step of each, and their ratios as bars. More
 * runs: a column for each. */
#pragma once

#include "app/runs/compared.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_METHODS (lac_compare_methods_get_type())
G_DECLARE_FINAL_TYPE(LacCompareMethods, lac_compare_methods, LAC, COMPARE_METHODS, GtkWidget)

/* @compared: (nullable), borrowed for the call. */
void lac_compare_methods_show(LacCompareMethods *methods, const LacCompared *compared);

G_END_DECLS
