/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check boxes for the choices of a list parameter: on one line or, where the choices have titles, in a list that can
 * be reordered. Signal: changed. */
#pragma once

#include "base/param.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CHOICE_LIST (lac_choice_list_get_type())
G_DECLARE_FINAL_TYPE(LacChoiceList, lac_choice_list, LAC, CHOICE_LIST, GtkWidget)

GtkWidget *lac_choice_list_new(const LacParam *param);

/* Ticks the choices of @list. Lines move only as far as the order of @list requires. */
void lac_choice_list_set(LacChoiceList *choices, gint64 list);
/* Returns: (transfer full): the text for lac_draft_set(); "" if nothing is ticked. */
char *lac_choice_list_dup_text(LacChoiceList *choices);

G_END_DECLS
