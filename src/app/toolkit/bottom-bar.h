/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bar at the bottom of a page, which holds the next action in the same place on every page. Three parts: at the
 * start a sentence with a caption, or controls; in the middle a scrubber or progress; at the end the actions. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_BOTTOM_BAR (lac_bottom_bar_get_type())
G_DECLARE_FINAL_TYPE(LacBottomBar, lac_bottom_bar, LAC, BOTTOM_BAR, GtkWidget)

GtkWidget *lac_bottom_bar_new(void);

/* @title, @caption: (nullable): NULL hides the line. */
void lac_bottom_bar_set_words(LacBottomBar *bar, const char *title, const char *caption);
/* Marks the words as the reason why the next action is not available. */
void lac_bottom_bar_set_refused(LacBottomBar *bar, gboolean refused);
/* Adds @controls before the words. */
void lac_bottom_bar_add_start(LacBottomBar *bar, GtkWidget *controls);
/* Sets the part that takes what is left of the width. @middle: (nullable) */
void lac_bottom_bar_set_middle(LacBottomBar *bar, GtkWidget *middle);
/* Adds an action at the end, after those added earlier. */
void lac_bottom_bar_add_action(LacBottomBar *bar, GtkWidget *action);

G_END_DECLS
