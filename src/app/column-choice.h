/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which columns of a table are shown: as many as its width holds, the important ones first, unless a person chose by the menu. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COLUMN_CHOICE (lac_column_choice_get_type())
G_DECLARE_FINAL_TYPE(LacColumnChoice, lac_column_choice, LAC, COLUMN_CHOICE, GObject)

/* @scroller: that the table is in; @first: the column that is always shown and takes what the others leave */
LacColumnChoice *lac_column_choice_new(GtkScrolledWindow *scroller, GtkColumnViewColumn *first);

/* @key: static. Columns of the same importance leave from the right. */
void lac_column_choice_add(LacColumnChoice     *choice,
                           const char          *key,
                           GtkColumnViewColumn *column,
                           gboolean             is_important);

/* After the last column. Returns: (transfer floating): the button that opens the menu; headings have it too. */
GtkWidget *lac_column_choice_make_button(LacColumnChoice *choice);

G_END_DECLS
