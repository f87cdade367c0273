/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Responsive columns: hides the least important ones when the table is narrow; the user's choice in the menu wins. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COLUMN_CHOICE (lac_column_choice_get_type())
G_DECLARE_FINAL_TYPE(LacColumnChoice, lac_column_choice, LAC, COLUMN_CHOICE, GObject)

/* @scroller: the parent of the table; @first: the column that is always shown and fills the remaining width */
LacColumnChoice *lac_column_choice_new(GtkScrolledWindow *scroller, GtkColumnViewColumn *first);

typedef enum {
  LAC_COLUMN_USUAL,     /* shown where there is room */
  LAC_COLUMN_IMPORTANT, /* hidden last */
  LAC_COLUMN_OPTIONAL,  /* hidden until the user shows it */
} LacColumnRank;

/* @key: static. Columns of equal rank are hidden from the right. */
void lac_column_choice_add(LacColumnChoice     *choice,
                           const char          *key,
                           GtkColumnViewColumn *column,
                           LacColumnRank        rank);

/* Hides a column and takes it out of the menu, or offers it again. All are offered at first. */
void lac_column_choice_offer(LacColumnChoice *choice, const char *key, gboolean is_offered);

/* Gives a column at least this width; others may go. */
void lac_column_choice_widen(LacColumnChoice *choice, GtkColumnViewColumn *column, int width);

/* Called after the last column has been added. Returns: (transfer floating): the button that opens the column menu;
 * the headings open the same menu. */
GtkWidget *lac_column_choice_make_button(LacColumnChoice *choice);

G_END_DECLS
