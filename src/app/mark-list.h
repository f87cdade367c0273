/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A person's marks on a timeline as a list: when, of which step, and a field for a few words. */
#pragma once

#include "app/timeline-scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_MARK_LIST (lac_mark_list_get_type())
G_DECLARE_FINAL_TYPE(LacMarkList, lac_mark_list, LAC, MARK_LIST, GtkWidget)

void lac_mark_list_set_scope(LacMarkList *list, LacTimelineScope *scope);
/* Into the field of mark @i. */
void lac_mark_list_write(LacMarkList *list, gsize i);

G_END_DECLS
