/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices of a list parameter to tick: in a line, or, where they have titles, one under the other in an order that
 * can be changed. Signal: changed. */
#pragma once

#include "base/param.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CHOICE_LIST (lac_choice_list_get_type())
G_DECLARE_FINAL_TYPE(LacChoiceList, lac_choice_list, LAC, CHOICE_LIST, GtkWidget)

GtkWidget *lac_choice_list_new(const LacParam *param);

/* Ticks the choices of @list. Those that were there stay where they are, as long as their order allows. */
void lac_choice_list_set(LacChoiceList *choices, gint64 list);
/* Returns: (transfer full): as lac_draft_set() takes it; "" with nothing ticked. */
char *lac_choice_list_dup_text(LacChoiceList *choices);

G_END_DECLS
