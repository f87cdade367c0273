/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widgets above each other, as in a vertical GtkBox, but how wide they want to be does not depend on how high they are. A box asks
 * a wrapped label for the width that fits a height, and the label tries thirty widths to answer: most of the time that a page of
 * rows took to appear. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_STACK_LAYOUT (lac_stack_layout_get_type())
G_DECLARE_FINAL_TYPE(LacStackLayout, lac_stack_layout, LAC, STACK_LAYOUT, GtkLayoutManager)

/* Lays out the title and the subtitle within the row. */
void lac_stack_layout_take_titles(GtkWidget *action_row);

G_END_DECLS
